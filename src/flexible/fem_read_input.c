/* The input of Abaqus and CalculiX: *NODE, *ELEMENT, *NSET. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "flexible/fem.h"
#include "flexible/fem_mesh.h"

/* ---- keywords ------------------------------------------------------------------------------- */

static bool fem_read_input_is_remark(const rt_fe_text *t)
{
    return rt_fe_begins(t, "**") || rt_fe_blank(t);
}

/* *NAME or *NAME, ... */
static bool is_keyword(const rt_fe_text *t, const char *name)
{
    const size_t n = strlen(name);
    return rt_fe_begins(t, name) &&
           (t->begin + n == t->end || t->begin[n] == ',' || t->begin[n] == ' ');
}

/* The value of KEY=value on a keyword's line. */
static bool option(const rt_fe_text *t, const char *key, const char **value, size_t *length)
{
    const char *at = memchr(t->begin, ',', (size_t)(t->end - t->begin));
    while (at) {
        while (at < t->end && (*at == ',' || *at == ' ')) at++;
        const char *end = memchr(at, ',', (size_t)(t->end - at));
        const char *last = end ? end : t->end;
        const char *equals = memchr(at, '=', (size_t)(last - at));
        const char *name_end = equals ? equals : last;
        while (name_end > at && name_end[-1] == ' ') name_end--;
        if ((size_t)(name_end - at) == strlen(key) && !strncasecmp(at, key, strlen(key))) {
            *value = equals ? equals + 1 : last;
            while (*value < last && **value == ' ') ++*value;
            while (last > *value && last[-1] == ' ') last--;
            *length = (size_t)(last - *value);
            return true;
        }
        at = end;
    }
    return false;
}

/* ---- nodes and elements --------------------------------------------------------------------- */

static routh_status node_line(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    int number;
    double X[3] = {0};
    bool good = rt_fe_take_int(t, &number);
    for (int k = 0; k < 3 && good && !rt_fe_blank(t); k++) good = rt_fe_take_real(t, &X[k]);
    if (!good)
        return rt_fe_wrong(t, error,
                           "this line of *NODE is not `number, x, y, z`; correct "
                           "it");
    return rt_fe_add_node(m, number, X, error);
}

static bool begins(const char *type, size_t length, const char *with)
{
    return length >= strlen(with) && !strncasecmp(type, with, strlen(with));
}

/* C3D8R, S4, B31, .. and how many nodes it has. */
static rt_fe_shape fem_read_input_shape_of(const char *type, size_t length, int *n_nodes)
{
    static const struct {
        const char *name;
        rt_fe_shape shape;
        int n;
    } known[] = {
        {"C3D20", RT_FE_HEXAHEDRON, 20},  {"C3D27", RT_FE_HEXAHEDRON, 27},
        {"C3D10", RT_FE_TETRAHEDRON, 10}, {"C3D15", RT_FE_WEDGE, 15},
        {"C3D8", RT_FE_HEXAHEDRON, 8},    {"C3D6", RT_FE_WEDGE, 6},
        {"C3D4", RT_FE_TETRAHEDRON, 4},   {"SC8", RT_FE_HEXAHEDRON, 8},
        {"S8", RT_FE_QUADRANGLE, 8},      {"S4", RT_FE_QUADRANGLE, 4},
        {"S6", RT_FE_TRIANGLE, 6},        {"S3", RT_FE_TRIANGLE, 3},
        {"STRI3", RT_FE_TRIANGLE, 3},     {"STRI65", RT_FE_TRIANGLE, 6},
        {"B31", RT_FE_LINE, 2},           {"B33", RT_FE_LINE, 2},
        {"T3D2", RT_FE_LINE, 2},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (begins(type, length, known[k].name)) {
            *n_nodes = known[k].n;
            return known[k].shape;
        }
    *n_nodes = 0;
    return RT_FE_OTHER;
}

/* Elements may go over several lines. */
static routh_status fem_read_input_element_line(rt_fe_text *t, rt_fe_mesh *m, rt_fe_shape shape,
                                                int n_nodes, routh_error *error)
{
    int corners[8], n = 0, number, node;
    if (!rt_fe_take_int(t, &number))
        return rt_fe_wrong(t, error,
                           "an element has no number; write "
                           "`number, node, node, ..`");
    while (n < n_nodes) {
        if (rt_fe_blank(t)) {
            if (!rt_fe_next(t) || *t->begin == '*')
                return rt_fe_wrong(t, error,
                                   "element %d has %d nodes, but its type has %d; check "
                                   "whether the file is cut off",
                                   number, n, n_nodes);
            continue;
        }
        if (!rt_fe_take_int(t, &node))
            return rt_fe_wrong(t, error,
                               "a node of element %d is not a number; correct "
                               "it",
                               number);
        if (n < 8) corners[n] = node;
        n++;
    }
    return rt_fe_add_element(m, shape, corners, error);
}

static routh_status nodes_block(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    const char *value;
    size_t length;
    if (option(t, "INPUT", &value, &length) || option(t, "SYSTEM", &value, &length))
        return rt_fe_wrong(t, error,
                           "*NODE with INPUT= or SYSTEM= is not supported; write the nodes in one "
                           "file, in the global system");
    while (rt_fe_next(t)) {
        if (fem_read_input_is_remark(t)) continue;
        if (*t->begin == '*') return rt_fe_back(t), ROUTH_OK;
        const routh_status status = node_line(t, m, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static routh_status elements_block(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    const char *type;
    size_t length;
    int n_nodes = 0;
    if (!option(t, "TYPE", &type, &length)) return ROUTH_OK;
    const rt_fe_shape shape = fem_read_input_shape_of(type, length, &n_nodes);
    if (shape == RT_FE_OTHER) return ROUTH_OK;
    while (rt_fe_next(t)) {
        if (fem_read_input_is_remark(t)) continue;
        if (*t->begin == '*') return rt_fe_back(t), ROUTH_OK;
        const routh_status status = fem_read_input_element_line(t, m, shape, n_nodes, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

routh_status rt_fe_input(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    routh_status status = ROUTH_OK;
    while (!status && rt_fe_next(t)) {
        if (is_keyword(t, "*NODE"))
            status = nodes_block(t, m, error);
        else if (is_keyword(t, "*ELEMENT"))
            status = elements_block(t, m, error);
        else if (is_keyword(t, "*INSTANCE"))
            return rt_fe_wrong(t, error,
                               "parts and instances are not supported; write a flat input file, "
                               "without parts and assemblies");
        else if (is_keyword(t, "*INCLUDE"))
            return rt_fe_wrong(t, error,
                               "*INCLUDE is not supported; write nodes and elements in one file");
    }
    return status;
}

/* ---- sets of nodes -------------------------------------------------------------------------- */

typedef struct fem_read_input_set {
    int n, room;
    int *nodes;
} fem_read_input_set;

static bool fem_read_input_add(fem_read_input_set *s, int node)
{
    if (s->n == s->room) {
        const int room = s->room ? 2 * s->room : 64;
        int *more = realloc(s->nodes, (size_t)room * sizeof *more);
        if (!more) return false;
        s->nodes = more, s->room = room;
    }
    s->nodes[s->n++] = node;
    return true;
}

/* Numbers of one line; GENERATE: first, last, step. */
static routh_status set_line(rt_fe_text *t, bool generate, fem_read_input_set *s,
                             routh_error *error)
{
    int v[3] = {0, 0, 1}, n = 0, node;
    while (!rt_fe_blank(t)) {
        if (!rt_fe_take_int(t, &node))
            return rt_fe_wrong(t, error,
                               "a set of sets is not supported; give the numbers of its nodes");
        if (generate && n < 3) v[n++] = node;
        if (!generate && !fem_read_input_add(s, node)) return rt_fail_memory(error);
    }
    if (!generate) return ROUTH_OK;
    if (n < 2 || v[0] < 1 || v[2] < 1 || ((long)v[1] - v[0]) / v[2] > 10000000)
        return rt_fe_wrong(t, error,
                           "this line after GENERATE is not `first, last, step`; correct "
                           "it");
    for (long k = v[0]; k <= v[1]; k += v[2])
        if (!fem_read_input_add(s, (int)k)) return rt_fail_memory(error);
    return ROUTH_OK;
}

static routh_status set_block(rt_fe_text *t, fem_read_input_set *s, routh_error *error)
{
    const char *value;
    size_t length;
    const bool generate = option(t, "GENERATE", &value, &length);
    while (rt_fe_next(t)) {
        if (fem_read_input_is_remark(t)) continue;
        if (*t->begin == '*') return rt_fe_back(t), ROUTH_OK;
        const routh_status status = set_line(t, generate, s, error);
        if (status) return status;
    }
    return ROUTH_OK;
}

static bool is_set(const rt_fe_text *t, const char *name)
{
    const char *value;
    size_t length;
    return is_keyword(t, "*NSET") && option(t, "NSET", &value, &length) && length == strlen(name) &&
           !strncasecmp(value, name, length);
}

routh_status rt_fe_node_set(const char *path, const char *name, int **nodes, int *n,
                            rt_arena *arena, routh_error *error)
{
    rt_fe_text text;
    fem_read_input_set s = {0};
    routh_status status = rt_fe_open(&text, path, error);
    if (status) return status;
    while (!status && rt_fe_next(&text))
        if (is_set(&text, name)) status = set_block(&text, &s, error);
    *n = s.n;
    *nodes = status ? NULL : RT_TAKE(arena, int, s.n);
    if (*nodes && s.n) memcpy(*nodes, s.nodes, (size_t)s.n * sizeof *s.nodes);
    if (!status && !*nodes) status = rt_fail_memory(error);
    free(s.nodes);
    rt_fe_close(&text);
    return status;
}
