/* Shares of many modes: of the rows and weights of the linear model's quadratic forms only what is
 * not zero is kept, and v = rows y is formed once for a mode. Of finite elements nearly all is
 * zero. */
#include <string.h>

#include "answers/energy_fractions.h"
#include "base/arena.h"
#include "base/error.h"

/* Entries that are not zero, row by row. */
typedef struct packed {
    int n_rows;
    size_t *start;
    int *column;
    double *value;
} packed;

struct routh_energy_forms {
    rt_arena arena;
    int n_states, n_shares;
    routh_energy_kind *kind;
    packed *rows, *weight;
    double *v; /* 2 x the most rows: real parts, then imaginary parts */
};

static routh_status energy_forms_pack(packed *p, int n_rows, int n_columns, const double *full,
                                      rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)n_columns, all = (size_t)n_rows * n;
    size_t count = 0;
    for (size_t i = 0; i < all; i++) count += full[i] != 0;
    *p = (packed){n_rows, RT_TAKE(arena, size_t, n_rows + 1), RT_TAKE(arena, int, count + 1),
                  RT_TAKE(arena, double, count + 1)};
    if (!p->start || !p->column || !p->value) return rt_fail_memory(error);
    size_t at = 0;
    for (int r = 0; r < n_rows; r++) {
        const double *row = full + (size_t)r * n;
        for (int j = 0; j < n_columns; j++)
            if (row[j] != 0) p->column[at] = j, p->value[at++] = row[j];
        p->start[r + 1] = at;
    }
    return ROUTH_OK;
}

static routh_status energy_forms_fill(routh_energy_forms *f, const routh_linear *l,
                                      routh_error *error)
{
    const size_t n = (size_t)l->n_shares + 1;
    size_t most = 1;
    f->n_states = l->n_states;
    f->n_shares = l->n_shares;
    f->kind = RT_TAKE(&f->arena, routh_energy_kind, n);
    f->rows = RT_TAKE(&f->arena, packed, n);
    f->weight = RT_TAKE(&f->arena, packed, n);
    if (!f->kind || !f->rows || !f->weight) return rt_fail_memory(error);
    routh_status status = ROUTH_OK;
    for (int k = 0; k < l->n_shares && !status; k++) {
        const routh_energy_fraction *share = &l->shares[k];
        const int m = share->n_rows;
        f->kind[k] = share->kind;
        status = energy_forms_pack(&f->rows[k], m, l->n_states, share->rows, &f->arena, error);
        if (!status)
            status = energy_forms_pack(&f->weight[k], m, m, share->weight, &f->arena, error);
        if ((size_t)m > most) most = (size_t)m;
    }
    f->v = RT_TAKE(&f->arena, double, 2 * most);
    if (!status && !f->v) return rt_fail_memory(error);
    return status;
}

routh_status routh_energy_forms_create(routh_energy_forms **forms, const routh_linear *linear,
                                       routh_error *error)
{
    *forms = NULL;
    rt_arena arena = {0};
    routh_energy_forms *f = RT_TAKE(&arena, routh_energy_forms, 1);
    if (!f) return rt_fail_memory(error);
    f->arena = arena;
    const routh_status status = energy_forms_fill(f, linear, error);
    if (status)
        routh_energy_forms_free(f);
    else
        *forms = f;
    return status;
}

void routh_energy_forms_free(routh_energy_forms *forms)
{
    if (!forms) return;
    rt_arena arena = forms->arena; /* it holds the forms, too */
    rt_arena_free(&arena);
}

static void energy_forms_times(const packed *p, const double *y, double *v)
{
    for (int r = 0; r < p->n_rows; r++) {
        double sum = 0;
        for (size_t e = p->start[r]; e < p->start[r + 1]; e++) sum += p->value[e] * y[p->column[e]];
        v[r] = sum;
    }
}

static double energy_forms_square(const packed *weight, const double *v)
{
    double sum = 0;
    for (int r = 0; r < weight->n_rows; r++) {
        double row = 0;
        for (size_t e = weight->start[r]; e < weight->start[r + 1]; e++)
            row += weight->value[e] * v[weight->column[e]];
        sum += v[r] * row;
    }
    return sum;
}

/* Re(v^H W v) */
static double energy_forms_quadratic(routh_energy_forms *f, int k, const double *shape)
{
    double *re = f->v, *im = f->v + f->rows[k].n_rows;
    energy_forms_times(&f->rows[k], shape, re);
    energy_forms_times(&f->rows[k], shape + f->n_states, im);
    return energy_forms_square(&f->weight[k], re) + energy_forms_square(&f->weight[k], im);
}

int rt_energy_forms_states(const routh_energy_forms *forms) { return forms->n_states; }

int rt_energy_forms_shares(const routh_energy_forms *forms) { return forms->n_shares; }

void routh_energy_forms_fractions(routh_energy_forms *forms, const routh_mode *mode,
                                  routh_energy_kind kind, double *fractions)
{
    for (int k = 0; k < forms->n_shares; k++)
        fractions[k] = forms->kind[k] == kind && rt_energy_counts(mode, kind)
                           ? energy_forms_quadratic(forms, k, mode->shape)
                           : 0;
    rt_energy_fractions(forms->n_shares, fractions);
}
