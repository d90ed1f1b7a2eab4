#define _POSIX_C_SOURCE 200809L
#include "flexible/fem_mesh.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool fem_mesh_grow(void **block, int *room, int n, size_t size)
{
    if (n < *room) return true;
    const int wider = *room ? 2 * *room : 256;
    void *more = realloc(*block, (size_t)wider * size);
    if (!more) return false;
    *block = more;
    *room = wider;
    return true;
}

routh_status rt_fe_add_node(rt_fe_mesh *m, int number, const double X[3], routh_error *error)
{
    int room = m->room_nodes;
    if (!fem_mesh_grow((void **)&m->number, &room, m->n_nodes, sizeof *m->number) ||
        !fem_mesh_grow((void **)&m->X, &m->room_nodes, m->n_nodes, 3 * sizeof *m->X))
        return rt_fail_memory(error);
    m->number[m->n_nodes] = number;
    memcpy(m->X + 3 * (size_t)m->n_nodes++, X, 3 * sizeof *X);
    return ROUTH_OK;
}

int rt_fe_corners(rt_fe_shape shape)
{
    static const int corners[] = {2, 3, 4, 4, 6, 8, 0};
    return corners[shape];
}

static int fem_mesh_ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static routh_status fem_mesh_add_face(rt_fe_mesh *m, const int *corners, const int pick[4], int n,
                                      bool solid, routh_error *error)
{
    if (!fem_mesh_grow((void **)&m->faces, &m->room_faces, m->n_faces, sizeof *m->faces))
        return rt_fail_memory(error);
    rt_fe_face *f = &m->faces[m->n_faces++];
    *f = (rt_fe_face){.solid = solid};
    for (int k = 0; k < n; k++) f->node[k] = corners[pick[k]];
    memcpy(f->key, f->node, sizeof f->key);
    qsort(f->key, 4, sizeof *f->key, fem_mesh_ascending);
    return ROUTH_OK;
}

static routh_status fem_mesh_add_line(rt_fe_mesh *m, const int *ends, routh_error *error)
{
    if (!fem_mesh_grow((void **)&m->lines, &m->room_lines, m->n_lines, 2 * sizeof *m->lines))
        return rt_fail_memory(error);
    memcpy(m->lines + 2 * (size_t)m->n_lines++, ends, 2 * sizeof *ends);
    return ROUTH_OK;
}

/* Faces by their corners; -1: a triangle. */
typedef struct faces {
    int n;
    int pick[6][4];
} faces;

static const faces faces_of[] = {
    [RT_FE_LINE] = {0, {{0}}},
    [RT_FE_TRIANGLE] = {1, {{0, 1, 2, -1}}},
    [RT_FE_QUADRANGLE] = {1, {{0, 1, 2, 3}}},
    [RT_FE_TETRAHEDRON] = {4, {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}}},
    [RT_FE_WEDGE] = {5, {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
    [RT_FE_HEXAHEDRON] =
        {6, {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    [RT_FE_OTHER] = {0, {{0}}},
};

routh_status rt_fe_add_element(rt_fe_mesh *m, rt_fe_shape shape, const int *corners,
                               routh_error *error)
{
    if (shape == RT_FE_LINE) return fem_mesh_add_line(m, corners, error);
    const bool solid = shape >= RT_FE_TETRAHEDRON;
    routh_status status = ROUTH_OK;
    for (int k = 0; k < faces_of[shape].n && !status; k++) {
        const int *pick = faces_of[shape].pick[k];
        status = fem_mesh_add_face(m, corners, pick, pick[3] < 0 ? 3 : 4, solid, error);
    }
    return status;
}

void rt_fe_mesh_free(rt_fe_mesh *m)
{
    free(m->number);
    free(m->X);
    free(m->lines);
    free(m->faces);
    *m = (rt_fe_mesh){0};
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool fem_mesh_ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

static routh_status fem_mesh_read_form(rt_fe_text *t, rt_fe_mesh *m, routh_error *error)
{
    if (fem_mesh_ends_in(t->path, ".inp")) return rt_fe_input(t, m, error);
    if (fem_mesh_ends_in(t->path, ".frd")) return rt_fe_frd(t, m, error);
    if (fem_mesh_ends_in(t->path, ".bdf") || fem_mesh_ends_in(t->path, ".dat") ||
        fem_mesh_ends_in(t->path, ".nas") || fem_mesh_ends_in(t->path, ".pch"))
        return rt_fe_bulk(t, m, error);
    return rt_fe_plain(t, m, error);
}

/* Ascending numbers; the places follow. */
typedef struct fem_mesh_placed {
    int number;
    double X[3];
} fem_mesh_placed;

static int fem_mesh_by_number(const void *a, const void *b)
{
    return fem_mesh_ascending(&((const fem_mesh_placed *)a)->number,
                              &((const fem_mesh_placed *)b)->number);
}

static routh_status sort_nodes(rt_fe_mesh *m, routh_error *error)
{
    fem_mesh_placed *p = malloc(((size_t)m->n_nodes + 1) * sizeof *p);
    if (!p) return rt_fail_memory(error);
    for (int k = 0; k < m->n_nodes; k++) {
        p[k].number = m->number[k];
        memcpy(p[k].X, m->X + 3 * (size_t)k, sizeof p[k].X);
    }
    qsort(p, (size_t)m->n_nodes, sizeof *p, fem_mesh_by_number);
    int twice = 0;
    for (int k = 0; k < m->n_nodes; k++) {
        if (k && p[k].number == p[k - 1].number) twice = p[k].number;
        m->number[k] = p[k].number;
        memcpy(m->X + 3 * (size_t)k, p[k].X, sizeof p[k].X);
    }
    free(p);
    if (m->number[0] < 1)
        return rt_fail_at(error, ROUTH_MODEL_ERROR, m->path, (rt_place){0}, NULL,
                          "a node has the number %d; number the nodes from 1", m->number[0]);
    if (!twice) return ROUTH_OK;
    return rt_fail_at(error, ROUTH_MODEL_ERROR, m->path, (rt_place){0}, NULL,
                      "node %d is given twice; remove one", twice);
}

routh_status rt_fe_mesh_read(const char *path, rt_fe_mesh *m, routh_error *error)
{
    rt_fe_text text;
    *m = (rt_fe_mesh){.path = path};
    routh_status status = rt_fe_open(&text, path, error);
    if (status) return status;
    status = fem_mesh_read_form(&text, m, error);
    rt_fe_close(&text);
    if (!status && m->n_nodes == 0)
        status = rt_fail_at(error, ROUTH_SYNTAX_ERROR, path, (rt_place){0}, NULL,
                            "the file contains no node; give a file with coordinates of the nodes "
                            "(--nodes)");
    if (!status) status = sort_nodes(m, error);
    if (status) rt_fe_mesh_free(m);
    return status;
}
