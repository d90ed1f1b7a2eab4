/* Linear controllers: state space and transfer function. */
#include "model/control.h"

/* ---- state space ----------------------------------------------------------------------------- */

/* New names from a list, one for each part. */
static routh_status control_linear_read_names(rt_reader *r, const rt_yaml *list, const char *what,
                                              int n, char letter, rt_control_part *parts)
{
    char found[96];
    int k = 0;
    if (!list) return rt_control_number(r, parts, n, letter);
    if (list->kind != RT_YAML_LIST || list->count == 0)
        return rt_reader_fail(r, list->place,
                              "%s must be a list of names, such as [%c1, %c2], not %s", what,
                              letter, letter, rt_yaml_describe(list, found, sizeof found));
    if (list->count != n)
        return rt_reader_fail(r, list->place,
                              "%s has %d names and the matrices have %d; give one for each", what,
                              list->count, n);
    for (const rt_yaml *entry = list->first; entry; entry = entry->next, k++) {
        if (entry->kind != RT_YAML_SCALAR || rt_yaml_is_null(entry) || !entry->text[0])
            return rt_reader_fail(r, entry->place, "%s must hold names, not %s", what,
                                  rt_yaml_describe(entry, found, sizeof found));
        rt_yaml name = *entry;
        name.key = entry->text;
        name.key_place = entry->place;
        const routh_status status = rt_check_quantity_name(r, &name);
        if (status) return status;
        parts[k].name = entry->text;
        parts[k].place = entry->place;
    }
    return ROUTH_OK;
}

static routh_status control_linear_count_rows(rt_reader *r, const rt_yaml *matrix, const char *what,
                                              int *n)
{
    char found[96];
    *n = matrix->count;
    if (matrix->kind == RT_YAML_LIST && matrix->count) return ROUTH_OK;
    return rt_reader_fail(r, matrix->place,
                          "%s must be a list of rows of numbers, such as [[1, 0], [0, 1]], not %s",
                          what, rt_yaml_describe(matrix, found, sizeof found));
}

static routh_status count_inputs(rt_reader *r, const rt_yaml *list, int *n)
{
    char found[96];
    *n = list->count;
    if (list->kind == RT_YAML_LIST && list->count) return ROUTH_OK;
    return rt_reader_fail(r, list->place,
                          "inputs must be a list of expressions, such as [\"DX(cart)\"], not %s",
                          rt_yaml_describe(list, found, sizeof found));
}

static routh_status shape_state_space(rt_reader *r, rt_control *c)
{
    const rt_written_controller *w = &c->written;
    int n, q;
    routh_status status = count_inputs(r, w->inputs, &c->n_inputs);
    if (!status) status = control_linear_count_rows(r, w->A, "A", &n);
    if (!status) status = control_linear_count_rows(r, w->C, "C", &q);
    if (!status) status = rt_control_take(r, c, n, q);
    if (status) return status;
    const int p = c->n_inputs;
    status = rt_read_matrix(r, w->A, "A", n, "state", n, "state", &c->A);
    if (!status) status = rt_read_matrix(r, w->B, "B", n, "state", p, "input", &c->B);
    if (!status) status = rt_read_matrix(r, w->C, "C", q, "output", n, "state", &c->C);
    if (!status && w->D) status = rt_read_matrix(r, w->D, "D", q, "output", p, "input", &c->D);
    if (!status) status = control_linear_read_names(r, w->state_names, "states", n, 'x', c->states);
    if (!status)
        status = control_linear_read_names(r, w->output_names, "outputs", q, 'y', c->outputs);
    return status ? status : rt_control_initials(r, c, w->initials);
}

/* sum + M row x, M's row has n numbers */
static rt_expr control_linear_add_row(rt_reader *r, rt_expr sum, const rt_number *row, int n,
                                      const rt_expr *x)
{
    for (int k = 0; k < n; k++) sum = rt_control_add(r, sum, row[k], x[k]);
    return sum;
}

static routh_status control_linear_read_inputs(rt_reader *r, const rt_control *c, rt_expr *u)
{
    rt_function f;
    for (const rt_yaml *entry = c->written.inputs->first; entry; entry = entry->next) {
        const routh_status status = rt_read_function(r, entry, "inputs", RT_ALLOW_ALL, &f);
        if (status) return status;
        *u++ = f.expr;
    }
    return ROUTH_OK;
}

/* x' - (A x + B u) = 0, y = C x + D u */
static routh_status expand_state_space(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    const int n = c->n_states, p = c->n_inputs;
    rt_expr *x = RT_TAKE(&r->scratch, rt_expr, n), *u = RT_TAKE(&r->scratch, rt_expr, p);
    if (!x || !u) return rt_fail_memory(r->error);
    for (int k = 0; k < n; k++) x[k] = rt_control_state_expr(r, c, k);
    routh_status status = control_linear_read_inputs(r, c, u);
    for (int k = 0; k < n && !status; k++) {
        rt_expr sum = control_linear_add_row(r, rt_constant(g, 0), c->A + (size_t)k * n, n, x);
        sum = control_linear_add_row(r, sum, c->B + (size_t)k * p, p, u);
        status = rt_control_set_equation(
            r, c, k, rt_subtract(g, rt_control_rate_expr(r, c, k), sum), c->node->key_place);
    }
    for (int k = 0; k < c->n_outputs && !status; k++) {
        rt_expr sum = control_linear_add_row(r, rt_constant(g, 0), c->C + (size_t)k * n, n, x);
        if (c->D) sum = control_linear_add_row(r, sum, c->D + (size_t)k * p, p, u);
        status = rt_control_set_output(r, c, k, sum, c->node->key_place);
    }
    return status;
}

const rt_control_type rt_control_state_space = {shape_state_space, expand_state_space};

/* ---- transfer function ----------------------------------------------------------------------- */

/* Leading zeros count for nothing. */
static void strip(rt_number **list, int *n)
{
    while (*n && (*list)->value == 0) ++*list, --*n;
}

/* Zero whatever the parameters are; one that a parameter makes zero is switched off. */
static bool all_plain_zeros(const rt_number *list, int n)
{
    for (int k = 0; k < n; k++)
        if (list[k].value != 0 || list[k].expr != RT_NO_EXPR) return false;
    return true;
}

static routh_status check_degrees(rt_reader *r, const rt_control *c, int n_numerator,
                                  int n_denominator)
{
    if (!n_denominator)
        return rt_reader_fail(r, c->written.denominator->place,
                              "denominator is zero; give it a coefficient that is not");
    if (n_numerator > n_denominator)
        return rt_reader_fail(r, c->written.numerator->place,
                              "numerator has degree %d and denominator degree %d: the output would "
                              "need derivatives of the input; give the denominator a degree of at "
                              "least %d, by a filter such as 1/(tau s + 1)",
                              n_numerator - 1, n_denominator - 1, n_numerator - 1);
    return ROUTH_OK;
}

static routh_status shape_transfer_function(rt_reader *r, rt_control *c)
{
    rt_number *b, *a;
    int n_b, n_a;
    routh_status status = rt_read_list(r, c->written.numerator, "numerator", &b, &n_b);
    if (!status) status = rt_read_list(r, c->written.denominator, "denominator", &a, &n_a);
    if (status) return status;
    if (all_plain_zeros(b, n_b))
        return rt_reader_fail(r, c->written.numerator->place,
                              "numerator is zero, so the output is always zero; give it a "
                              "coefficient that is not");
    strip(&b, &n_b);
    strip(&a, &n_a);
    status = check_degrees(r, c, n_b, n_a);
    if (!status) status = rt_control_take(r, c, n_a - 1, 1);
    if (!status) status = rt_control_number(r, c->states, c->n_states, 'x');
    if (status) return status;
    c->denominator = a;
    c->numerator = RT_TAKE(&r->scratch, rt_number, n_a);
    if (!c->numerator) return rt_fail_memory(r->error);
    for (int k = 0; k < n_a; k++)
        c->numerator[k] = k < n_a - n_b ? rt_plain(0) : b[k - (n_a - n_b)];
    for (int k = 0; k < c->n_states; k++) c->states[k].written.unit = NULL;
    return rt_control_initials(r, c, c->written.initials);
}

/* With a(s) w = u, a(s) = a_0 s^n + ... + a_n and x_1 = w, x_2 = w', ..., x_n = w^(n-1):
 *     x_i' = x_(i+1),   a_0 x_n' + a_1 x_n + ... + a_n x_1 = u,
 *     y = b(s) w = (b_0/a_0) u + sum_k (b_k - (b_0/a_0) a_k) x_(n+1-k)
 * (the controllable form, Kailath 1980, 2.1.1). */
static routh_status expand_transfer_function(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    rt_calculator *calculator = &r->calculator;
    const int n = c->n_states;
    const rt_number *a = c->denominator, *b = c->numerator;
    const rt_place place = c->written.function->place;
    const rt_number direct = rt_over(calculator, b[0], a[0]);
    rt_expr u;
    routh_status status = rt_control_read(r, c, "input", &u);
    if (status) return status;
    rt_expr last = rt_negate(g, u);
    rt_expr y = rt_control_add(r, rt_constant(g, 0), direct, u);
    for (int k = 1; k <= n; k++) {
        const rt_expr x = rt_control_state_expr(r, c, n - k);
        last = rt_control_add(r, last, a[k], x);
        y = rt_control_add(r, y, rt_minus(calculator, b[k], rt_times(calculator, direct, a[k])), x);
    }
    for (int k = 0; k < n && !status; k++) {
        const rt_expr rate = rt_control_rate_expr(r, c, k);
        status = rt_control_set_equation(
            r, c, k,
            k + 1 < n ? rt_subtract(g, rate, rt_control_state_expr(r, c, k + 1))
                      : rt_control_add(r, last, a[0], rate),
            place);
    }
    return status ? status : rt_control_set_output(r, c, 0, y, place);
}

const rt_control_type rt_control_transfer_function = {shape_transfer_function,
                                                      expand_transfer_function};
