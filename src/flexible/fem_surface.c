#include "flexible/fem_surface.h"

#include <stdlib.h>
#include <string.h>

static int by_key(const void *a, const void *b)
{
    const int *x = ((const rt_fe_face *)a)->key, *y = ((const rt_fe_face *)b)->key;
    for (int k = 0; k < 4; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

static int fem_surface_find(const rt_fe_model *fe, int number)
{
    int low = 0, high = fe->n_nodes;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (fe->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fe->n_nodes && fe->number[low] == number ? low : -1;
}

/* Corners as indices; false where one is unknown. */
static bool corners_of(const rt_fe_model *fe, const int *numbers, int n, int *corners)
{
    for (int k = 0; k < n; k++)
        if ((corners[k] = fem_surface_find(fe, numbers[k])) < 0) return false;
    return true;
}

static void fem_surface_add_face(rt_fe_model *fe, const rt_fe_face *face)
{
    int c[4];
    const int n = face->node[3] ? 4 : 3;
    if (!corners_of(fe, face->node, n, c)) return;
    for (int k = 0; k < n - 2; k++) {
        int *t = fe->triangles + 3 * (size_t)fe->n_triangles++;
        t[0] = c[0], t[1] = c[k + 1], t[2] = c[k + 2];
    }
}

static void fem_surface_add_line(rt_fe_model *fe, const int *numbers)
{
    if (corners_of(fe, numbers, 2, fe->lines + 2 * (size_t)fe->n_lines)) fe->n_lines++;
}

routh_status rt_fe_surface(rt_fe_model *fe, rt_fe_mesh *m, rt_arena *arena, routh_error *error)
{
    if (m->n_faces) qsort(m->faces, (size_t)m->n_faces, sizeof *m->faces, by_key);
    fe->triangles = RT_TAKE(arena, int, 6 * (size_t)m->n_faces);
    fe->lines = RT_TAKE(arena, int, 2 * ((size_t)m->n_lines + 1));
    if (!fe->triangles || !fe->lines) return rt_fail_memory(error);
    for (int k = 0, next; k < m->n_faces; k = next) {
        bool solid = true;
        for (next = k; next < m->n_faces && by_key(&m->faces[k], &m->faces[next]) == 0; next++)
            solid = solid && m->faces[next].solid;
        if (!solid || next == k + 1) fem_surface_add_face(fe, &m->faces[k]);
    }
    for (int k = 0; k < m->n_lines; k++) fem_surface_add_line(fe, m->lines + 2 * (size_t)k);
    return ROUTH_OK;
}
