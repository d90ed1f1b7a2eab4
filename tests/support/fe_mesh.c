#include "support/fe_mesh.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"

/* ---- assembling ----------------------------------------------------------------------------- */

typedef struct assembly {
    rt_fe_model *fe;
    size_t n, room;
    int *rows, *columns;
    double *K, *M;
} assembly;

static void add(assembly *a, int row, int column, double k, double m)
{
    if (a->n == a->room) {
        a->room = a->room ? 2 * a->room : 4096;
        a->rows = realloc(a->rows, a->room * sizeof *a->rows);
        a->columns = realloc(a->columns, a->room * sizeof *a->columns);
        a->K = realloc(a->K, a->room * sizeof *a->K);
        a->M = realloc(a->M, a->room * sizeof *a->M);
        assert_true(a->rows && a->columns && a->K && a->M);
    }
    a->rows[a->n] = row, a->columns[a->n] = column;
    a->K[a->n] = k, a->M[a->n++] = m;
}

static void finish(assembly *a, rt_arena *arena)
{
    rt_fe_model *fe = a->fe;
    int *position = malloc(a->n * sizeof *position);
    assert_non_null(position);
    assert_int_equal(rt_pattern_build(&fe->pattern, fe->n, fe->n, a->n, a->rows, a->columns,
                                      position, arena, NULL),
                     ROUTH_OK);
    fe->K = RT_TAKE(arena, double, fe->pattern.start[fe->n]);
    fe->M = RT_TAKE(arena, double, fe->pattern.start[fe->n]);
    assert_true(fe->K && fe->M);
    for (size_t k = 0; k < a->n; k++) {
        fe->K[position[k]] += a->K[k];
        fe->M[position[k]] += a->M[k];
    }
    free(position), free(a->rows), free(a->columns), free(a->K), free(a->M);
}

static rt_fe_model *start(int n_nodes, int each, rt_arena *arena)
{
    rt_fe_model *fe = RT_TAKE(arena, rt_fe_model, 1);
    assert_non_null(fe);
    fe->n_nodes = n_nodes;
    fe->n = each * n_nodes;
    fe->number = RT_TAKE(arena, int, n_nodes);
    fe->X = RT_TAKE(arena, double, 3 * n_nodes);
    fe->node = RT_TAKE(arena, int, fe->n);
    fe->direction = RT_TAKE(arena, int, fe->n);
    assert_true(fe->number && fe->X && fe->node && fe->direction);
    for (int k = 0; k < fe->n; k++) fe->node[k] = k / each, fe->direction[k] = k % each;
    return fe;
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* B'C B and N'N at one point of a brick with half edges h. */
static void brick_point(const fe_box *b, const double h[3], const double xi[3], double K[24][24],
                        double M[24][24])
{
    const double volume = h[0] * h[1] * h[2], nu = b->poisson;
    const double mu = b->young / (2 * (1 + nu)), la = b->young * nu / ((1 + nu) * (1 - 2 * nu));
    double N[8], dN[8][3];
    for (int a = 0; a < 8; a++) {
        const double s[3] = {a & 1 ? 1 : -1, a & 2 ? 1 : -1, a & 4 ? 1 : -1};
        double f[3];
        for (int c = 0; c < 3; c++) f[c] = (1 + s[c] * xi[c]) / 2;
        N[a] = f[0] * f[1] * f[2];
        for (int c = 0; c < 3; c++) dN[a][c] = s[c] / (2 * h[c]) * f[(c + 1) % 3] * f[(c + 2) % 3];
    }
    for (int a = 0; a < 8; a++)
        for (int c = 0; c < 8; c++) {
            double dot = 0;
            for (int i = 0; i < 3; i++) dot += dN[a][i] * dN[c][i];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    K[3 * a + i][3 * c + j] +=
                        volume * (la * dN[a][i] * dN[c][j] + mu * dN[a][j] * dN[c][i] +
                                  (i == j ? mu * dot : 0));
                    M[3 * a + i][3 * c + j] += i == j ? volume * b->density * N[a] * N[c] : 0;
                }
        }
}

static int box_node(const fe_box *b, int i, int j, int k)
{
    return i + (b->elements[0] + 1) * (j + (b->elements[1] + 1) * k);
}

static void add_brick(assembly *a, const fe_box *b, int i, int j, int k, double K[24][24],
                      double M[24][24])
{
    int nodes[8];
    for (int c = 0; c < 8; c++)
        nodes[c] = box_node(b, i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
    for (int r = 0; r < 24; r++)
        for (int c = 0; c < 24; c++)
            add(a, 3 * nodes[r / 3] + r % 3, 3 * nodes[c / 3] + c % 3, K[r][c], M[r][c]);
}

static void draw_bottom(rt_fe_model *fe, const fe_box *b, rt_arena *arena)
{
    fe->triangles = RT_TAKE(arena, int, 6 * b->elements[0] * b->elements[1]);
    assert_non_null(fe->triangles);
    for (int j = 0; j < b->elements[1]; j++)
        for (int i = 0; i < b->elements[0]; i++) {
            const int c[4] = {box_node(b, i, j, 0), box_node(b, i, j + 1, 0),
                              box_node(b, i + 1, j + 1, 0), box_node(b, i + 1, j, 0)};
            const int two[6] = {c[0], c[1], c[2], c[0], c[2], c[3]};
            memcpy(fe->triangles + 3 * fe->n_triangles, two, sizeof two);
            fe->n_triangles += 2;
        }
}

rt_fe_model *make_box(const fe_box *b, rt_arena *arena)
{
    const int *n = b->elements;
    rt_fe_model *fe = start((n[0] + 1) * (n[1] + 1) * (n[2] + 1), 3, arena);
    double K[24][24] = {{0}}, M[24][24] = {{0}}, h[3];
    const double g = 1 / sqrt(3.0);
    for (int c = 0; c < 3; c++) h[c] = b->size[c] / n[c] / 2;
    for (int p = 0; p < 8; p++)
        brick_point(b, h, (const double[]){p & 1 ? g : -g, p & 2 ? g : -g, p & 4 ? g : -g}, K, M);
    assembly a = {.fe = fe};
    for (int k = 0; k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = 0; i <= n[0]; i++) {
                const int node = box_node(b, i, j, k), step[3] = {i, j, k};
                fe->number[node] = node + 1;
                for (int c = 0; c < 3; c++)
                    fe->X[3 * node + c] = b->at[c] + b->size[c] * step[c] / n[c];
                if (i < n[0] && j < n[1] && k < n[2]) add_brick(&a, b, i, j, k, K, M);
            }
    finish(&a, arena);
    draw_bottom(fe, b, arena);
    return fe;
}

/* ---- rods ----------------------------------------------------------------------------------- */

/* Stretch or torsion of an element with end values in columns 0, 1. */
static void add_bar(assembly *a, const int at[2], double k, double m, bool lumped)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            add(a, at[i], at[j], i == j ? k : -k,
                lumped ? (i == j ? m / 2 : 0) : (i == j ? m / 3 : m / 6));
}

/* Bending: displacements and slopes, slope = sign times the rotation. */
static void add_bending(assembly *a, const int at[4], double EI, double m, double l, double sign,
                        bool lumped)
{
    const double K[4][4] = {{12, 6 * l, -12, 6 * l},
                            {6 * l, 4 * l * l, -6 * l, 2 * l * l},
                            {-12, -6 * l, 12, -6 * l},
                            {6 * l, 2 * l * l, -6 * l, 4 * l * l}};
    const double M[4][4] = {{156, 22 * l, 54, -13 * l},
                            {22 * l, 4 * l * l, 13 * l, -3 * l * l},
                            {54, 13 * l, 156, -22 * l},
                            {-13 * l, -3 * l * l, -22 * l, 4 * l * l}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const double s = (i % 2 ? sign : 1) * (j % 2 ? sign : 1);
            const double mass = lumped ? (i == j && i % 2 == 0 ? m / 2 : 0) : s * m / 420 * M[i][j];
            add(a, at[i], at[j], s * EI / (l * l * l) * K[i][j], mass);
        }
}

rt_fe_model *make_rod(const fe_rod *r, rt_arena *arena)
{
    rt_fe_model *fe = start(r->elements + 1, 6, arena);
    const double l = r->length / r->elements, m = r->density * r->area * l;
    const double polar = r->density * (r->inertia_y + r->inertia_z) * l;
    assembly a = {.fe = fe};
    for (int e = 0; e <= r->elements; e++) {
        fe->number[e] = 10 * (e + 1);
        fe->X[3 * e] = l * e;
        if (e == r->elements) break;
        const int i = 6 * e, j = i + 6;
        add_bar(&a, (const int[]){i, j}, r->young * r->area / l, m, r->lumped);
        add_bar(&a, (const int[]){i + 3, j + 3}, r->shear * r->torsion / l, polar, r->lumped);
        add_bending(&a, (const int[]){i + 1, i + 5, j + 1, j + 5}, r->young * r->inertia_z, m, l, 1,
                    r->lumped);
        add_bending(&a, (const int[]){i + 2, i + 4, j + 2, j + 4}, r->young * r->inertia_y, m, l,
                    -1, r->lumped);
    }
    finish(&a, arena);
    return fe;
}

/* ---- whole models --------------------------------------------------------------------------- */

void fe_times(const rt_fe_model *fe, const double *values, const double *x, double *y)
{
    memset(y, 0, (size_t)fe->n * sizeof *y);
    rt_sparse_multiply_add(&fe->pattern, values, 1, x, y);
}

/* M v = mu (K + s M) v, by LAPACK. */
void dense_modes(const rt_fe_model *fe, double shift, double *lambda, double *vectors)
{
    const size_t n = (size_t)fe->n;
    double *A = calloc(n * n, sizeof *A), *B = calloc(n * n, sizeof *B);
    double *mu = calloc(n, sizeof *mu);
    assert_true(A && B && mu);
    for (int j = 0; j < fe->n; j++)
        for (int k = fe->pattern.start[j]; k < fe->pattern.start[j + 1]; k++) {
            A[(size_t)fe->pattern.row[k] + n * (size_t)j] = fe->M[k];
            B[(size_t)fe->pattern.row[k] + n * (size_t)j] = fe->K[k] + shift * fe->M[k];
        }
    assert_int_equal(rt_symmetric_generalized_eigen(fe->n, A, B, mu, NULL), ROUTH_OK);
    for (size_t k = 0; k < n; k++) {
        const double x = mu[n - 1 - k];
        lambda[k] = x > 1e-13 * mu[n - 1] ? 1 / x - shift : INFINITY;
        if (vectors) /* v' M v = 1 */
            for (size_t i = 0; i < n; i++)
                vectors[i + n * k] = A[i + n * (n - 1 - k)] / sqrt(x > 0 ? x : 1);
    }
    free(A), free(B), free(mu);
}
