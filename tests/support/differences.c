#include "support/differences.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

routh_status chain_run(chain *c, const difference_model *model, const char *parameter, double value,
                       routh_error *error)
{
    char number[40];
    snprintf(number, sizeof number, "%.17g", value);
    const routh_setting setting = {parameter, number};
    const size_t n = parameter != NULL;
    *c = (chain){0};
    routh_status status = model->path
                              ? routh_model_read(&c->model, model->path, &setting, n, error)
                              : routh_model_parse(&c->model, model->text, strlen(model->text),
                                                  "random", &setting, n, error);
    if (!status) status = routh_mechanism_compile(&c->mechanism, c->model, NULL, error);
    if (!status) status = routh_operating_point_find(&c->point, c->mechanism, NULL, error);
    if (!status) status = routh_linear_compute(&c->linear, c->mechanism, c->point, NULL, error);
    return status ? status : routh_modes_compute(&c->modes, c->linear, error);
}

void chain_free(chain *c)
{
    routh_modes_free(c->modes);
    routh_linear_free(c->linear);
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
    routh_model_free(c->model);
    *c = (chain){0};
}

/* ---- the differences ------------------------------------------------------------------------ */

static double _Complex value_of(const routh_mode *m)
{
    return m->eigenvalue[0] + I * m->eigenvalue[1];
}

/* The eigenvalues of c in the order of the nearest of `to`; false: not as many, or too far. */
static bool in_order(const chain *c, const double _Complex *to, int n, double _Complex *out)
{
    if (c->modes->n != n) return false;
    bool *taken = calloc((size_t)n + 1, sizeof *taken);
    for (int k = 0; k < n; k++) {
        int best = -1;
        for (int j = 0; j < n; j++)
            if (!taken[j] && (best < 0 || cabs(value_of(&c->modes->modes[j]) - to[k]) <
                                              cabs(value_of(&c->modes->modes[best]) - to[k])))
                best = j;
        taken[best] = true;
        out[k] = value_of(&c->modes->modes[best]);
    }
    free(taken);
    return true;
}

/* How far eigenvalue k is from those outside its cluster. */
static double gap_of(const double _Complex *base, int n, int k)
{
    double gap = INFINITY;
    for (int j = 0; j < n; j++) {
        const double apart = cabs(base[j] - base[k]);
        if (apart > 1e-5 * cabs(base[k]) && apart < gap) gap = apart;
    }
    return gap;
}

/* Central differences of the eighth order with steps of h: (f_1 - f_-1) 4/5 - (f_2 - f_-2)/5 +
 * (f_3 - f_-3) 4/105 - (f_4 - f_-4)/280. Infinite for eigenvalues that go halfway to another: which
 * is which after a crossing the nearest does not tell. */
static bool difference(const difference_model *model, const char *name, double at, double h,
                       const double _Complex *base, int n, double _Complex *out)
{
    static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    double _Complex *x = calloc(2 * (size_t)n + 1, sizeof *x);
    bool ok = true;
    for (int k = 0; k < n; k++) out[k] = 0;
    for (int side = -1; side <= 1 && ok; side += 2) {
        memcpy(x, base, (size_t)n * sizeof *x); /* each from the one before it */
        for (int i = 1; i <= 4 && ok; i++) {
            chain c;
            routh_error error;
            ok = !chain_run(&c, model, name, at + side * i * h, &error);
            if (!ok && getenv("ROUTH_TELL"))
                printf("%s %.17g: %s\n", name, at + side * i * h, error.message);
            ok = ok && in_order(&c, x, n, x + n);
            chain_free(&c);
            if (ok) memcpy(x, x + n, (size_t)n * sizeof *x);
            for (int k = 0; k < n && ok; k++) {
                out[k] += side * weight[i - 1] / h * x[k];
                if (cabs(x[k] - base[k]) > gap_of(base, n, k) / 2) out[k] = INFINITY;
            }
        }
    }
    free(x);
    return ok;
}

enum { MOST_STEPS = 7 };

/* Known to nine digits, or to what rounding alone leaves at the next step, h, which can then say no
 * more. */
static bool settled(const chain *c, const double _Complex *by, const double *doubt, double h)
{
    bool all = true;
    for (int k = 0; k < c->modes->n; k++)
        all = all &&
              (doubt[k] <= 1e-9 * cabs(by[k]) || doubt[k] <= c->modes->modes[k].error_bound / h);
    return all;
}

/* The derivatives by differences that agree best with those of four times the step; `doubt` is by
 * how much they do, and what rounding of eigenvalues makes of them; infinite: there are none. */
static void best_differences(const difference_model *model, const char *name, double at,
                             const chain *c, const double _Complex *base, double _Complex *by,
                             double *doubt)
{
    const int n = c->modes->n;
    double _Complex *x = calloc(2 * (size_t)n + 1, sizeof *x), *last = x + n;
    bool before = false;
    const double size = at != 0 ? fabs(at) : 1;
    for (int k = 0; k < n; k++) doubt[k] = INFINITY;
    for (int step = 0; step < MOST_STEPS; step++) {
        const double h = size * ldexp(1, -6 - 2 * step);
        if (settled(c, by, doubt, h)) break;
        const bool ok = difference(model, name, at, h, base, n, x);
        for (int k = 0; k < n && ok && before; k++) {
            const double off = cabs(x[k] - last[k]) + c->modes->modes[k].error_bound / h;
            if (off < doubt[k]) doubt[k] = off, by[k] = x[k];
        }
        if (ok) memcpy(last, x, (size_t)n * sizeof *x);
        before = ok;
    }
    free(x);
}

/* ---- the comparison ------------------------------------------------------------------------- */

typedef struct comparison {
    const chain *c;
    const routh_sensitivity *s;
    difference_tally *tally;
    char *text;
    size_t room;
} comparison;

/* What rounding may make of derivatives of eigenvalues far below the fastest one: that of the state
 * matrix, whose largest entries are as its square. */
static double rounding(const routh_sensitivity *s, int p, double _Complex at)
{
    double fastest = 0;
    for (int j = 0; j < s->n_modes; j++)
        fastest = fmax(fastest, hypot(s->eigenvalues[j][0], s->eigenvalues[j][1]));
    if (at == 0 || s->values[p] == 0) return 0;
    return DBL_EPSILON * fastest * fastest / cabs(at) / fabs(s->values[p]);
}

/* Mode k, of a cluster the sum over its members, which is smooth. */
static void compare_mode(const comparison *x, int p, int k, const double _Complex *by,
                         const double *doubt)
{
    const routh_sensitivity *s = x->s;
    const double _Complex at = s->eigenvalues[k][0] + I * s->eigenvalues[k][1];
    double _Complex exact = 0, found = 0;
    double open = 0, size = 0;
    int n = 0;
    for (int j = 0; j < s->n_modes; j++) {
        const double _Complex other = s->eigenvalues[j][0] + I * s->eigenvalues[j][1];
        if (s->multiplicity[k] == 1 ? j != k : cabs(other - at) > 1e-5 * cabs(at)) continue;
        const double *d = s->eigenvalue_by[p * s->n_modes + j];
        exact += d[0] + I * d[1], found += by[j], open += doubt[j];
        size = fmax(size, hypot(d[0], d[1]));
        n++;
    }
    if (n != s->multiplicity[k] || !isfinite(cabs(exact))) return; /* rigid, or has none */
    open += rounding(s, p, at) / 4;
    const double off = cabs(exact - found), allowed = 1e-7 * size + 4 * open;
    x->tally->n_compared++;
    const bool doubtful = !(4 * open <= 1e-7 * size);
    x->tally->n_doubtful += doubtful;
    if (!doubtful && size > 0) x->tally->worst = fmax(x->tally->worst, off / size);
    const size_t used = strlen(x->text);
    if (off <= allowed) return;
    if (isinf(open)) return;
    snprintf(x->text + used, x->room - used,
             "%s, mode %d (%.9g%+.9gi): exact %.12g%+.12gi, differences %.12g%+.12gi +- %.2g\n",
             s->parameters[p], k + 1, creal(at), cimag(at), creal(exact), cimag(exact),
             creal(found), cimag(found), open);
}

static void compare_all(comparison *x, const difference_model *model, int first, int stride)
{
    const routh_sensitivity *s = x->s;
    const int n = s->n_modes;
    double _Complex *base = calloc(2 * (size_t)n + 1, sizeof *base), *by = base + n;
    double *doubt = calloc((size_t)n + 1, sizeof *doubt);
    for (int k = 0; k < n; k++) base[k] = value_of(&x->c->modes->modes[k]);
    for (int p = first; p < s->n_parameters; p += stride) {
        if (model->kink && strcmp(s->parameters[p], model->kink) == 0) continue;
        best_differences(model, s->parameters[p], s->values[p], x->c, base, by, doubt);
        for (int k = 0; k < n; k++)
            if (s->eigenvalues[k][1] >= 0) compare_mode(x, p, k, by, doubt);
    }
    free(base);
    free(doubt);
}

void compare_with_differences(const difference_model *model, int first, int stride,
                              difference_tally *tally, char *text, size_t room)
{
    chain c;
    routh_error error;
    routh_sensitivity *s = NULL;
    routh_status status = chain_run(&c, model, NULL, 0, &error);
    text[0] = 0;
    if (!status)
        status = routh_sensitivity_compute(&s, c.mechanism, c.point, c.modes, NULL, &error);
    if (status) {
        snprintf(text, room, "%s\n", error.message);
    } else {
        comparison x = {&c, s, tally, text, room};
        tally->n_refused += c.model->n_parameters - s->n_parameters;
        compare_all(&x, model, first, stride);
    }
    routh_sensitivity_free(s);
    chain_free(&c);
}
