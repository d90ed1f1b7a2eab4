/* Rows, freedoms, and how far the configuration is from a singular one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "model/joint_class.h"
#include "studies/check.h"

static void check_structure_count_rows(routh_check *c, const routh_mechanism *m)
{
    c->n_bodies = m->n_bodies;
    for (int r = 0; r < m->n_joint_rows; r++) {
        const int joint = m->constraints[m->row_constraint[r]].constraint.joint;
        if (m->model->joints[joint].class->drives)
            c->n_motion_rows++;
        else
            c->n_joint_rows++;
    }
    c->gruebler = 6 * c->n_bodies - c->n_joint_rows - c->n_motion_rows;
}

/* ---- distance from singularity --------------------------------------------------------------- */

typedef struct check_structure_jacobian {
    rt_search *s;
    int n, m, rank;
    double *G;    /* m x n, column-major: rows of unit length, columns as lengths */
    double *size; /* m: of the rows before */
    double *sigma, *u, *vt;
    double *slope; /* n */
    rt_arena arena;
} check_structure_jacobian;

static bool check_structure_take(check_structure_jacobian *j)
{
    const size_t n = (size_t)j->n, m = (size_t)j->m;
    j->G = RT_TAKE(&j->arena, double, n *m);
    j->size = RT_TAKE(&j->arena, double, m);
    j->sigma = RT_TAKE(&j->arena, double, n + m);
    j->u = RT_TAKE(&j->arena, double, m *m);
    j->vt = RT_TAKE(&j->arena, double, n *n);
    j->slope = RT_TAKE(&j->arena, double, 2 * n);
    return j->G && j->size && j->sigma && j->u && j->vt && j->slope;
}

static void check_structure_fill(check_structure_jacobian *j)
{
    const rt_pattern *p = &j->s->m->pattern_G;
    for (int c = 0; c < j->n; c++)
        for (int e = p->start[c]; e < p->start[c + 1]; e++) {
            const double entry = j->s->w->G[e] * j->s->unit[c];
            j->G[(size_t)c * (size_t)j->m + (size_t)p->row[e]] = entry;
            j->size[p->row[e]] = hypot(j->size[p->row[e]], entry);
        }
    for (int c = 0; c < j->n; c++)
        for (int r = 0; r < j->m; r++)
            if (j->size[r] > 0) j->G[(size_t)c * (size_t)j->m + (size_t)r] /= j->size[r];
}

/* The smallest singular value changes along a motion t that the constraints allow by
 *     sigma' = y' dG[t] v = v' d(G'y)/dxi t
 * (y, v its vectors): the geometric stiffness of multipliers y, K(lambda = y) - K(lambda = 0). */
static routh_status find_slope(check_structure_jacobian *j, routh_error *error)
{
    rt_search *s = j->s;
    const rt_pattern *p = &s->m->pattern_K;
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN | RT_EVALUATE_TANGENT;
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < j->m; r++)
            s->state->lambda[r] =
                pass && j->size[r] > 0
                    ? j->u[(size_t)(j->rank - 1) * (size_t)j->m + (size_t)r] / j->size[r]
                    : 0;
        const routh_status status = rt_evaluate(s->m, s->w, s->state, what, error);
        if (status) return status;
        for (int c = 0; c < j->n; c++)
            for (int e = p->start[c]; e < p->start[c + 1]; e++) {
                const int i = p->row[e];
                const double v = j->vt[(size_t)i * (size_t)j->n + (size_t)(j->rank - 1)];
                j->slope[c] += (pass ? 1 : -1) * s->unit[c] * s->w->K[e] * s->unit[i] * v;
            }
    }
    return ROUTH_OK;
}

/* sigma / |sigma'| along the motion that lowers it fastest, as the largest step of a body. */
static double check_structure_distance(const check_structure_jacobian *j)
{
    double *direction = j->slope + j->n, square = 0, largest = 0;
    for (int k = j->rank; k < j->n; k++) {
        double along = 0;
        for (int c = 0; c < j->n; c++)
            along += j->vt[(size_t)c * (size_t)j->n + (size_t)k] * j->slope[c];
        for (int c = 0; c < j->n; c++)
            direction[c] += along * j->vt[(size_t)c * (size_t)j->n + (size_t)k];
        square += along * along;
    }
    for (int c = 0; c < j->n; c++) largest = fmax(largest, fabs(direction[c]));
    /* slopes of 1/length are usual; what is far below is rounding */
    if (!(sqrt(square) * j->s->m->length > 1e-12)) return INFINITY;
    return j->sigma[j->rank - 1] / square * largest;
}

static routh_status check_structure_measure(rt_search *s, routh_check *out, routh_error *error)
{
    check_structure_jacobian j = {.s = s, .n = s->m->n_u, .m = s->m->n_rows, .rank = s->rank->rank};
    routh_status status = check_structure_take(&j) ? ROUTH_OK : rt_fail_memory(error);
    if (!status) check_structure_fill(&j);
    if (!status) status = rt_svd(j.m, j.n, j.G, j.sigma, j.u, j.vt, error);
    if (!status) {
        out->smallest_singular = j.sigma[j.rank - 1] / j.sigma[0];
        /* reactions in use would add their own stiffness */
        if (s->m->pattern_L.start[j.m] == 0) status = find_slope(&j, error);
        if (!status && s->m->pattern_L.start[j.m] == 0)
            out->distance = check_structure_distance(&j);
    }
    rt_arena_free(&j.arena);
    return status;
}

/* ---- answers --------------------------------------------------------------------------------- */

static routh_status answer_rank(rt_check_holder *h, routh_error *error)
{
    const routh_operating_point *p = h->check.point;
    double margin = p->largest_rejected == 0 ? 0 : 1e3 * p->largest_rejected / p->smallest_pivot;
    if (!p->rank_clear) margin = fmax(margin, RT_NEAR_REDUNDANT / p->smallest_pivot);
    return rt_check_find(
        h, "rank", p->rank_clear ? ROUTH_YES : ROUTH_CANNOT_TELL, margin, error,
        p->rank_clear ? "independent and redundant equations are far apart: the smallest pivot "
                        "is %.2g, the largest taken as zero %.2g"
                      : "the number of degrees of freedom could be another: the smallest "
                        "pivot is %.2g, the largest taken as zero %.2g",
        p->smallest_pivot, p->largest_rejected);
}

/* "here, 1 a little away" */
static const char *nearby_words(rt_check_holder *h)
{
    const routh_check *c = &h->check;
    const char *text =
        c->point->singular_at_instant
            ? rt_check_text(h, "at this instant, %d a moment before or after", c->degrees_nearby)
            : rt_check_text(h, "here, %d a little away", c->degrees_nearby);
    return text ? text : "";
}

static routh_status answer_singular(rt_check_holder *h, routh_error *error)
{
    const routh_check *c = &h->check;
    const double margin = RT_NEAR * c->length / c->distance;
    const bool looked = h->mechanism->n_u <= RT_NEARBY_COLUMNS;
    if (c->degrees_nearby != c->degrees_of_freedom)
        return rt_check_find(h, "regular", ROUTH_NO, INFINITY, error,
                             "the configuration is singular (a dead point, links in line): %d "
                             "degree%s of freedom %s; joint forces and modes of the surplus ones "
                             "are not determined",
                             c->degrees_of_freedom, c->degrees_of_freedom == 1 ? "" : "s",
                             nearby_words(h));
    if (isnan(c->distance))
        return rt_check_find(h, "regular", looked ? ROUTH_YES : ROUTH_CANNOT_TELL, NAN, error,
                             looked ? "a little away the rank is the same; the distance from a "
                                      "singular configuration was not measured (%s)"
                                    : "no singular configuration was looked for (%s)",
                             isnan(c->smallest_singular) ? "the mechanism is too large"
                                                         : "loads use joint forces");
    if (isinf(c->distance))
        return rt_check_find(h, "regular", ROUTH_YES, 0, error,
                             "no motion leads towards a singular configuration");
    if (c->distance > c->length)
        return rt_check_find(h, "regular", ROUTH_YES, margin, error,
                             "no singular configuration lies within the typical length (%.2g m)",
                             c->length);
    return rt_check_find(h, "regular", margin <= 1 ? ROUTH_YES : ROUTH_CANNOT_TELL, margin, error,
                         "a singular configuration is about %.2g m away%s", c->distance,
                         margin <= 1 ? ""
                                     : ", nearer than the constraints can resolve; digits of joint "
                                       "forces and modes are lost");
}

/* Only what is wrong: inputs that no motion can follow leave no linear model. */
static routh_status answer_inputs(rt_check_holder *h, routh_error *error)
{
    routh_error why = {0};
    const routh_status status = rt_check_drives(h->mechanism, h->check.point, &why);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (status != ROUTH_NOT_SUPPORTED) return ROUTH_OK;
    return rt_check_find(h, "inputs", ROUTH_NO, INFINITY, error, "%s: %s", why.element,
                         why.message);
}

static routh_status check_structure_examine(rt_check_holder *h, rt_search *s, routh_error *error)
{
    routh_check *c = &h->check;
    s->still = c->point->type == ROUTH_OPERATING_STATIC;
    rt_state_copy(h->mechanism, s->state, c->point->state);
    routh_status status =
        rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) status = rt_find_rank_nearby(s, error);
    if (status) return status;
    c->degrees_of_freedom = s->m->n_u - s->rank->rank;
    c->degrees_nearby = s->m->n_u - s->rank_nearby;
    if (s->rank->rank == 0 || c->degrees_of_freedom == 0) c->distance = INFINITY;
    if (s->rank->rank == 0) c->smallest_singular = 1;
    if (s->rank->rank == 0 || s->m->n_u > h->options.most_columns) return ROUTH_OK;
    status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
    if (!status) status = check_structure_measure(s, c, error);
    if (s->rank_nearby > s->rank->rank) c->distance = 0;
    return status;
}

routh_status rt_check_structure(rt_check_holder *h, routh_error *error)
{
    rt_search s;
    check_structure_count_rows(&h->check, h->mechanism);
    h->check.length = h->mechanism->length;
    h->check.smallest_singular = h->check.distance = NAN;
    routh_status status = rt_search_create(&s, h->mechanism, 1e-12, 200, error);
    if (!status) status = check_structure_examine(h, &s, error);
    rt_state_free(s.state);
    rt_search_release(&s);
    if (!status) status = answer_rank(h, error);
    if (!status) status = answer_singular(h, error);
    return status ? status : answer_inputs(h, error);
}
