/* Interfaces of a body as rows of C: q_c = sum of weight u. A node gives its degrees of freedom; a
 * set of nodes its mean displacement and, by least squares, its mean rotation:
 *     d = 1/n sum u_i,   r = J^-1 sum x_i x u_i,   J = sum (x_i.x_i) 1 - x_i x_i',
 * x_i from the centre of the set. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "base/vec3.h"
#include "flexible/body.h"

/* Below this share of the largest, a moment of the set is none: its nodes lie on a line. */
static const double ON_A_LINE = 1e-8;

double rt_body_row(const rt_body_rows *rows, int k, const double *u)
{
    double x = 0;
    for (int at = rows->start[k]; at < rows->start[k + 1]; at++)
        x += rows->weight[at] * u[rows->dof[at]];
    return x;
}

static routh_status find_nodes(const rt_body_fe *b, const rt_interface *face, double place[3],
                               routh_error *error)
{
    memset(place, 0, 3 * sizeof *place);
    if (face->n < 1)
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "interface %d has no node; name its nodes "
                       "(NUMBER=NODE,NODE,..)",
                       face->number);
    for (int k = 0; k < face->n; k++) {
        const int node = rt_body_node(b, face->nodes[k]);
        if (node < 0)
            return rt_fail(error, ROUTH_MODEL_ERROR,
                           "the body has no node %d, which interface %d "
                           "names; correct the number",
                           face->nodes[k], face->number);
        rt_v3_add_scaled(place, 1.0 / face->n, b->X + 3 * (size_t)node);
    }
    return ROUTH_OK;
}

routh_status rt_body_mean(const rt_body_fe *b, const rt_interface *face, double *weights,
                          double place[3], routh_error *error)
{
    const routh_status status = find_nodes(b, face, place, error);
    if (status) return status;
    const size_t columns = 3 * (size_t)face->n;
    double J[9] = {0}, values[3];
    for (int k = 0; k < face->n; k++) {
        double x[3];
        rt_v3_sub(x, b->X + 3 * (size_t)rt_body_node(b, face->nodes[k]), place);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                J[3 * i + j] += (i == j ? rt_v3_dot(x, x) : 0) - x[i] * x[j];
    }
    const routh_status failed = rt_symmetric_eigen(3, J, values, error);
    if (failed) return failed;
    if (!(values[0] > ON_A_LINE * values[2]))
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "the nodes of interface %d are on one line, so their mean rotation about it "
                       "is not defined; use nodes of a face",
                       face->number);
    memset(weights, 0, 6 * columns * sizeof *weights);
    for (int k = 0; k < face->n; k++) {
        double x[3];
        rt_v3_sub(x, b->X + 3 * (size_t)rt_body_node(b, face->nodes[k]), place);
        for (int c = 0; c < 3; c++) {
            const double u[3] = {c == 0, c == 1, c == 2};
            double turn[3], r[3] = {0};
            rt_v3_cross(turn, x, u);
            for (int m = 0; m < 3; m++) /* J^-1 by its eigenvectors, columns of J now */
                rt_v3_add_scaled(r, rt_v3_dot(J + 3 * m, turn) / values[m], J + 3 * m);
            weights[(size_t)c * columns + 3 * (size_t)k + (size_t)c] = 1.0 / face->n;
            for (int i = 0; i < 3; i++)
                weights[(size_t)(3 + i) * columns + 3 * (size_t)k + (size_t)c] = r[i];
        }
    }
    return ROUTH_OK;
}

static bool is_node(const rt_interface *face)
{
    return face->n == 1 && face->nodes[0] == face->number;
}

static routh_status check_number(const rt_body_fe *b, const rt_reduction *how, int k,
                                 routh_error *error)
{
    const rt_interface *face = &how->interfaces[k];
    for (int j = 0; j < k; j++)
        if (how->interfaces[j].number == face->number)
            return rt_fail(error, ROUTH_MODEL_ERROR,
                           "interface %d is given twice; remove "
                           "one",
                           face->number);
    if (is_node(face)) return ROUTH_OK;
    if (face->number < 1 || rt_body_node(b, face->number) >= 0)
        return rt_fail(error, ROUTH_MODEL_ERROR,
                       "interface %d is a set of nodes, but a node has this number; use a number "
                       "that no node has",
                       face->number);
    return ROUTH_OK;
}

static void node_rows(rt_body_rows *rows, const rt_body_fe *b, int node)
{
    for (int c = 0; c < 6; c++) {
        const int dof = b->dof[6 * (size_t)node + (size_t)c];
        if (dof < 0) continue;
        const int at = rows->start[rows->n];
        rows->dof[at] = dof;
        rows->weight[at] = 1;
        rows->start[++rows->n] = at + 1;
    }
}

static routh_status set_rows(rt_body_rows *rows, const rt_body_fe *b, const rt_interface *face,
                             routh_error *error)
{
    const size_t columns = 3 * (size_t)face->n;
    double place[3], *w = malloc(6 * (columns + 1) * sizeof *w);
    if (!w) return rt_fail_memory(error);
    const routh_status status = rt_body_mean(b, face, w, place, error);
    for (int i = 0; i < 6 && !status; i++) {
        int at = rows->start[rows->n];
        for (size_t k = 0; k < columns; k++) {
            if (w[(size_t)i * columns + k] == 0) continue;
            const int node = rt_body_node(b, face->nodes[k / 3]);
            rows->dof[at] = b->dof[6 * (size_t)node + k % 3];
            rows->weight[at++] = w[(size_t)i * columns + k];
        }
        rows->start[++rows->n] = at;
    }
    free(w);
    return status;
}

routh_status rt_body_interfaces(rt_body_rows *rows, const rt_body_fe *b, const rt_reduction *how,
                                rt_arena *arena, routh_error *error)
{
    size_t entries = 0;
    for (int k = 0; k < how->n_interfaces; k++)
        entries += is_node(&how->interfaces[k]) ? 6 : 18 * (size_t)how->interfaces[k].n;
    *rows = (rt_body_rows){0};
    rows->start = RT_TAKE(arena, int, 6 * (size_t)how->n_interfaces + 1);
    rows->dof = RT_TAKE(arena, int, entries);
    rows->weight = RT_TAKE(arena, double, entries);
    if (!rows->start || !rows->dof || !rows->weight) return rt_fail_memory(error);
    for (int k = 0; k < how->n_interfaces; k++) {
        const rt_interface *face = &how->interfaces[k];
        double place[3];
        routh_status status = check_number(b, how, k, error);
        if (!status) status = find_nodes(b, face, place, error);
        if (status) return status;
        if (is_node(face))
            node_rows(rows, b, rt_body_node(b, face->number));
        else
            status = set_rows(rows, b, face, error);
        if (status) return status;
    }
    return ROUTH_OK;
}
