/* A ratio of polynomials in s. */
#include "model/controllers/class.h"

enum { NUMERATOR, DENOMINATOR, INITIALS };

/* n_states + 1 coefficients each, the highest power first. */
typedef struct transfer_function {
    rt_number *numerator, *denominator;
} transfer_function;

/* Leading zeros count for nothing. */
static void transfer_function_strip(rt_number **list, int *n)
{
    while (*n && (*list)->value == 0) ++*list, --*n;
}

/* Zero whatever the parameters are; one that a parameter makes zero is switched off. */
static bool transfer_function_is_zero(const rt_number *list, int n)
{
    for (int k = 0; k < n; k++)
        if (list[k].value != 0 || list[k].expr != RT_NO_EXPR) return false;
    return true;
}

static routh_status transfer_function_check_degrees(rt_reader *r, const rt_control *c,
                                                    int n_numerator, int n_denominator)
{
    if (!n_denominator)
        return rt_reader_fail(r, c->written.node[DENOMINATOR]->place,
                              "denominator is zero; give it a coefficient that is not");
    if (n_numerator > n_denominator)
        return rt_reader_fail(r, c->written.node[NUMERATOR]->place,
                              "numerator has degree %d and denominator degree %d: the output would "
                              "need derivatives of the input; give the denominator a degree of at "
                              "least %d, by a filter such as 1/(tau s + 1)",
                              n_numerator - 1, n_denominator - 1, n_numerator - 1);
    return ROUTH_OK;
}

static routh_status transfer_function_shape(rt_reader *r, rt_control *c)
{
    transfer_function *own = RT_TAKE(&r->scratch, transfer_function, 1);
    rt_number *b, *a;
    int n_b, n_a;
    if (!own) return rt_fail_memory(r->error);
    c->own = own;
    routh_status status = rt_read_list(r, c->written.node[NUMERATOR], "numerator", &b, &n_b);
    if (!status) status = rt_read_list(r, c->written.node[DENOMINATOR], "denominator", &a, &n_a);
    if (status) return status;
    if (transfer_function_is_zero(b, n_b))
        return rt_reader_fail(r, c->written.node[NUMERATOR]->place,
                              "numerator is zero, so the output is always zero; give it a "
                              "coefficient that is not");
    transfer_function_strip(&b, &n_b);
    transfer_function_strip(&a, &n_a);
    status = transfer_function_check_degrees(r, c, n_b, n_a);
    if (!status) status = rt_control_take(r, c, n_a - 1, 1);
    if (!status) status = rt_control_number(r, c->states, c->n_states, 'x');
    if (status) return status;
    own->denominator = a;
    own->numerator = RT_TAKE(&r->scratch, rt_number, n_a);
    if (!own->numerator) return rt_fail_memory(r->error);
    for (int k = 0; k < n_a; k++)
        own->numerator[k] = k < n_a - n_b ? rt_plain(0) : b[k - (n_a - n_b)];
    for (int k = 0; k < c->n_states; k++) c->states[k].written.unit = NULL;
    return rt_control_initials(r, c, c->written.node[INITIALS]);
}

/* With a(s) w = u, a(s) = a_0 s^n + ... + a_n and x_1 = w, x_2 = w', ..., x_n = w^(n-1):
 *     x_i' = x_(i+1),   a_0 x_n' + a_1 x_n + ... + a_n x_1 = u,
 *     y = b(s) w = (b_0/a_0) u + sum_k (b_k - (b_0/a_0) a_k) x_(n+1-k)
 * (the controllable form, Kailath 1980, 2.1.1). */
static routh_status transfer_function_expand(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    rt_calculator *calculator = &r->calculator;
    const int n = c->n_states;
    const transfer_function *own = c->own;
    const rt_number *a = own->denominator, *b = own->numerator;
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

static const rt_field transfer_function_fields[] = {
    CONTROLLER_TYPE,
    CONTROLLER_INPUT,
    {"numerator", RT_FIELD_LIST, NODE(NUMERATOR), .required = true, .sense = RT_SCALAR, .unit = "",
     .doc = "coefficients of powers of s, the highest first"},
    {"denominator", RT_FIELD_LIST, NODE(DENOMINATOR), .required = true, .sense = RT_SCALAR,
     .unit = "", .doc = "the same; its degree is at least that of the numerator"},
    CONTROLLER_INITIALS(INITIALS,
                        "the states at the operating point, a number for each: w, w', w'', ... "
                        "with denominator(s) w = input"),
    CONTROLLER_UNIT,
};

const rt_controller_class rt_controller_class_transfer_function = {
    .kind =
        {"transfer_function", 0, FIELDS(transfer_function_fields),
         .doc =
             "numerator(s)/denominator(s) from the input to the output, which has the controller's "
             "name; the states are controller.x1, controller.x2, ..."},
    .shape = transfer_function_shape,
    .expand = transfer_function_expand,
    .sample = "input: \"v + u\", numerator: [p, 2, q], denominator: [q, 1 + p, 3]",
    .output = "x",
};
