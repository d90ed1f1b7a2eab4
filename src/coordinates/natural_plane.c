/* Links that move in a plane: their joints to the ground, or to links that do, leave only motions
 * in a plane with a constant normal. */
#include "coordinates/natural_plan.h"

/* ---- planes --------------------------------------------------------------------------------- */

/* The two axes of the plane: coordinate axes where the normal is one. */
static void natural_plane_span(rt_natural_plane *plane)
{
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(plane->e[i]) > fabs(plane->e[k])) k = i;
    if (plane->e[k] < 0) rt_v3_scale(plane->e, -1, plane->e);
    double *t = plane->t[0];
    rt_v3_set(t, 0, 0, 0);
    t[(k + 1) % 3] = 1;
    rt_v3_add_scaled(t, -rt_v3_dot(t, plane->e), plane->e);
    rt_v3_scale(t, 1 / rt_v3_norm(t), t);
    rt_v3_cross(plane->t[1], plane->e, t);
}

/* The plane with the normal e or -e, a new one where there is none; *sign says which. */
static int plane_with(rt_natural_plan *plan, const double e[3], double *sign)
{
    int k = 0;
    while (k < plan->n_planes && !rt_natural_parallel(plan->planes[k].e, e)) k++;
    if (k == plan->n_planes) {
        rt_v3_copy(plan->planes[k].e, e);
        natural_plane_span(&plan->planes[k]);
        plan->n_planes++;
    }
    *sign = rt_v3_dot(plan->planes[k].e, e) < 0 ? -1 : 1;
    return k;
}

/* ---- joints --------------------------------------------------------------------------------- */

static const rt_natural_place *place_on(const rt_natural_plan *plan, int joint, int link, bool far)
{
    const rt_natural_place *places = plan->places[joint];
    return &places[(places[0].link == link) == far];
}

/* The joint's axis is the normal of the plane of what the joint leaves. */
static bool turns_in_its_plane(const rt_natural_common *in)
{
    return in->axis && in->stays_level && !in->turn;
}

static void enter(rt_natural_plan *plan, int plane, const rt_natural_place *near,
                  const double near_normal[3], const rt_natural_place *far)
{
    const rt_natural_link *from = &plan->links[near->link];
    rt_natural_link *to = &plan->links[far->link];
    double c[3];
    rt_m3_tmul_v(c, near->axes, near_normal);
    rt_m3_mul_v(to->normal, far->axes, c);
    rt_v3_scale(to->normal, 1 / rt_v3_norm(to->normal), to->normal);
    to->plane = plane;
    to->height = (near->link ? from->height : 0) + rt_v3_dot(near_normal, near->at) -
                 rt_v3_dot(to->normal, far->at);
}

/* What the joint does to the far link, given that the near one moves in a plane or is the ground.
 * True where the far link now moves in a plane too. */
static bool leads_on(rt_natural_plan *plan, int joint, int near_link)
{
    const rt_natural_place *near = place_on(plan, joint, near_link, false);
    const rt_natural_place *far = place_on(plan, joint, near_link, true);
    const rt_natural_link *from = &plan->links[near_link];
    const rt_natural_common in = rt_natural_common_of(&plan->model->joints[joint]);
    double axis[3], normal[3], sign;
    if (plan->links[far->link].plane >= 0 || far->link == 0) return false;
    rt_m3_column(axis, near->axes, 2);
    if (near_link == 0) {
        if (!turns_in_its_plane(&in)) return false;
        const int plane = plane_with(plan, axis, &sign);
        rt_v3_scale(normal, sign, axis);
        enter(plan, plane, near, normal, far);
        return true;
    }
    const bool along = rt_natural_parallel(axis, from->normal);
    const bool across = fabs(rt_v3_dot(axis, from->normal)) <= RT_NATURAL_TOLERANCE;
    if (!(turns_in_its_plane(&in) && along) && !(in.slides && across))
        return false;
    enter(plan, from->plane, near, from->normal, far);
    return true;
}

static void natural_plane_spread(rt_natural_plan *plan, int *queue, int tail)
{
    for (int head = 0; head < tail; head++) {
        const int link = queue[head];
        for (int k = plan->joint_start[link]; k < plan->joint_start[link + 1]; k++) {
            const int j = plan->joint_list[k];
            if (leads_on(plan, j, link)) queue[tail++] = place_on(plan, j, link, true)->link;
        }
    }
}

/* A link that slides along the ground moves in any plane that holds the axis: in that of another
 * joint of its, else in one of the triad's. */
static bool lay_slider(rt_natural_plan *plan, int joint)
{
    const rt_natural_place *near = place_on(plan, joint, 0, false);
    const rt_natural_place *far = place_on(plan, joint, 0, true);
    double slide[3], axis[3], normal[3], c[3], sign;
    if (!rt_natural_common_of(&plan->model->joints[joint]).slides) return false;
    if (plan->links[far->link].plane >= 0) return false;
    rt_m3_column(slide, far->axes, 2);
    rt_m3_column(normal, near->axes, 0);
    for (int k = plan->joint_start[far->link]; k < plan->joint_start[far->link + 1]; k++) {
        const int j = plan->joint_list[k];
        const rt_natural_common in = rt_natural_common_of(&plan->model->joints[j]);
        if (!turns_in_its_plane(&in)) continue;
        rt_m3_column(axis, place_on(plan, j, far->link, false)->axes, 2);
        if (fabs(rt_v3_dot(axis, slide)) > RT_NATURAL_TOLERANCE) continue;
        rt_m3_tmul_v(c, far->axes, axis);
        rt_m3_mul_v(normal, near->axes, c);
        break;
    }
    const int plane = plane_with(plan, normal, &sign);
    rt_v3_scale(normal, sign, normal);
    enter(plan, plane, near, normal, far);
    return true;
}

routh_status rt_natural_find_planes(rt_natural_plan *plan, routh_error *error)
{
    plan->planes = RT_TAKE(plan->arena, rt_natural_plane, plan->n_links);
    int *queue = RT_TAKE(plan->arena, int, plan->n_links);
    if (!plan->planes || !queue) return rt_fail_memory(error);
    queue[0] = 0;
    natural_plane_spread(plan, queue, 1);
    for (int k = plan->joint_start[0]; k < plan->joint_start[1]; k++) {
        const int j = plan->joint_list[k];
        if (!lay_slider(plan, j)) continue;
        queue[0] = place_on(plan, j, 0, true)->link;
        natural_plane_spread(plan, queue, 1);
    }
    return ROUTH_OK;
}
