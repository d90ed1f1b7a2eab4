/* Which points and vectors a link's frame is made of, and which of them it shares.
 *
 * Joints are gone through from the ground outwards. A joint's point or axis is shared where both
 * links can take it into their frames: there is room, it is well independent of what they have, and
 * no length or angle that becomes constant is a wrong one. What is not shared stays a constraint
 * between frames, so to refuse is always right. Then frames are filled up with vectors of their
 * own, perpendicular to what is there. */
#include "coordinates/natural_plan.h"

/* Sine of the smallest angle between a new direction and those there are; the smallest distance of
 * two points of a frame against the size of the link. */
static const double least_sine = 0.2, least_distance = 0.1;

/* ---- directions of a frame ------------------------------------------------------------------ */

typedef struct directions {
    int n;
    double d[3][3]; /* orthonormal */
} directions;

/* What is left of x when the directions are taken out of it. */
static double remainder_of(const directions *dirs, const double x[3], double left[3])
{
    rt_v3_copy(left, x);
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < dirs->n; k++)
            rt_v3_add_scaled(left, -rt_v3_dot(left, dirs->d[k]), dirs->d[k]);
    return rt_v3_norm(left);
}

/* Adds x, not zero, if it is not nearly in the span of the others. */
static bool add_direction(directions *dirs, const double x[3])
{
    double left[3];
    const double size = rt_v3_norm(x), rest = remainder_of(dirs, x, left);
    if (dirs->n == 3 || !(rest >= least_sine * size)) return false;
    rt_v3_scale(dirs->d[dirs->n++], 1 / rest, left);
    return true;
}

static bool is_point(const rt_natural_plan *plan, const rt_natural_link *link, int slot)
{
    return plan->members[link->member[slot]].point;
}

static int natural_share_first_point(const rt_natural_plan *plan, const rt_natural_link *link)
{
    int k = 0;
    while (k < link->n_members && !is_point(plan, link, k)) k++;
    return k < link->n_members ? k : -1;
}

/* In a plane the normal counts as one of them, and the one across goes without saying. */
static directions directions_of(const rt_natural_plan *plan, const rt_natural_link *link)
{
    directions dirs = {0};
    const int origin = natural_share_first_point(plan, link);
    if (link->plane >= 0) rt_v3_copy(dirs.d[dirs.n++], link->normal);
    for (int k = 0; k < link->n_members; k++) {
        double d[3];
        if (k == origin) continue;
        rt_v3_copy(d, link->local[k]);
        if (is_point(plan, link, k)) rt_v3_sub(d, d, link->local[origin]);
        add_direction(&dirs, d);
    }
    return dirs;
}

static int natural_share_most_members(const rt_natural_link *link)
{
    return link->plane >= 0 ? 2 : RT_NATURAL_MEMBERS;
}

static bool natural_share_has_room(const rt_natural_plan *plan, const rt_natural_link *link,
                                   bool point, const double local[3])
{
    const int origin = natural_share_first_point(plan, link),
              most = natural_share_most_members(link);
    double d[3];
    if (link->n_members == most) return false;
    if (point && origin < 0) return true;
    if (!point && origin < 0 && link->n_members == most - 1) return false;
    directions dirs = directions_of(plan, link);
    rt_v3_copy(d, local);
    if (point) {
        rt_v3_sub(d, local, link->local[origin]);
        if (!(rt_v3_norm(d) >= least_distance * link->size)) return false;
    } else if (link->plane >= 0 && fabs(rt_v3_dot(local, link->normal)) > RT_NATURAL_TOLERANCE) {
        return false;
    }
    return rt_v3_norm(d) > 0 && add_direction(&dirs, d);
}

/* ---- features ------------------------------------------------------------------------------- */

static bool near_by(const rt_natural_plan *plan, const double a[3], const double b[3])
{
    double d[3];
    rt_v3_sub(d, a, b);
    return rt_v3_norm(d) <= plan->gap;
}

static rt_natural_feature constant_feature(double sign, const double value[3])
{
    rt_natural_feature f = {.kind = RT_NATURAL_CONSTANT, .member = -1, .sign = sign};
    rt_v3_scale(f.value, sign, value);
    return f;
}

rt_natural_feature rt_natural_feature_at(const rt_natural_plan *plan, int number, bool point,
                                         const double local[3])
{
    const rt_natural_link *link = &plan->links[number];
    rt_natural_feature f = {.kind = RT_NATURAL_UNKNOWN, .member = -1, .sign = 1};
    if (number == 0) return constant_feature(1, local);
    if (!point && link->plane >= 0 && rt_natural_parallel(local, link->normal))
        return constant_feature(rt_v3_dot(local, link->normal) < 0 ? -1 : 1,
                                plan->planes[link->plane].e);
    for (int k = 0; k < link->n_members; k++) {
        const rt_natural_member *m = &plan->members[link->member[k]];
        if (m->point != point) continue;
        if (!(point ? near_by(plan, local, link->local[k])
                    : rt_natural_parallel(local, link->local[k])))
            continue;
        f.sign = !point && rt_v3_dot(local, link->local[k]) < 0 ? -1 : 1;
        if (m->constant) return constant_feature(f.sign, m->value);
        f.kind = RT_NATURAL_MEMBER;
        f.member = link->member[k];
    }
    return f;
}

bool rt_natural_same(const rt_natural_plan *plan, const rt_natural_feature *a,
                     const rt_natural_feature *b)
{
    double d[3];
    if (a->kind == RT_NATURAL_UNKNOWN || a->kind != b->kind) return false;
    if (a->kind == RT_NATURAL_MEMBER) return a->member == b->member;
    rt_v3_sub(d, a->value, b->value);
    return rt_v3_norm(d) <= fmax(RT_NATURAL_TOLERANCE, plan->gap);
}

/* ---- taking members ------------------------------------------------------------------------- */

static double height_at(const rt_natural_link *link, const double local[3])
{
    return link->height + rt_v3_dot(link->normal, local);
}

/* The member belongs to the link's plane from now on; false where it cannot. */
static bool lay(const rt_natural_plan *plan, const rt_natural_link *link, const double local[3],
                rt_natural_member *m)
{
    if (link->plane < 0) return true;
    const double height = m->point ? height_at(link, local) : 0;
    const double size = m->point ? plan->gap : RT_NATURAL_TOLERANCE;
    if (m->constant) return fabs(rt_v3_dot(plan->planes[link->plane].e, m->value) - height) <= size;
    if (m->plane >= 0) return m->plane == link->plane && fabs(m->height - height) <= size;
    m->plane = link->plane;
    m->height = height;
    return true;
}

static int natural_share_slot_of(const rt_natural_link *link, int member)
{
    int k = 0;
    while (k < link->n_members && link->member[k] != member) k++;
    return k < link->n_members ? k : -1;
}

/* False where a row of a link that has the member holds for no q. */
static bool others_agree(const rt_natural_plan *plan, int member)
{
    for (int k = 1; k < plan->n_links; k++) {
        const rt_natural_link *link = &plan->links[k];
        if (natural_share_slot_of(link, member) >= 0 && !rt_natural_link_agrees(plan, link))
            return false;
    }
    return true;
}

/* The link takes a member into its frame; false, and nothing changed, where it cannot. */
static bool natural_share_take(rt_natural_plan *plan, int number, int member, const double local[3])
{
    rt_natural_link *link = &plan->links[number];
    const rt_natural_member before = plan->members[member];
    if (!lay(plan, link, local, &plan->members[member])) return false;
    link->member[link->n_members] = member;
    rt_v3_copy(link->local[link->n_members++], local);
    const bool laid = plan->members[member].plane != before.plane;
    if (rt_natural_link_agrees(plan, link) && (!laid || others_agree(plan, member))) return true;
    link->n_members--;
    plan->members[member] = before;
    return false;
}

/* In the plane of the link from the start, as far as it can be. */
static int new_member(rt_natural_plan *plan, int link, bool point, const double local[3])
{
    rt_natural_member *m = &plan->members[plan->n_members];
    *m = (rt_natural_member){.point = point, .plane = -1, .link = link};
    m->column = 3 * plan->n_members; /* until they are numbered */
    rt_v3_copy(m->local, local);
    lay(plan, &plan->links[link], local, m);
    return plan->n_members++;
}

static void take_constant(rt_natural_plan *plan, int link, bool point, const double local[3],
                          const double value[3])
{
    if (!natural_share_has_room(plan, &plan->links[link], point, local)) return;
    const int k = new_member(plan, link, point, local);
    plan->members[k].constant = true;
    plan->members[k].plane = -1;
    rt_v3_copy(plan->members[k].value, value);
    if (!natural_share_take(plan, link, k, local)) plan->n_members--;
}

/* ---- sharing -------------------------------------------------------------------------------- */

/* Member b, equal to sign times a, becomes a in all links; not where one has both. */
static void natural_share_merge(rt_natural_plan *plan, int a, int b, double sign)
{
    const rt_natural_member *ma = &plan->members[a], *mb = &plan->members[b];
    bool can = ma->plane == mb->plane;
    if (ma->plane >= 0) can = can && fabs(ma->height - mb->height) <= plan->gap;
    for (int k = 1; k < plan->n_links && can; k++)
        can = natural_share_slot_of(&plan->links[k], a) < 0 ||
              natural_share_slot_of(&plan->links[k], b) < 0;
    for (int k = 1; k < plan->n_links && can; k++) {
        rt_natural_link *link = &plan->links[k];
        const int slot = natural_share_slot_of(link, b);
        if (slot < 0) continue;
        link->member[slot] = a;
        rt_v3_scale(link->local[slot], sign, link->local[slot]);
    }
}

/* A new member of both links; the one that moves in a plane takes it first. */
static void share_new(rt_natural_plan *plan, bool point, const int link[2], double local[2][3])
{
    const int first = plan->links[link[0]].plane < 0 && plan->links[link[1]].plane >= 0;
    const int k = new_member(plan, link[first], point, local[first]);
    const bool taken = natural_share_take(plan, link[first], k, local[first]);
    if (taken && natural_share_take(plan, link[1 - first], k, local[1 - first])) return;
    if (taken) plan->links[link[first]].n_members--;
    plan->n_members--;
}

static void natural_share(rt_natural_plan *plan, bool point, const int link[2], double local[2][3])
{
    rt_natural_feature f[2];
    bool room[2];
    for (int e = 0; e < 2; e++) {
        f[e] = rt_natural_feature_at(plan, link[e], point, local[e]);
        room[e] = f[e].kind == RT_NATURAL_UNKNOWN &&
                  natural_share_has_room(plan, &plan->links[link[e]], point, local[e]);
    }
    for (int e = 0; e < 2; e++) {
        if (!room[1 - e]) continue;
        if (f[e].kind == RT_NATURAL_CONSTANT) {
            take_constant(plan, link[1 - e], point, local[1 - e], f[e].value);
            return;
        }
        if (f[e].kind == RT_NATURAL_MEMBER) {
            rt_v3_scale(local[1 - e], f[e].sign, local[1 - e]);
            natural_share_take(plan, link[1 - e], f[e].member, local[1 - e]);
            return;
        }
    }
    if (room[0] && room[1]) share_new(plan, point, link, local);
    if (f[0].kind == RT_NATURAL_MEMBER && f[1].kind == RT_NATURAL_MEMBER &&
        f[0].member != f[1].member)
        natural_share_merge(plan, f[0].member, f[1].member, f[0].sign * f[1].sign);
}

static void share_point(rt_natural_plan *plan, int joint)
{
    const rt_natural_place *p = plan->places[joint];
    const int link[2] = {p[0].link, p[1].link};
    double local[2][3];
    for (int e = 0; e < 2; e++) rt_v3_copy(local[e], p[e].at);
    natural_share(plan, true, link, local);
}

static void share_axis(rt_natural_plan *plan, int joint, int axis)
{
    const rt_natural_place *p = plan->places[joint];
    const int link[2] = {p[0].link, p[1].link};
    double local[2][3];
    for (int e = 0; e < 2; e++) rt_m3_column(local[e], p[e].axes, axis);
    natural_share(plan, false, link, local);
}

static void share_joint(rt_natural_plan *plan, int joint)
{
    const rt_natural_common in = rt_natural_common_of(&plan->model->joints[joint]);
    if (in.point) share_point(plan, joint);
    if (in.axis) share_axis(plan, joint, 2);
    if (in.turn) share_axis(plan, joint, 0);
}

/* ---- filling up ----------------------------------------------------------------------------- */

/* The direction farthest from those there are, of the coordinate axes, made perpendicular. */
static void next_direction(const directions *dirs, double d[3])
{
    double most = 0, left[3];
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        const double rest = remainder_of(dirs, axis, left);
        if (rest <= most) continue;
        most = rest;
        rt_v3_scale(d, 1 / rest, left);
    }
}

static void fill_up(rt_natural_plan *plan, int number)
{
    static const double origin[3] = {0, 0, 0};
    rt_natural_link *link = &plan->links[number];
    if (natural_share_first_point(plan, link) < 0)
        natural_share_take(plan, number, new_member(plan, number, true, origin), origin);
    while (link->n_members < natural_share_most_members(link)) {
        double d[3] = {0};
        const directions dirs = directions_of(plan, link);
        next_direction(&dirs, d);
        if (!natural_share_take(plan, number, new_member(plan, number, false, d), d)) return;
    }
}

routh_status rt_natural_share(rt_natural_plan *plan, routh_error *error)
{
    plan->members =
        RT_TAKE(plan->arena, rt_natural_member, (size_t)RT_NATURAL_MEMBERS * (size_t)plan->n_links);
    if (!plan->members) return rt_fail_memory(error);
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < plan->n_joint_order; k++) {
            const rt_natural_place *p = plan->places[plan->joint_order[k]];
            bool planar = true;
            for (int e = 0; e < 2; e++)
                planar = planar && (p[e].link == 0 || plan->links[p[e].link].plane >= 0);
            if (planar == (round == 0)) share_joint(plan, plan->joint_order[k]);
        }
    for (int k = 1; k < plan->n_links; k++) fill_up(plan, k);
    return ROUTH_OK;
}

int rt_natural_number_columns(rt_natural_plan *plan)
{
    int n = 0;
    double c[3], E[3][3];
    for (int m = 0; m < plan->n_members; m++) plan->members[m].column = -1;
    for (int k = 0; k < plan->n_links; k++) {
        const rt_natural_link *link = &plan->links[plan->link_order[k]];
        for (int i = 0; i < link->n_members; i++) {
            rt_natural_member *m = &plan->members[link->member[i]];
            if (m->column >= 0) continue;
            m->column = n;
            n += rt_natural_components(plan, m, c, E);
        }
    }
    return n;
}
