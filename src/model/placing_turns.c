/* Angles that count turns where joints move the bodies from the reference configuration: counted on
 * the way, all coordinates in the same part of theirs at a time. */
#include "model/placing.h"

#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/vec3.h"
#include "expression/expression.h"

enum { MOST_PARTS = 100000 };

/* A marker's axes in the world. */
static void turned_axes(const rt_placing *p, int marker, double A[9])
{
    rt_number position[3], axes[9];
    double local[9], body[9];
    rt_marker_in_body(p->r, marker, position, axes);
    rt_numbers_values(local, axes, 9);
    const int b = rt_body_of_marker(p->r->model, marker);
    if (b < 0) {
        memcpy(A, local, sizeof local);
        return;
    }
    rt_numbers_values(body, p->start[b].A, 9);
    rt_m3_mul(A, body, local);
}

static double principal_angle(const rt_placing *p, const rt_counted_angle *a)
{
    double A_i[9], A_j[9], p_i[3], p_j[3], q_j[3];
    turned_axes(p, a->i, A_i);
    turned_axes(p, a->j, A_j);
    rt_m3_mul_v(p_i, A_i, a->p);
    rt_m3_mul_v(p_j, A_j, a->p);
    rt_m3_mul_v(q_j, A_j, a->q);
    return atan2(rt_v3_dot(p_i, q_j), rt_v3_dot(p_i, p_j));
}

static double nearest(double principal, double near)
{
    return principal + RT_TWO_PI * round((near - principal) / RT_TWO_PI);
}

/* By how much body b turns against what carries it, at most. */
static double own_turn(const rt_placing *p, int b)
{
    const rt_joint *joint = rt_place_carrier(p, b);
    double sum = p->r->places[b].moves ? RT_PI : 0;
    for (int k = 0; joint && joint->start && k < joint->class->chain.n; k++) {
        const rt_step_kind kind = joint->class->chain.step[k].kind;
        if (!joint->start->value_given[k] || kind == RT_STEP_SLIDE) continue;
        sum += kind == RT_STEP_BALL ? RT_PI : fabs(joint->start->value[k].value);
    }
    return sum;
}

double rt_place_longest_turn(const rt_placing *p)
{
    double most = 0;
    for (int b = 0; b < p->r->model->n_bodies; b++) most = fmax(most, own_turn(p, b));
    return most;
}

/* No angle changes by more than the sum of all turns between its bodies, in radians. */
static double turns_between(const rt_placing *p, const int *position, int a, int b)
{
    double sum = 0;
    while (a != b) {
        int *later = b < 0 || (a >= 0 && position[a] > position[b]) ? &a : &b;
        sum += own_turn(p, *later);
        *later = p->tree.parent[*later];
    }
    return sum;
}

static double most_turns(const rt_placing *p, const int *position)
{
    const routh_model *m = p->r->model;
    double most = 0;
    for (int k = 0; k < m->n_angles; k++) {
        const rt_counted_angle *a = &m->angles[k];
        most = fmax(most, turns_between(p, position, rt_body_of_marker(m, a->i),
                                        rt_body_of_marker(m, a->j)));
    }
    return most;
}

routh_status rt_place_count_parts(const rt_placing *p, int *n)
{
    static const double longest = RT_PI / 8;
    const int n_bodies = p->r->model->n_bodies;
    int *position = RT_TAKE(&p->r->scratch, int, n_bodies);
    if (!position) return rt_fail_memory(p->r->error);
    for (int k = 0; k < n_bodies; k++) position[p->tree.order[k]] = k;
    const double parts = 1 + ceil(most_turns(p, position) / longest);
    rt_reader_element(p->r, "", "joints");
    if (!(parts <= MOST_PARTS))
        return rt_reader_fail(p->r, (rt_place){0},
                              "coordinates of joints are %.4g revolutions, more than are counted; "
                              "write angles without so many whole revolutions",
                              parts * longest / RT_TWO_PI);
    *n = (int)parts;
    return ROUTH_OK;
}

routh_status rt_count_start_turns(rt_placing *p)
{
    routh_model *m = p->r->model;
    rt_placing way;
    int n = 1;
    if (m->n_angles == 0) return ROUTH_OK;
    routh_status status = rt_place_count_parts(p, &n);
    if (!status) status = rt_place_plain(p, &way);
    if (status) return status;
    for (int part = 0; part <= n; part++) {
        way.part = (double)part / n;
        status = rt_place_all(&way);
        if (status) return status;
        for (int k = 0; k < m->n_angles; k++) {
            rt_counted_angle *a = &m->angles[k];
            const double principal = principal_angle(&way, a);
            const bool free = a->load >= 0 && m->loads[a->load].free_length_given;
            const double near = a->start_given ? a->start
                                : free         ? m->loads[a->load].free_length.value
                                               : 0;
            a->start = nearest(principal, near);
            a->start_given = true;
        }
    }
    return ROUTH_OK;
}
