/* The assignment problem by shortest augmenting paths (Kuhn 1955; Jonker and Volgenant, Computing
 * 38, 1987), O(n^3). */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/assignment.h"

/* Numbers from 1; 0 stands for none. */
typedef struct paths {
    int n;
    const double *cost;
    double *row_price, *column_price, *distance;
    int *row_of, *way, *done;
} paths;

/* The next column to settle, and by how much the prices change. */
static int scan(paths *p, int column, double *step)
{
    const int row = p->row_of[column];
    int next = 0;
    *step = INFINITY;
    for (int j = 1; j <= p->n; j++) {
        if (p->done[j]) continue;
        const double reduced = p->cost[(size_t)(row - 1) * (size_t)p->n + (size_t)j - 1] -
                               p->row_price[row] - p->column_price[j];
        if (reduced < p->distance[j]) p->distance[j] = reduced, p->way[j] = column;
        if (p->distance[j] < *step || next == 0) *step = p->distance[j], next = j;
    }
    return next;
}

static void change_prices(paths *p, double step)
{
    for (int j = 0; j <= p->n; j++)
        if (p->done[j])
            p->row_price[p->row_of[j]] += step, p->column_price[j] -= step;
        else
            p->distance[j] -= step;
}

static void assignment_place(paths *p, int row)
{
    int column = 0;
    p->row_of[0] = row;
    for (int j = 0; j <= p->n; j++) p->distance[j] = INFINITY, p->done[j] = false;
    do {
        double step;
        p->done[column] = true;
        const int next = scan(p, column, &step);
        change_prices(p, step);
        column = next;
    } while (p->row_of[column]);
    for (; column; column = p->way[column]) p->row_of[column] = p->row_of[p->way[column]];
}

void rt_assign(int n, const double *cost, int *partner, double *work, int *places)
{
    const size_t size = (size_t)n + 1;
    paths p = {.n = n,
               .cost = cost,
               .row_price = work,
               .column_price = work + size,
               .distance = work + 2 * size,
               .row_of = places,
               .way = places + size,
               .done = places + 2 * size};
    for (int j = 0; j <= n; j++) p.row_price[j] = p.column_price[j] = 0, p.row_of[j] = 0;
    for (int row = 1; row <= n; row++) assignment_place(&p, row);
    for (int j = 1; j <= n; j++) partner[p.row_of[j] - 1] = j - 1;
}
