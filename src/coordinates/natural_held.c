/* Which rows of a joint hold of themselves: those of what its links share, those that keep links in
 * the plane in which they move anyway, and those between parts of one link. */
#include "coordinates/natural_plan.h"

/* ---- what the rows of a joint say ----------------------------------------------------------- */

enum { X, Y, Z };

static bool has_both(const rt_joint_class *joint_class, rt_joint_row_kind kind, int p)
{
    return rt_joint_class_has(joint_class, kind, p, X) &&
           rt_joint_class_has(joint_class, kind, p, Y);
}

rt_natural_common rt_natural_common_of(const rt_joint *joint)
{
    const rt_joint_class *c = joint->class;
    rt_natural_common in = {.point = true};
    for (int k = 0; k < 3; k++)
        in.point = in.point && rt_joint_class_has(c, RT_JOINT_ROW_POINT, k, 0);
    in.axis = has_both(c, RT_JOINT_ROW_DOT1, Z);
    in.turn = in.axis && rt_joint_class_has(c, RT_JOINT_ROW_DOT1, X, Y);
    in.stays_level = in.point || rt_joint_class_has(c, RT_JOINT_ROW_DOT2, 0, Z);
    in.slides = in.turn && !in.stays_level && has_both(c, RT_JOINT_ROW_DOT2, 0);
    return in;
}

/* ---- what is known of a joint --------------------------------------------------------------- */

typedef struct knowledge {
    bool point;        /* the origins are one */
    bool axis[3];      /* the triads' axes that are one */
    bool turns;        /* the triads are one */
    int plane;         /* in which both links move; -1: none */
    double e[2][3];    /* its normal in the two triads */
    double difference; /* of the origins' heights */
} knowledge;

static bool natural_held_along(const double e[3], int axis)
{
    return fabs(e[(axis + 1) % 3]) + fabs(e[(axis + 2) % 3]) <= 2 * RT_NATURAL_TOLERANCE;
}

static bool across(const double e[3], int axis) { return fabs(e[axis]) <= RT_NATURAL_TOLERANCE; }

static void know_shared(const rt_natural_plan *plan, const rt_natural_place *p, knowledge *k)
{
    int n = 0;
    bool in_plane = false;
    for (int axis = -1; axis < 3; axis++) {
        rt_natural_feature f[2];
        for (int e = 0; e < 2; e++) {
            double local[3];
            rt_v3_copy(local, p[e].at);
            if (axis >= 0) rt_m3_column(local, p[e].axes, axis);
            f[e] = rt_natural_feature_at(plan, p[e].link, axis < 0, local);
        }
        const bool same = rt_natural_same(plan, &f[0], &f[1]);
        if (axis < 0) {
            k->point = same;
            continue;
        }
        k->axis[axis] = same;
        n += same;
        in_plane = in_plane || (same && k->plane >= 0 && across(k->e[0], axis));
    }
    k->turns = n >= 2 || in_plane;
}

/* The ground moves in any plane. */
static void know_plane(const rt_natural_plan *plan, const rt_natural_place *p, knowledge *k)
{
    const rt_natural_link *a = &plan->links[p[0].link], *b = &plan->links[p[1].link];
    double height[2];
    k->plane = p[0].link ? a->plane : b->plane;
    if (k->plane < 0 || (p[0].link && p[1].link && a->plane != b->plane)) {
        k->plane = -1;
        return;
    }
    for (int e = 0; e < 2; e++) {
        const rt_natural_link *link = e ? b : a;
        const double *normal = p[e].link ? link->normal : plan->planes[k->plane].e;
        rt_m3_tmul_v(k->e[e], p[e].axes, normal);
        height[e] = (p[e].link ? link->height : 0) + rt_v3_dot(normal, p[e].at);
    }
    k->difference = height[0] - height[1];
}

/* Of the rows points, axes and offsets alone; of other kinds none holds of itself. */
static bool holds_in_plane(const rt_natural_plan *plan, const knowledge *k,
                           const rt_joint_row *row)
{
    if (k->plane < 0) return false;
    const bool level = fabs(k->difference) <= plan->gap;
    if (row->kind == RT_JOINT_ROW_POINT)
        return level && natural_held_along(plan->planes[k->plane].e, row->p);
    if (row->kind == RT_JOINT_ROW_DOT2) return level && natural_held_along(k->e[1], row->q);
    if (row->kind != RT_JOINT_ROW_DOT1) return false;
    return (natural_held_along(k->e[0], row->p) && across(k->e[1], row->q)) ||
           (across(k->e[0], row->p) && natural_held_along(k->e[1], row->q));
}

static bool holds_shared(const knowledge *k, const rt_joint_row *row)
{
    if (row->kind == RT_JOINT_ROW_POINT || row->kind == RT_JOINT_ROW_DOT2) return k->point;
    return row->kind == RT_JOINT_ROW_DOT1 && row->p != row->q &&
           (k->turns || k->axis[row->p] || k->axis[row->q]);
}

/* Both ends on one link: the row is a number. */
static bool holds_within(const rt_natural_plan *plan, const rt_natural_place *p,
                         const rt_joint_row *row)
{
    double d[3], a[3], b[3];
    rt_v3_sub(d, p[0].at, p[1].at);
    rt_m3_column(a, p[0].axes, row->p);
    rt_m3_column(b, p[1].axes, row->q);
    if (row->kind == RT_JOINT_ROW_POINT) return rt_v3_norm(d) <= plan->gap;
    if (row->kind == RT_JOINT_ROW_DOT2) return fabs(rt_v3_dot(d, b)) <= plan->gap;
    return row->kind == RT_JOINT_ROW_DOT1 && fabs(rt_v3_dot(a, b)) <= RT_NATURAL_TOLERANCE;
}

unsigned rt_natural_held(const rt_natural_plan *plan, int j)
{
    const rt_joint *joint = &plan->model->joints[j];
    const rt_natural_place *p = plan->places[j];
    const bool within = p[0].link == p[1].link;
    unsigned held = 0;
    knowledge k = {.plane = -1};
    if (rt_natural_wanted(plan, j) || joint->markers[0] < -1 || joint->markers[1] < -1 ||
        !rt_joint_is_rigid(plan->model, joint))
        return 0;
    if (!within) {
        know_plane(plan, p, &k);
        know_shared(plan, p, &k);
    }
    for (int r = 0; r < rt_joint_class_count_rows(joint->class); r++) {
        const rt_joint_row *row = &joint->class->rows[r];
        if (row->keeps != RT_KEEPS_ZERO) continue;
        if (within ? holds_within(plan, p, row)
                   : holds_shared(&k, row) || holds_in_plane(plan, &k, row))
            held |= 1u << r;
    }
    return held;
}
