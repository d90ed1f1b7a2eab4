#include "symbolic/reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/coordinates.h"
#include "symbolic/elimination.h"
#include "symbolic/text.h"

enum { WORK = 16 };

typedef struct reducer {
    const rt_natural_bodies *b;
    rt_exact_field *f;
    const rt_symbolic_row *rows;
    int m, n, n_z; /* rows, natural coordinates, independent ones */
    rt_natural_loads *loads;
    rt_exact_elimination e;
    rt_exact *G, *N, *P, *R; /* m x n; n_z vectors of n each */
    rt_exact *lambda, *right, *vector, *one, *work;
    rt_natural_coordinate *z; /* n_z */
} reducer;

static routh_status reduce_blame(const reducer *r, int k, routh_status status, const char *what,
                                 const rt_exact *value, routh_error *error)
{
    const rt_symbolic_row *row = r->rows + k;
    const routh_model *model = r->b->model;
    char element[160], text[400];
    rt_exact_describe(r->f, value, text, sizeof text);
    const bool joint = row->joint >= 0;
    snprintf(element, sizeof element, "%s %.120s", joint ? "joint" : "body",
             joint ? model->joints[row->joint].name : model->bodies[row->body].name);
    return rt_fail_at(error, status, model->file,
                      joint ? model->joints[row->joint].place : model->bodies[row->body].place,
                      element, "%s (%s): what should be zero is %s", what, row->label, text);
}

/* ---- the state ------------------------------------------------------------------------------ */

static void dot_row(const reducer *r, const rt_exact *row, const rt_exact *y, rt_exact *out)
{
    rt_exact_set_integer(r->f, out, 0);
    for (int j = 0; j < r->n; j++) rt_exact_add_product(r->f, out, row + j, y + j);
}

/* Phi = 0 and Phi_x v + Phi_t = 0 */
static routh_status reduce_check_state(reducer *r, routh_error *error)
{
    rt_exact *value = r->work + 12, *rate = r->work + 13;
    for (int k = 0; k < r->m; k++) {
        const rt_quadric *q = &r->rows[k].quadric;
        rt_quadric_value(r->b, q, 0, r->b->x, value, r->work);
        if (!rt_exact_is_zero(r->f, value))
            return reduce_blame(r, k, ROUTH_NOT_ASSEMBLED,
                                "the joint does not fit where the bodies are written to be", value,
                                error);
        rt_quadric_gradient(r->b, q, 0, r->b->x, false, r->one, r->G + (size_t)k * r->n, r->work);
        dot_row(r, r->G + (size_t)k * r->n, r->b->v, rate);
        rt_quadric_value(r->b, q, 1, r->b->x, value, r->work);
        rt_exact_add(r->f, rate, rate, value);
        if (!rt_exact_is_zero(r->f, rate))
            return reduce_blame(
                r, k, ROUTH_NOT_ASSEMBLED,
                "the velocities that are written do not keep the joint; write those of "
                "all bodies that move",
                rate, error);
    }
    return ROUTH_OK;
}

/* ---- independent coordinates ---------------------------------------------------------------- */

/* Rows of (gradient . free null vectors), reduced as they come: is one independent of those taken?
 * taken: n_taken rows of n_z, each with its pivot. */
static bool reduce_take(reducer *r, rt_exact *taken, int *pivot, int n_taken, rt_exact *row)
{
    for (int k = 0; k < n_taken; k++) {
        rt_exact *factor = r->work + 12;
        if (rt_exact_is_zero(r->f, row + pivot[k])) continue;
        rt_exact_divide(r->f, factor, row + pivot[k], taken + (size_t)k * r->n_z + pivot[k]);
        for (int j = 0; j < r->n_z; j++)
            rt_exact_subtract_product(r->f, row + j, taken + (size_t)k * r->n_z + j, factor);
    }
    for (int j = 0; j < r->n_z; j++)
        if (!rt_exact_is_zero(r->f, row + j)) {
            pivot[n_taken] = j;
            for (int i = 0; i < r->n_z; i++)
                rt_exact_set(r->f, taken + (size_t)n_taken * r->n_z + i, row + i);
            return true;
        }
    return false;
}

static void free_vectors(reducer *r)
{
    int at = 0;
    for (int j = 0; j < r->n; j++)
        if (r->e.column[j] < 0) rt_exact_null(&r->e, j, r->N + (size_t)r->n * at++);
}

static routh_status next_candidate(reducer *r, const char *const *names, int n_names, int k,
                                   rt_natural_coordinate *z, bool *usable, routh_error *error)
{
    const routh_model *model = r->b->model;
    *usable = true;
    if (names) return rt_natural_coordinate_of(r->b, names[k], z, error);
    (void)n_names;
    if (k < model->n_states) {
        routh_error ignored;
        const routh_status status = rt_natural_coordinate_of(r->b, model->states[k], z, &ignored);
        *usable = status == ROUTH_OK;
        return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
    }
    return rt_natural_candidate(r->b, k - model->n_states, z, usable, error);
}

static routh_status reduce_choose(reducer *r, const char *const *names, int n_names,
                                  routh_error *error)
{
    const int all = names ? n_names : r->b->model->n_states + rt_natural_candidates(r->b);
    rt_exact *taken = rt_exact_zeros(r->f, (r->n_z + 1) * r->n_z);
    int *pivot = malloc(((size_t)r->n_z + 1) * sizeof *pivot), n = 0;
    if (!taken || !pivot) {
        free(pivot);
        return rt_fail_memory(error);
    }
    rt_exact *row = taken + (size_t)r->n_z * r->n_z;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < all && (n < r->n_z || names) && !status; k++) {
        rt_natural_coordinate z;
        bool usable;
        status = next_candidate(r, names, n_names, k, &z, &usable, error);
        if (status || !usable) continue;
        for (int j = 0; j < r->n_z; j++) dot_row(r, z.gradient, r->N + (size_t)j * r->n, row + j);
        if (n < r->n_z && reduce_take(r, taken, pivot, n, row))
            r->z[n++] = z;
        else if (names)
            status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                             "'%s' depends on the coordinates named before it; name another one: "
                             "the mechanism has %d independent coordinate%s",
                             names[k], r->n_z, r->n_z == 1 ? "" : "s");
    }
    if (!status && n < r->n_z)
        status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                         names ? "%d coordinates are named, but the mechanism has %d independent "
                                 "coordinates; name as many (--independent)"
                               : "%d independent coordinates were found of %d; name them "
                                 "(--independent)",
                         n, r->n_z);
    free(pivot);
    return status;
}

/* N := N B^-1 with B = (gradients of z) N, so that dz = 1. */
static routh_status reduce_normalise(reducer *r, routh_error *error)
{
    const int n = r->n_z;
    rt_exact *B = rt_exact_zeros(r->f, n * n), *fresh = rt_exact_zeros(r->f, n * r->n);
    rt_exact_elimination inverse;
    if (!B || !fresh) return rt_fail_memory(error);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            dot_row(r, r->z[i].gradient, r->N + (size_t)j * r->n, B + (size_t)i * n + j);
    const routh_status status = rt_exact_eliminate(&inverse, r->f, n, n, B, error);
    if (status) return status;
    /* B^-1 has row column of pivot: T's row of that pivot */
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const rt_exact *entry =
                inverse.T + (size_t)inverse.pivot_row[inverse.column[i]] * n + j;
            for (int k = 0; k < r->n; k++)
                rt_exact_add_product(r->f, fresh + (size_t)j * r->n + k,
                                     r->N + (size_t)i * r->n + k, entry);
        }
    rt_exact_elimination_end(&inverse);
    r->N = fresh;
    return ROUTH_OK;
}

/* y with Phi_x y = right, and no change of the independent coordinates. */
static void reduce_particular(reducer *r, rt_exact *y)
{
    rt_exact *along = r->work + 12;
    rt_exact_particular(&r->e, r->right, y);
    for (int i = 0; i < r->n_z; i++) {
        dot_row(r, r->z[i].gradient, y, along);
        for (int k = 0; k < r->n; k++)
            rt_exact_subtract_product(r->f, y + k, r->N + (size_t)i * r->n + k, along);
    }
}

/* ---- operating point ------------------------------------------------------------------------ */

/* y += M x */
static void reduce_add_mass(const reducer *r, const rt_exact *x, rt_exact *y)
{
    const rt_natural_bodies *b = r->b;
    for (int k = 0; k < b->model->n_bodies; k++)
        for (int i = 0; i < 3; i++) {
            rt_exact_add_product(r->f, y + 12 * k + i, b->mass + k, x + 12 * k + i);
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    rt_exact_add_product(r->f, y + 12 * k + 3 + 3 * p + i,
                                         b->moments + 9 * k + 3 * p + q,
                                         x + 12 * k + 3 + 3 * q + i);
        }
}

/* Phi_x x'' = -(v' Phi_xx v + 2 Phi_xt v + Phi_tt) */
static void reduce_accelerate(reducer *r)
{
    rt_exact *w = r->work, *value = w + 13;
    for (int k = 0; k < r->m; k++) {
        const rt_quadric *q = &r->rows[k].quadric;
        rt_exact *g = r->right + k;
        rt_exact_set_integer(r->f, g, 0);
        rt_quadric_second(r->b, q, 0, r->b->v, r->b->v, r->one, g, w);
        for (int j = 0; j < r->n; j++) rt_exact_set_integer(r->f, r->vector + j, 0);
        rt_quadric_gradient(r->b, q, 1, r->b->x, false, r->one, r->vector, w);
        dot_row(r, r->vector, r->b->v, value);
        rt_exact_add(r->f, g, g, value);
        rt_exact_add(r->f, g, g, value);
        rt_quadric_value(r->b, q, 2, r->b->x, value, w);
        rt_exact_add(r->f, g, g, value);
        rt_exact_negate(r->f, g, g);
    }
    reduce_particular(r, r->b->a);
}

/* Q - M x'' = Phi_x' lambda, or something accelerates. */
static routh_status reduce_balance(reducer *r, bool unknown, rt_symbolic_reduction *out,
                                   routh_error *error)
{
    out->forces = rt_exact_zeros(r->f, r->n_z);
    if (!out->forces) return rt_fail_memory(error);
    rt_exact *Q = rt_exact_zeros(r->f, 2 * r->n), *force = r->work + 13;
    if (!Q) return rt_fail_memory(error);
    const routh_status status = rt_natural_forces(r->loads, NULL, Q, error);
    if (status) return status;
    reduce_add_mass(r, r->b->a, Q + r->n);
    for (int j = 0; j < r->n; j++) rt_exact_subtract(r->f, Q + j, Q + j, Q + r->n + j);
    for (int i = 0; i < r->n_z; i++) {
        char text[400];
        dot_row(r, Q, r->N + (size_t)i * r->n, force);
        if (rt_exact_is_zero(r->f, force)) continue;
        rt_exact_set(r->f, out->forces + out->n_forces++, force);
        if (unknown) continue;
        rt_exact_describe(r->f, force, text, sizeof text);
        return rt_fail(error, ROUTH_NO_EQUILIBRIUM,
                       "the reference configuration is not an equilibrium: the generalized force "
                       "on %s is %s instead of zero; write positions in terms of the parameters so "
                       "that it vanishes, or name the angle of equilibrium with --unknown",
                       r->z[i].name, text);
    }
    rt_exact_multipliers(&r->e, Q, r->lambda);
    return ROUTH_OK;
}

/* Rows that follow from others here must do so nearby: sum t_i Phi_i,xx vanishes along motions. */
static routh_status reduce_check_redundant(reducer *r, routh_error *error)
{
    rt_exact *sum = r->work + 13;
    for (int k = 0; k < r->m; k++) {
        if (r->e.row[k] >= 0) continue;
        const rt_exact *t = r->e.T + (size_t)k * r->m;
        for (int i = 0; i < r->n_z; i++)
            for (int j = 0; j <= i; j++) {
                rt_exact_set_integer(r->f, sum, 0);
                for (int row = 0; row < r->m; row++)
                    if (!rt_exact_is_zero(r->f, t + row))
                        rt_quadric_second(r->b, &r->rows[row].quadric, 0, r->N + (size_t)i * r->n,
                                          r->N + (size_t)j * r->n, t + row, sum, r->work);
                if (!rt_exact_is_zero(r->f, sum))
                    return reduce_blame(
                        r, k, ROUTH_SINGULAR,
                        "the mechanism is in a singular position, where its joints allow "
                        "more motion than beside it",
                        sum, error);
            }
    }
    return ROUTH_OK;
}

/* ---- the matrices --------------------------------------------------------------------------- */

/* With g . dx = dz all along, g P = -g' N and g R = -g'' N - 2 g' P; both are zero but of rotations
 * of bodies that turn. */
static void reduce_follow(reducer *r, const rt_exact *N, const rt_exact *P, rt_exact *y)
{
    rt_exact *value = r->work + 13;
    for (int i = 0; i < r->n_z; i++) {
        if (r->z[i].turning < 0) continue;
        rt_natural_coordinate_rate(r->b, r->z + i, 1, r->vector);
        dot_row(r, r->vector, P ? P : N, value);
        if (P) {
            rt_exact_scale(r->f, r->work + 12, value, 2, 1);
            rt_natural_coordinate_rate(r->b, r->z + i, 2, r->vector);
            dot_row(r, r->vector, N, value);
            rt_exact_add(r->f, value, value, r->work + 12);
        }
        for (int k = 0; k < r->n; k++)
            rt_exact_subtract_product(r->f, y + k, r->N + (size_t)i * r->n + k, value);
    }
}

/* P = N': dx' = N dz' + P dz; R = N''. */
static void reduce_find_rates(reducer *r)
{
    rt_exact *w = r->work, *value = w + 13;
    for (int j = 0; j < r->n_z; j++) {
        const rt_exact *N = r->N + (size_t)j * r->n;
        rt_exact *P = r->P + (size_t)j * r->n, *R = r->R + (size_t)j * r->n;
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < r->m; k++) {
                const rt_quadric *q = &r->rows[k].quadric;
                rt_exact *g = r->right + k;
                rt_exact_set_integer(r->f, g, 0);
                for (int i = 0; i < r->n; i++) rt_exact_set_integer(r->f, r->vector + i, 0);
                rt_quadric_gradient(r->b, q, 1, r->b->x, false, r->one, r->vector, w);
                if (!pass) { /* N' Phi_xx v + Phi_xt N */
                    rt_quadric_second(r->b, q, 0, N, r->b->v, r->one, g, w);
                    dot_row(r, r->vector, N, value);
                    rt_exact_add(r->f, g, g, value);
                } else { /* N' Phi_xx a + 2 N' Phi_xxt v + Phi_xtt N + 2 (P' Phi_xx v + Phi_xt P) */
                    rt_quadric_second(r->b, q, 0, P, r->b->v, r->one, g, w);
                    dot_row(r, r->vector, P, value);
                    rt_exact_add(r->f, g, g, value);
                    rt_quadric_second(r->b, q, 1, N, r->b->v, r->one, g, w);
                    rt_exact_scale(r->f, g, g, 2, 1);
                    rt_quadric_second(r->b, q, 0, N, r->b->a, r->one, g, w);
                    for (int i = 0; i < r->n; i++) rt_exact_set_integer(r->f, r->vector + i, 0);
                    rt_quadric_gradient(r->b, q, 2, r->b->x, false, r->one, r->vector, w);
                    dot_row(r, r->vector, N, value);
                    rt_exact_add(r->f, g, g, value);
                }
                rt_exact_negate(r->f, g, g);
            }
            reduce_particular(r, pass ? R : P);
            reduce_follow(r, N, pass ? P : NULL, pass ? R : P);
        }
    }
}

/* out = x' M y */
static void reduce_mass_product(const reducer *r, const rt_exact *x, const rt_exact *y,
                                rt_exact *My, rt_exact *out)
{
    for (int i = 0; i < r->n; i++) rt_exact_set_integer(r->f, My + i, 0);
    reduce_add_mass(r, y, My);
    dot_row(r, My, x, out);
}

/* Matrices that change along the motion would be of one moment: (N' M N)' = (N' M N)'' = 0. */
static routh_status check_steady(reducer *r, routh_error *error)
{
    rt_exact *My = rt_exact_zeros(r->f, r->n), *sum = r->work + 12, *value = r->work + 13;
    const int n = r->n;
    bool moves = false;
    for (int k = 0; k < n; k++) moves = moves || !rt_exact_is_zero(r->f, r->b->v + k);
    if (!My) return rt_fail_memory(error);
    for (int i = 0; i < r->n_z && moves; i++)
        for (int j = 0; j <= i; j++)
            for (int order = 1; order < 3; order++) {
                const rt_exact *const of_i[] = {r->N + i * n, r->P + i * n, r->R + i * n};
                const rt_exact *const of_j[] = {r->N + j * n, r->P + j * n, r->R + j * n};
                rt_exact_set_integer(r->f, sum, 0);
                for (int k = 0; k <= order; k++) {
                    reduce_mass_product(r, of_i[k], of_j[order - k], My, value);
                    rt_exact_scale(r->f, value, value, order == 2 && k == 1 ? 2 : 1, 1);
                    rt_exact_add(r->f, sum, sum, value);
                }
                if (!rt_exact_is_zero(r->f, sum))
                    return rt_fail(error, ROUTH_NO_EQUILIBRIUM,
                                   "the motion is not steady in the coordinates %s and %s, because "
                                   "the matrices change along it; name coordinates that do not "
                                   "spin (--independent), or rotations such as body.rz",
                                   r->z[j].name, r->z[i].name);
            }
    return ROUTH_OK;
}

/* Column j of all three. */
static routh_status reduce_find_column(reducer *r, int j, rt_symbolic_reduction *out,
                                       rt_exact *zero, routh_error *error)
{
    const int n = r->n_z;
    rt_exact *y = zero + r->n, *Q = y + r->n, *value = r->work + 13;
    const rt_exact *N = r->N + (size_t)j * r->n, *P = r->P + (size_t)j * r->n;
    const rt_exact *R = r->R + (size_t)j * r->n;
    const rt_natural_change speed = {zero, N}, place = {N, P};
    const rt_exact *of[3] = {N, P, R};
    rt_exact *to[3] = {out->M, out->C, out->K};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < r->n; i++) rt_exact_set_integer(r->f, y + i, 0);
        reduce_add_mass(r, of[k], y);
        if (k) {
            const routh_status status =
                rt_natural_forces(r->loads, k == 1 ? &speed : &place, Q, error);
            if (status) return status;
        }
        for (int i = 0; i < r->n && k; i++) {
            if (k == 1) rt_exact_scale(r->f, y + i, y + i, 2, 1);
            rt_exact_subtract(r->f, y + i, y + i, Q + i);
        }
        for (int i = 0; i < n; i++)
            dot_row(r, y, r->N + (size_t)i * r->n, to[k] + (size_t)i * n + j);
    }
    for (int i = 0; i < n; i++) {
        rt_exact_set_integer(r->f, value, 0);
        for (int k = 0; k < r->m; k++)
            if (!rt_exact_is_zero(r->f, r->lambda + k))
                rt_quadric_second(r->b, &r->rows[k].quadric, 0, r->N + (size_t)i * r->n, N,
                                  r->lambda + k, value, r->work);
        rt_exact_add(r->f, out->K + (size_t)i * n + j, out->K + (size_t)i * n + j, value);
    }
    return ROUTH_OK;
}

static routh_status find_matrices(reducer *r, rt_symbolic_reduction *out, routh_error *error)
{
    const int n = r->n_z;
    rt_exact *all = rt_exact_zeros(r->f, 3 * n * n + 3 * r->n);
    if (!all) return rt_fail_memory(error);
    out->M = all, out->C = all + n * n, out->K = all + 2 * n * n;
    routh_status status = ROUTH_OK;
    for (int j = 0; j < n && !status; j++)
        status = reduce_find_column(r, j, out, all + 3 * n * n, error);
    return status;
}

static routh_status take_names(const reducer *r, rt_symbolic_reduction *out, routh_error *error)
{
    out->names = calloc((size_t)r->n_z + 1, sizeof *out->names);
    if (!out->names) return rt_fail_memory(error);
    for (int k = 0; k < r->n_z; k++) strcpy(out->names[k], r->z[k].name);
    out->n = r->n_z;
    out->rank = r->e.rank;
    out->n_redundant = r->m - r->e.rank;
    return ROUTH_OK;
}

static routh_status reduce_eliminate(reducer *r, routh_error *error)
{
    const routh_status status = rt_exact_eliminate(&r->e, r->f, r->m, r->n, r->G, error);
    if (status) return status;
    r->n_z = r->n - r->e.rank;
    r->N = rt_exact_zeros(r->f, r->n_z * r->n);
    r->P = rt_exact_zeros(r->f, r->n_z * r->n);
    r->R = rt_exact_zeros(r->f, r->n_z * r->n);
    r->z = calloc((size_t)r->n_z + 1, sizeof *r->z);
    if (!r->N || !r->P || !r->R || !r->z) return rt_fail_memory(error);
    free_vectors(r);
    return ROUTH_OK;
}

routh_status rt_natural_reduce(const rt_natural_bodies *b, const rt_symbolic_row *rows, int n_rows,
                               rt_natural_loads *loads, const char *const *names, int n_names,
                               bool unknown, rt_symbolic_reduction *out, routh_error *error)
{
    rt_exact_field *f = b->field;
    reducer r = {.b = b, .f = f, .rows = rows, .m = n_rows, .n = b->n, .loads = loads};
    *out = (rt_symbolic_reduction){0};
    r.G = rt_exact_zeros(f, n_rows * b->n);
    r.lambda = rt_exact_zeros(f, n_rows);
    r.right = rt_exact_zeros(f, n_rows);
    r.vector = rt_exact_zeros(f, b->n);
    r.one = rt_exact_zeros(f, 1);
    r.work = rt_exact_zeros(f, WORK);
    routh_status status = ROUTH_OK;
    if (!r.G || !r.lambda || !r.right || !r.vector || !r.one || !r.work)
        status = rt_fail_memory(error);
    else
        rt_exact_set_integer(f, r.one, 1);
    if (!status) status = reduce_check_state(&r, error);
    if (!status) status = reduce_eliminate(&r, error);
    if (!status && !r.n_z)
        status = rt_fail(error, ROUTH_MODEL_ERROR,
                         "the mechanism has no degree of freedom; remove a joint");
    if (!status) status = reduce_choose(&r, names, n_names, error);
    if (!status) status = reduce_normalise(&r, error);
    if (!status) reduce_accelerate(&r);
    if (!status) status = reduce_check_redundant(&r, error);
    if (!status) status = reduce_balance(&r, unknown, out, error);
    if (!status) reduce_find_rates(&r);
    if (!status) status = check_steady(&r, error);
    if (!status) status = find_matrices(&r, out, error);
    if (!status) status = take_names(&r, out, error);
    rt_exact_elimination_end(&r.e);
    free(r.z);
    return status;
}
