/* Linear equations by their matrices. */
#include "model/controllers/class.h"

enum { INPUTS, A, B, C, D, STATES, OUTPUTS, INITIALS };

/* Row by row. */
typedef struct state_space {
    int n_inputs;
    rt_number *A, *B, *C, *D; /* D NULL: zero */
} state_space;

/* New names from a list, one for each part. */
static routh_status state_space_read_names(rt_reader *r, const rt_yaml *list, const char *what,
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

static routh_status state_space_count_rows(rt_reader *r, const rt_yaml *matrix, const char *what,
                                           int *n)
{
    char found[96];
    *n = matrix->count;
    if (matrix->kind == RT_YAML_LIST && matrix->count) return ROUTH_OK;
    return rt_reader_fail(r, matrix->place,
                          "%s must be a list of rows of numbers, such as [[1, 0], [0, 1]], not %s",
                          what, rt_yaml_describe(matrix, found, sizeof found));
}

static routh_status state_space_count_inputs(rt_reader *r, const rt_yaml *list, int *n)
{
    char found[96];
    *n = list->count;
    if (list->kind == RT_YAML_LIST && list->count) return ROUTH_OK;
    return rt_reader_fail(r, list->place,
                          "inputs must be a list of expressions, such as [\"DX(cart)\"], not %s",
                          rt_yaml_describe(list, found, sizeof found));
}

static routh_status state_space_shape(rt_reader *r, rt_control *c)
{
    const rt_yaml *const *node = c->written.node;
    state_space *s = RT_TAKE(&r->scratch, state_space, 1);
    int n, q;
    if (!s) return rt_fail_memory(r->error);
    c->own = s;
    routh_status status = state_space_count_inputs(r, node[INPUTS], &s->n_inputs);
    if (!status) status = state_space_count_rows(r, node[A], "A", &n);
    if (!status) status = state_space_count_rows(r, node[C], "C", &q);
    if (!status) status = rt_control_take(r, c, n, q);
    if (status) return status;
    const int p = s->n_inputs;
    status = rt_read_matrix(r, node[A], "A", n, "state", n, "state", &s->A);
    if (!status) status = rt_read_matrix(r, node[B], "B", n, "state", p, "input", &s->B);
    if (!status) status = rt_read_matrix(r, node[C], "C", q, "output", n, "state", &s->C);
    if (!status && node[D])
        status = rt_read_matrix(r, node[D], "D", q, "output", p, "input", &s->D);
    if (!status) status = state_space_read_names(r, node[STATES], "states", n, 'x', c->states);
    if (!status) status = state_space_read_names(r, node[OUTPUTS], "outputs", q, 'y', c->outputs);
    return status ? status : rt_control_initials(r, c, node[INITIALS]);
}

/* sum + M row x, M's row has n numbers */
static rt_expr state_space_add_row(rt_reader *r, rt_expr sum, const rt_number *row, int n,
                                   const rt_expr *x)
{
    for (int k = 0; k < n; k++) sum = rt_control_add(r, sum, row[k], x[k]);
    return sum;
}

static routh_status state_space_read_inputs(rt_reader *r, const rt_control *c, rt_expr *u)
{
    rt_function f;
    for (const rt_yaml *entry = c->written.node[INPUTS]->first; entry; entry = entry->next) {
        const routh_status status = rt_read_function(r, entry, "inputs", RT_ALLOW_ALL, &f);
        if (status) return status;
        *u++ = f.expr;
    }
    return ROUTH_OK;
}

/* x' - (A x + B u) = 0, y = C x + D u */
static routh_status state_space_expand(rt_reader *r, rt_control *c)
{
    rt_graph *g = r->model->graph;
    const state_space *s = c->own;
    const int n = c->n_states, p = s->n_inputs;
    rt_expr *x = RT_TAKE(&r->scratch, rt_expr, n), *u = RT_TAKE(&r->scratch, rt_expr, p);
    if (!x || !u) return rt_fail_memory(r->error);
    for (int k = 0; k < n; k++) x[k] = rt_control_state_expr(r, c, k);
    routh_status status = state_space_read_inputs(r, c, u);
    for (int k = 0; k < n && !status; k++) {
        rt_expr sum = state_space_add_row(r, rt_constant(g, 0), s->A + (size_t)k * n, n, x);
        sum = state_space_add_row(r, sum, s->B + (size_t)k * p, p, u);
        status = rt_control_set_equation(
            r, c, k, rt_subtract(g, rt_control_rate_expr(r, c, k), sum), c->node->key_place);
    }
    for (int k = 0; k < c->n_outputs && !status; k++) {
        rt_expr sum = state_space_add_row(r, rt_constant(g, 0), s->C + (size_t)k * n, n, x);
        if (s->D) sum = state_space_add_row(r, sum, s->D + (size_t)k * p, p, u);
        status = rt_control_set_output(r, c, k, sum, c->node->key_place);
    }
    return status;
}

static const rt_field state_space_fields[] = {
    CONTROLLER_TYPE,
    {"inputs", RT_FIELD_ANY_FUNCTIONS, NODE(INPUTS), .required = true, .sense = RT_SCALAR,
     .unit = "", .doc = "the expressions u, in a list"},
    {"A", RT_FIELD_MATRIX, NODE(A), .required = true, .sense = RT_SCALAR, .unit = "",
     .doc = "rows of numbers, one row and column for each state"},
    {"B", RT_FIELD_MATRIX, NODE(B), .required = true, .sense = RT_SCALAR, .unit = "",
     .doc = "one row for each state, one column for each input"},
    {"C", RT_FIELD_MATRIX, NODE(C), .required = true, .sense = RT_SCALAR, .unit = "",
     .doc = "one row for each output, one column for each state"},
    {"D", RT_FIELD_MATRIX, NODE(D), .sense = RT_SCALAR, .unit = "", .fallback = "zero",
     .doc = "one row for each output, one column for each input"},
    {"states", RT_FIELD_NAMES, NODE(STATES), .unit = "", .fallback = "[x1, x2, ...]",
     .doc = "their names; in expressions controller.name"},
    {"outputs", RT_FIELD_NAMES, NODE(OUTPUTS), .unit = "", .fallback = "[y1, y2, ...]",
     .doc = "their names; in expressions controller.name"},
    CONTROLLER_INITIALS(INITIALS, "the states at the operating point, a number for each"),
};

const rt_controller_class rt_controller_class_state_space = {
    .kind = {"state_space", 0, FIELDS(state_space_fields), .doc = "x' = A x + B u, y = C x + D u."},
    .shape = state_space_shape,
    .expand = state_space_expand,
    .sample = "inputs: [v, u], A: [[-p, 1], [-q, -2]], B: [[1, p], [0, q]], "
              "C: [[1, -1], [p, 0]], D: [[0.5, 0], [0, q]]",
    .output = "x.y1 + 2*x.y2",
};
