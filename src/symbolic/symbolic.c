#include "symbolic/symbolic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/elimination.h"
#include "symbolic/polynomial.h"
#include "symbolic/write.h"

routh_symbolic_options routh_symbolic_defaults(void) { return (routh_symbolic_options){0}; }

void routh_symbolic_free(routh_symbolic *symbolic)
{
    if (!symbolic) return;
    rt_exact_field_free(symbolic->field);
    free(symbolic->reduction.names);
    free(symbolic->title);
    free(symbolic);
    flint_cleanup();
}

int routh_symbolic_size(const routh_symbolic *symbolic) { return symbolic->reduction.n; }

const char *routh_symbolic_coordinate(const routh_symbolic *symbolic, int k)
{
    return symbolic->reduction.names[k];
}

static const rt_symbol *find_symbol(const routh_symbolic *s, const char *name)
{
    const rt_symbol *all;
    const int n = rt_exact_field_symbols(s->field, &all);
    for (int k = 0; k < n; k++)
        if (all[k].kind == RT_SYMBOL_PARAMETER && strcmp(all[k].name, name) == 0) return all + k;
    return NULL;
}

routh_status routh_symbolic_evaluate(const routh_symbolic *s, const char *const *names,
                                     const double *values, int n, double *M, double *C, double *K,
                                     routh_error *error)
{
    const rt_symbolic_reduction *r = &s->reduction;
    const rt_exact *from[3] = {r->M, r->C, r->K};
    double *to[3] = {M, C, K};
    double all[RT_MOST_VARIABLES];
    rt_exact_field_values(s->field, all);
    for (int k = 0; k < n; k++) {
        const rt_symbol *symbol = find_symbol(s, names[k]);
        if (!symbol)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "'%s' is not a symbol of the formulas; name "
                           "one of their symbols",
                           names[k]);
        all[symbol->variable] = values[k];
    }
    rt_exact_field_complete(s->field, all);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < r->n * r->n; i++) to[k][i] = rt_exact_at(s->field, from[k] + i, all);
    return ROUTH_OK;
}

/* ---- symbols -------------------------------------------------------------------------------- */

typedef struct symbolic_choice {
    int n, *parameters;
    const char **names;
    double *values;
} symbolic_choice;

static bool is_named(const char *const *names, const char *name)
{
    for (int k = 0; names && names[k]; k++)
        if (strcmp(names[k], name) == 0) return true;
    return false;
}

static routh_status symbolic_check_names(const routh_model *model, const char *const *names,
                                         routh_error *error)
{
    for (int i = 0; names && names[i]; i++) {
        int k = 0;
        while (k < model->n_parameters && strcmp(model->parameters[k].name, names[i]) != 0) k++;
        if (k == model->n_parameters)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "the model has no parameter '%s'; name one "
                           "of its parameters",
                           names[i]);
    }
    return ROUTH_OK;
}

static routh_status choose_symbols(symbolic_choice *c, const routh_model *model,
                                   const routh_symbolic_options *options, routh_error *error)
{
    const size_t n = (size_t)model->n_parameters + 1;
    c->parameters = malloc(n * sizeof *c->parameters);
    c->names = malloc(n * sizeof *c->names);
    c->values = malloc(n * sizeof *c->values);
    if (!c->parameters || !c->names || !c->values) return rt_fail_memory(error);
    for (int k = 0; k < model->n_parameters; k++) {
        const rt_parameter *p = model->parameters + k;
        const bool base = p->number.expr < 0 || p->overridden;
        if (!(options->symbols ? is_named(options->symbols, p->name) : base) &&
            !is_named(options->unknowns, p->name))
            continue;
        c->parameters[c->n] = k;
        c->names[c->n] = p->name;
        c->values[c->n++] = p->number.value;
    }
    const routh_status status = symbolic_check_names(model, options->symbols, error);
    return status ? status : symbolic_check_names(model, options->unknowns, error);
}

static routh_status make_field(rt_exact_field **field, const routh_model *model,
                               const routh_symbolic_options *options, routh_error *error)
{
    symbolic_choice c = {0};
    routh_status status = choose_symbols(&c, model, options, error);
    if (!status) status = rt_exact_field_create(field, c.n, c.names, c.parameters, c.values, error);
    free(c.parameters);
    free(c.names);
    free(c.values);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static routh_status check_model(const routh_model *model, routh_error *error)
{
    if (model->n_control_states > 0)
        return rt_fail_at(error, ROUTH_NOT_SUPPORTED, model->file, model->control_states[0].place,
                          model->control_states[0].element,
                          "a controller with states is not supported in formulas; write its force "
                          "in terms of displacements and velocities, or use routh linearize");
    if (model->n_function_uses > 0)
        return rt_fail_at(error, ROUTH_NOT_SUPPORTED, model->file, model->function_uses[0].place,
                          model->function_uses[0].element,
                          "there are no formulas with the function %s, whose formula only the "
                          "caller knows; write it as an expression, or use routh linearize",
                          model->function_uses[0].function->name);
    return ROUTH_OK;
}

/* z'' = -M^-1 (K z + C z') */
static routh_status symbolic_find_states(routh_symbolic *s, routh_error *error)
{
    const rt_symbolic_reduction *r = &s->reduction;
    rt_exact_field *f = s->field;
    const int n = r->n;
    rt_exact_elimination e;
    rt_exact *M = rt_exact_zeros(f, n * n), *A = rt_exact_zeros(f, 4 * n * n);
    if (!M || !A) return rt_fail_memory(error);
    for (int k = 0; k < n * n; k++) rt_exact_set(f, M + k, r->M + k);
    const routh_status status = rt_exact_eliminate(&e, f, n, n, M, error);
    if (status) return status;
    for (int i = 0; i < n && e.rank == n; i++) {
        const rt_exact *inverse = e.T + (size_t)e.pivot_row[e.column[i]] * n;
        rt_exact *row = A + (size_t)(n + i) * 2 * n;
        rt_exact_set_integer(f, A + (size_t)i * 2 * n + n + i, 1);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                rt_exact_subtract_product(f, row + j, inverse + k, r->K + (size_t)k * n + j);
                rt_exact_subtract_product(f, row + n + j, inverse + k, r->C + (size_t)k * n + j);
            }
    }
    if (e.rank == n) s->A = A;
    rt_exact_elimination_end(&e);
    return ROUTH_OK;
}

/* Of how many coordinates a characteristic polynomial is made: with symbols it has thousands of
 * terms beyond a few. */
static int most_coordinates(const routh_symbolic *s)
{
    const rt_symbol *all;
    const int n = rt_exact_field_symbols(s->field, &all);
    for (int k = 0; k < n; k++)
        if (all[k].kind == RT_SYMBOL_PARAMETER && rt_symbolic_uses(s, all + k, RT_SECOND_ORDER))
            return RT_MOST_WITH_SYMBOLS;
    return RT_MOST_POLYNOMIAL;
}

static routh_status symbolic_compute(routh_symbolic *s, rt_exact_numbers *numbers, rt_graph *graph,
                                     const routh_symbolic_options *options, routh_error *error)
{
    rt_natural_bodies bodies;
    rt_symbolic_row *rows = NULL;
    rt_natural_loads *loads = NULL;
    int n_rows = 0, n_names = 0;
    while (options->coordinates && options->coordinates[n_names]) n_names++;
    routh_status status = rt_natural_create(&bodies, numbers, error);
    rt_measures_begin(&bodies);
    if (!status) status = rt_natural_rows(&bodies, graph, &rows, &n_rows, error);
    if (!status) status = rt_natural_loads_create(&loads, &bodies, graph, error);
    if (!status)
        status = rt_natural_reduce(&bodies, rows, n_rows, loads, options->coordinates, n_names,
                                   options->unknowns && options->unknowns[0], &s->reduction, error);
    rt_natural_loads_free(loads);
    free(rows);
    const rt_symbolic_reduction *r = &s->reduction;
    if (status || options->only_matrices || r->n > most_coordinates(s)) return status;
    status = symbolic_find_states(s, error);
    if (status) return status;
    s->characteristic = rt_characteristic(s->field, r->n, r->M, r->C, r->K);
    if (!s->characteristic) return rt_fail_memory(error);
    if (!options->stability) return ROUTH_OK;
    s->has_stability = true;
    return rt_routh_array(s->field, 2 * r->n, s->characteristic, &s->stability, error);
}

routh_status routh_symbolic_compute(routh_symbolic **out, const routh_model *model,
                                    const routh_symbolic_options *options, routh_error *error)
{
    const routh_symbolic_options defaults = routh_symbolic_defaults();
    if (!options) options = &defaults;
    *out = NULL;
    routh_symbolic *s = calloc(1, sizeof *s);
    if (!s) return rt_fail_memory(error);
    s->model = model;
    rt_graph *graph = rt_graph_clone(model->graph);
    const char *title = model->title ? model->title : "";
    s->title = malloc(strlen(title) + 1);
    routh_status status = graph && s->title ? check_model(model, error) : rt_fail_memory(error);
    if (s->title) strcpy(s->title, title);
    if (!status) status = make_field(&s->field, model, options, error);
    if (!status) {
        rt_exact_numbers numbers = rt_exact_numbers_begin(s->field, model);
        numbers.graph = graph;
        status = symbolic_compute(s, &numbers, graph, options, error);
        if (rt_exact_field_exhausted(s->field) && status != ROUTH_LIMIT_EXCEEDED)
            status = rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                             "the formulas have too many terms, powers or digits; keep fewer "
                             "parameters as symbols (--symbols), or give simpler numbers");
        rt_exact_numbers_end(&numbers);
    }
    rt_graph_free(graph);
    if (status)
        routh_symbolic_free(s);
    else
        *out = s;
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

static routh_status write_form(const routh_symbolic *s, rt_form_of_model form,
                               routh_notation notation, routh_text *out, routh_error *error)
{
    static const rt_notation code[] = {
        [ROUTH_NOTATION_C] = RT_NOTATION_C,
        [ROUTH_NOTATION_PYTHON] = RT_NOTATION_PYTHON,
        [ROUTH_NOTATION_MATLAB] = RT_NOTATION_MATLAB,
        [ROUTH_NOTATION_MODELICA] = RT_NOTATION_MODELICA,
    };
    rt_text text = {0};
    routh_status status = ROUTH_OK;
    switch (notation) {
    case ROUTH_NOTATION_TEXT: rt_symbolic_write_text(s, form, &text); break;
    case ROUTH_NOTATION_LATEX: rt_symbolic_write_latex(s, form, &text); break;
    case ROUTH_NOTATION_JSON: status = rt_symbolic_write_json(s, &text, error); break;
    default: rt_symbolic_write_code(s, form, code[notation], &text);
    }
    if (status) return status;
    out->length = text.length;
    out->bytes = rt_text_take(&text);
    return out->bytes ? ROUTH_OK : rt_fail_memory(error);
}

routh_status routh_symbolic_write(const routh_symbolic *s, routh_notation notation, routh_text *out,
                                  routh_error *error)
{
    *out = (routh_text){0};
    return write_form(s, RT_SECOND_ORDER, notation, out, error);
}

routh_status routh_symbolic_write_state_space(const routh_symbolic *s, routh_notation notation,
                                              routh_text *out, routh_error *error)
{
    *out = (routh_text){0};
    if (!s->A)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "there is no state matrix, because the mass matrix is singular, or %d "
                       "coordinates are too many (at most %d with symbols, %d without); leave out "
                       "--form state-space",
                       s->reduction.n, RT_MOST_WITH_SYMBOLS, RT_MOST_POLYNOMIAL);
    return write_form(s, RT_STATE_SPACE, notation, out, error);
}
