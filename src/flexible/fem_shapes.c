/* Shapes of the user: displacements of every degree of freedom, a column each. */
#include <stdlib.h>
#include <string.h>

#include "flexible/fem.h"
#include "flexible/fem_text.h"

typedef struct fem_shapes {
    rt_fe_text text;
    const rt_fe_model *fe;
    rt_arena *arena;
    routh_error *error;
    int n;
    double *value; /* fe->n x n */
} fem_shapes;

static routh_status fem_shapes_take(fem_shapes *s, int n)
{
    s->n = n;
    s->value = RT_TAKE(s->arena, double, (size_t)s->fe->n *(size_t)n);
    return s->value ? ROUTH_OK : rt_fail_memory(s->error);
}

/* ---- Matrix Market ----------------------------------------------------------- */

static bool fem_shapes_next_number(rt_fe_text *t, double *value)
{
    while (rt_fe_blank(t) || *t->begin == '%')
        if (!rt_fe_next(t)) return false;
    return rt_fe_take_real(t, value);
}

static routh_status market_values(fem_shapes *s, int rows)
{
    const size_t n = (size_t)rows * (size_t)s->n;
    double surplus;
    for (size_t k = 0; k < n; k++)
        if (!fem_shapes_next_number(&s->text, &s->value[k]))
            return rt_fe_wrong(&s->text, s->error,
                               "number %zu of %zu of the shapes is missing or not a number; "
                               "correct it",
                               k + 1, n);
    while (rt_fe_blank(&s->text))
        if (!rt_fe_next(&s->text)) return ROUTH_OK;
    return fem_shapes_next_number(&s->text, &surplus)
               ? rt_fe_wrong(&s->text, s->error,
                             "there are more than %zu numbers; correct the "
                             "size of the array",
                             n)
               : ROUTH_OK;
}

static routh_status read_market(fem_shapes *s)
{
    rt_fe_text *t = &s->text;
    char head[96] = "";
    const size_t length = (size_t)(t->end - t->begin);
    int rows = 0, columns = 0;
    memcpy(head, t->begin, length < sizeof head ? length : sizeof head - 1);
    for (char *c = head; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    if (!strstr(head, "matrix array real general"))
        return rt_fe_wrong(t, s->error,
                           "the format of the shapes is not known; give a Matrix Market `matrix "
                           "array real general` with a column for each shape, or lines `node "
                           "direction value value ..`");
    while (rt_fe_next(t))
        if (!rt_fe_blank(t) && *t->begin != '%') break;
    if (!rt_fe_take_int(t, &rows) || !rt_fe_take_int(t, &columns) || !rt_fe_blank(t))
        return rt_fe_wrong(t, s->error,
                           "this line is not `rows shapes`; give the size of the "
                           "array");
    if (rows != s->fe->n)
        return rt_fe_wrong(t, s->error,
                           "the shapes have %d rows, but the matrices have %d degrees of freedom; "
                           "give one row for each degree of freedom",
                           rows, s->fe->n);
    if (columns < 1 || columns > s->fe->n)
        return rt_fe_wrong(t, s->error,
                           "the file has %d shapes; give from 1 to "
                           "%d",
                           columns, s->fe->n);
    const routh_status status = fem_shapes_take(s, columns);
    return status ? status : market_values(s, rows);
}

/* ---- lines ----------------------------------------------------------- */

static bool fem_shapes_is_remark(const rt_fe_text *t)
{
    return rt_fe_blank(t) || *t->begin == '#' || *t->begin == '*';
}

static int fem_shapes_compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* (number, direction, index) of every degree of freedom, ascending, ends with its count. */
static int *index_dofs(const rt_fe_model *fe)
{
    int(*list)[3] = malloc(((size_t)fe->n + 1) * sizeof *list);
    if (!list) return NULL;
    for (int k = 0; k < fe->n; k++)
        list[k][0] = fe->number[fe->node[k]], list[k][1] = fe->direction[k], list[k][2] = k;
    qsort(list, (size_t)fe->n, sizeof *list, fem_shapes_compare);
    return &list[0][0];
}

static int fem_shapes_count_columns(rt_fe_text *t)
{
    double value;
    int n = 0;
    while (rt_fe_take_real(t, &value)) n++;
    return rt_fe_blank(t) ? n - 2 : -1;
}

static routh_status fem_shapes_read_line(fem_shapes *s, const int *dofs, char *given)
{
    rt_fe_text *t = &s->text;
    int wanted[3] = {0};
    double value;
    if (!rt_fe_take_int(t, &wanted[0]) || !rt_fe_take_int(t, &wanted[1]))
        return rt_fe_wrong(t, s->error, "this line is not `node direction value value ..`");
    if (wanted[1] < 1 || wanted[1] > 6)
        return rt_fe_wrong(t, s->error,
                           "direction %d of node %d: displacements are 1 to 3, rotations 4 to 6",
                           wanted[1], wanted[0]);
    wanted[1]--;
    const int *at = bsearch(wanted, dofs, (size_t)s->fe->n, 3 * sizeof *dofs, fem_shapes_compare);
    if (!at)
        return rt_fe_wrong(t, s->error,
                           "the matrices have no direction %d of node %d; remove this "
                           "line",
                           wanted[1] + 1, wanted[0]);
    if (given[at[2]]++)
        return rt_fe_wrong(t, s->error,
                           "direction %d of node %d is given twice; remove "
                           "one",
                           wanted[1] + 1, wanted[0]);
    for (int k = 0; k < s->n; k++) {
        if (!rt_fe_take_real(t, &value))
            return rt_fe_wrong(t, s->error,
                               "value %d of %d is missing or not a number; give one for each shape "
                               "in every line",
                               k + 1, s->n);
        s->value[(size_t)at[2] + (size_t)s->fe->n * (size_t)k] = value;
    }
    return rt_fe_blank(t) ? ROUTH_OK
                          : rt_fe_wrong(t, s->error,
                                        "there are more than %d values; give one for "
                                        "each shape in every line",
                                        s->n);
}

static routh_status fem_shapes_read_each(fem_shapes *s, const int *dofs, char *given)
{
    routh_status status = ROUTH_OK;
    rt_fe_back(&s->text);
    while (!status && rt_fe_next(&s->text))
        if (!fem_shapes_is_remark(&s->text)) status = fem_shapes_read_line(s, dofs, given);
    return status;
}

/* The present line is the first that is no remark. */
static routh_status fem_shapes_read_lines(fem_shapes *s)
{
    const int columns = fem_shapes_count_columns(&s->text);
    if (columns < 1)
        return rt_fe_wrong(&s->text, s->error, "this line is not `node direction value value ..`");
    int *dofs = index_dofs(s->fe);
    char *given = calloc((size_t)s->fe->n + 1, 1);
    routh_status status = dofs && given ? fem_shapes_take(s, columns) : rt_fail_memory(s->error);
    if (!status) status = fem_shapes_read_each(s, dofs, given);
    free(given);
    free(dofs);
    return status;
}

/* ---- all ----------------------------------------------------------- */

static routh_status fem_shapes_read_all(fem_shapes *s)
{
    if (!rt_fe_next(&s->text))
        return rt_fe_wrong(&s->text, s->error, "the file of shapes is empty");
    if (rt_fe_begins(&s->text, "%%MatrixMarket")) return read_market(s);
    while (fem_shapes_is_remark(&s->text))
        if (!rt_fe_next(&s->text))
            return rt_fe_wrong(&s->text, s->error, "the file of shapes is empty");
    return fem_shapes_read_lines(s);
}

/* A shape that moves nothing is none. */
static routh_status check_zero(const fem_shapes *s)
{
    for (int k = 0; k < s->n; k++) {
        bool moves = false;
        for (int i = 0; i < s->fe->n; i++)
            moves = moves || s->value[(size_t)i + (size_t)s->fe->n * (size_t)k] != 0;
        if (!moves)
            return rt_fail_at(s->error, ROUTH_MODEL_ERROR, s->text.path, (rt_place){0}, NULL,
                              "shape %d is zero; remove it", k + 1);
    }
    return ROUTH_OK;
}

routh_status rt_fe_shapes(const char *path, const rt_fe_model *fe, int *n, const double **values,
                          rt_arena *arena, routh_error *error)
{
    fem_shapes s = {.fe = fe, .arena = arena, .error = error};
    routh_status status = rt_fe_open(&s.text, path, error);
    if (status) return status;
    status = fem_shapes_read_all(&s);
    if (!status) status = check_zero(&s);
    rt_fe_close(&s.text);
    *n = s.n;
    *values = s.value;
    return status;
}
