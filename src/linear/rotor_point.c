/* The rotor in balance: a constant deviation y_m from the reference motion, in which the blades are
 * alike. The point's own motion deviates by y_0, whose rate is h_0, so to first order
 *     0 = y_m' = h_0 + A_m d,      d = y_m - y_0,
 * of which the smallest d is taken (a rotor that turns freely has no azimuth of its own), and
 * again. At the end y_0 and h_0 are zero: the motion is the reference motion. */
#include <stdlib.h>

#include "base/lapack.h"
#include "linear/rotor.h"

enum { ROTOR_STEPS = 40 };

typedef struct rotor_balance {
    rt_rotor rotor;
    rt_rotor_view view;
    int *rows;
    double *A, *T, *own, *rate, *size, *step;
    double error;  /* y_0 and y_0' over their sizes */
    int worst;     /* where that is */
    double length; /* of the step, likewise */
    routh_linear_options options;
} rotor_balance;

static routh_status balance_take(rotor_balance *b, routh_error *error)
{
    rt_arena *arena = &b->view.task.arena;
    const size_t n = (size_t)b->view.n;
    b->A = RT_TAKE(arena, double, n *n);
    b->T = RT_TAKE(arena, double, n *n);
    b->own = RT_TAKE(arena, double, n);
    b->rate = RT_TAKE(arena, double, n);
    b->size = RT_TAKE(arena, double, n);
    b->step = RT_TAKE(arena, double, n);
    return b->A && b->T && b->own && b->rate && b->size && b->step ? ROUTH_OK
                                                                   : rt_fail_memory(error);
}

/* a (column-major), h: A over the sizes of its columns, rows over their largest entries, or over
 * the rates of their states where all are smaller: of a rotor that turns freely a row has rounding
 * alone, which must not look like forces. */
static void balance_scale(const rotor_balance *b, double *a, double *h)
{
    const int n = b->view.n;
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) row = fmax(row, fabs(b->A[i * n + j]) * b->size[j]);
        const double speed = b->rotor.speed != 0 ? fabs(b->rotor.speed) : 1;
        const double scale = 1 / fmax(row, b->size[i] * speed);
        for (int j = 0; j < n; j++) a[i + j * n] = b->A[i * n + j] * b->size[j] * scale;
        h[i] = -b->rate[i] * scale;
    }
}

/* The smallest |a d - h|, singular values down to 1e-11 of the first. */
static routh_status balance_solve_least(int n, double *a, const double *h, double *d,
                                        routh_error *error)
{
    const size_t size = (size_t)n * (size_t)n;
    double *u = malloc((2 * size + (size_t)n + 1) * sizeof *u);
    if (!u) return rt_fail_memory(error);
    double *vt = u + size, *sigma = vt + size;
    const routh_status status = rt_svd(n, n, a, sigma, u, vt, error);
    for (int j = 0; j < n && !status; j++) d[j] = 0;
    for (int k = 0; k < n && !status && sigma[k] > 1e-11 * sigma[0]; k++) {
        double dot = 0;
        for (int i = 0; i < n; i++) dot += u[i + k * n] * h[i];
        for (int j = 0; j < n; j++) d[j] += dot / sigma[k] * vt[k + j * n];
    }
    free(u);
    return status;
}

/* By LU; where that is near singular, as of a rotor that turns freely, by singular values. */
static routh_status balance_solve_scaled(int n, double *a, double *copy, const double *h, double *d,
                                         routh_error *error)
{
    int *pivots = malloc((size_t)(n + 1) * sizeof *pivots);
    if (!pivots) return rt_fail_memory(error);
    double norm = 0, rcond = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(a[i + j * n]);
        norm = fmax(norm, sum);
    }
    memcpy(copy, a, (size_t)n * (size_t)n * sizeof *a);
    routh_status status = rt_lu_factor(n, copy, pivots, error);
    if (!status) status = rt_lu_rcond(n, copy, norm, &rcond, error);
    if (status == ROUTH_SINGULAR) status = ROUTH_OK, rcond = 0;
    if (!status && rcond > 1e-11) {
        memcpy(d, h, (size_t)n * sizeof *d);
        status = rt_lu_solve(n, copy, pivots, 1, d, 0, error);
    } else if (!status) {
        status = balance_solve_least(n, a, h, d, error);
    }
    free(pivots);
    return status;
}

static routh_status balance_find_step(rotor_balance *b, routh_error *error)
{
    const int n = b->view.n;
    const size_t size = (size_t)n * (size_t)n;
    double *a = malloc((2 * size + (size_t)n + 1) * sizeof *a);
    if (!a) return rt_fail_memory(error);
    double *h = a + 2 * size;
    balance_scale(b, a, h);
    const routh_status status = balance_solve_scaled(n, a, a + size, h, b->step, error);
    b->length = 0;
    for (int j = 0; j < n && !status; j++) {
        b->length = fmax(b->length, fabs(b->step[j]));
        b->step[j] *= b->size[j];
    }
    free(a);
    return status;
}

/* The state moved by T d, no further than half of a typical length or radian. */
static routh_status balance_move(rotor_balance *b, const routh_operating_point *from,
                                 routh_operating_point **to, routh_error *error)
{
    const routh_mechanism *m = b->rotor.m;
    const rt_response *x = &b->view.task.x.response;
    const int n = b->view.n, z = b->view.z;
    const double part = fmin(1, 0.5 / b->length);
    rt_state *state = b->view.task.search.state;
    double *xi = b->view.task.search.x;
    memset(xi, 0, (size_t)m->n_u * sizeof *xi);
    rt_state_copy(m, state, from->state);
    for (int k = 0; k < n; k++) {
        double y = 0;
        for (int j = 0; j < n; j++) y += part * b->T[k * n + j] * b->step[j];
        for (int c = 0; c < m->n_u; c++) {
            xi[c] += y * x->xi[(size_t)x->n * (size_t)k + (size_t)c];
            state->u[c] += y * x->u[(size_t)x->n * (size_t)k + (size_t)c];
        }
        if (k >= 2 * z) state->signal[k - 2 * z] += y;
    }
    rt_advance(m, state->q, xi);
    routh_initial_state_options how = routh_initial_state_defaults();
    how.allowed = INFINITY;
    return rt_point_from_state(to, m, state, &how, error);
}

static routh_status balance_refuse(const char *what, double error_of, routh_error *error)
{
    return rt_fail(error, ROUTH_NO_EQUILIBRIUM,
                   "the rotor has no steady motion in which the blades keep their shape and the "
                   "support rests: %s still moves or accelerates against that (%.2g); gravity "
                   "across the axis of the rotor, blades that differ, a torque that is not "
                   "balanced and loads by time do so; use routh floquet",
                   what, error_of);
}

static routh_status balance_look(rotor_balance *b, const routh_mechanism *m,
                                 const routh_operating_point *point, const char *const *blades,
                                 rt_rotor_kept *kept, routh_error *error)
{
    const bool begun = kept->frames != NULL;
    routh_status status = rt_rotor_find(&b->rotor, m, point, blades, begun ? kept : NULL, error);
    if (begun && status == ROUTH_BAD_ARGUMENT) /* the blades were alike at the beginning */
        return balance_refuse("a blade, to where the others are not,", 1, error);
    if (!status && !begun) status = rt_rotor_keep(&b->rotor, point, kept, error);
    b->rotor.frames = kept->frames;
    if (!status)
        status = rt_rotor_view_create(&b->view, &b->rotor, point, 0, &b->options, NULL, error);
    if (!status) status = balance_take(b, error);
    if (!status && !kept->rows)
        status = rt_rotor_choose_rows(&b->rotor, &b->view, NULL, &kept->arena, &kept->rows, error);
    b->rows = kept->rows;
    if (!status)
        status = rt_rotor_matrix(&b->rotor, &b->view, b->rows, b->A, b->T, b->own, b->rate, error);
    if (status) return status;
    rt_rotor_state_sizes(&b->rotor, &b->view, b->rows, b->size);
    b->error =
        rt_rotor_states_deviate(&b->rotor, &b->view, b->A, b->size, b->own, b->rate, &b->worst);
    return balance_find_step(b, error);
}

static void balance_release(rotor_balance *b)
{
    rt_rotor_view_release(&b->view);
    rt_rotor_release(&b->rotor);
}

/* States in balance say nothing of what drives prescribe. */
static routh_status balance_check_all(const rotor_balance *b, routh_error *error)
{
    char name[RT_STATE_NAME];
    int row;
    const double most = rt_rotor_rows_deviate(&b->rotor, &b->view, b->A, b->size, &row);
    if (most <= RT_ROTOR_MOST_DEVIATION) return ROUTH_OK;
    return balance_refuse(rt_rotor_row_body_name(&b->rotor, row, name), most, error);
}

static routh_status balance_refuse_state(const rotor_balance *b, routh_error *error)
{
    char name[RT_STATE_NAME];
    return balance_refuse(rt_rotor_state_words(&b->rotor, &b->view, b->rows, b->worst, name),
                          b->error, error);
}

/* One step; *done: no more is needed. */
static routh_status balance_step(rotor_balance *b, const routh_mechanism *m,
                                 routh_operating_point **point, const char *const *blades,
                                 rt_rotor_kept *kept, bool last, bool *done, routh_error *error)
{
    static const double small = 1e-9;
    routh_operating_point *next = NULL;
    routh_status status = balance_look(b, m, *point, blades, kept, error);
    *done = !status && b->error <= small && b->length <= small;
    if (*done) return balance_check_all(b, error);
    if (!status && !*done) status = last ? balance_refuse_state(b, error) : ROUTH_OK;
    if (!status && !*done) status = balance_move(b, *point, &next, error);
    if (next) {
        routh_operating_point_free(*point);
        *point = next;
    }
    return status;
}

routh_status routh_rotor_point_find(routh_operating_point **point, const routh_mechanism *m,
                                    const routh_operating_point *from, const char *const *blades,
                                    routh_error *error)
{
    *point = NULL;
    routh_operating_point *here = NULL;
    routh_status status = rt_point_from_state(&here, m, from->state, NULL, error);
    bool done = false;
    rt_rotor_kept kept = {0};
    for (int k = 0; k <= ROTOR_STEPS && !status && !done; k++) {
        rotor_balance b = {.options = routh_linear_defaults()};
        b.options.method = "auto";
        b.options.shares = b.options.markers = 0;
        status = balance_step(&b, m, &here, blades, &kept, k == ROTOR_STEPS, &done, error);
        here->iterations = k;
        balance_release(&b);
    }
    rt_arena_free(&kept.arena);
    if (status)
        routh_operating_point_free(here);
    else
        *point = here;
    return status;
}
