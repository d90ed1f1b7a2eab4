#include <float.h>

#include "base/kept_memory.h"
#include "operating/twists.h"

static void search_set_units(rt_search *s)
{
    for (int c = 0; c < s->m->n_u; c++) s->unit[c] = rt_column_unit(s->m, c);
}

routh_status rt_search_create(rt_search *s, const routh_mechanism *m, double tolerance,
                              int max_iterations, routh_error *error)
{
    *s = (rt_search){.m = m, .tolerance = tolerance, .max_iterations = max_iterations};
    routh_status status = rt_workspace_create(&s->w, m, error);
    if (!status) status = rt_state_create(&s->state, m, error);
    if (status) return status;
    s->x = rt_kept_calloc(s->m->analyses, 3 * (size_t)m->n_u + (size_t)m->n_rows + 1, sizeof *s->x);
    if (!s->x) return rt_fail_memory(error);
    s->z = s->x + m->n_u;
    s->unit = s->z + m->n_u;
    s->y = s->unit + m->n_u;
    search_set_units(s);
    const bool signals = m->model->n_control_states + m->model->n_variables > 0;
    return signals ? rt_signals_create(&s->signals, m, error) : ROUTH_OK;
}

void rt_search_release(rt_search *s)
{
    rt_kkt_free(s->mass);
    rt_small_free(s->small);
    rt_signals_free(s->signals);
    rt_elimination_free(s->rank);
    rt_elimination_free(s->position_rank);
    rt_workspace_free(s->w);
    rt_kept_free(s->x);
    rt_ignore_twists(s);
    rt_kept_free(s->winds);
    s->winds = NULL;
    rt_release_held(s);
    rt_kept_free(s->written);
    s->written = NULL;
    s->mass = NULL, s->small = NULL, s->signals = NULL, s->rank = NULL, s->position_rank = NULL;
    s->w = NULL, s->x = NULL;
}

static void largest_entries(const rt_pattern *G, const double *values, const double *unit,
                            double length, double *size)
{
    for (int c = 0; c < G->n_columns; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++) {
            const double scale = unit ? unit[c] : c % 6 < 3 ? 1 : 1 / length;
            size[G->row[p]] = fmax(size[G->row[p]], fabs(values[p]) * scale);
        }
}

void rt_row_sizes(const rt_search *s, double *size)
{
    memset(size, 0, (size_t)s->m->n_rows * sizeof *size);
    largest_entries(&s->m->pattern_G, s->w->G, s->unit, s->m->length, size);
    if (s->m->joined)
        largest_entries(&s->m->inner->pattern_G, rt_inner_jacobian(s->w), NULL, s->m->length, size);
}

/* Pivots that are no larger count as zero. */
static const double TOLERANCE = 1e-9;

/* A joint between bodies that the coordinates hold together already leaves a row of rounding: of
 * its entries, and of positions, which are counted from the world's origin, however far. A row that
 * is no more than the tolerance of what it is on the bodies' frames is none, as it is where bodies
 * have columns of their own. */
static void search_drop_rounding(const rt_search *s, double *values, double *size)
{
    const rt_pattern *G = &s->m->pattern_G;
    const double rounding = 1e-13 * (1 + rt_v3_norm(s->m->joined->origin) / s->m->length);
    rt_row_sizes(s, size);
    double *largest = size + s->m->n_rows;
    memset(largest, 0, (size_t)s->m->n_rows * sizeof *largest);
    for (int p = 0; p < G->start[G->n_columns]; p++)
        largest[G->row[p]] = fmax(largest[G->row[p]], fabs(values[p]));
    for (int p = 0; p < G->start[G->n_columns]; p++) {
        const int r = G->row[p];
        if (fabs(values[p]) <= rounding * size[r] || largest[r] <= TOLERANCE * size[r])
            values[p] = 0;
    }
}

/* The largest factor for columns of rotation that keeps what rounding of positions leaves in them
 * below the tolerance. */
static double search_most_factor(const rt_search *s)
{
    static const double MOST = 1e5, BELOW = 1e-10;
    double extent = s->m->length;
    for (int k = 0; k < s->m->n_markers; k++) extent = fmax(extent, rt_v3_norm(s->w->markers[k].r));
    return fmin(MOST, BELOW * s->m->length / (4 * DBL_EPSILON * extent));
}

/* A part that is small against the typical length turns by entries that are all small: its three
 * columns of rotation are brought to the size of its own arms. Not one by one: an arm that vanishes
 * beside the others does so because axes meet. Of the values already in units of length;
 * size[n_rows + n_bodies] is scratch. */
static void search_scale_small_parts(const rt_search *s, double *values, double *size)
{
    static const double SMALL = 1e-3;
    const rt_pattern *G = &s->m->pattern_G;
    double *arm = size + s->m->n_rows;
    memset(size, 0, (size_t)(s->m->n_rows + s->m->n_bodies) * sizeof *size);
    for (int p = 0; p < G->start[G->n_columns]; p++)
        size[G->row[p]] = fmax(size[G->row[p]], fabs(values[p]));
    for (int pass = 0; pass < 2; pass++) {
        const double most = search_most_factor(s);
        for (int c = 0; c < s->m->first_elastic; c++) {
            int body;
            bool angle;
            double per_radian;
            rt_column(s->m, c, &body, &angle, &per_radian);
            for (int p = G->start[c]; p < G->start[c + 1] && angle; p++) {
                if (pass == 0 && G->row[p] < s->m->n_joint_rows && size[G->row[p]] > 0)
                    arm[body] = fmax(arm[body], fabs(values[p]) / size[G->row[p]]);
                if (pass == 1 && arm[body] > 0 && arm[body] < SMALL)
                    values[p] *= fmax(1, fmin(most, 1 / arm[body]));
            }
        }
    }
}

/* Elimination of G with its columns in units of length, so that what counts as zero does not depend
 * on the unit of angle against that of length, nor on how large the rest of the mechanism is. */
static routh_status search_eliminate(const rt_search *s, bool positions_only, rt_elimination **rank,
                                     routh_error *error)
{
    const rt_pattern *G = &s->m->pattern_G;
    const size_t n = (size_t)G->start[G->n_columns];
    const size_t more = (size_t)(2 * s->m->n_rows + s->m->n_bodies) + 1;
    enum { SMALL = 512 };
    double small[SMALL];
    double *values =
        n + more <= SMALL ? small : rt_kept_malloc(s->m->analyses, (n + more) * sizeof *values);
    if (!values) return rt_fail_memory(error);
    for (int c = 0; c < G->n_columns; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            values[p] =
                positions_only && s->m->nonholonomic[G->row[p]] ? 0 : s->w->G[p] * s->unit[c];
    if (s->m->joined)
        search_drop_rounding(s, values, values + n);
    else
        search_scale_small_parts(s, values, values + n);
    const routh_status status =
        rt_eliminate_kept(rank, G, values, NULL, NULL, TOLERANCE, s->m->analyses, error);
    if (values != small) rt_kept_free(values);
    return status;
}

routh_status rt_eliminate_jacobian(const rt_search *s, rt_elimination **rank, routh_error *error)
{
    return search_eliminate(s, false, rank, error);
}

routh_status rt_find_position_rank(rt_search *s, routh_error *error)
{
    rt_elimination_free(s->position_rank);
    s->position_rank = NULL;
    return s->m->n_nonholonomic ? search_eliminate(s, true, &s->position_rank, error) : ROUTH_OK;
}

routh_status rt_find_rank(rt_search *s, routh_error *error)
{
    rt_elimination *rank = NULL;
    routh_status status = rt_find_position_rank(s, error);
    if (!status) status = rt_eliminate_jacobian(s, &rank, error);
    if (status) return status;
    const bool same =
        s->rank && s->rank->rank == rank->rank &&
        memcmp(s->rank->row_step, rank->row_step, (size_t)s->m->n_rows * sizeof(int)) == 0;
    rt_elimination_free(s->rank);
    s->rank = rank;
    if (same) return ROUTH_OK;
    rt_kkt_free(s->mass);
    rt_small_free(s->small);
    s->mass = NULL, s->small = NULL;
    return ROUTH_OK;
}

routh_status rt_search_mass(rt_search *s, routh_error *error)
{
    if (s->mass) return ROUTH_OK;
    return rt_kkt_create(&s->mass, s->m, &s->m->pattern_M, s->rank->row_step, error);
}

double rt_largest_force(const rt_search *s)
{
    double worst = 0;
    for (int c = 0; c < s->m->n_u; c++) worst = fmax(worst, s->w->scale[c] * s->unit[c]);
    return worst;
}

double rt_turning_force(const rt_search *s)
{
    const rt_pattern *M = &s->m->pattern_M;
    double worst = 0, fastest = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        double sum = 0;
        for (int e = M->start[c]; e < M->start[c + 1]; e++) sum += fabs(s->w->M[e]);
        worst = fmax(worst, sum * s->unit[c]);
        fastest = fmax(fastest, fabs(s->state->u[c]));
    }
    return worst * fastest * fastest;
}

double rt_relative_residual(const rt_search *s, int *column)
{
    double worst = 0;
    *column = 0;
    for (int c = 0; c < s->m->n_u; c++) {
        const double force = fabs(s->w->residual[c]) * s->unit[c];
        if (force > worst) worst = force, *column = c;
    }
    return worst > 0 ? worst / rt_largest_force(s) : 0;
}
