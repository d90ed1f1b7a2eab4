/* From one mechanism to another. With P the equations of all levels, E their rates (ones for the
 * states, the same in both), w_A a left vector of A and v_B a right vector of B,
 *     w_A^H (P_B - P_A) v_B = (lambda_B - lambda_A) w_A^H E v_B
 * exactly, however large the change; it is linear in the terms of P. Of |lambda| and of the damping
 * ratio z = -Re lambda / |lambda| the exact secants are linear too, with d = lambda_B - lambda_A:
 *     |B| - |A| = Re((A + B)^* d) / (|A| + |B|)
 *     z_B - z_A = -Re(d) (1/|A| + 1/|B|) / 2 + Re(A + B) (|B| - |A|) / (2 |A| |B|) */
#include "studies/attribution_compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/pi.h"
#include "studies/attribution_pairing.h"
#include "studies/attribution_terms.h"

void routh_comparison_free(routh_comparison *c)
{
    if (!c) return;
    for (int t = 0; c->terms && t < c->n_terms; t++) free(c->terms[t]);
    for (int p = 0; c->parameters && p < c->n_parameters; p++) free(c->parameters[p]);
    for (int k = 0; k < 2; k++) free(c->alone[k]), free(c->values[k]);
    free(c->terms), free(c->pairs), free(c->parts);
    free(c->parameters), free(c->by_parameter);
    free(c);
}

void rt_shift_put(routh_shift *to, double _Complex a, double _Complex b, double _Complex d)
{
    const double size_a = cabs(a), size_b = cabs(b);
    const double growth = creal(conj(a + b) * d) / (size_a + size_b);
    to->eigenvalue[0] = creal(d), to->eigenvalue[1] = cimag(d);
    to->frequency_hz = growth / RT_TWO_PI;
    to->damping_ratio =
        -creal(d) * (1 / size_a + 1 / size_b) / 2 + creal(a + b) * growth / (2 * size_a * size_b);
}

/* ---- do they go together? ------------------------------------------------------------------- */

/* a, b: "" where there is none */
static routh_status differ(const char *what, const char *a, const char *b, routh_error *error)
{
    const char *only = *a ? a : b;
    return rt_fail(
        error, ROUTH_BAD_ARGUMENT,
        "the two models cannot be compared: the %s has no %s '%.80s' at the same "
        "position%s%.80s%s; give both the same bodies, joints and controllers in the same order "
        "(loads may differ)",
        *a ? "second" : "first", what, only, *a && *b ? ", but '" : "", *a && *b ? b : "",
        *a && *b ? "'" : "");
}

static routh_status attribution_compare_check_names(const routh_mechanism *m,
                                                    const routh_mechanism *o, routh_error *error)
{
    for (int k = 0; k < m->n_bodies || k < o->n_bodies; k++) {
        const char *x = k < m->n_bodies ? m->model->bodies[k].name : "";
        const char *y = k < o->n_bodies ? o->model->bodies[k].name : "";
        if (strcmp(x, y) != 0) return differ("body", x, y, error);
    }
    for (int c = 0; c < m->n_constraints || c < o->n_constraints; c++) {
        const rt_constraint *x = c < m->n_constraints ? &m->constraints[c].constraint : NULL,
                            *y = c < o->n_constraints ? &o->constraints[c].constraint : NULL;
        const char *of_x = x ? m->model->joints[x->joint].name : "";
        const char *of_y = y ? o->model->joints[y->joint].name : "";
        if (strcmp(of_x, of_y) != 0 || x->n_rows != y->n_rows)
            return differ("joint", of_x, of_y, error);
    }
    const routh_model *p = m->model, *q = o->model;
    for (int k = 0; k < p->n_control_states || k < q->n_control_states; k++) {
        const char *x = k < p->n_control_states ? p->control_states[k].name : "";
        const char *y = k < q->n_control_states ? q->control_states[k].name : "";
        if (strcmp(x, y) != 0) return differ("state of a controller", x, y, error);
    }
    for (int k = 0; k < p->n_variables || k < q->n_variables; k++) {
        const char *x = k < p->n_variables ? p->variables[k].name : "";
        const char *y = k < q->n_variables ? q->variables[k].name : "";
        if (strcmp(x, y) != 0) return differ("variable", x, y, error);
    }
    if (m->n_u != o->n_u)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "the two models cannot be compared: they have %d and %d coordinates; give "
                       "flexible bodies the same number of elements in both",
                       m->n_u, o->n_u);
    return ROUTH_OK;
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* Of each mode with im >= 0 that is not rigid the spectrum's eigenvalue. */
static routh_status attribution_compare_match(const rt_side *s, const routh_modes *modes,
                                              bool *allowed, int *mode, routh_error *error)
{
    for (int k = 0; k < s->spectrum.n; k++) mode[k] = -1;
    for (int i = 0; i < modes->n; i++) {
        const routh_mode *m = &modes->modes[i];
        const double _Complex value = m->eigenvalue[0] + I * m->eigenvalue[1];
        int best = -1;
        if (m->rigid || m->eigenvalue[1] < 0) continue;
        for (int k = 0; k < s->spectrum.n; k++)
            if (mode[k] < 0 && (best < 0 || cabs(s->spectrum.value[k] - value) <
                                                cabs(s->spectrum.value[best] - value)))
                best = k;
        if (best < 0 ||
            cabs(s->spectrum.value[best] - value) > 1e-5 * cabs(value) + 10 * m->error_bound)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "mode %d, %.6g%+.6gi, is not an eigenvalue of this mechanism at this "
                           "operating point; give the modes that belong to it",
                           i + 1, m->eigenvalue[0], m->eigenvalue[1]);
        mode[best] = i;
        allowed[best] = s->spectrum.condition[best] > 0;
    }
    return ROUTH_OK;
}

static int number_of(const routh_modes *modes, int mode)
{
    int n = 0;
    for (int i = 0; i <= mode; i++)
        n += modes->modes[i].eigenvalue[1] >= 0 || modes->modes[i].conjugate == i;
    return n;
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* The second's terms among those of both: its loads by name, all else in the same place. */
static routh_status name_terms(rt_comparing *q, routh_error *error)
{
    routh_comparison *c = q->out;
    const int n_a = rt_count_terms(&q->side[0]), n_b = rt_count_terms(&q->side[1]);
    c->terms = calloc((size_t)n_a + (size_t)n_b + 1, sizeof *c->terms);
    q->place = RT_TAKE(&q->arena, int, n_b);
    if (!c->terms || !q->place) return rt_fail_memory(error);
    for (int side = 0; side < 2; side++)
        for (int t = 0; t < (side ? n_b : n_a); t++) {
            char *name = rt_term_name(&q->side[side], t);
            int at = side ? 0 : c->n_terms;
            if (!name) return rt_fail_memory(error);
            while (at < c->n_terms && strcmp(c->terms[at], name) != 0) at++;
            if (side) q->place[t] = at;
            if (at == c->n_terms)
                c->terms[c->n_terms++] = name;
            else
                free(name);
        }
    return ROUTH_OK;
}

static routh_status difference_of_terms(rt_comparing *q, int i, double _Complex *d,
                                        routh_error *error)
{
    const rt_side *a = &q->side[0], *b = &q->side[1];
    const rt_pairing *pairs = &q->pairing;
    routh_status status = rt_vectors_between(pairs, i, q->left, q->right, error);
    if (status) return status;
    double _Complex scale = 0;
    for (int r = 0; r < a->pencil.n1; r++) scale += conj(q->left[r]) * q->right[r];
    memset(d, 0, (size_t)q->out->n_terms * sizeof *d);
    rt_between x = {q->left, q->other};
    rt_carry_right(b, q->right, a, q->other);
    status = rt_terms(a, &x, q->terms, error);
    for (int t = 0; t < rt_count_terms(a); t++) d[t] -= q->terms[t] / scale;
    if (status) return status;
    x = (rt_between){q->other, q->right};
    rt_carry_left(a, q->left, b, q->other);
    status = rt_terms(b, &x, q->terms, error);
    for (int t = 0; t < rt_count_terms(b); t++) d[q->place[t]] += q->terms[t] / scale;
    return status;
}

static routh_status attribution_compare_one_pair(rt_comparing *q, int i, double _Complex *d,
                                                 routh_error *error)
{
    routh_comparison *c = q->out;
    const int j = q->pairing.partner[i], at = c->n_pairs;
    const double _Complex a = q->side[0].spectrum.value[i], b = q->side[1].spectrum.value[j];
    routh_mode_pair *pair = &c->pairs[at];
    const routh_status status = difference_of_terms(q, i, d, error);
    if (status) return status;
    double _Complex left = b - a;
    double size = cabs(a);
    for (int t = 0; t < c->n_terms; t++) {
        rt_shift_put(&c->parts[(size_t)at * (size_t)c->n_terms + (size_t)t], a, b, d[t]);
        left -= d[t], size += cabs(d[t]);
    }
    *pair = (routh_mode_pair){
        .mode = {q->mode[0][i], q->mode[1][j]},
        .number = {number_of(q->modes[0], q->mode[0][i]), number_of(q->modes[1], q->mode[1][j])},
        .eigenvalue = {{creal(a), cimag(a)}, {creal(b), cimag(b)}},
        .overlap = q->pairing.overlap[i],
        .closure = cabs(left) / size,
        .parameters_left = (double)NAN};
    rt_shift_put(&pair->shift, a, b, b - a);
    c->n_pairs++;
    return ROUTH_OK;
}

/* In the order of the first one's modes. */
static routh_status all_pairs(rt_comparing *q, routh_error *error)
{
    routh_comparison *c = q->out;
    const int n = q->side[0].spectrum.n;
    double _Complex *d = RT_TAKE(&q->arena, double _Complex, c->n_terms);
    c->pairs = calloc((size_t)n + 1, sizeof *c->pairs);
    c->parts = calloc((size_t)n * (size_t)c->n_terms + 1, sizeof *c->parts);
    if (!d || !c->pairs || !c->parts) return rt_fail_memory(error);
    for (int m = 0; m < q->modes[0]->n; m++)
        for (int i = 0; i < n; i++) {
            if (q->mode[0][i] != m || q->pairing.partner[i] < 0) continue;
            const routh_status status = attribution_compare_one_pair(q, i, d, error);
            if (status) return status;
        }
    return ROUTH_OK;
}

/* Modes of either that are in no pair: rigid ones too, where the other has not as many. */
static routh_status attribution_compare_find_alone(rt_comparing *q, routh_error *error)
{
    routh_comparison *c = q->out;
    const int common =
        q->modes[0]->n_zero < q->modes[1]->n_zero ? q->modes[0]->n_zero : q->modes[1]->n_zero;
    for (int side = 0; side < 2; side++) {
        const routh_modes *modes = q->modes[side];
        int n_rigid = 0;
        c->alone[side] = calloc((size_t)modes->n + 1, sizeof *c->alone[side]);
        if (!c->alone[side]) return rt_fail_memory(error);
        for (int i = 0; i < modes->n; i++) {
            bool paired = false;
            for (int k = 0; k < c->n_pairs; k++) paired = paired || c->pairs[k].mode[side] == i;
            if (modes->modes[i].rigid) paired = n_rigid++ < common;
            if (modes->modes[i].eigenvalue[1] < 0 || paired) continue;
            c->alone[side][c->n_alone[side]++] = number_of(modes, i);
        }
    }
    return ROUTH_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

routh_status rt_comparing_create(rt_comparing *q, const routh_compared *a, const routh_compared *b,
                                 routh_error *error)
{
    const routh_compared *given[2] = {a, b};
    const routh_mechanism *m = a->mechanism->base ? a->mechanism->base : a->mechanism,
                          *o = b->mechanism->base ? b->mechanism->base : b->mechanism;
    *q = (rt_comparing){.modes = {a->modes, b->modes}};
    routh_status status = attribution_compare_check_names(m, o, error);
    for (int k = 0; k < 2 && !status; k++)
        status =
            rt_side_create(&q->side[k], given[k]->mechanism, given[k]->point, a->linear, error);
    for (int k = 0; k < 2 && !status; k++) {
        q->allowed[k] = RT_TAKE(&q->arena, bool, q->side[k].spectrum.n);
        q->mode[k] = RT_TAKE(&q->arena, int, q->side[k].spectrum.n);
        status = q->allowed[k] && q->mode[k]
                     ? attribution_compare_match(&q->side[k], q->modes[k], q->allowed[k],
                                                 q->mode[k], error)
                     : rt_fail_memory(error);
    }
    return status
               ? status
               : rt_pair_modes(&q->pairing, &q->side[0], &q->side[1], q->allowed, &q->arena, error);
}

void rt_comparing_release(rt_comparing *q)
{
    for (int k = 0; k < 2; k++) rt_side_release(&q->side[k]);
    rt_arena_free(&q->arena);
}

static routh_status take_vectors(rt_comparing *q, routh_error *error)
{
    const rt_levels_pencil *a = &q->side[0].pencil, *b = &q->side[1].pencil;
    const int size_a = a->n1 + a->n2, size_b = b->n1 + b->n2;
    const int n_a = rt_count_terms(&q->side[0]), n_b = rt_count_terms(&q->side[1]);
    q->left = RT_TAKE(&q->arena, double _Complex, size_a);
    q->right = RT_TAKE(&q->arena, double _Complex, size_b);
    q->other = RT_TAKE(&q->arena, double _Complex, size_a > size_b ? size_a : size_b);
    q->terms = RT_TAKE(&q->arena, double _Complex, n_a > n_b ? n_a : n_b);
    return q->left && q->right && q->other && q->terms ? ROUTH_OK : rt_fail_memory(error);
}

routh_status routh_comparison_compute(routh_comparison **comparison, const routh_compared *a,
                                      const routh_compared *b, routh_error *error)
{
    rt_comparing q;
    *comparison = NULL;
    if (!a->mechanism || !b->mechanism)
        return rt_fail(
            error, ROUTH_BAD_ARGUMENT,
            "the comparison needs both mechanisms: a linear model alone has no elements");
    if (a->modes->wanted.n_regions || b->modes->wanted.n_regions)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "the comparison needs all modes; leave out "
                       "--wanted");
    routh_comparison *out = calloc(1, sizeof *out);
    if (!out) return rt_fail_memory(error);
    routh_status status = rt_comparing_create(&q, a, b, error);
    q.out = out;
    if (!status) status = take_vectors(&q, error);
    if (!status) status = name_terms(&q, error);
    if (!status) status = all_pairs(&q, error);
    if (!status) status = attribution_compare_find_alone(&q, error);
    rt_comparing_release(&q);
    if (status)
        routh_comparison_free(out);
    else
        *comparison = out;
    return status;
}
