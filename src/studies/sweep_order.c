/* Branches whose eigenvalues are equal where they begin, as of a rotor at rest: which of them is
 * the first is not told there, and vectors of equal eigenvalues, by which they go on, are as
 * rounding has them. So they are numbered by where they go: in the order of |Im|, then of Re, at
 * the next point that tells them apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "studies/sweep_line.h"

static bool sweep_order_is_there(const routh_sweep_point *p, int b) { return p->partner[b] >= 0; }

static bool are_equal(const routh_sweep_point *p, int b, int c)
{
    static const double rounding = 1e-8; /* of their size: more than what equal ones are split by */
    const double *x = p->eigenvalues[b], *y = p->eigenvalues[c];
    return hypot(x[0] - y[0], x[1] - y[1]) <=
           rounding * hypot(x[0], x[1]) + p->bounds[b] + p->bounds[c];
}

static int sweep_order_first_point(const routh_sweep_line *line, int b)
{
    int k = 0;
    while (k < line->n_points && !sweep_order_is_there(&line->points[k], b)) k++;
    return k;
}

/* < 0: b comes before c, by the next point after k; 0: nothing tells. */
static int sweep_order_compare(const routh_sweep_line *line, int k, int b, int c)
{
    for (k++; k < line->n_points; k++) {
        const routh_sweep_point *p = &line->points[k];
        if (!sweep_order_is_there(p, b) || !sweep_order_is_there(p, c)) return 0;
        if (are_equal(p, b, c)) continue;
        const double *x = p->eigenvalues[b], *y = p->eigenvalues[c], size = hypot(x[0], x[1]);
        const double by[2] = {fabs(x[1]) - fabs(y[1]), x[0] - y[0]};
        const int which = fabs(by[0]) > 1e-8 * size ? 0 : 1;
        return (by[which] > 0) - (by[which] < 0);
    }
    return 0;
}

/* old[b]: which of the branches becomes number b. Only those that begin equal change places. */
static void find_order(const routh_sweep_line *line, int *old)
{
    for (int b = 0; b < line->n_branches; b++) {
        const int k = sweep_order_first_point(line, b);
        int held = b;
        if (k == line->n_points) continue;
        /* insertion among the equal ones before it */
        for (int c = b - 1; c >= 0; c--) {
            if (sweep_order_first_point(line, old[c]) != k ||
                !are_equal(&line->points[k], old[c], b))
                continue;
            if (sweep_order_compare(line, k, old[c], b) <= 0) break;
            old[held] = old[c];
            held = c;
        }
        old[held] = b;
    }
}

static void order_point(routh_sweep_point *p, const int *old, const int *new, size_t n, void *room)
{
    double(*eigenvalues)[2] = room;
    memcpy(eigenvalues, p->eigenvalues, n * sizeof *eigenvalues);
    for (size_t b = 0; b < n; b++)
        memcpy(p->eigenvalues[b], eigenvalues[old[b]], sizeof *eigenvalues);
    double *bounds = room;
    memcpy(bounds, p->bounds, n * sizeof *bounds);
    for (size_t b = 0; b < n; b++) p->bounds[b] = bounds[old[b]];
    int *partner = room, *rigid = partner + n;
    memcpy(partner, p->partner, n * sizeof *partner);
    memcpy(rigid, p->rigid, n * sizeof *rigid);
    for (size_t b = 0; b < n; b++) {
        const int other = partner[old[b]];
        p->partner[b] = other < 0 ? other : new[other];
        p->rigid[b] = rigid[old[b]];
    }
}

routh_status rt_line_order(routh_sweep_line *line, int n_first, routh_error *error)
{
    const size_t n = (size_t)line->n_branches;
    int *old = malloc((2 * n + 1) * sizeof *old);
    void *room = malloc((2 * n + 1) * sizeof(double));
    if (!old || !room) {
        free(old), free(room);
        return rt_fail_memory(error);
    }
    int *new = old + n;
    for (int b = 0; b < line->n_branches; b++) old[b] = b;
    find_order(line, old);
    for (int b = 0; b < line->n_branches; b++) new[old[b]] = b;
    for (int k = 0; k < line->n_points; k++) order_point(&line->points[k], old, new, n, room);
    for (int k = 0; k < line->n_events; k++)
        for (int i = 0; i < 2; i++) {
            int *branch = &line->events[k].branch[i];
            if (*branch >= 0) *branch = new[*branch];
        }
    for (int k = 0; k < n_first; k++) line->first_branch[k] = new[line->first_branch[k]];
    free(old), free(room);
    return ROUTH_OK;
}
