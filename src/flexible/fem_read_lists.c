/* Matrices as lists of entries: Matrix Market, CalculiX, Abaqus. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <strings.h>

#include "flexible/fem_entries.h"

/* ---- Matrix Market -------------------------------------------------------------------------- */

/* %%MatrixMarket matrix coordinate real symmetric|general */
static routh_status fem_read_lists_read_banner(rt_fe_text *t, bool *symmetric, routh_error *error)
{
    static const char *const wanted[] = {"%%MatrixMarket", "matrix", "coordinate", "real"};
    const char *word;
    size_t length;
    rt_fe_next(t);
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        rt_fe_word(t, &word, &length);
        const bool is_it = length == strlen(wanted[k]) && !strncasecmp(word, wanted[k], length);
        if (!is_it && !(k == 3 && length == 7 && !strncasecmp(word, "integer", 7)))
            return rt_fe_wrong(t, error,
                               "the first line must be `%%%%MatrixMarket matrix coordinate real "
                               "symmetric` or `.. general`, it has \"%.*s\" for %s",
                               length < 40 ? (int)length : 40, word, wanted[k]);
    }
    rt_fe_word(t, &word, &length);
    *symmetric = length == 9 && !strncasecmp(word, "symmetric", 9);
    if (*symmetric || (length == 7 && !strncasecmp(word, "general", 7))) return ROUTH_OK;
    return rt_fe_wrong(t, error,
                       "the matrix is %.*s, but mass and stiffness must be symmetric or "
                       "general; export it again",
                       length < 40 ? (int)length : 40, word);
}

static bool next_market(rt_fe_text *t)
{
    while (rt_fe_next(t))
        if (*t->begin != '%' && !rt_fe_blank(t)) return true;
    return false;
}

static routh_status market_entry(rt_fe_text *t, rt_fe_entries *e, bool symmetric,
                                 routh_error *error)
{
    int row, column;
    double x;
    if (!rt_fe_take_int(t, &row) || !rt_fe_take_int(t, &column) || !rt_fe_take_real(t, &x) ||
        !rt_fe_blank(t))
        return rt_fe_wrong(t, error, "this line is not `row column value`");
    if (row < 1 || column < 1 || row > e->order || column > e->order)
        return rt_fe_wrong(t, error,
                           "row %d, column %d are outside of the matrix of order %d; "
                           "correct the size or the entry",
                           row, column, e->order);
    if (symmetric && column > row)
        return rt_fe_wrong(t, error,
                           "row %d, column %d is above the diagonal; give only the lower triangle "
                           "of a symmetric matrix, or declare it general",
                           row, column);
    routh_status status = rt_fe_add(e, row - 1, column - 1, x, error);
    if (!status && symmetric && row != column) status = rt_fe_add(e, column - 1, row - 1, x, error);
    return status;
}

routh_status rt_fe_market(rt_fe_text *t, rt_fe_entries *e, routh_error *error)
{
    bool symmetric;
    int columns, count;
    routh_status status = fem_read_lists_read_banner(t, &symmetric, error);
    if (status) return status;
    if (!next_market(t) || !rt_fe_take_int(t, &e->order) || !rt_fe_take_int(t, &columns) ||
        !rt_fe_take_int(t, &count) || e->order < 1)
        return rt_fe_wrong(t, error,
                           "this line is not `rows columns entries`; correct the size of "
                           "the matrix");
    e->stated = true;
    if (columns != e->order)
        return rt_fe_wrong(t, error,
                           "the matrix has %d rows and %d columns, but it must be "
                           "square; export it again",
                           e->order, columns);
    for (int k = 0; k < count; k++) {
        if (!next_market(t))
            return rt_fe_wrong(t, error,
                               "the file ends after %d of %d entries; export it "
                               "again",
                               k, count);
        status = market_entry(t, e, symmetric, error);
        if (status) return status;
    }
    if (next_market(t))
        return rt_fe_wrong(t, error,
                           "there are more entries than the %d in the line of the size; "
                           "correct the size",
                           count);
    return ROUTH_OK;
}

/* ---- row, column, value: CalculiX and Abaqus' coordinate form -------------------------------- */

static routh_status triple(rt_fe_text *t, rt_fe_entries *e, routh_error *error)
{
    int row, column;
    double x;
    if (!rt_fe_take_int(t, &row) || !rt_fe_take_int(t, &column) || !rt_fe_take_real(t, &x) ||
        !rt_fe_blank(t))
        return rt_fe_wrong(t, error,
                           "this line is not `row column value`; check whether the file "
                           "is cut off");
    if (row < 1 || column < 1)
        return rt_fe_wrong(t, error,
                           "rows and columns count from 1, not from %d; correct the "
                           "entry",
                           row < column ? row : column);
    if (row > e->order) e->order = row;
    if (column > e->order) e->order = column;
    return rt_fe_add(e, row - 1, column - 1, x, error);
}

routh_status rt_fe_calculix(rt_fe_text *t, rt_fe_entries *e, routh_error *error)
{
    e->triangle = true;
    while (rt_fe_next(t)) {
        if (rt_fe_blank(t)) continue;
        const routh_status status = triple(t, e, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* ---- Abaqus: node, direction, node, direction, value ----------------------------------------- */

static routh_status abaqus_entry(rt_fe_text *t, rt_fe_entries *e, routh_error *error)
{
    int node[2], direction[2];
    double x;
    for (int k = 0; k < 2; k++)
        if (!rt_fe_take_int(t, &node[k]) || !rt_fe_take_int(t, &direction[k]))
            return rt_fe_wrong(t, error,
                               "this line is not `node, dof, node, dof, value`; check "
                               "whether the file is cut off");
    if (!rt_fe_take_real(t, &x) || !rt_fe_blank(t))
        return rt_fe_wrong(t, error,
                           "this line is not `node, dof, node, dof, value`; check "
                           "whether the file is cut off");
    for (int k = 0; k < 2; k++)
        if (node[k] < 1 || direction[k] < 1 || direction[k] > 6)
            return rt_fe_wrong(t, error,
                               "degree of freedom %d of node %d is not supported; export only "
                               "displacements (1 to 3) and rotations (4 to 6)",
                               direction[k], node[k]);
    return rt_fe_add(e, rt_fe_label(node[0], direction[0] - 1),
                     rt_fe_label(node[1], direction[1] - 1), x, error);
}

static int fem_read_lists_words_of(const rt_fe_text *t)
{
    rt_fe_text copy = *t;
    const char *word;
    size_t length;
    int n = 0;
    while (rt_fe_word(&copy, &word, &length)) n++;
    return n;
}

routh_status rt_fe_abaqus(rt_fe_text *t, rt_fe_entries *e, routh_error *error)
{
    routh_status status = ROUTH_OK;
    e->triangle = true;
    while (!status && rt_fe_next(t)) {
        if (rt_fe_blank(t) || *t->begin == '*') continue; /* keywords and remarks */
        if (e->n == 0) e->labelled = fem_read_lists_words_of(t) > 3;
        status = e->labelled ? abaqus_entry(t, e, error) : triple(t, e, error);
    }
    return status;
}
