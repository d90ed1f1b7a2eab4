/* Matrices as Nastran writes them: DMIG cards (punch file) and OUTPUT4 as text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "flexible/fem_card.h"
#include "flexible/fem_entries.h"

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_name(const char *name, const char *text, size_t length)
{
    while (length && text[length - 1] == ' ') length--;
    while (length && *text == ' ') text++, length--;
    if (strlen(name) != length) return false;
    for (size_t k = 0; k < length; k++)
        if (toupper((unsigned char)name[k]) != toupper((unsigned char)text[k])) return false;
    return true;
}

static bool is_wanted(const char *const *names, const char *text, size_t length)
{
    for (; *names; names++)
        if (is_name(*names, text, length)) return true;
    return false;
}

static routh_status not_there(const rt_fe_text *t, const char *const *names, routh_error *error)
{
    char list[120] = "";
    size_t used = 0;
    for (; *names && used + strlen(*names) + 5 < sizeof list; names++) {
        if (used) memcpy(list + used, " or ", 4), used += 4;
        memcpy(list + used, *names, strlen(*names) + 1);
        used += strlen(*names);
    }
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, t->path, (rt_place){0}, NULL,
                      "the file has no matrix %s; give another name (--stiffness-name, "
                      "--mass-name)",
                      list);
}

/* ---- DMIG ----------------------------------------------------------------------------------- */

typedef struct dmig {
    const char *const *names;
    rt_fe_entries *e;
    char found[9];
    long column; /* label */
    bool mine;   /* the present column is of the matrix */
} dmig;

static routh_status fem_read_nastran_label(const rt_fe_text *t, const rt_fe_card *line, int k,
                                           long *out, routh_error *error)
{
    int node, component = 0;
    if (!rt_fe_card_int(line, k, &node) || node < 1 ||
        (!rt_fe_card_blank(line, k + 1) && !rt_fe_card_int(line, k + 1, &component)))
        return rt_fe_wrong(t, error,
                           "a grid point and a component are missing here; check whether "
                           "the file is cut off");
    if (component < 1 || component > 6)
        return rt_fe_wrong(t, error,
                           "component %d of point %d is not supported; export only components 1 to "
                           "6 of grid points, without scalar points (modes of a reduced model)",
                           component, node);
    *out = rt_fe_label(node, component - 1);
    return ROUTH_OK;
}

static routh_status dmig_row(const rt_fe_text *t, const rt_fe_card *line, int k, dmig *d,
                             routh_error *error)
{
    long row;
    double x;
    routh_status status = fem_read_nastran_label(t, line, k, &row, error);
    if (status) return status;
    if (!rt_fe_card_real(line, k + 2, &x))
        return rt_fe_wrong(t, error,
                           "a number is missing after grid point and component; check whether the "
                           "file is cut off");
    return rt_fe_add(d->e, row, d->column, x, error);
}

/* DMIG NAME 0 IFO TIN .. */
static routh_status dmig_head(const rt_fe_text *t, const rt_fe_card *line, dmig *d,
                              routh_error *error)
{
    int form = 0, type = 0;
    rt_fe_card_int(line, 2, &form);
    rt_fe_card_int(line, 3, &type);
    if (form != 1 && form != 6)
        return rt_fe_wrong(t, error,
                           "the matrix has form %d; it must be 6 (symmetric) or 1 (square)", form);
    if (type != 1 && type != 2)
        return rt_fe_wrong(t, error, "the matrix has numbers of type %d; they must be real (1, 2)",
                           type);
    d->e->triangle = form == 6;
    return ROUTH_OK;
}

static routh_status dmig_first(const rt_fe_text *t, const rt_fe_card *line, dmig *d,
                               routh_error *error)
{
    int head;
    if (line->n < 2)
        return rt_fe_wrong(t, error,
                           "the card DMIG is incomplete; check whether the "
                           "file is cut off");
    d->mine = is_wanted(d->names, line->field[0].at, line->field[0].length) &&
              (!d->found[0] || is_name(d->found, line->field[0].at, line->field[0].length));
    if (!d->mine) return ROUTH_OK;
    const size_t length = line->field[0].length < 8 ? line->field[0].length : 8;
    memcpy(d->found, line->field[0].at, length);
    if (!rt_fe_card_int(line, 1, &head))
        return rt_fe_wrong(t, error,
                           "a grid point is missing after the name; check whether the "
                           "file is cut off");
    if (head == 0) return d->mine = false, dmig_head(t, line, d, error);
    const routh_status status = fem_read_nastran_label(t, line, 1, &d->column, error);
    if (status || rt_fe_card_blank(line, 4)) return status;
    return dmig_row(t, line, 4, d, error); /* of a card with fields of 8 columns */
}

static routh_status dmig_more(const rt_fe_text *t, const rt_fe_card *line, dmig *d,
                              routh_error *error)
{
    const int step = 4; /* G, C, A, B */
    routh_status status = ROUTH_OK;
    for (int k = 0; k < line->n && !status; k += step)
        if (!rt_fe_card_blank(line, k)) status = dmig_row(t, line, k, d, error);
    return status;
}

routh_status rt_fe_dmig(rt_fe_text *t, const char *const *names, rt_fe_entries *e,
                        routh_error *error)
{
    dmig d = {.names = names, .e = e};
    rt_fe_card line;
    routh_status status = ROUTH_OK;
    e->labelled = true;
    while (!status && rt_fe_next(t)) {
        if (*t->begin == '$' || t->begin == t->end) continue;
        rt_fe_split(t, &line);
        if (strcmp(line.name, "DMIG") == 0 || strcmp(line.name, "DMIG*") == 0)
            status = dmig_first(t, &line, &d, error);
        else if (!rt_fe_continues(&line))
            d.mine = false;
        else if (d.mine)
            status = dmig_more(t, &line, &d, error);
    }
    if (!status && !d.found[0]) return not_there(t, names, error);
    return status;
}

/* ---- OUTPUT4 -------------------------------------------------------------------------------- */

/* NCOL NROW FORM TYPE NAME FORMAT, in columns of 8; -NROW: rows of strings stand apart. */
typedef struct op4 {
    int columns, rows, form, type;
    int width; /* of a number */
    bool big, mine;
    int column, row; /* where the next number goes, from 1 */
    int left;        /* numbers that the present column or string still has; -1: not said */
} op4;

static bool has_point(const rt_fe_text *t)
{
    return memchr(t->begin, '.', (size_t)(t->end - t->begin)) != NULL;
}

/* 1P,3E23.16: 23; 16 where nothing is said */
static int fem_read_nastran_width_of(const char *at, const char *end)
{
    while (at < end && *at != 'E' && *at != 'D') at++;
    const int width = at < end ? atoi(at + 1) : 0;
    return width > 0 && width < 60 ? width : 16;
}

static routh_status op4_head(const rt_fe_text *t, const char *const *names, op4 *o,
                             routh_error *error)
{
    const long length = t->end - t->begin;
    int *const field[] = {&o->columns, &o->rows, &o->form, &o->type};
    for (int k = 0; k < 4; k++)
        if (length < 33 || !rt_fe_int(t->begin + (ptrdiff_t)8 * k, 8, field[k]))
            return rt_fe_wrong(t, error,
                               "this line is not the header of a matrix (columns, rows, form, "
                               "type, name, eight characters each); write OUTPUT4 as text, not "
                               "binary");
    o->big = o->rows < 0;
    o->rows = abs(o->rows);
    o->mine = is_wanted(names, t->begin + 32, length < 40 ? (size_t)length - 32 : 8);
    o->width = length > 40 ? fem_read_nastran_width_of(t->begin + 40, t->end) : 16;
    if (!o->mine) return ROUTH_OK;
    if (o->columns != o->rows || o->rows < 1)
        return rt_fe_wrong(t, error,
                           "the matrix has %d rows and %d columns, but it must be "
                           "square; export it again",
                           o->rows, o->columns);
    if (o->type != 1 && o->type != 2)
        return rt_fe_wrong(t, error, "the matrix has numbers of type %d; they must be real (1, 2)",
                           o->type);
    return ROUTH_OK;
}

/* The head of a column (three numbers) or of a string of a sparse one (two or one). */
static routh_status op4_place(rt_fe_text *t, op4 *o, routh_error *error)
{
    int v[3] = {0}, n = 0;
    while (n < 3 && rt_fe_take_int(t, &v[n])) n++;
    const int words = o->type == 2 ? 2 : 1;
    if (o->left > 0)
        return rt_fe_wrong(t, error,
                           "%d numbers of column %d are missing; check whether the file "
                           "is cut off",
                           o->left, o->column);
    if (n == 3) {
        o->column = v[0], o->row = v[1];
        o->left = v[1] == 0 ? -1 : v[2] / words;
    } else if (n == 2 && o->big) {
        o->row = v[1];
        o->left = (v[0] - 1) / words;
    } else if (n == 1 && !o->big) {
        o->row = v[0] % 65536;
        o->left = (v[0] / 65536 - 1) / words;
    } else
        n = 0;
    if (!n || !rt_fe_blank(t) || o->column < 1 || o->row < 0 || o->left < -1)
        return rt_fe_wrong(t, error,
                           "this line is neither the header of a column nor that of a "
                           "string; check whether the file is damaged");
    return ROUTH_OK;
}

static routh_status op4_numbers(rt_fe_text *t, op4 *o, rt_fe_entries *e, routh_error *error)
{
    for (const char *at = t->begin; at < t->end; at += o->width) {
        const size_t length = t->end - at < o->width ? (size_t)(t->end - at) : (size_t)o->width;
        double x;
        if (!rt_fe_real(at, length, &x)) {
            rt_fe_text rest = *t;
            rest.at = at;
            if (rt_fe_blank(&rest)) break;
            return rt_fe_wrong(t, error,
                               "\"%.*s\" is not a number; check whether the file is "
                               "damaged",
                               (int)length, at);
        }
        if (o->left == 0 || o->row < 1 || o->row > o->rows || o->column > o->columns)
            return rt_fe_wrong(t, error,
                               "column %d has more numbers than its header states; check "
                               "whether the file is damaged",
                               o->column);
        const routh_status status =
            x != 0 ? rt_fe_add(e, o->row - 1, o->column - 1, x, error) : ROUTH_OK;
        if (status) return status;
        o->row++;
        if (o->left > 0) o->left--;
    }
    return ROUTH_OK;
}

/* Columns up to the one past the last, which closes the matrix. */
static routh_status op4_body(rt_fe_text *t, op4 *o, rt_fe_entries *e, routh_error *error)
{
    o->left = 0;
    o->column = 0;
    while (rt_fe_next(t)) {
        routh_status status = ROUTH_OK;
        if (rt_fe_blank(t)) continue;
        if (!has_point(t)) {
            status = op4_place(t, o, error);
        } else if (o->column > o->columns)
            return ROUTH_OK;
        else if (o->mine)
            status = op4_numbers(t, o, e, error);
        else
            o->left = 0;
        if (status) return status;
    }
    if (o->column > o->columns) return ROUTH_OK;
    return rt_fe_wrong(t, error,
                       "the file ends in column %d of %d; export it "
                       "again",
                       o->column, o->columns);
}

routh_status rt_fe_op4(rt_fe_text *t, const char *const *names, rt_fe_entries *e,
                       routh_error *error)
{
    op4 o = {0};
    while (rt_fe_next(t)) {
        if (rt_fe_blank(t)) continue;
        routh_status status = op4_head(t, names, &o, error);
        if (!status) status = op4_body(t, &o, e, error);
        if (status) return status;
        if (!o.mine) continue;
        e->order = o.rows;
        e->stated = true;
        e->triangle = o.form == 6;
        return ROUTH_OK;
    }
    return not_there(t, names, error);
}
