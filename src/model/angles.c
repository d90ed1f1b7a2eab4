#include "model/angles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/joint_class.h"
#include "model/load_class.h"
#include "model/relative.h"

rt_counted_angle rt_angle_about(int i, int j, const double triad[9], int k, int load)
{
    rt_counted_angle a = {.i = i, .j = j, .load = load};
    rt_m3_column(a.p, triad, (k + 1) % 3);
    rt_m3_column(a.q, triad, (k + 2) % 3);
    return a;
}

static bool same_angle(const rt_counted_angle *a, const rt_counted_angle *b)
{
    bool same = a->i == b->i && a->j == b->j && a->load == b->load;
    for (int k = 0; k < 3 && same; k++) same = a->p[k] == b->p[k] && a->q[k] == b->q[k];
    return same;
}

static int angle_among(const rt_counted_angle *angles, int n, const rt_counted_angle *angle)
{
    int k = 0;
    while (k < n && !same_angle(&angles[k], angle)) k++;
    return k < n ? k : -1;
}

int rt_find_angle(const routh_model *model, const rt_counted_angle *angle)
{
    return angle_among(model->angles, model->n_angles, angle);
}

/* Its place among the reader's; -1: out of memory. */
static int add_angle_of(rt_reader *r, const rt_counted_angle *angle)
{
    const int found = angle_among(r->angles, r->n_angles, angle);
    if (found >= 0) {
        r->angles[found].felt = r->angles[found].felt || angle->felt;
        return found;
    }
    if (r->n_angles == r->angle_room) {
        const int room = r->angle_room ? 2 * r->angle_room : 16;
        rt_counted_angle *more = realloc(r->angles, (size_t)room * sizeof *more);
        if (!more) return -1;
        r->angles = more;
        r->angle_room = room;
    }
    r->angles[r->n_angles] = *angle;
    return r->n_angles++;
}

rt_expr rt_angle_expr(rt_reader *r, const rt_counted_angle *angle)
{
    const int k = add_angle_of(r, angle);
    if (k < 0) return RT_NO_EXPR;
    const rt_vector p_i = rt_fixed_axis(angle->i, angle->p);
    const rt_vector p_j = rt_fixed_axis(angle->j, angle->p);
    const rt_vector q_j = rt_fixed_axis(angle->j, angle->q);
    const rt_expr principal =
        rt_atan2(r->model->graph, rt_measure_dot(r, &p_i, &q_j), rt_measure_dot(r, &p_i, &p_j));
    const rt_quantity near = {.kind = RT_QUANTITY_NEAR, .index = k};
    return rt_count_turns(r->model->graph, principal, rt_quantity_expr(r, &near));
}

/* ---- of joints and springs ------------------------------------------------------------------- */

static bool add_coordinate(rt_reader *r, const rt_joint *joint, rt_coordinate which, bool felt)
{
    if (which < RT_COORDINATE_RX) return true;
    rt_counted_angle a = rt_angle_about(joint->markers[0], joint->markers[1], joint->triad,
                                        (int)(which - RT_COORDINATE_RX), -1);
    a.felt = felt;
    return add_angle_of(r, &a) >= 0;
}

static bool add_row(rt_reader *r, const rt_joint *joint, const rt_joint_row *row)
{
    bool ok = true;
    switch (row->kind) {
    case RT_JOINT_ROW_SUM:
        for (int k = 0; k < RT_JOINT_TERMS && row->term[k].factor != 0 && ok; k++)
            ok = add_coordinate(r, joint, row->term[k].coordinate, true);
        return ok;
    case RT_JOINT_ROW_COUPLED:
        for (int k = 0; k < joint->n_coupled && ok; k++)
            ok =
                add_coordinate(r, &r->model->joints[joint->coupled[k]], joint->coordinate[k], true);
        return ok;
    case RT_JOINT_ROW_DRIVEN: return add_coordinate(r, joint, joint->coordinate[0], false);
    case RT_JOINT_ROW_POINT:
    case RT_JOINT_ROW_DOT1:
    case RT_JOINT_ROW_DOT2:
    case RT_JOINT_ROW_SYMMETRY:
    case RT_JOINT_ROW_DISTANCE:
    case RT_JOINT_ROW_FUNCTION:
    case RT_JOINT_ROW_FUNCTIONS:
    case RT_JOINT_ROW_STRAINS:
    case RT_JOINT_ROW_END: break;
    }
    return true;
}

static bool add_all(rt_reader *r)
{
    const routh_model *m = r->model;
    bool ok = true;
    for (int k = 0; k < m->n_joints && ok; k++) {
        const rt_joint_row *rows = m->joints[k].class->rows;
        for (int i = 0; i < RT_JOINT_ROWS && rows[i].kind != RT_JOINT_ROW_END && ok; i++)
            ok = add_row(r, &m->joints[k], &rows[i]);
    }
    for (int k = 0; k < m->n_loads && ok; k++) {
        const rt_load *load = &m->loads[k];
        if (!rt_load_class_of(load->type)->counts_turns) continue;
        rt_counted_angle a = rt_angle_about(load->markers[0], load->markers[1], load->triad, 2, k);
        a.felt = true;
        ok = add_angle_of(r, &a) >= 0;
    }
    return ok;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *angles_marker_name(const routh_model *m, int marker)
{
    return marker < 0 ? "ground" : m->markers[marker].name ? m->markers[marker].name : "";
}

/* The axis x, y or z that p and q go about; 0: none of them. */
static char angles_axis(const rt_counted_angle *a)
{
    for (int k = 0; k < 3; k++)
        if (a->p[(k + 1) % 3] == 1 && a->q[(k + 2) % 3] == 1) return (char)('X' + k);
    return 0;
}

/* The joint whose angle about x, y or z it is, -1: none's. Those of beams have none. */
static int joint_with(const routh_model *m, const rt_counted_angle *a, char *axis)
{
    for (int k = 0; k < m->n_joints; k++) {
        const rt_joint *joint = &m->joints[k];
        for (int about = 0; about < 3 && joint->markers[0] != -2 && !joint->n_strains; about++) {
            const rt_counted_angle own =
                rt_angle_about(joint->markers[0], joint->markers[1], joint->triad, about, -1);
            *axis = (char)('x' + about);
            if (same_angle(a, &own)) return k;
        }
    }
    return -1;
}

static void angles_put_name(const routh_model *m, const rt_counted_angle *a, char *text,
                            size_t room)
{
    char axis = 0;
    const int joint = a->load < 0 ? joint_with(m, a, &axis) : -1;
    const char *i = angles_marker_name(m, a->i), *j = angles_marker_name(m, a->j);
    if (a->load >= 0)
        snprintf(text, room, "%s", m->loads[a->load].name);
    else if (joint >= 0)
        snprintf(text, room, "%s.r%c", m->joints[joint].name, axis);
    else if (angles_axis(a))
        snprintf(text, room, "A%c(%s, %s)", angles_axis(a), i, j);
    else
        snprintf(text, room, "angle(%s, %s)", i, j);
}

/* "name", or "name#2" where there is one already. */
static routh_status name_angles(routh_model *m, routh_error *error)
{
    char text[512], full[544];
    for (int k = 0; k < m->n_angles; k++) {
        angles_put_name(m, &m->angles[k], text, sizeof text);
        snprintf(full, sizeof full, "%s", text);
        for (int l = 0, n = 1; l < k; l++)
            if (strcmp(m->angles[l].name, full) == 0) {
                snprintf(full, sizeof full, "%s#%d", text, ++n);
                l = -1;
            }
        m->angles[k].name = rt_arena_text(&m->arena, full, strlen(full));
        if (!m->angles[k].name) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

routh_status rt_finish_angles(rt_reader *r)
{
    routh_model *m = r->model;
    if (!add_all(r)) return rt_fail_memory(r->error);
    m->angles = RT_TAKE(&m->arena, rt_counted_angle, r->n_angles);
    if (!m->angles) return rt_fail_memory(r->error);
    m->n_angles = r->n_angles;
    if (r->n_angles) memcpy(m->angles, r->angles, (size_t)r->n_angles * sizeof *r->angles);
    return name_angles(m, r->error);
}
