/* The second-order form with the plain mechanism's mass, as a differential-algebraic system. */
#include "linear/massless_parts.h"

#include <math.h>

#include "base/lapack.h"
#include "methods/whole.h"

/* ---- the mass ------------------------------------------------------------------------------- */

routh_status rt_massless_plain_mass(const rt_linear_task *t, double *M, routh_error *error)
{
    const rt_search *s = &t->search;
    const routh_mechanism *plain = s->m->plain;
    rt_workspace *w = NULL;
    routh_status status = rt_workspace_create(&w, plain, error);
    if (!status) status = rt_evaluate(plain, w, s->state, RT_EVALUATE_MASS, error);
    if (!status) memcpy(M, w->M, (size_t)plain->pattern_M.start[plain->n_u] * sizeof *M);
    rt_workspace_free(w);
    return status;
}

static double product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int c = 0; c < n; c++) sum += a[c] * b[c];
    return sum;
}

/* to (n1 x n2, row-major) = left' A right, or of sizes alone; A on the pattern, left n x n1, right
 * n x n2, column-major; work: n. */
static void project(const rt_pattern *p, const double *A, const double *left, int n1,
                    const double *right, int n2, double *work, double *to)
{
    const int n = p->n_columns;
    for (int k = 0; k < n2; k++) {
        memset(work, 0, (size_t)n * sizeof *work);
        rt_sparse_multiply_add(p, A, 1, right + (size_t)n * (size_t)k, work);
        for (int i = 0; i < n1; i++)
            to[(size_t)i * (size_t)n2 + (size_t)k] +=
                product(n, left + (size_t)n * (size_t)i, work);
    }
}

static double *take_sizes(const double *values, size_t n, rt_arena *arena)
{
    double *sizes = RT_TAKE(arena, double, n);
    for (size_t k = 0; k < n && sizes; k++) sizes[k] = fabs(values[k]);
    return sizes;
}

/* Diagonal pivoting; what is 1e-12 of the auxiliary mass in the same direction is none. */
static routh_status find_inertia(rt_massless_equations *e, const double *auxiliary, rt_arena *arena,
                                 routh_error *error)
{
    static const double none = 1e-12;
    const int n = e->z1;
    double *T = RT_TAKE(arena, double, (size_t)n *(size_t)n);
    bool *taken = RT_TAKE(arena, bool, n);
    if (!T || !taken) return rt_fail_memory(error);
    memcpy(T, e->Mhat, (size_t)n * (size_t)n * sizeof *T);
    for (;;) {
        int best = -1;
        double most = none;
        for (int i = 0; i < n; i++) {
            const double size = taken[i] ? 0 : T[i * n + i] / auxiliary[i * n + i];
            if (size > most) most = size, best = i;
        }
        if (best < 0) break;
        taken[best] = true;
        e->pivot[e->r++] = best;
        for (int i = 0; i < n; i++) {
            const double f = T[i * n + best] / T[best * n + best];
            for (int j = 0; j < n && !taken[i]; j++) T[i * n + j] -= f * T[best * n + j];
        }
    }
    for (int i = 0, k = 0; i < n; i++)
        if (!taken[i]) e->null[k++] = i;
    return ROUTH_OK;
}

/* M11 by its Cholesky factor (r x r, symmetric), Z = M11^-1 M12 */
static routh_status solve_inertia(rt_massless_equations *e, double **factor, rt_arena *arena,
                                  routh_error *error)
{
    const int r = e->r, nw = e->z1 - r;
    double *L = *factor = RT_TAKE(arena, double, (size_t)r *(size_t)r);
    double *B = RT_TAKE(arena, double, (size_t)r *(size_t)nw);
    e->Z = RT_TAKE(arena, double, (size_t)r *(size_t)nw);
    if (!L || !B || !e->Z) return rt_fail_memory(error);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) L[i + r * j] = e->Mhat[e->pivot[i] * e->z1 + e->pivot[j]];
    for (int i = 0; i < r; i++)
        for (int k = 0; k < nw; k++) B[i + r * k] = e->Mhat[e->pivot[i] * e->z1 + e->null[k]];
    if (r == 0) return ROUTH_OK;
    routh_status status = rt_cholesky_factor(r, L, error);
    if (!status && nw) status = rt_cholesky_solve(r, L, nw, B, error);
    for (int i = 0; i < r && !status; i++)
        for (int k = 0; k < nw; k++) e->Z[i * nw + k] = B[i + r * k];
    return status;
}

/* ---- right-hand sides ----------------------------------------------------------------------- */

static void massless_put(const rt_sized_rows *rows, int row, int column, double value, double size)
{
    rt_sized_value(rows, row)[column] = value;
    rt_sized_size(rows, row)[column] = fmax(size, fabs(value));
}

/* Rounding of the configuration and of the tangent leaves its part of the largest entry in all of
 * them: sizes of a matrix (n1 x n2, of these candidates) are no less than a hundredth of it. */
static const double least = 1e-2;

static void raise_sizes(const rt_linear_task *t, const int *rows, int n1, const int *columns,
                        int n2, double *sizes)
{
    const routh_mechanism *m = t->search.m;
    const rt_user_states *user = t->states.user;
    double most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n1; i++)
            for (int k = 0; k < n2; k++) {
                const double unit =
                    rt_candidate_size(m, user, rows[i]) * rt_candidate_size(m, user, columns[k]);
                double *size = &sizes[(size_t)i * (size_t)n2 + (size_t)k];
                if (pass == 0) most = fmax(most, *size * unit);
                if (pass == 1 && unit > 0) *size = fmax(*size, least * most / unit);
            }
}

/* The same of what an input does, by itself and by its rates. */
static void raise_inputs(const rt_massless_equations *e, const rt_linear_task *t)
{
    const routh_mechanism *m = t->search.m;
    const int first = e->z + e->z1 + e->n_x;
    for (int c = 0; c < e->n_in; c++) {
        double most = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < e->z1; i++) {
                const double unit = rt_candidate_size(m, t->states.user, t->states.rate[i]);
                double *size = rt_sized_size(&e->full, i);
                for (int d = first + c; d < first + 3 * e->n_in; d += e->n_in) {
                    if (pass == 0) most = fmax(most, size[d] * unit);
                    if (pass == 1 && unit > 0) size[d] = fmax(size[d], least * most / unit);
                }
            }
    }
}

/* By QZ rounding of the stiffness is in the damping too. */
static void mix_sizes(const rt_linear_task *t, int z, int z1, const double *SK, double *SC)
{
    double most = 0;
    for (int k = 0; k < z1 * z; k++) most = fmax(most, SK[k]);
    for (int k = 0; k < z1 * z1 && t->method == &rt_method_redundant; k++)
        SC[k] = fmax(SC[k], least * most);
}

/* The rows -(Chat W + Khat S) + coupling X + force in + .., with the sizes of what K and C sum. */
static routh_status fill_right(rt_massless_equations *e, const routh_linear *l,
                               const rt_linear_task *t, rt_arena *arena, routh_error *error)
{
    const rt_search *s = &t->search;
    const rt_pattern *p = &s->m->pattern_K;
    const rt_sensitivity *x = &t->x;
    const int z = e->z, z1 = e->z1, nx = e->n_x, n_in = e->n_in, n = x->n;
    const size_t entries = (size_t)p->start[p->n_columns];
    const double *K = take_sizes(s->w->K, entries, arena), *D = take_sizes(s->w->D, entries, arena);
    const double *X = take_sizes(x->X, (size_t)n * (size_t)z, arena);
    const double *U = take_sizes(x->U, (size_t)n * (size_t)z, arena);
    const double *Xw = take_sizes(x->Xw, (size_t)n * (size_t)z1, arena);
    double *SK = RT_TAKE(arena, double, (size_t)z1 *(size_t)z),
           *SC = RT_TAKE(arena, double, (size_t)z1 *(size_t)z1), *work = RT_TAKE(arena, double, n);
    if (!K || !D || !X || !U || !Xw || !SK || !SC || !work ||
        !rt_sized_take(&e->full, z1, z + z1 + nx + 3 * n_in, arena))
        return rt_fail_memory(error);
    project(p, K, Xw, z1, X, z, work, SK);
    project(p, D, Xw, z1, U, z, work, SK);
    project(p, D, Xw, z1, Xw, z1, work, SC);
    raise_sizes(t, t->states.rate, z1, t->states.candidate, z, SK);
    raise_sizes(t, t->states.rate, z1, t->states.rate, z1, SC);
    mix_sizes(t, z, z1, SK, SC);
    const double *const force[3] = {l->force, l->force1, l->force2};
    for (int i = 0; i < z1; i++) {
        for (int k = 0; k < z; k++)
            massless_put(&e->full, i, k, -l->stiffness[i * z + k], SK[i * z + k]);
        for (int k = 0; k < z1; k++)
            massless_put(&e->full, i, z + k, -l->damping[i * z1 + k], SC[i * z1 + k]);
        for (int k = 0; k < nx; k++)
            massless_put(&e->full, i, z + z1 + k, l->coupling[i * nx + k], 0);
        for (int k = 0; k < 3 * n_in; k++)
            massless_put(&e->full, i, z + z1 + nx + k, force[k / n_in][i * n_in + k % n_in], 0);
    }
    return ROUTH_OK;
}

/* What inputs on joints demand: u'_p = u' - Xw W' of the auxiliary mechanism. Its inertia force has
 * the auxiliary mass in it; Xw'(Maux - M) u'_p is put right. */
static routh_status correct_demanded(rt_massless_equations *e, const routh_linear *l,
                                     const rt_linear_task *t, const rt_method_task *work,
                                     const double *plain, rt_arena *arena, routh_error *error)
{
    const rt_search *s = &t->search;
    const rt_pattern *p = &s->m->pattern_M;
    const rt_response *r = &t->x.response;
    const rt_layout at = rt_response_layout(work);
    const size_t n = (size_t)t->x.n, entries = (size_t)p->start[p->n_columns];
    const double *const B[3] = {l->B, l->B1, l->B2};
    e->demanded = RT_TAKE(arena, double, n * 3 * (size_t)e->n_in);
    double *P = RT_TAKE(arena, double, entries), *f = RT_TAKE(arena, double, n);
    if (!e->demanded || !P || !f) return rt_fail_memory(error);
    for (size_t k = 0; k < entries; k++) P[k] = s->w->M[k] - plain[k];
    for (int c = 0; c < 3 * e->n_in && s->m->n_driven > 0; c++) {
        double *u = e->demanded + n * (size_t)c;
        memcpy(u, r->udot + n * (size_t)(at.in + c), n * sizeof *u);
        for (int k = 0; k < e->z1; k++) {
            const double a = B[c / e->n_in][(e->z + k) * e->n_in + c % e->n_in];
            for (size_t i = 0; i < n; i++) u[i] -= a * t->x.Xw[n * (size_t)k + i];
        }
        memset(f, 0, n * sizeof *f);
        rt_sparse_multiply_add(p, P, 1, u, f);
        for (int i = 0; i < e->z1; i++) {
            const int column = e->z + e->z1 + e->n_x + c;
            const double more = product((int)n, t->x.Xw + n * (size_t)i, f);
            massless_put(&e->full, i, column, rt_sized_value(&e->full, i)[column] + more,
                         rt_sized_size(&e->full, i)[column] + fabs(more));
        }
    }
    return ROUTH_OK;
}

/* ---- the system ----------------------------------------------------------------------------- */

/* to += scale times a row on (S, W, X, in, in', in''), given as values and sizes */
static void add_full(const rt_massless_equations *e, const rt_sized_rows *to, int row, double scale,
                     const double *value, const double *size)
{
    double *x = rt_sized_value(to, row), *s = rt_sized_size(to, row);
    const double f = fabs(scale);
    const int z = e->z, n_w = e->n_w;
    for (int k = 0; k < z; k++) x[k] += scale * value[k], s[k] += f * size[k];
    for (int k = 0; k < e->r; k++) {
        const double v = scale * value[z + e->pivot[k]], a = f * size[z + e->pivot[k]];
        x[z + k] += v, s[z + k] += a;
        for (int j = 0; j < n_w; j++) {
            x[e->n_v + j] -= v * e->Z[k * n_w + j];
            s[e->n_v + j] += a * fabs(e->Z[k * n_w + j]);
        }
    }
    for (int j = 0; j < n_w; j++) {
        x[e->n_v + j] += scale * value[z + e->null[j]];
        s[e->n_v + j] += f * size[z + e->null[j]];
    }
    for (int k = 0; k < e->n_x; k++) {
        x[z + e->r + k] += scale * value[z + e->z1 + k];
        s[z + e->r + k] += f * size[z + e->z1 + k];
    }
    for (int k = 0; k < 3 * e->n_in; k++) {
        x[e->n_v + n_w + k] += scale * value[z + e->z1 + e->n_x + k];
        s[e->n_v + n_w + k] += f * size[z + e->z1 + e->n_x + k];
    }
}

/* Row of A and B as a row of F. */
static void put_state_row(const rt_massless_equations *e, const routh_linear *l, int state, int row,
                          double *value, double *size)
{
    const double *const B[3] = {l->B, l->B1, l->B2};
    const int n = l->n_states;
    memcpy(value, l->A + (size_t)n * (size_t)state, (size_t)n * sizeof *value);
    for (int k = 0; k < 3 * e->n_in; k++)
        value[n + k] = B[k / e->n_in][state * e->n_in + k % e->n_in];
    for (int k = 0; k < n + 3 * e->n_in; k++) size[k] = fabs(value[k]);
    add_full(e, &e->F, row, 1, value, size);
}

static routh_status fill_system(rt_massless_equations *e, const routh_linear *l, double *L,
                                rt_arena *arena, routh_error *error)
{
    const int r = e->r, wide = l->n_states + 3 * e->n_in;
    double *value = RT_TAKE(arena, double, wide), *size = RT_TAKE(arena, double, wide);
    double *inverse = RT_TAKE(arena, double, (size_t)r *(size_t)r);
    if (!value || !size || !inverse || !rt_sized_take(&e->F, e->n_v, e->width, arena) ||
        !rt_sized_take(&e->H, e->n_w, e->width, arena))
        return rt_fail_memory(error);
    for (int k = 0; k < r; k++) inverse[k + r * k] = 1;
    routh_status status = r ? rt_cholesky_solve(r, L, r, inverse, error) : ROUTH_OK;
    if (status) return status;
    for (int k = 0; k < e->z; k++) put_state_row(e, l, k, k, value, size);
    for (int k = 0; k < e->n_x; k++)
        put_state_row(e, l, e->z + e->z1 + k, e->z + r + k, value, size);
    for (int i = 0; i < r; i++)
        for (int k = 0; k < r; k++)
            add_full(e, &e->F, e->z + i, inverse[i + r * k], rt_sized_value(&e->full, e->pivot[k]),
                     rt_sized_size(&e->full, e->pivot[k]));
    for (int j = 0; j < e->n_w; j++) {
        add_full(e, &e->H, j, 1, rt_sized_value(&e->full, e->null[j]),
                 rt_sized_size(&e->full, e->null[j]));
        for (int k = 0; k < r; k++)
            add_full(e, &e->H, j, -e->Z[k * e->n_w + j], rt_sized_value(&e->full, e->pivot[k]),
                     rt_sized_size(&e->full, e->pivot[k]));
    }
    return ROUTH_OK;
}

routh_status rt_massless_equations_make(rt_massless_equations *e, const rt_linear_holder *h,
                                        const rt_linear_task *t, const rt_method_task *work,
                                        rt_arena *arena, routh_error *error)
{
    const routh_linear *l = &h->linear;
    const rt_search *s = &t->search;
    const rt_pattern *p = &s->m->pattern_M;
    const size_t z1 = (size_t)l->n_velocity;
    *e = (rt_massless_equations){
        .z = l->n_position, .z1 = l->n_velocity, .n_x = l->n_control, .n_in = l->n_inputs};
    e->tolerance = t->x.error_estimate != 0            ? 1e-6
                   : t->method == &rt_method_redundant ? 1e-10 /* its tangent comes from QZ */
                                                       : 1e-12;
    e->Mhat = RT_TAKE(arena, double, z1 *z1);
    e->pivot = RT_TAKE(arena, int, z1);
    e->null = RT_TAKE(arena, int, z1);
    double *plain = RT_TAKE(arena, double, p->start[p->n_columns]);
    double *column = RT_TAKE(arena, double, t->x.n), *L = NULL;
    if (!e->Mhat || !e->pivot || !e->null || !plain || !column) return rt_fail_memory(error);
    routh_status status = rt_massless_plain_mass(t, plain, error);
    if (status) return status;
    project(p, plain, t->x.Xw, e->z1, t->x.Xw, e->z1, column, e->Mhat);
    status = find_inertia(e, l->mass, arena, error);
    if (!status) status = solve_inertia(e, &L, arena, error);
    e->n_v = e->z + e->r + e->n_x, e->n_w = e->z1 - e->r;
    e->width = e->n_v + e->n_w + RT_INPUT_ORDERS * e->n_in;
    if (!status) status = fill_right(e, l, t, arena, error);
    if (!status) status = correct_demanded(e, l, t, work, plain, arena, error);
    if (!status) raise_inputs(e, t);
    return status ? status : fill_system(e, l, L, arena, error);
}
