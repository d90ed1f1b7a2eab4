/* Meshes: triangles that share their points, whether they enclose a solid, and its mass. */
#include "model/mesh.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"

/* ---- triangles as they come ------------------------------------------------------------------ */

routh_status rt_mesh_add(rt_mesh_corners *corners, const double a[3], const double b[3],
                         const double c[3], routh_error *error)
{
    if (corners->n == RT_MOST_TRIANGLES)
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "it has more than %d triangles; save a coarser mesh", RT_MOST_TRIANGLES);
    if (corners->n == corners->room) {
        const size_t room = corners->room ? 2 * corners->room : 256;
        double *more = RT_TAKE(corners->scratch, double, 9 * room);
        if (!more) return rt_fail_memory(error);
        if (corners->n) memcpy(more, corners->numbers, 9 * corners->n * sizeof *more);
        corners->numbers = more;
        corners->room = room;
    }
    double *at = corners->numbers + 9 * corners->n++;
    memcpy(at, a, 3 * sizeof *at);
    memcpy(at + 3, b, 3 * sizeof *at);
    memcpy(at + 6, c, 3 * sizeof *at);
    return ROUTH_OK;
}

/* ---- common points --------------------------------------------------------------------------- */

static uint64_t mesh_hash(const double p[3])
{
    uint64_t bits[3], h = 1469598103934665603u;
    memcpy(bits, p, sizeof bits);
    for (int k = 0; k < 3; k++) h = (h ^ (bits[k] ^ bits[k] >> 29)) * 1099511628211u;
    return h ^ h >> 31;
}

/* The number of point p, which is added where it is new; place[size], a power of two, holds
 * numbers + 1. */
static int mesh_point(double *points, int *n, int *place, size_t size, const double p[3])
{
    size_t at = mesh_hash(p) & (size - 1);
    for (; place[at]; at = (at + 1) & (size - 1))
        if (!memcmp(points + 3 * (size_t)(place[at] - 1), p, 3 * sizeof *p)) return place[at] - 1;
    memcpy(points + 3 * (size_t)*n, p, 3 * sizeof *p);
    place[at] = ++*n;
    return *n - 1;
}

routh_status rt_mesh_join(const rt_mesh_corners *corners, double unit, rt_arena *keep,
                          rt_mesh *mesh, routh_error *error)
{
    size_t size = 16;
    while (size < 6 * corners->n) size *= 2;
    int *place = RT_TAKE(corners->scratch, int, size);
    double *points = RT_TAKE(keep, double, 9 * corners->n);
    int *triangles = RT_TAKE(keep, int, 3 * corners->n);
    if (!place || !points || !triangles) return rt_fail_memory(error);
    mesh->unit = unit;
    for (size_t t = 0; t < corners->n; t++) {
        int three[3];
        for (int i = 0; i < 3; i++) {
            double p[3];
            for (int k = 0; k < 3; k++) p[k] = unit * corners->numbers[9 * t + 3 * i + k] + 0.0;
            three[i] = mesh_point(points, &mesh->n_points, place, size, p);
        }
        if (three[0] == three[1] || three[1] == three[2] || three[2] == three[0]) continue;
        memcpy(triangles + 3 * (size_t)mesh->n_triangles++, three, sizeof three);
    }
    mesh->points = points;
    mesh->triangles = triangles;
    return ROUTH_OK;
}

/* ---- closed or not --------------------------------------------------------------------------- */

typedef struct mesh_edge {
    int low, high, sense; /* 1: from low to high in its triangle */
    int triangle;
} mesh_edge;

static int compare_edges(const void *a, const void *b)
{
    const mesh_edge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return p->sense - q->sense;
}

/* Each edge is there twice, once in either sense; its triangles belong to one piece. */
static routh_status mesh_find_open_edge(rt_mesh *mesh, int *above, rt_arena *scratch,
                                        routh_error *error)
{
    const size_t n = 3 * (size_t)mesh->n_triangles;
    mesh_edge *edges = RT_TAKE(scratch, mesh_edge, n + 2);
    if (!edges) return rt_fail_memory(error);
    for (size_t i = 0; i < n; i++) {
        const int a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        edges[i] = (mesh_edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1, (int)(i / 3)};
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    edges[n] = edges[n + 1] = (mesh_edge){-1, -1, 0, 0}; /* like no edge */
    size_t i = 0;
    for (; i < n; i += 2) {
        const mesh_edge *e = &edges[i];
        const bool twice = e[1].low == e->low && e[1].high == e->high && e[1].sense != e->sense;
        if (!twice || (e[2].low == e->low && e[2].high == e->high)) break;
        rt_mesh_unite(above, e[0].triangle, e[1].triangle);
    }
    mesh->closed = n && i >= n;
    if (mesh->closed || !n) return ROUTH_OK;
    memcpy(mesh->open_edge, mesh->points + 3 * (size_t)edges[i].low, 3 * sizeof(double));
    memcpy(mesh->open_edge + 3, mesh->points + 3 * (size_t)edges[i].high, 3 * sizeof(double));
    return ROUTH_OK;
}

/* ---- the solid ------------------------------------------------------------------------------- */

/* Sums over the tetrahedra of the triangles a, b, c and one point, from which all are measured,
 * with d = a . (b x c), s = a + b + c (Tonon 2004, J. Math. Stat. 1(1), 8-11):
 * V = sum d/6,  int x dV = sum d s/24,  int x x' dV = sum d (s s' + a a' + b b' + c c')/120. */
typedef struct mesh_sums {
    double volume, first[3], second[9];
    double rounding; /* that of the volume is at most this */
} mesh_sums;

/* d = a . (e x f) with the sides e = b - a and f = c - a, whose rounding is of their size. */
static double mesh_times_six(const double *a, const double *b, const double *c, double *rounding)
{
    double e[3], f[3];
    for (int k = 0; k < 3; k++) {
        e[k] = b[k] - a[k];
        f[k] = c[k] - a[k];
    }
    *rounding += 8 * DBL_EPSILON * rt_v3_norm(a) * rt_v3_norm(e) * rt_v3_norm(f);
    return a[0] * (e[1] * f[2] - e[2] * f[1]) + a[1] * (e[2] * f[0] - e[0] * f[2]) +
           a[2] * (e[0] * f[1] - e[1] * f[0]);
}

static void mesh_add_tetrahedron(mesh_sums *sums, const double x[9])
{
    const double *a = x, *b = x + 3, *c = x + 6;
    const double d = mesh_times_six(a, b, c, &sums->rounding);
    double s[3];
    for (int k = 0; k < 3; k++) s[k] = a[k] + b[k] + c[k];
    sums->volume += d / 6;
    for (int i = 0; i < 3; i++) {
        sums->first[i] += d * s[i] / 24;
        for (int j = 0; j < 3; j++)
            sums->second[3 * i + j] +=
                d * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]) / 120;
    }
}

/* The middle of its box, from which it is measured: rounding is then that of its size. */
static void mesh_middle(const rt_mesh *mesh, double middle[3])
{
    for (int k = 0; k < 3; k++) {
        double low = mesh->points[k], high = low;
        for (int i = 1; i < mesh->n_points; i++) {
            low = fmin(low, mesh->points[3 * (size_t)i + k]);
            high = fmax(high, mesh->points[3 * (size_t)i + k]);
        }
        middle[k] = low + (high - low) / 2;
    }
}

/* I/m = tr(S) - S, S = int x x' dV/V - c c' */
static void mesh_take_sums(rt_mesh *mesh, const mesh_sums *sums, const double middle[3])
{
    double c[3], S[9];
    for (int k = 0; k < 3; k++) c[k] = sums->first[k] / sums->volume;
    for (int i = 0; i < 9; i++) S[i] = sums->second[i] / sums->volume - c[i / 3] * c[i % 3];
    const double trace = S[0] + S[4] + S[8];
    for (int i = 0; i < 9; i++) mesh->over_mass[i] = (i % 4 == 0 ? trace : 0) - S[i];
    for (int k = 0; k < 3; k++) mesh->centre[k] = middle[k] + c[k];
    mesh->volume = fabs(sums->volume); /* below zero where all triangles face inward */
}

routh_status rt_mesh_measure(rt_mesh *mesh, rt_arena *scratch, routh_error *error)
{
    int *above = RT_TAKE(scratch, int, (size_t)mesh->n_triangles + 1);
    if (!above) return rt_fail_memory(error);
    for (int t = 0; t < mesh->n_triangles; t++) above[t] = t;
    routh_status status = mesh_find_open_edge(mesh, above, scratch, error);
    if (status || !mesh->closed) return status;
    double middle[3];
    mesh_sums sums = {0};
    mesh_middle(mesh, middle);
    for (int t = 0; t < mesh->n_triangles; t++) {
        double x[9];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                x[3 * i + k] =
                    mesh->points[3 * (size_t)mesh->triangles[3 * (size_t)t + i] + k] - middle[k];
        mesh_add_tetrahedron(&sums, x);
    }
    if (!(fabs(sums.volume) > sums.rounding)) return ROUTH_OK;
    status = rt_mesh_look_at_pieces(mesh, above, scratch, error);
    if (!status && !mesh->fault) mesh_take_sums(mesh, &sums, middle);
    return status;
}
