/* Prescribed motions against coordinates and rates that are written (loops.h). */
#include <math.h>
#include <stdio.h>

#include "base/pi.h"
#include "operating/loops.h"

bool rt_loops_is_driven(const rt_loops *l, int r)
{
    if (r >= l->m->n_joint_rows) return false;
    const rt_constraint *c = &l->m->constraints[l->m->row_constraint[r]].constraint;
    return c->n_rows == 1 && c->rows[0].what && c->rows[0].what->kind == RT_JOINT_ROW_DRIVEN;
}

static bool in_blocks(const loops_blocks *blocks, int row)
{
    for (int k = 0; k < blocks->n; k++)
        for (int i = 0; i < blocks->block[k].n_rows; i++)
            if (blocks->block[k].row[i] == row) return true;
    return false;
}

static bool is_written(const rt_joint *joint, bool rates)
{
    bool any = false;
    for (int k = 0; joint && joint->start && k < joint->class->chain.n; k++)
        any = any || (rates ? joint->start->rate_given[k] : joint->start->value_given[k]);
    return any;
}

/* A joint with what is written, between the bodies of the motion; NULL: there is none. */
static const rt_joint *joint_against(const rt_loops *l, const rt_joint *motion, bool rates)
{
    const routh_model *model = l->m->model;
    const rt_joint *on = motion->n_coupled ? &model->joints[motion->coupled[0]] : NULL;
    if (is_written(on, rates)) return on;
    for (int e = 0; e < 2; e++)
        for (int b = rt_body_of_marker(model, motion->markers[e]); b >= 0; b = l->p->tree.parent[b])
            if (is_written(rt_place_carrier(l->p, b), rates)) return rt_place_carrier(l->p, b);
    return NULL;
}

static routh_status refuse_motion(rt_loops *l, int row, double by, bool rates)
{
    const rt_constraint *c = &l->m->constraints[l->m->row_constraint[row]].constraint;
    const rt_joint *motion = &l->m->model->joints[c->joint];
    const rt_joint *joint = joint_against(l, motion, rates);
    const bool angle = c->rows[0].coordinate[0].angle;
    const char *what = rates ? "rate" : "coordinate";
    if (!joint) return ROUTH_OK; /* the bodies are drawn elsewhere: assembly goes there */
    rt_reader_element(l->p->r, "joint", motion->name);
    return rt_reader_fail(l->p->r, motion->place,
                          "the %s that this motion prescribes is %.6g %s%s less than the one that "
                          "joint '%.60s' has written; leave out the %s there, or write what the "
                          "motion has",
                          what, by * (angle && !rates ? RT_DEGREES : 1),
                          angle ? (rates ? "rad" : "deg") : "m", rates ? "/s" : "", joint->name,
                          what);
}

routh_status rt_loops_check_motions(rt_loops *l, const loops_blocks *blocks, const double *rows,
                                    bool rates, double speed)
{
    static const double most = 1e-6;
    routh_status status = ROUTH_OK;
    for (int r = 0; r < l->m->n_joint_rows && !status; r++) {
        if (!rt_loops_is_driven(l, r) || in_blocks(blocks, r) || fabs(rows[r]) <= most * speed)
            continue;
        status = refuse_motion(l, r, rows[r] * l->size[r], rates);
    }
    return status;
}
