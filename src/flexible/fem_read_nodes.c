/* Nodes and elements of .frd (CalculiX), of bulk data (Nastran), and a plain list of nodes. */
#include <stddef.h>
#include <string.h>

#include "flexible/fem_card.h"
#include "flexible/fem_mesh.h"

/* ---- number x y z --------------------------------------------------------------------------- */

routh_status rt_fe_plain(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    while (rt_fe_next(t)) {
        int number;
        double X[3];
        if (rt_fe_blank(t) || *t->begin == '#' || *t->begin == '%') continue;
        if (!rt_fe_take_int(t, &number) || !rt_fe_take_real(t, &X[0]) ||
            !rt_fe_take_real(t, &X[1]) || !rt_fe_take_real(t, &X[2]) || !rt_fe_blank(t))
            return rt_fe_wrong(t, error, "this line is not `number x y z` of a node; correct it");
        const routh_status status = rt_fe_add_node(m, number, X, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

/* ---- .frd ----------------------------------------------------------------------------------- */

/* Columns first .. first + n - 1 of the line, from 0; cut off at its end. */
static bool columns_int(const rt_fe_text *t, int first, int n, int *value)
{
    const ptrdiff_t length = t->end - t->begin;
    if (length <= first) return false;
    return rt_fe_int(t->begin + first, (size_t)(length - first < n ? length - first : n), value);
}

static bool columns_real(const rt_fe_text *t, int first, int n, double *value)
{
    return t->end - t->begin >= first + n && rt_fe_real(t->begin + first, (size_t)n, value);
}

static bool ends_block(const rt_fe_text *t) { return rt_fe_begins(t, " -3"); }

/* 2C <number of nodes> <format>: lines of -1, number (5 or 10 columns), three of E12.5 */
static routh_status frd_nodes(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    int format = 1;
    columns_int(t, 73, 2, &format);
    if (format > 1) return rt_fe_wrong(t, error, "the .frd file is binary; write it as text");
    const int width = format == 0 ? 5 : 10;
    while (rt_fe_next(t) && !ends_block(t)) {
        int number;
        double X[3];
        bool good = rt_fe_begins(t, " -1") && columns_int(t, 3, width, &number);
        for (int k = 0; k < 3 && good; k++) good = columns_real(t, 3 + width + 12 * k, 12, &X[k]);
        if (!good)
            return rt_fe_wrong(t, error,
                               "this line is not a node of a .frd file; check "
                               "whether the file is damaged");
        const routh_status status = rt_fe_add_node(m, number, X, error);
        if (status) return status;
    }
    return ends_block(t) ? ROUTH_OK
                         : rt_fe_wrong(t, error,
                                       "the file ends within its nodes; write "
                                       "it again");
}

static rt_fe_shape frd_shape(int type)
{
    static const rt_fe_shape shapes[] = {
        RT_FE_OTHER,      RT_FE_HEXAHEDRON,  RT_FE_WEDGE,    RT_FE_TETRAHEDRON, RT_FE_HEXAHEDRON,
        RT_FE_WEDGE,      RT_FE_TETRAHEDRON, RT_FE_TRIANGLE, RT_FE_TRIANGLE,    RT_FE_QUADRANGLE,
        RT_FE_QUADRANGLE, RT_FE_LINE,        RT_FE_LINE,
    };
    return type > 0 && type < (int)(sizeof shapes / sizeof *shapes) ? shapes[type] : RT_FE_OTHER;
}

static routh_status frd_elements(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    int format = 1, corners[8], n = 0, type = 0;
    columns_int(t, 73, 2, &format);
    const int width = format == 0 ? 5 : 10;
    rt_fe_shape shape = RT_FE_OTHER;
    while (rt_fe_next(t) && !ends_block(t)) {
        if (rt_fe_begins(t, " -1")) {
            n = 0;
            if (!columns_int(t, 3 + width, 5, &type))
                return rt_fe_wrong(t, error,
                                   "this line is not an element of a .frd file; check "
                                   "whether the file is damaged");
            shape = frd_shape(type);
            continue;
        }
        const int wanted = rt_fe_corners(shape);
        for (int k = 0; n < wanted && columns_int(t, 3 + width * k, width, &corners[n]); k++, n++) {
        }
        if (n < wanted || n == 0) continue;
        const routh_status status = rt_fe_add_element(m, shape, corners, error);
        if (status) return status;
        shape = RT_FE_OTHER;
        n = 0;
    }
    return ends_block(t) ? ROUTH_OK
                         : rt_fe_wrong(t, error,
                                       "the file ends within its elements; "
                                       "write it again");
}

routh_status rt_fe_frd(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    routh_status status = ROUTH_OK;
    while (!status && rt_fe_next(t))
        if (rt_fe_begins(t, "    2C"))
            status = frd_nodes(t, m, error);
        else if (rt_fe_begins(t, "    3C"))
            status = frd_elements(t, m, error);
    return status;
}

/* ---- bulk data ------------------------------------------------------------------------------ */

/* GRID ID CP X1 X2 X3 CD */
static routh_status grid(const rt_fe_text *t, const rt_fe_card *c, rt_fe_mesh *m,
                         routh_error *error)
{
    int number, system[2] = {0};
    double X[3] = {0};
    const rt_fe_text at = {.path = t->path, .line = c->line};
    if (!rt_fe_card_int(c, 0, &number))
        return rt_fe_wrong(&at, error,
                           "GRID has no number; "
                           "correct the card");
    rt_fe_card_int(c, 1, &system[0]);
    rt_fe_card_int(c, 5, &system[1]);
    if (system[0] != 0 || system[1] != 0)
        return rt_fe_wrong(&at, error,
                           "GRID %d uses the coordinate system %d, which is not supported; use the "
                           "basic system for position (CP) and displacement (CD)",
                           number, system[0] ? system[0] : system[1]);
    for (int k = 0; k < 3; k++)
        if (!rt_fe_card_blank(c, 2 + k) && !rt_fe_card_real(c, 2 + k, &X[k]))
            return rt_fe_wrong(&at, error,
                               "GRID %d: coordinate %d is not a number; correct the "
                               "card",
                               number, k + 1);
    return rt_fe_add_node(m, number, X, error);
}

typedef struct card_shape {
    const char *name;
    rt_fe_shape shape;
} card_shape;

static const card_shape cards[] = {
    {"CHEXA", RT_FE_HEXAHEDRON},  {"CPENTA", RT_FE_WEDGE},      {"CTETRA", RT_FE_TETRAHEDRON},
    {"CQUAD4", RT_FE_QUADRANGLE}, {"CQUADR", RT_FE_QUADRANGLE}, {"CQUAD8", RT_FE_QUADRANGLE},
    {"CTRIA3", RT_FE_TRIANGLE},   {"CTRIAR", RT_FE_TRIANGLE},   {"CTRIA6", RT_FE_TRIANGLE},
    {"CBAR", RT_FE_LINE},         {"CBEAM", RT_FE_LINE},        {"CROD", RT_FE_LINE},
};

static routh_status fem_read_nodes_element(const rt_fe_card *c, rt_fe_mesh *m, routh_error *error)
{
    for (size_t k = 0; k < sizeof cards / sizeof *cards; k++) {
        int corners[8], n = 0;
        if (strcmp(cards[k].name, c->name) != 0) continue;
        while (n < rt_fe_corners(cards[k].shape) && rt_fe_card_int(c, 2 + n, &corners[n])) n++;
        return n == rt_fe_corners(cards[k].shape)
                   ? rt_fe_add_element(m, cards[k].shape, corners, error)
                   : ROUTH_OK;
    }
    return ROUTH_OK;
}

routh_status rt_fe_bulk(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    rt_fe_card card;
    routh_status status = ROUTH_OK;
    while (!status && rt_fe_next_card(t, &card))
        if (strcmp(card.name, "GRID") == 0)
            status = grid(t, &card, m, error);
        else
            status = fem_read_nodes_element(&card, m, error);
    return status;
}
