/* A reduced body from JSON, strictly: what is wanting or of another form is refused by its place,
 * "nodes[2].S". */
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/vec3.h"
#include "flexible/form.h"
#include "flexible/reduced.h"

enum { MOST_MODES = 4096, MOST_NODES = 1 << 24, PATH = 64 };

typedef struct load_reader {
    rt_arena *arena;
    routh_error *error;
    const char *file;
    rt_flexible *f;
    const json_t *top;
    int *columns;
} load_reader;

static routh_status load_wrong(const load_reader *r, const char *place, const char *what)
{
    return rt_fail_at(r->error, ROUTH_SYNTAX_ERROR, r->file, (rt_place){0}, place, "%s", what);
}

static routh_status load_number(const load_reader *r, const char *place, const json_t *json,
                                double *x)
{
    if (!json_is_number(json))
        return load_wrong(r, place,
                          "a number is missing, or this is not a number; write the file "
                          "again (routh reduce --output)");
    *x = json_number_value(json);
    return isfinite(*x) ? ROUTH_OK
                        : load_wrong(r, place,
                                     "this number is not finite; write the "
                                     "file again (routh reduce --output)");
}

/* Whole numbers are read as reals, so that -0 stays what it is. */
static bool load_whole(const json_t *json, int least, int *out)
{
    const double x = json_number_value(json);
    if (!json_is_number(json) || !(x >= least && x <= INT_MAX) || x != floor(x)) return false;
    *out = (int)x;
    return true;
}

static routh_status load_list(const load_reader *r, const char *place, const json_t *json, size_t n,
                              double *out)
{
    char what[80];
    snprintf(what, sizeof what, "this is not a list of %zu numbers, or it is missing", n);
    if (!json_is_array(json) || json_array_size(json) != n) return load_wrong(r, place, what);
    routh_status status = ROUTH_OK;
    for (size_t k = 0; k < n && !status; k++)
        status = load_number(r, place, json_array_get(json, k), &out[k]);
    return status;
}

static routh_status load_matrix(const load_reader *r, const char *place, const json_t *json,
                                size_t rows, size_t columns, double *out)
{
    char what[90];
    snprintf(what, sizeof what, "this is not a list of %zu rows of %zu numbers, or it is missing",
             rows, columns);
    if (!json_is_array(json) || json_array_size(json) != rows) return load_wrong(r, place, what);
    routh_status status = ROUTH_OK;
    for (size_t k = 0; k < rows && !status; k++)
        status = load_list(r, place, json_array_get(json, k), columns, out + columns * k);
    return status;
}

static routh_status load_member(const load_reader *r, const char *key, size_t rows, size_t columns,
                                double *out)
{
    return load_matrix(r, key, json_object_get(r->top, key), rows, columns, out);
}

/* ---- moments -------------------------------------------------------------------------------- */

static routh_status load_read_coordinates(load_reader *r)
{
    const json_t *json = json_object_get(r->top, "coordinates");
    const size_t n = json_array_size(json);
    if (n < 1 || n > MOST_MODES)
        return load_wrong(r, "coordinates",
                          "this is not a list of 1 to 4096 coordinates; write "
                          "the file again (routh reduce --output)");
    rt_elastic *c = RT_TAKE(r->arena, rt_elastic, n);
    r->columns = RT_TAKE(r->arena, int, n);
    if (!c || !r->columns) return rt_fail_memory(r->error);
    for (size_t k = 0; k < n; k++) {
        const json_t *one = json_array_get(json, k);
        const char *name = json_string_value(json_object_get(one, "name"));
        if (!name || !*name)
            return load_wrong(r, "coordinates",
                              "a coordinate has no name; write "
                              "the file again (routh reduce "
                              "--output)");
        const routh_status status =
            load_number(r, "coordinates: size", json_object_get(one, "size"), &c[k].size);
        if (status) return status;
        if (!(c[k].size > 0)) return load_wrong(r, "coordinates: size", "this is not positive");
        c[k].kind = RT_ELASTIC_AMPLITUDE;
        c[k].name = rt_arena_text(r->arena, name, strlen(name));
        if (!c[k].name) return rt_fail_memory(r->error);
        r->columns[k] = (int)k;
    }
    r->f->n = (int)n;
    r->f->coordinate = c;
    return ROUTH_OK;
}

/* The other half of a pair: of 9 numbers transposed; of an odd quantity the opposite. */
static void load_other_half(const double *here, double *there, int each, double sign)
{
    for (int i = 0; i < each; i++) there[each == 9 ? 3 * (i % 3) + i / 3 : i] = sign * here[i];
}

/* Pairs k <= l of a quantity that is symmetric (sign 1) or antisymmetric (-1). */
static routh_status load_pairs(const load_reader *r, const char *key, int each, double sign,
                               double **out)
{
    const json_t *json = json_object_get(r->top, key);
    const size_t n = (size_t)r->f->n;
    if (json_array_size(json) != n * (n + 1) / 2)
        return load_wrong(r, key,
                          "this is missing, or has no entry for a pair of coordinates; write the "
                          "file again (routh reduce --output)");
    double *values = RT_TAKE(r->arena, double, n *n *(size_t)each);
    if (!values) return rt_fail_memory(r->error);
    size_t at = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t l = k; l < n; l++) {
            const json_t *one = json_array_get(json, at++);
            double *here = values + (size_t)each * (k + n * l);
            double *there = values + (size_t)each * (l + n * k);
            const routh_status status = each == 1 ? load_number(r, key, one, here)
                                                  : load_list(r, key, one, (size_t)each, here);
            if (status) return status;
            if (k != l) load_other_half(here, there, each, sign);
        }
    *out = values;
    return ROUTH_OK;
}

static routh_status read_pairs(load_reader *r)
{
    rt_flexible *f = r->f;
    const size_t n = (size_t)f->n;
    double *N, *M, *K, *D;
    routh_status status = load_pairs(r, "N", 9, 1, &N);
    if (!status) status = load_pairs(r, "M", 1, 1, &M);
    if (!status) status = load_pairs(r, "K", 1, 1, &K);
    if (!status) status = load_pairs(r, "D", 1, 1, &D);
    if (status) return status;
    f->N = N, f->M = M, f->K = K, f->D = D;
    f->pattern = (rt_pattern){.n_rows = f->n,
                              .n_columns = f->n,
                              .start = RT_TAKE(r->arena, int, n + 1),
                              .row = RT_TAKE(r->arena, int, n *n)};
    if (!f->pattern.start || !f->pattern.row) return rt_fail_memory(r->error);
    for (size_t k = 0; k < n * n; k++) f->pattern.row[k] = (int)(k % n);
    for (size_t k = 0; k <= n; k++) f->pattern.start[k] = (int)(n * k);
    return ROUTH_OK;
}

/* What turns has inertia beyond that of the points. */
static bool load_turns(const rt_flexible *f)
{
    double most = 0;
    for (int i = 0; i < 9; i++) most = fmax(most, fabs(f->rotary[i]));
    return most > 1e-6 * (f->second[0] + f->second[4] + f->second[8]);
}

/* Files of former versions do not say how what turns does so; J1 without rows: nothing turns. */
static routh_status read_turning(load_reader *r)
{
    rt_flexible *f = r->f;
    const size_t n = (size_t)f->n;
    const json_t *first = json_object_get(r->top, "J1");
    double *J1 = RT_TAKE(r->arena, double, 9 * n), *J2 = NULL, *even = NULL, *odd = NULL;
    if (!J1) return rt_fail_memory(r->error);
    if (!first) f->turning_unknown = load_turns(f);
    if (!first || (json_is_array(first) && json_array_size(first) == 0)) return ROUTH_OK;
    routh_status status = load_member(r, "J1", n, 9, J1);
    if (!status) status = load_pairs(r, "J2", 9, 1, &J2);
    if (!status) status = load_pairs(r, "H_even", 3, 1, &even);
    if (!status) status = load_pairs(r, "H_odd", 3, -1, &odd);
    f->J1 = J1, f->J2 = J2, f->H_even = even, f->H_odd = odd;
    return status;
}

static routh_status load_read_moments(load_reader *r)
{
    rt_flexible *f = r->f;
    const size_t n = (size_t)f->n;
    double *a = RT_TAKE(r->arena, double, 3 * n), *B = RT_TAKE(r->arena, double, 9 * n);
    double *h = RT_TAKE(r->arena, double, 3 * n);
    if (!a || !B || !h) return rt_fail_memory(r->error);
    routh_status status = load_number(r, "mass", json_object_get(r->top, "mass"), &f->mass);
    if (!status && !(f->mass > 0)) status = load_wrong(r, "mass", "this is not positive");
    if (!status) status = load_list(r, "first", json_object_get(r->top, "first"), 3, f->first);
    if (!status) status = load_member(r, "second", 3, 3, f->second);
    if (!status) status = load_member(r, "rotary", 3, 3, f->rotary);
    if (!status) status = load_member(r, "a", n, 3, a);
    if (!status) status = load_member(r, "B", n, 9, B);
    if (!status) status = load_member(r, "h", n, 3, h);
    f->a = a, f->B = B, f->h = h;
    if (!status) status = read_pairs(r);
    return status ? status : read_turning(r);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static routh_status read_node(const load_reader *r, size_t k, const json_t *json,
                              rt_flexible_node *node)
{
    char place[PATH];
    const size_t n = (size_t)r->f->n;
    const json_t *number_of = json_object_get(json, "number"), *R = json_object_get(json, "R");
    double *S = RT_TAKE(r->arena, double, 3 * n), *turns = RT_TAKE(r->arena, double, 3 * n);
    if (!S || !turns) return rt_fail_memory(r->error);
    snprintf(place, sizeof place, "nodes[%zu]", k);
    int own_number;
    if (!load_whole(number_of, 1, &own_number))
        return load_wrong(r, place,
                          "the node has no number; write the file again (routh reduce "
                          "--output)");
    *node = (rt_flexible_node){.number = own_number,
                               .n = r->f->n,
                               .column = r->columns,
                               .S = S,
                               .R = turns,
                               .point = R == NULL};
    rt_m3_identity(node->axes);
    snprintf(place, sizeof place, "nodes[%zu].X", k);
    routh_status status = load_list(r, place, json_object_get(json, "X"), 3, node->X);
    snprintf(place, sizeof place, "nodes[%zu].S", k);
    if (!status) status = load_matrix(r, place, json_object_get(json, "S"), 3, n, S);
    snprintf(place, sizeof place, "nodes[%zu].R", k);
    return status || !R ? status : load_matrix(r, place, R, 3, n, turns);
}

/* F and mass of a node may be missing: then its strain energy is not known. */
static routh_status read_energy(load_reader *r, size_t k, const json_t *json,
                                rt_flexible_part *parts)
{
    char place[PATH];
    const json_t *F = json_object_get(json, "F");
    const size_t n = (size_t)r->f->n, n_rows = json_array_size(F);
    double mass;
    if (!F || !rt_flexible_has_energies(r->f->n, r->f->n_nodes)) return ROUTH_OK;
    snprintf(place, sizeof place, "nodes[%zu].F", k);
    if (!json_is_array(F) || n_rows > RT_ENERGY_ROWS)
        return load_wrong(r, place,
                          "this is not a list of at most 12 rows; write the file again "
                          "(routh reduce --output)");
    double *rows = RT_TAKE(r->arena, double, n_rows *n);
    if (!rows) return rt_fail_memory(r->error);
    routh_status status = load_matrix(r, place, F, n_rows, n, rows);
    snprintf(place, sizeof place, "nodes[%zu].mass", k);
    if (!status) status = load_number(r, place, json_object_get(json, "mass"), &mass);
    if (!status && !(mass >= 0))
        status = load_wrong(r, place,
                            "this is negative; write the file "
                            "again (routh reduce --output)");
    if (status) return status;
    return rt_flexible_energy_part(&parts[r->f->n_parts++], r->f->n, (int)n_rows, rows, mass,
                                   (int)k, r->arena, r->error);
}

static routh_status read_nodes(load_reader *r)
{
    const json_t *json = json_object_get(r->top, "nodes");
    const size_t n = json_array_size(json);
    if (!json_is_array(json) || n > MOST_NODES)
        return load_wrong(r, "nodes",
                          "the list of nodes is missing, or this is not a list; write "
                          "the file again (routh reduce --output)");
    rt_flexible_node *nodes = RT_TAKE(r->arena, rt_flexible_node, n);
    rt_flexible_part *parts = RT_TAKE(r->arena, rt_flexible_part, n);
    if (!nodes || !parts) return rt_fail_memory(r->error);
    r->f->parts = parts;
    r->f->n_nodes = (int)n;
    for (size_t k = 0; k < n; k++) {
        routh_status status = read_node(r, k, json_array_get(json, k), &nodes[k]);
        if (!status) status = read_energy(r, k, json_array_get(json, k), parts);
        if (status) return status;
        if (k && nodes[k].number <= nodes[k - 1].number)
            return load_wrong(r, "nodes",
                              "the numbers of nodes do not ascend; write the file "
                              "again (routh reduce --output)");
    }
    r->f->nodes = nodes;
    return ROUTH_OK;
}

static routh_status load_indices(const load_reader *r, const char *key, size_t each,
                                 const int **out, int *n_out)
{
    const json_t *json = json_object_get(r->top, key);
    const size_t n = json_array_size(json);
    if (json && (!json_is_array(json) || n > MOST_NODES))
        return load_wrong(r, key,
                          "this is not a list; write the file again (routh reduce "
                          "--output)");
    int *list_of = RT_TAKE(r->arena, int, each *n);
    if (!list_of) return rt_fail_memory(r->error);
    for (size_t k = 0; k < n; k++) {
        const json_t *row = json_array_get(json, k);
        if (json_array_size(row) != each)
            return load_wrong(r, key,
                              "a row has too many or too few nodes; write the file again "
                              "(routh reduce --output)");
        for (size_t j = 0; j < each; j++) {
            int *const at = &list_of[each * k + j];
            if (!load_whole(json_array_get(row, j), 0, at) || *at >= r->f->n_nodes)
                return load_wrong(r, key,
                                  "this is not the index of a node, counted from 0; write "
                                  "the file again (routh reduce --output)");
        }
    }
    *out = list_of;
    *n_out = (int)n;
    return ROUTH_OK;
}

/* ---- all ------------------------------------------------------------------------------------ */

static routh_status load_check_schema(const load_reader *r)
{
    const char *schema = json_string_value(json_object_get(r->top, "schema"));
    if (schema && strcmp(schema, RT_FLEXIBLE_SCHEMA) == 0) return ROUTH_OK;
    return load_wrong(r, "schema",
                      "this is not \"" RT_FLEXIBLE_SCHEMA
                      "\": it is no file that routh reduce writes");
}

static routh_status load_read_all(load_reader *r)
{
    routh_status status = load_check_schema(r);
    if (!status) status = load_read_coordinates(r);
    if (!status) status = load_read_moments(r);
    if (!status) status = read_nodes(r);
    if (!status) status = load_indices(r, "lines", 2, &r->f->lines, &r->f->n_lines);
    return status ? status : load_indices(r, "triangles", 3, &r->f->triangles, &r->f->n_triangles);
}

routh_status rt_flexible_parse(const rt_flexible **flexible, const char *text, size_t length,
                               const char *name, rt_arena *arena, routh_error *error)
{
    json_error_t why;
    *flexible = NULL;
    load_reader r = {.arena = arena, .error = error, .file = name};
    json_t *top = json_loadb(text, length, JSON_DECODE_INT_AS_REAL, &why);
    if (!top)
        return rt_fail_at(error, ROUTH_SYNTAX_ERROR, name,
                          rt_place_at(why.line > 0 ? why.line : 1, why.column > 0 ? why.column : 1),
                          NULL, "%s", why.text);
    r.top = top;
    r.f = RT_TAKE(arena, rt_flexible, 1);
    const routh_status status = r.f ? load_read_all(&r) : rt_fail_memory(error);
    json_decref(top);
    if (!status) *flexible = r.f;
    return status;
}

routh_status rt_flexible_load(const rt_flexible **flexible, const char *path, rt_arena *arena,
                              routh_error *error)
{
    rt_file file;
    *flexible = NULL;
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    status = rt_flexible_parse(flexible, file.bytes, file.length, path, arena, error);
    free(file.bytes);
    return status;
}
