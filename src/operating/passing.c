/* Is this configuration singular only for an instant, or for one value of an input?
 *
 * At a time t + h the configuration is near q + h u + h^2/2 u', and constraints are assembled from
 * there; h is such that something moves by a thousandth of the typical length. Both signs: a dead
 * point may be the end of what the motions allow. An input that moves constraints is changed by as
 * much. Rows that are dependent here and independent there were so for this moment only, however
 * the configuration may vary while time and inputs stand still (singular.c). */
#include <float.h>

#include "base/kept_memory.h"
#include "operating/operating.h"

/* A displacement over the typical length. */
static const double STEP = 1e-3;

typedef struct passing_task {
    rt_search *s;
    rt_state *here;
    double *size; /* n_rows: rt_row_sizes */
    int rank;     /* the largest found */
} passing_task;

static void back_to_here(passing_task *k) { rt_state_copy(k->s->m, k->s->state, k->here); }

/* To the time t + h, along the motion. */
static routh_status go_in_time(passing_task *k, double h, routh_error *error)
{
    rt_search *s = k->s;
    back_to_here(k);
    s->state->t += h;
    const routh_status status = rt_input_histories_set(s->m, s->state, error);
    for (int c = 0; c < s->m->n_u; c++) s->z[c] = h * (s->state->u[c] + h / 2 * s->state->udot[c]);
    if (!status) rt_advance(s->m, s->state->q, s->z);
    return status;
}

static routh_status go_by_input(passing_task *k, int place, double step)
{
    back_to_here(k);
    k->s->state->signal[place] += step;
    return ROUTH_OK;
}

/* The rank there, with a little noise where `seed` is given: where a step along the motion has no
 * way on, others may have. */
static routh_status look_there(passing_task *k, unsigned *seed, routh_error *error)
{
    rt_search *s = k->s;
    if (seed) {
        rt_noise(s, STEP, seed);
        rt_advance(s->m, s->state->q, s->z);
    }
    const routh_status status = rt_assemble(s, error);
    return status ? status : rt_rank_there(s, &k->rank, error);
}

/* By the step in time, or of the input's signal (place >= 0), forwards and backwards, without noise
 * and with. One place that can be reached decides: the rank is the same almost everywhere. */
static routh_status look_about(passing_task *k, int place, double step, routh_error *error)
{
    enum { WAYS = 4 };
    unsigned seed = 1;
    routh_error unused;
    for (int way = 0; way < WAYS; way++) {
        const double by = way % 2 ? -step : step;
        routh_status status = place < 0 ? go_in_time(k, by, &unused) : go_by_input(k, place, by);
        if (!status) status = look_there(k, way < 2 ? NULL : &seed, &unused);
        if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
        if (!status) return ROUTH_OK;
    }
    return ROUTH_OK;
}

/* ---- how far in time ------------------------------------------------------------------------ */

static double passing_largest(const rt_search *s, const double *x)
{
    double most = 0;
    for (int c = 0; c < s->m->n_u; c++) most = fmax(most, fabs(x[c]) / s->unit[c]);
    return most;
}

/* speed h + acceleration h^2/2 = STEP length */
static double time_of_motion(const rt_search *s)
{
    const double d = STEP * s->m->length, v = passing_largest(s, s->state->u),
                 a = passing_largest(s, s->state->udot);
    return 2 * d / (v + sqrt(v * v + 2 * a * d));
}

/* The slowest of the motions that are driven: what is fast beside them is no measure. */
static double time_of_slowest(passing_task *k)
{
    const rt_search *s = k->s;
    const rt_pattern *G = &s->m->pattern_G;
    const double rounding = 1e-10 * passing_largest(s, s->state->u);
    double slowest = INFINITY;
    memset(s->y, 0, (size_t)s->m->n_rows * sizeof *s->y);
    for (int c = 0; c < G->n_columns; c++)
        for (int e = G->start[c]; e < G->start[c + 1]; e++)
            s->y[G->row[e]] -= s->w->G[e] * s->state->u[c];
    for (int r = 0; r < s->m->n_joint_rows; r++) {
        const double rate = fabs(s->w->phi[1][r] + s->y[r]) / (k->size[r] > 0 ? k->size[r] : 1);
        if (rate > rounding) slowest = fmin(slowest, rate);
    }
    return STEP * s->m->length / slowest;
}

/* All is still, but will not stay so: when constraints are out by the step. 0: never. */
static double time_from_rest(passing_task *k)
{
    rt_search *s = k->s;
    routh_error unused;
    int row;
    for (double h = 1e-3; h < 100; h *= 10) {
        if (go_in_time(k, h, &unused) ||
            rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, &unused))
            return 0;
        if (rt_constraint_error(s, &row) > STEP / 10 * s->m->length) return h;
    }
    return 0;
}

static routh_status passing_evaluate(passing_task *k, routh_error *error)
{
    rt_search *s = k->s;
    back_to_here(k);
    return rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, error);
}

static routh_status along_time(passing_task *k, routh_error *error)
{
    rt_search *s = k->s;
    routh_status status = passing_evaluate(k, error);
    if (status) return status;
    rt_row_sizes(s, k->size);
    const double moves = time_of_motion(s), slow = time_of_slowest(k);
    const double h = isfinite(moves) ? moves : time_from_rest(k);
    if (h > 0) status = look_about(k, -1, h, error);
    if (!status && k->rank == s->rank_nearby && isfinite(slow) && slow > 10 * h)
        status = look_about(k, -1, slow, error);
    return status;
}

/* ---- inputs --------------------------------------------------------------------------------- */

/* How much the input changes until constraints are out by the step. */
static double input_step(const passing_task *k, int input)
{
    const routh_mechanism *m = k->s->m;
    double most = 0;
    for (int d = 0; d < m->n_driven; d++) {
        const int row = m->driven[d].row;
        const double size = k->size[row] > 0 ? k->size[row] : 1;
        if (m->driven[d].input == input && !m->nonholonomic[row])
            most = fmax(most, fabs(k->s->w->drive[3 * (size_t)d]) / size);
    }
    return most > 0 ? STEP * m->length / most : 0;
}

static routh_status along_inputs(passing_task *k, int *found, routh_error *error)
{
    rt_search *s = k->s;
    if (!s->m->n_driven) return ROUTH_OK;
    for (int input = 0; input < s->m->model->n_inputs && k->rank == s->rank_nearby; input++) {
        const rt_quantity quantity = {.kind = RT_QUANTITY_INPUT, .index = input};
        routh_status status = passing_evaluate(k, error);
        if (status) return status;
        rt_row_sizes(s, k->size);
        const double step = input_step(k, input);
        if (step > 0) status = look_about(k, rt_signal_place(s->m->model, &quantity), step, error);
        if (status) return status;
        if (k->rank > s->rank_nearby) *found = input;
    }
    return ROUTH_OK;
}

routh_status rt_find_passing(rt_search *s, rt_passing *passing, routh_error *error)
{
    *passing = (rt_passing){.rank = s->rank_nearby, .input = -1};
    if (s->sound_nearby == s->m->n_rows || s->m->n_u > RT_NEARBY_COLUMNS) return ROUTH_OK;
    passing_task k = {.s = s, .rank = s->rank_nearby};
    const int iterations = s->iterations;
    k.size = rt_kept_malloc(s->m->analyses, ((size_t)s->m->n_rows + 1) * sizeof *k.size);
    routh_status status = k.size ? rt_state_create(&k.here, s->m, error) : rt_fail_memory(error);
    if (!status) {
        rt_state_copy(s->m, k.here, s->state);
        status = along_time(&k, error);
        passing->in_time = k.rank > s->rank_nearby;
        if (!status) status = along_inputs(&k, &passing->input, error);
        back_to_here(&k);
        passing->rank = k.rank;
    }
    rt_state_free(k.here);
    rt_kept_free(k.size);
    s->iterations = iterations;
    return status;
}
