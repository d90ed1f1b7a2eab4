/* Loops that are not closed where the mechanism is drawn, so that no branch of them is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/joint_class.h"
#include "operating/point.h"

/* Of the typical length: what is drawn so nearly counts as closed (loops_walk.c). */
static const double DRAWN = 0.02;

/* The row that is farthest from closed, as evaluated; -1: none is far. Motions go elsewhere. */
static int farthest_row(const rt_search *s, double *gap)
{
    double *size = s->y;
    int row = -1;
    *gap = DRAWN * s->m->length;
    rt_row_sizes(s, size);
    for (int r = 0; r < s->m->n_joint_rows; r++) {
        const rt_constraint *c = &s->m->constraints[s->m->row_constraint[r]].constraint;
        const double off = fabs(s->w->phi[0][r]) / (size[r] > 0 ? size[r] : 1);
        if (s->m->nonholonomic[r] || s->m->model->joints[c->joint].class->drives || off <= *gap)
            continue;
        *gap = off;
        row = r;
    }
    return row;
}

static routh_status evaluate_at(rt_search *s, const double *q, int what, routh_error *error)
{
    memcpy(s->state->q, q, (size_t)s->m->n_q * sizeof *q);
    return rt_evaluate(s->m, s->w, s->state, what, error);
}

routh_status rt_point_say_undrawn(routh_operating_point *p, rt_search *s, routh_error *error)
{
    const int places = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN;
    const size_t n = (size_t)s->m->n_q;
    char element[192], text[560];
    const char *label;
    rt_place place;
    double gap;
    if (!s->m->reference_q || p->iterations == 0 || s->m->n_joint_rows == 0) return ROUTH_OK;
    double *here = malloc(n * sizeof *here);
    if (!here) return rt_fail_memory(error);
    memcpy(here, s->state->q, n * sizeof *here);
    routh_status status = evaluate_at(s, s->m->start_q, places, error);
    int row = status ? -1 : farthest_row(s, &gap);
    if (row >= 0) status = evaluate_at(s, s->m->reference_q, places, error);
    if (row >= 0 && !status) row = farthest_row(s, &gap);
    const routh_status back =
        evaluate_at(s, here, places | RT_EVALUATE_RESIDUAL | RT_EVALUATE_TANGENT, error);
    free(here);
    if (status || back || row < 0) return status ? status : back;
    rt_row_describe(s->m, row, element, &place, &label);
    snprintf(text, sizeof text,
             "the loop that %.100s closes is open by %.3g m in the reference configuration, so "
             "that no branch of it is drawn: it was closed at the place next to where the "
             "coordinates that are written put the bodies, which need not be the one that is "
             "meant; write positions of the bodies with which it closes",
             element, gap);
    return rt_point_say(p, text) ? ROUTH_OK : rt_fail_memory(error);
}
