/* Static equilibrium with controllers and variables: x' = 0, v and x unknown together with the
 * configuration. A step of implicit Euler's method in pseudo-time, x' = sigma_x dx,
 *
 *     [K + sigma M  G'+L      R_x                    R_v] [xi     ]     [r  ]
 *     [G            0         0                      0  ] [dlambda] = - [Phi]
 *     [g_X          g_lambda  g_x + sigma_x d_x'     g_v] [dx     ]     [g  ]
 *                                                         [dv     ]
 * g the equations of states, d(0, x, ...), and of variables, on one sparse matrix, so that what
 * holds the mechanism may be a controller's alone: integrators, mechanisms free but for them. */
#include "base/kept_memory.h"
#include "operating/static_signals.h"

struct rt_static_signals {
    rt_arena arena;
    int n_u, n_rows, n_kept, size;
    int *slot; /* n_rows: place among the kept rows, or -1 */
    rt_pattern pattern;
    int *position; /* of the entries in the order in which they are listed */
    double *values;
    rt_factor *factor;
    double *step, *start; /* size; n */
};

/* ---- entries -------------------------------------------------------------------------------- */

/* Where entries go: into lists while the pattern is made, then into values. */
typedef struct static_signals_sink {
    int *row, *column; /* NULL: values are wanted */
    const int *position;
    double *values;
    size_t n;
} static_signals_sink;

static void static_signals_put(static_signals_sink *to, int row, int column, double value)
{
    if (to->values)
        to->values[to->position[to->n]] += value;
    else if (to->row)
        to->row[to->n] = row, to->column[to->n] = column;
    to->n++;
}

/* The column of a signal: x_k and its rate those of x_k; -1 of inputs. */
static int static_signals_column_of(const rt_static_signals *t, const rt_signals *k, int place)
{
    const int first = t->n_u + t->n_kept;
    if (place < k->n_x) return first + place;
    if (place < 2 * k->n_x) return first + place - k->n_x;
    return place < k->n_x + k->n ? first + place - k->n_x : -1;
}

static void static_signals_list_motion(const rt_static_signals *t, const rt_search *s, double sigma,
                                       static_signals_sink *to)
{
    const routh_mechanism *m = s->m;
    const rt_pattern *K = &m->pattern_K, *M = &m->pattern_M, *G = &m->pattern_G;
    for (int c = 0; c < t->n_u; c++)
        for (int p = K->start[c]; p < K->start[c + 1]; p++)
            static_signals_put(to, K->row[p], c, s->w->K[p]);
    for (int c = 0; c < t->n_u; c++)
        for (int p = M->start[c]; p < M->start[c + 1]; p++)
            static_signals_put(to, M->row[p], c, sigma * s->w->M[p]);
    for (int c = 0; c < t->n_u; c++)
        for (int p = G->start[c]; p < G->start[c + 1]; p++) {
            const int slot = t->slot[G->row[p]];
            if (slot < 0) continue;
            static_signals_put(to, t->n_u + slot, c, s->w->G[p]);
            static_signals_put(to, c, t->n_u + slot, s->w->G[p]);
        }
}

static void list_pushes(const rt_static_signals *t, const rt_search *s, static_signals_sink *to)
{
    const rt_pattern *L = &s->m->pattern_L, *R = &s->m->pattern_R;
    const rt_signals *k = s->signals;
    for (int r = 0; r < t->n_rows; r++)
        for (int p = L->start[r]; p < L->start[r + 1] && t->slot[r] >= 0; p++)
            static_signals_put(to, L->row[p], t->n_u + t->slot[r], s->w->L[p]);
    for (int i = 0; i < k->n_x + k->n; i++) {
        if (i >= k->n_x && i < 2 * k->n_x) continue; /* rates are zero */
        for (int p = R->start[i]; p < R->start[i + 1]; p++)
            static_signals_put(to, R->row[p], static_signals_column_of(t, k, i), s->w->L[p]);
    }
}

static void list_signals(const rt_static_signals *t, const rt_search *s, double sigma,
                         static_signals_sink *to)
{
    const rt_signals *k = s->signals;
    for (int i = 0; i < k->n; i++) {
        const rt_sensor_row *row = &k->rows[i];
        const int at = t->n_u + t->n_kept + i;
        for (int c = 0; c < row->n_columns; c++)
            static_signals_put(to, at, row->columns[c], row->by_x[c]);
        for (int l = 0; l < row->n_lambda; l++)
            if (t->slot[row->lambda[l]] >= 0)
                static_signals_put(to, at, t->n_u + t->slot[row->lambda[l]], row->by_lambda[l]);
        for (int j = 0; j < row->n_signals; j++) {
            const int place = row->signals[j], column = static_signals_column_of(t, k, place);
            const bool rate = place >= k->n_x && place < 2 * k->n_x;
            if (column >= 0)
                static_signals_put(to, at, column, (rate ? sigma : 1) * row->by_signal[j]);
        }
        static_signals_put(to, at, at, 0);
    }
}

static size_t static_signals_list(const rt_static_signals *t, const rt_search *s, double sigma,
                                  static_signals_sink *to)
{
    static_signals_list_motion(t, s, sigma, to);
    list_pushes(t, s, to);
    list_signals(t, s, sigma > 1 ? sqrt(sigma) : sigma, to);
    return to->n;
}

/* ---- making --------------------------------------------------------------------------------- */

static routh_status static_signals_build(rt_static_signals *t, const rt_search *s,
                                         routh_error *error)
{
    static_signals_sink to = {0};
    const size_t n = static_signals_list(t, s, 1, &to);
    int *row = rt_kept_malloc(s->m->analyses, (2 * n + 1) * sizeof *row);
    t->position = RT_TAKE(&t->arena, int, n);
    if (!row || !t->position) {
        rt_kept_free(row);
        return rt_fail_memory(error);
    }
    to = (static_signals_sink){.row = row, .column = row + n};
    static_signals_list(t, s, 1, &to);
    const routh_status status =
        rt_pattern_build_kept(&t->pattern, t->size, t->size, n, row, row + n, t->position,
                              &t->arena, s->m->analyses, error);
    rt_kept_free(row);
    if (status) return status;
    t->values = RT_TAKE(&t->arena, double, t->pattern.start[t->size]);
    if (!t->values) return rt_fail_memory(error);
    return rt_factor_create_kept(&t->factor, &t->pattern, RT_ORDER_COLAMD, s->m->analyses, error);
}

static routh_status static_signals_make(rt_static_signals *t, const rt_search *s,
                                        routh_error *error)
{
    t->n_u = s->m->n_u;
    t->n_rows = s->m->n_rows;
    t->slot = RT_TAKE(&t->arena, int, t->n_rows);
    if (!t->slot) return rt_fail_memory(error);
    for (int r = 0; r < t->n_rows; r++) t->slot[r] = s->rank->row_step[r] < 0 ? -1 : t->n_kept++;
    t->size = t->n_u + t->n_kept + s->signals->n;
    t->step = RT_TAKE(&t->arena, double, t->size);
    t->start = RT_TAKE(&t->arena, double, s->signals->n);
    if (!t->step || !t->start) return rt_fail_memory(error);
    return static_signals_build(t, s, error);
}

routh_status rt_static_signals_create(rt_static_signals **system, const rt_search *s,
                                      routh_error *error)
{
    rt_static_signals *t = rt_kept_calloc(s->m->analyses, 1, sizeof *t);
    *system = NULL;
    if (!t) return rt_fail_memory(error);
    t->arena.kept = s->m->analyses;
    const routh_status status = static_signals_make(t, s, error);
    if (status) {
        rt_static_signals_free(t);
        return status;
    }
    *system = t;
    return ROUTH_OK;
}

void rt_static_signals_free(rt_static_signals *t)
{
    if (!t) return;
    rt_factor_free(t->factor);
    rt_arena_free(&t->arena);
    rt_kept_free(t);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Of the step's unknowns among the signals: x_k, then v_k. */
static double *static_signals_unknown(const rt_search *s, int j)
{
    const rt_signals *k = s->signals;
    return &s->state->signal[j < k->n_x ? j : k->n_x + j];
}

void rt_static_signals_start(rt_search *s, bool forces)
{
    const rt_signals *k = s->signals;
    memset(s->state->udot, 0, (size_t)s->m->n_u * sizeof(double));
    rt_sweep_signals(s, forces);
    memset(s->state->signal + k->n_x, 0, (size_t)k->n_x * sizeof(double));
}

routh_status rt_static_signals_step(rt_static_signals *t, const rt_search *s, double sigma,
                                    routh_error *error)
{
    double *b = t->step;
    static_signals_sink to = {.position = t->position, .values = t->values};
    memset(t->values, 0, (size_t)t->pattern.start[t->size] * sizeof *t->values);
    static_signals_list(t, s, sigma, &to);
    routh_status status = rt_factor_numeric(t->factor, t->values, error);
    if (status) return status;
    for (int c = 0; c < t->n_u; c++) b[c] = -s->w->residual[c];
    for (int r = 0; r < t->n_rows; r++)
        if (t->slot[r] >= 0) b[t->n_u + t->slot[r]] = -s->w->phi[0][r];
    for (int i = 0; i < s->signals->n; i++) b[t->n_u + t->n_kept + i] = -s->signals->rows[i].value;
    status = rt_factor_solve(t->factor, b, 1, NULL, error);
    if (status) return status;
    memcpy(s->x, b, (size_t)t->n_u * sizeof *b);
    for (int r = 0; r < t->n_rows; r++) s->y[r] = t->slot[r] < 0 ? 0 : b[t->n_u + t->slot[r]];
    return ROUTH_OK;
}

void rt_static_signals_move(rt_static_signals *t, rt_search *s)
{
    const double *step = t->step + t->n_u + t->n_kept;
    for (int j = 0; j < s->signals->n; j++) {
        t->start[j] = *static_signals_unknown(s, j);
        *static_signals_unknown(s, j) += step[j];
    }
}

void rt_static_signals_restore(const rt_static_signals *t, rt_search *s)
{
    for (int j = 0; j < s->signals->n; j++) *static_signals_unknown(s, j) = t->start[j];
}
