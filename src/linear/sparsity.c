/* Where the matrices have entries (Gonzalez et al. 2017, Fig. 5). */
#include <stdio.h>
#include <stdlib.h>

#include "linear/holder.h"
#include "methods/redundant_pencil.h"

enum { MOST_PATTERNS = 16 };

typedef struct sparsity_holder {
    routh_sparsity sparsity; /* first: the public pointer is this one's address */
    rt_arena arena;
} sparsity_holder;

void routh_sparsity_free(routh_sparsity *sparsity)
{
    if (!sparsity) return;
    sparsity_holder *h = (sparsity_holder *)(void *)sparsity;
    rt_arena_free(&h->arena);
    free(h);
}

static routh_pattern *sparsity_next(sparsity_holder *h, const char *name, const char *about,
                                    int factor_of)
{
    routh_pattern *p = &h->sparsity.patterns[h->sparsity.n++];
    *p = (routh_pattern){.name = name, .about = about, .factor_of = factor_of};
    return p;
}

/* The entries of a matrix that are not zero. values NULL: all of the pattern. */
static routh_status sparsity_add(sparsity_holder *h, const char *name, const char *about,
                                 int factor_of, const rt_pattern *from, const double *values,
                                 routh_error *error)
{
    routh_pattern *p = sparsity_next(h, name, about, factor_of);
    p->n_rows = from->n_rows, p->n_columns = from->n_columns;
    p->start = RT_TAKE(&h->arena, int, from->n_columns + 1);
    p->row = RT_TAKE(&h->arena, int, from->start[from->n_columns]);
    if (!p->start || !p->row) return rt_fail_memory(error);
    for (int c = 0, to = 0; c < from->n_columns; c++) {
        for (int e = from->start[c]; e < from->start[c + 1]; e++)
            if (!values || values[e] != 0) p->row[to++] = from->row[e];
        p->start[c + 1] = to;
    }
    return ROUTH_OK;
}

static routh_status add_factors(sparsity_holder *h, rt_factor *factor, const char *about_L,
                                const char *about_U, routh_error *error)
{
    const int of = h->sparsity.n - 1;
    rt_arena scratch = {0};
    rt_pattern L, U;
    routh_status status = rt_factor_patterns(factor, &L, &U, &scratch, error);
    if (!status) status = sparsity_add(h, "L", about_L, of, &L, NULL, error);
    if (!status) status = sparsity_add(h, "U", about_U, of, &U, NULL, error);
    rt_arena_free(&scratch);
    return status;
}

/* ---- the mechanism's matrices ---------------------------------------------------------------- */

static routh_status add_equations(sparsity_holder *h, const rt_search *s, routh_error *error)
{
    const routh_mechanism *m = s->m;
    const rt_workspace *w = s->w;
    routh_status status = sparsity_add(h, "M", "mass", -1, &m->pattern_M, w->M, error);
    if (!status) status = sparsity_add(h, "K", "stiffness", -1, &m->pattern_K, w->K, error);
    if (!status) status = sparsity_add(h, "D", "damping", -1, &m->pattern_K, w->D, error);
    if (!status)
        status = sparsity_add(h, "G", "constraints, all rows", -1, &m->pattern_G, w->G, error);
    return status;
}

static routh_status add_saddle_point(sparsity_holder *h, rt_search *s, routh_error *error)
{
    const double *values;
    routh_status status = rt_search_mass(s, error);
    if (!status) status = rt_kkt_factor(s->mass, s->w->M, s->w->G, s->w->L, 0, error);
    if (status) return status;
    const rt_pattern *p = rt_kkt_matrix(s->mass, &values);
    status = sparsity_add(h, "[M G'; G 0]", "saddle point, independent rows", -1, p, values, error);
    return status ? status
                  : add_factors(h, rt_kkt_factors(s->mass), "factor of [M G'; G 0], ordered by AMD",
                                "factor of [M G'; G 0], ordered by AMD", error);
}

static routh_status of_mechanism(sparsity_holder *h, rt_search *s, const routh_mechanism *m,
                                 const rt_state *state, double *rate, routh_error *error)
{
    routh_status status = rt_search_create(s, m, 1e-12, 1, error);
    if (status) return status;
    rt_state_copy(m, s->state, state);
    status = rt_evaluate(m, s->w, s->state, RT_EVALUATE_ALL, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) status = add_equations(h, s, error);
    if (!status) status = add_saddle_point(h, s, error);
    *rate = status ? 1 : rt_typical_rate(s);
    return status;
}

/* ---- the descriptor system ------------------------------------------------------------------- */

static rt_pattern sparsity_pattern_of(const routh_sparse *a)
{
    return (rt_pattern){a->n_rows, a->n_columns, a->start, a->row};
}

/* Adds a matrix, its values times factor, to entries (row, column) in `at`, from number n on. */
static size_t sparsity_list(const routh_sparse *a, double factor, int *row, int *column,
                            double *value, size_t n)
{
    for (int c = 0; c < a->n_columns; c++)
        for (int e = a->start[c]; e < a->start[c + 1]; e++)
            row[n] = a->row[e], column[n] = c, value[n++] = factor * a->value[e];
    return n;
}

/* A - s E and its factors; *singular: s is an eigenvalue. */
static routh_status add_shifted(sparsity_holder *h, const routh_descriptor *d, double s,
                                rt_arena *scratch, routh_error *error)
{
    const int order = d->A.n_rows;
    const size_t room = (size_t)d->A.start[order] + (size_t)d->E.start[order];
    int *row = RT_TAKE(scratch, int, room), *column = RT_TAKE(scratch, int, room);
    int *position = RT_TAKE(scratch, int, room);
    double *value = RT_TAKE(scratch, double, room), *values = RT_TAKE(scratch, double, room);
    rt_pattern p;
    rt_factor *factor = NULL;
    if (!row || !column || !position || !value || !values) return rt_fail_memory(error);
    size_t n = sparsity_list(&d->A, 1, row, column, value, 0);
    n = sparsity_list(&d->E, -s, row, column, value, n);
    routh_status status =
        rt_pattern_build(&p, order, order, n, row, column, position, scratch, error);
    for (size_t k = 0; k < n && !status; k++) values[position[k]] += value[k];
    if (!status) status = rt_factor_create(&factor, &p, RT_ORDER_COLAMD_LARGEST, error);
    if (!status) status = rt_factor_numeric(factor, values, error);
    if (!status) status = sparsity_add(h, "A - s E", "shifted by a real s", -1, &p, values, error);
    if (!status)
        status = add_factors(h, factor, "factor of A - s E, ordered by COLAMD",
                             "factor of A - s E, ordered by COLAMD", error);
    rt_factor_free(factor);
    return status;
}

static routh_status add_pencil(sparsity_holder *h, const routh_descriptor *d, double rate,
                               routh_error *error)
{
    const rt_pattern E = sparsity_pattern_of(&d->E), A = sparsity_pattern_of(&d->A);
    routh_status status =
        sparsity_add(h, "E", "of the descriptor system E y' = A y", -1, &E, d->E.value, error);
    if (!status)
        status =
            sparsity_add(h, "A", "of the descriptor system E y' = A y", -1, &A, d->A.value, error);
    if (status) return status;
    status = ROUTH_SINGULAR;
    /* a shift may be an eigenvalue, but not all of them */
    for (int k = 0; k < 3 && status == ROUTH_SINGULAR; k++) {
        rt_arena scratch = {0};
        status = add_shifted(h, d, rate * (1 + 0.37 * k), &scratch, error);
        rt_arena_free(&scratch);
    }
    return status;
}

/* Without it about a state that moves. */
static routh_status of_descriptor(sparsity_holder *h, const routh_mechanism *m,
                                  const routh_operating_point *point, double rate,
                                  routh_error *error)
{
    routh_descriptor *d = NULL;
    routh_error own = {0};
    routh_status status = routh_descriptor_compute(&d, m, point, NULL, &own);
    if (status == ROUTH_NOT_SUPPORTED) return ROUTH_OK;
    if (status) {
        if (error) *error = own;
        return status;
    }
    if (!d->n_differential) status = add_pencil(h, d, rate, error);
    routh_descriptor_free(d);
    return status;
}

routh_status routh_sparsity_find(routh_sparsity **sparsity, const routh_mechanism *m,
                                 const routh_operating_point *point, routh_error *error)
{
    *sparsity = NULL;
    sparsity_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    const char *title = m->model->title ? m->model->title : "";
    rt_search s = {0};
    double rate = 1;
    h->sparsity.patterns = RT_TAKE(&h->arena, routh_pattern, MOST_PATTERNS);
    h->sparsity.title = rt_arena_text(&h->arena, title, strlen(title));
    h->sparsity.coordinates = rt_arena_text(&h->arena, m->coordinates, strlen(m->coordinates));
    routh_status status = h->sparsity.patterns && h->sparsity.title && h->sparsity.coordinates
                              ? of_mechanism(h, &s, m, point->state, &rate, error)
                              : rt_fail_memory(error);
    rt_state_free(s.state);
    rt_search_release(&s);
    if (!status) status = of_descriptor(h, m, point, rate, error);
    if (status) {
        routh_sparsity_free(&h->sparsity);
        return status;
    }
    *sparsity = &h->sparsity;
    return ROUTH_OK;
}
