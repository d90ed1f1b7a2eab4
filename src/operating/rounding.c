/* What rounding of the configuration makes of the forces, and whether what is left of the balance
 * is no more than that.
 *
 * Each unknown is known to d_c = 4 eps times its size: the extent of the world for displacements,
 * a radian for rotations. The forces are then uncertain by K dq with |dq_c| <= d_c: by much along
 * what is stiff, by nothing along what no spring holds. An admissible direction n is moved by the
 * force n'f, which is uncertain by
 *
 *     sum_c |n'K|_c d_c + 4 eps |n|'s + d/L |n|'|K|d,       s: the sums of |single forces|
 *
 * the last as directions and arms of what is rounding are rounded too. Stiffness beside n, and on
 * other bodies, excuses nothing else there. The directions are the singular
 * vectors of R'K diag(d), where R spans what the joints allow, so that they do not depend on axes
 * of the model; of large mechanisms the columns of R, and of very large ones none is looked at. */
#include <float.h>
#include <math.h>

#include "base/kept_memory.h"
#include "base/lapack.h"
#include "operating/operating.h"

/* A search ends as near as its steps lead, not at the nearest place that numbers have: forces that
 * nothing balances are larger by far. */
static const double MARGIN = 1e4;

/* Columns of R of which singular vectors are taken, and numbers that R may have. */
enum { MOST_DIRECTIONS = 300, MOST_NUMBERS = 20000000 };

static double rounding_extent(const rt_search *s)
{
    double extent = s->m->length;
    for (int k = 0; k < s->m->n_markers; k++) extent = fmax(extent, rt_v3_norm(s->w->markers[k].r));
    return extent;
}

/* d of column c */
static double rounding_of_column(const rt_search *s, int c, double extent, int *body)
{
    bool angle;
    double per_radian;
    rt_column(s->m, c, body, &angle, &per_radian);
    return 4 * DBL_EPSILON * (angle ? 1 : extent);
}

void rt_rounding_of_unknowns(const rt_search *s, double *d)
{
    const double extent = rounding_extent(s);
    int body;
    for (int c = 0; c < s->m->n_u; c++) d[c] = rounding_of_column(s, c, extent, &body);
}

/* |K| d, and what rounding of signals makes, into z */
static void rounding_forces(rt_search *s)
{
    const rt_pattern *p = &s->m->pattern_K;
    const double extent = rounding_extent(s);
    memset(s->z, 0, (size_t)s->m->n_u * sizeof *s->z);
    for (int c = 0; c < s->m->n_u; c++) {
        int body;
        const double d = rounding_of_column(s, c, extent, &body);
        for (int e = p->start[c]; e < p->start[c + 1]; e++) s->z[p->row[e]] += fabs(s->w->K[e]) * d;
    }
    if (s->signals) rt_add_signal_rounding(s, s->z);
}

static void largest_by_body(const rt_search *s, const double *force, double *largest)
{
    for (int b = 0; b < s->m->n_bodies; b++) largest[b] = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        int body;
        (void)rounding_of_column(s, c, 0, &body);
        largest[body] = fmax(largest[body], fabs(force[c]) * s->unit[c]);
    }
}

void rt_largest_force_by_body(const rt_search *s, double *largest)
{
    largest_by_body(s, s->w->scale, largest);
}

void rt_rounding_force_by_body(rt_search *s, double *largest)
{
    rounding_forces(s);
    largest_by_body(s, s->z, largest);
}

double rt_rounding_force(rt_search *s)
{
    double worst = 0;
    rounding_forces(s);
    for (int c = 0; c < s->m->n_u; c++) worst = fmax(worst, s->z[c] * s->unit[c]);
    return worst;
}

/* ---- along each direction ------------------------------------------------------------------- */

typedef struct rounding_task {
    rt_search *s;
    int n, z;         /* columns of u, directions */
    double *R;        /* n x z */
    double *B;        /* z x n: R'K diag(d) */
    double *force;    /* z: R'r */
    double *floor;    /* z: 4 eps |R|'s, and what rounding of signals makes */
    double *work, *U; /* z x n; z x z */
    double *sigma;    /* z */
    int *independent; /* z */
} rounding_task;

static bool rounding_take(rounding_task *t, rt_arena *a, bool singular)
{
    const size_t n = (size_t)t->n, z = (size_t)t->z;
    t->R = RT_TAKE(a, double, n *z);
    t->B = RT_TAKE(a, double, n *z);
    t->force = RT_TAKE(a, double, 3 * z);
    t->independent = RT_TAKE(a, int, z);
    t->work = singular ? RT_TAKE(a, double, n *z) : t->B;
    t->U = singular ? RT_TAKE(a, double, z *z) : t->B;
    if (!t->R || !t->B || !t->force || !t->independent || !t->work || !t->U) return false;
    t->floor = t->force + z;
    t->sigma = t->floor + z;
    return true;
}

/* B, and the force and its floor along each column of R. The columns of R are made as long as
 * displacements. */
static void rounding_fill(rounding_task *t)
{
    rt_search *s = t->s;
    const rt_pattern *K = &s->m->pattern_K;
    const double extent = rounding_extent(s);
    const size_t z = (size_t)t->z;
    const double again = 4 * DBL_EPSILON * extent / s->m->length;
    rounding_forces(s);
    for (int c = 0; c < t->n; c++) s->z[c] *= again;
    if (s->signals) rt_add_signal_rounding(s, s->z);
    for (int j = 0; j < t->z; j++) {
        double *column = t->R + (size_t)t->n * (size_t)j, longest = 0;
        for (int c = 0; c < t->n; c++) longest = fmax(longest, fabs(column[c]) / s->unit[c]);
        t->force[j] = t->floor[j] = 0;
        for (int c = 0; c < t->n; c++) {
            column[c] /= longest > 0 ? longest : 1;
            t->force[j] += column[c] * s->w->residual[c];
            t->floor[j] += fabs(column[c]) * (4 * DBL_EPSILON * s->w->scale[c] + s->z[c]);
        }
    }
    for (int c = 0; c < t->n; c++) {
        int body;
        const double d = rounding_of_column(s, c, extent, &body);
        for (int j = 0; j < t->z; j++) {
            const double *column = t->R + (size_t)t->n * (size_t)j;
            double sum = 0;
            for (int e = K->start[c]; e < K->start[c + 1]; e++)
                sum += column[K->row[e]] * s->w->K[e];
            t->B[(size_t)j + z * (size_t)c] = sum * d;
        }
    }
}

/* Along a sum of columns of R, by the factors x; least: what rounding of B leaves of it. */
static bool rounding_explains(const rounding_task *t, const double *x, double least)
{
    double force = 0, floor = 0, moved = 0;
    for (int j = 0; j < t->z; j++) {
        force += x[j] * t->force[j];
        floor += fabs(x[j]) * t->floor[j];
    }
    for (int c = 0; c < t->n; c++) {
        double sum = 0;
        for (int j = 0; j < t->z; j++) sum += x[j] * t->B[(size_t)j + (size_t)t->z * (size_t)c];
        moved += fabs(sum);
    }
    return fabs(force) <= MARGIN * (fmax(moved, least) + floor);
}

/* By singular vectors of B. */
static routh_status rounding_look(rounding_task *t, bool *within, routh_error *error)
{
    const int z = t->z;
    memcpy(t->work, t->B, (size_t)z * (size_t)t->n * sizeof *t->B);
    const routh_status status =
        rt_svd_kept(z, t->n, t->work, t->sigma, t->U, NULL, t->s->m->analyses, error);
    if (status) return status;
    for (int i = 0; i < z && *within; i++)
        *within = rounding_explains(t, t->U + (size_t)z * (size_t)i,
                                    4 * DBL_EPSILON * sqrt(t->n) * t->sigma[0]);
    return ROUTH_OK;
}

/* By the columns of R. */
static void rounding_look_at_columns(const rounding_task *t, bool *within)
{
    for (int j = 0; j < t->z && *within; j++) {
        double moved = 0;
        for (int c = 0; c < t->n; c++) moved += fabs(t->B[(size_t)j + (size_t)t->z * (size_t)c]);
        *within = fabs(t->force[j]) <= MARGIN * (moved + t->floor[j]);
    }
}

static routh_status rounding_by_directions(rt_search *s, bool *within, routh_error *error)
{
    const int z = s->m->n_u - s->rank->rank;
    rt_arena arena = {.kept = s->m->analyses};
    rounding_task t = {.s = s, .n = s->m->n_u, .z = z};
    if (z == 0 || (size_t)z * (size_t)s->m->n_u > MOST_NUMBERS) return ROUTH_OK;
    const bool singular = z <= MOST_DIRECTIONS;
    routh_status status = rounding_take(&t, &arena, singular) ? ROUTH_OK : rt_fail_memory(error);
    if (!status) {
        for (int c = 0, k = 0; c < t.n; c++)
            if (s->rank->column_step[c] < 0) t.independent[k++] = c;
        status = rt_tangent_basis(s, t.independent, z, t.R, error);
    }
    if (!status) rounding_fill(&t);
    if (!status && singular) status = rounding_look(&t, within, error);
    if (!status && !singular) rounding_look_at_columns(&t, within);
    rt_arena_free(&arena);
    return status;
}

double rt_own_residual(rt_search *s)
{
    double worst = 0, *largest = s->z;
    rt_largest_force_by_body(s, largest);
    for (int c = 0; c < s->m->n_u; c++) {
        int body;
        const double left = fabs(s->w->residual[c]) * s->unit[c];
        (void)rounding_of_column(s, c, 0, &body);
        if (left > 0) worst = fmax(worst, largest[body] > 0 ? left / largest[body] : INFINITY);
    }
    return worst;
}

bool rt_forces_are_rounding(rt_search *s)
{
    const double most = rt_rounding_force(s);
    double worst = 0;
    for (int c = 0; c < s->m->n_u; c++) worst = fmax(worst, fabs(s->w->residual[c]) * s->unit[c]);
    return worst <= most;
}

routh_status rt_within_rounding(rt_search *s, bool *within, routh_error *error)
{
    *within = rt_forces_are_rounding(s);
    return *within ? rt_within_own_rounding(s, within, error) : ROUTH_OK;
}

routh_status rt_within_own_rounding(rt_search *s, bool *within, routh_error *error)
{
    rt_elimination *here = NULL, *found = s->rank; /* somewhere on the way */
    *within = true;
    routh_status status = rt_eliminate_jacobian(s, &here, error);
    if (status) return status;
    s->rank = here;
    status = rounding_by_directions(s, within, error);
    s->rank = found;
    rt_elimination_free(here);
    return status;
}

routh_status rt_rest_within_rounding(rt_search *s, bool *within, routh_error *error)
{
    const int what = RT_EVALUATE_JACOBIAN | RT_EVALUATE_RESIDUAL | RT_EVALUATE_TANGENT;
    const size_t bytes = (size_t)s->m->n_u * sizeof(double);
    double *kept = rt_kept_malloc(s->m->analyses, bytes + 1);
    *within = false;
    if (!kept) return rt_fail_memory(error);
    memcpy(kept, s->state->udot, bytes);
    memset(s->state->udot, 0, bytes);
    routh_status status = rt_evaluate(s->m, s->w, s->state, what, error);
    if (!status) status = rt_within_rounding(s, within, error);
    memcpy(s->state->udot, kept, bytes);
    rt_kept_free(kept);
    return status;
}
