/* Pivots chosen anew in the memory of the last factorization, where klu_factor would ask the system
 * for all of it.
 *
 * The pivots, and the order of what is in L and U, are those of KLU: left-looking elimination,
 * column by column, by what a depth-first search reaches (Gilbert and Peierls 1988), its paths
 * shortened by symmetric pruning (Eisenstat and Liu 1992); the diagonal row of a column where it
 * is `tol` of the largest or more, else the largest, the first of equal ones. Numbers are then
 * computed by klu_refactor, and the choice is proved by them (factor_pivots.c): where this file
 * rounds otherwise, as with contracted products, KLU is asked. (Davis and Palamadai Natarajan,
 * Algorithm 907: KLU, ACM TOMS 37, 2010.) */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/factor_parts.h"

enum { NO_ROW = -1 };

/* Rows go by their place in the ordering. `step` of a row: the column that it is the pivot of, or
 * of one that is none yet -2 - (the column whose diagonal row it counts as). */
typedef struct pivot_search {
    rt_factor *f;
    const double *values;
    klu_numeric *to;
    double *lu, *x;  /* x: by row, the present column; else zero */
    int *step, *row; /* row of each column: the pivot, or the one that counts as its diagonal */
    int *stack, *seen, *pruned, *at; /* pruned: of a column of L what is searched, -1: all */
    size_t used, room;               /* of lu, in doubles */
} pivot_search;

static int flipped(int i) { return -2 - i; }

static size_t units_of(int n)
{
    return ((size_t)n * sizeof(int) + sizeof(double) - 1) / sizeof(double);
}

static int *pivots_rows(const pivot_search *q, int place) { return (int *)(void *)(q->lu + place); }

static double *pivots_numbers(const pivot_search *q, int place, int n)
{
    return q->lu + place + units_of(n);
}

/* klu_scale: the largest entry of each row. */
static void scale_rows(const pivot_search *q)
{
    const rt_pattern *p = q->f->pattern;
    double *scale = q->to->Rs;
    memset(scale, 0, (size_t)q->f->n * sizeof *scale);
    for (int e = 0; e < p->start[q->f->n]; e++)
        scale[p->row[e]] = fmax(scale[p->row[e]], fabs(q->values[e]));
    for (int i = 0; i < q->f->n; i++)
        if (scale[i] == 0) scale[i] = 1;
}

/* Of one more column L and U hold n numbers and n rows at most, in two parts each. */
static bool room_for_column(pivot_search *q)
{
    const size_t n = (size_t)q->f->n, need = q->used + 2 * n + 4;
    if (need <= q->room) return true;
    const size_t more = q->room + q->room / 2 + 4 * n + 4;
    if (more > INT_MAX) return false;
    q->f->common.status = KLU_OK;
    q->to->LUbx[0] = q->lu = klu_realloc(more, q->room, sizeof(double), q->lu, &q->f->common);
    if (q->f->common.status != KLU_OK) return false;
    q->to->LUsize[0] = q->room = more;
    return true;
}

/* From row j, which is the pivot of a column: what its columns of L reach goes on the stack before
 * `top`, rows that are no pivots yet into list. */
static int search_from(pivot_search *q, int j, int k, int top, int *list, int *n_list)
{
    int head = 0;
    q->stack[0] = j;
    while (head >= 0) {
        j = q->stack[head];
        const int column = q->step[j];
        if (q->seen[j] != k) {
            q->seen[j] = k;
            q->at[head] = q->pruned[column] < 0 ? q->to->Llen[column] : q->pruned[column];
        }
        const int *row = pivots_rows(q, q->to->Lip[column]);
        int place = q->at[head] - 1;
        for (; place >= 0; place--) {
            const int i = row[place];
            if (q->seen[i] == k) continue;
            if (q->step[i] >= 0) {
                q->at[head] = place;
                q->stack[++head] = i;
                break;
            }
            q->seen[i] = k;
            list[(*n_list)++] = i;
        }
        if (place >= 0) continue;
        head--;
        q->stack[--top] = j;
    }
    return top;
}

/* The rows of column k of L, its pivot among them, and those of U on the stack from here. */
static int reach_of_column(pivot_search *q, int k)
{
    const rt_pattern *p = q->f->pattern;
    const int c = q->f->symbolic->Q[k];
    int top = q->f->n, n_list = 0, *list = pivots_rows(q, (int)q->used);
    for (int e = p->start[c]; e < p->start[c + 1]; e++) {
        const int i = q->to->Pinv[p->row[e]];
        if (q->seen[i] == k) continue;
        if (q->step[i] >= 0) {
            top = search_from(q, i, k, top, list, &n_list);
        } else {
            q->seen[i] = k;
            list[n_list++] = i;
        }
    }
    q->to->Llen[k] = n_list;
    return top;
}

/* x := L^-1 R^-1 A(:, k) */
static void column_of_numbers(pivot_search *q, int k, int top)
{
    const rt_pattern *p = q->f->pattern;
    const int c = q->f->symbolic->Q[k];
    for (int e = p->start[c]; e < p->start[c + 1]; e++)
        q->x[q->to->Pinv[p->row[e]]] = q->values[e] / q->to->Rs[p->row[e]];
    for (int s = top; s < q->f->n; s++) {
        const int j = q->stack[s], column = q->step[j], n = q->to->Llen[column];
        const int *row = pivots_rows(q, q->to->Lip[column]);
        const double *l = pivots_numbers(q, q->to->Lip[column], n), x = q->x[j];
        for (int i = 0; i < n; i++) q->x[row[i]] -= l[i] * x;
    }
}

/* Column k of L from x, divided by the pivot that is taken. False: there is none. */
static bool choose_pivot(pivot_search *q, int k, int *pivot_row)
{
    const int n = q->to->Llen[k] - 1, diagonal = q->row[k];
    if (n < 0) return false;
    q->to->Llen[k] = n;
    int *row = pivots_rows(q, q->to->Lip[k]), of_diagonal = NO_ROW, taken = NO_ROW;
    double *l = pivots_numbers(q, q->to->Lip[k], n), most = -1;
    const int last = row[n];
    for (int i = 0; i < n; i++) {
        l[i] = q->x[row[i]];
        q->x[row[i]] = 0;
        if (row[i] == diagonal) of_diagonal = i;
        if (fabs(l[i]) > most) most = fabs(l[i]), taken = i;
    }
    const double of_last = q->x[last];
    q->x[last] = 0;
    if (fabs(of_last) > most) most = fabs(of_last), taken = NO_ROW;
    if (last == diagonal) {
        if (fabs(of_last) >= q->f->common.tol * most) taken = NO_ROW;
    } else if (of_diagonal >= 0 && fabs(l[of_diagonal]) >= q->f->common.tol * most) {
        taken = of_diagonal;
    }
    const double pivot = taken < 0 ? of_last : l[taken];
    *pivot_row = taken < 0 ? last : row[taken];
    if (taken >= 0) row[taken] = last, l[taken] = of_last;
    if (pivot == 0) return false;
    for (int i = 0; i < n; i++) l[i] /= pivot;
    ((double *)q->to->Udiag)[k] = pivot;
    return true;
}

static void column_of_U(pivot_search *q, int k, int top)
{
    const int n = q->f->n - top;
    int *row = pivots_rows(q, (int)q->used);
    double *u = pivots_numbers(q, (int)q->used, n);
    q->to->Uip[k] = (int)q->used;
    q->to->Ulen[k] = n;
    for (int i = 0; i < n; i++) {
        const int j = q->stack[top + i];
        row[i] = q->step[j];
        u[i] = q->x[j];
        q->x[j] = 0;
    }
    q->used += units_of(n) + (size_t)n;
}

static void note_pivot(pivot_search *q, int k, int taken)
{
    const int diagonal = q->row[k];
    if (taken != diagonal && q->step[diagonal] < 0) {
        const int column = flipped(q->step[taken]);
        q->row[column] = diagonal;
        q->step[diagonal] = flipped(column);
    }
    q->row[k] = taken;
    q->step[taken] = k;
}

/* Columns of L that hold the pivot row need be searched for pivot rows only, which come first. */
static void prune_columns(pivot_search *q, int k, int taken)
{
    const int *of_U = pivots_rows(q, q->to->Uip[k]);
    for (int e = 0; e < q->to->Ulen[k]; e++) {
        const int column = of_U[e], n = q->to->Llen[column];
        if (q->pruned[column] >= 0) continue;
        int *row = pivots_rows(q, q->to->Lip[column]), i = 0;
        double *l = pivots_numbers(q, q->to->Lip[column], n);
        while (i < n && row[i] != taken) i++;
        if (i == n) continue;
        int head = 0, tail = n;
        while (head < tail) {
            const int r = row[head];
            if (q->step[r] >= 0) {
                head++;
                continue;
            }
            const double x = l[head];
            tail--;
            row[head] = row[tail], row[tail] = r;
            l[head] = l[tail], l[tail] = x;
        }
        q->pruned[column] = tail;
    }
}

static bool choose_column(pivot_search *q, int k)
{
    int taken;
    if (!room_for_column(q)) return false;
    q->to->Lip[k] = (int)q->used;
    const int top = reach_of_column(q, k);
    column_of_numbers(q, k, top);
    if (!choose_pivot(q, k, &taken)) return false;
    q->used += units_of(q->to->Llen[k]) + (size_t)q->to->Llen[k];
    column_of_U(q, k, top);
    note_pivot(q, k, taken);
    prune_columns(q, k, taken);
    return true;
}

static void begin_search(pivot_search *q)
{
    const int n = q->f->n, *order = q->f->symbolic->P;
    q->step = q->to->Iwork;
    q->row = q->step + n, q->stack = q->row + n, q->seen = q->stack + n;
    q->pruned = q->seen + n, q->at = q->pruned + n;
    for (int k = 0; k < n; k++) {
        q->x[k] = 0;
        q->seen[k] = q->pruned[k] = -1;
        q->row[k] = k;
        q->step[k] = flipped(k);
        q->to->Pinv[order[k]] = k;
    }
    scale_rows(q);
}

/* Rows of L by steps, and the permutation. */
static void end_search(pivot_search *q)
{
    klu_numeric *to = q->to;
    to->lnz = to->unz = 0;
    for (int k = 0; k < q->f->n; k++) {
        int *row = pivots_rows(q, to->Lip[k]);
        for (int i = 0; i < to->Llen[k]; i++) row[i] = q->step[row[i]];
        to->lnz += to->Llen[k] + 1;
        to->unz += to->Ulen[k] + 1;
        to->Pnum[k] = q->f->symbolic->P[q->row[k]];
    }
    for (int k = 0; k < q->f->n; k++) to->Pinv[to->Pnum[k]] = k;
    to->max_lnz_block = to->lnz;
    to->max_unz_block = to->unz;
}

bool rt_factor_choose_pivots(rt_factor *f, const double *values)
{
    klu_numeric *to = f->numeric;
    if (!to || !to->Rs || f->n < 2 || f->symbolic->nblocks != 1) return false;
    pivot_search q = {.f = f,
                      .values = values,
                      .to = to,
                      .lu = to->LUbx[0],
                      .x = to->Xwork,
                      .room = to->LUsize[0]};
    begin_search(&q);
    bool good = true;
    for (int k = 0; k < f->n && good; k++) good = choose_column(&q, k);
    if (good) end_search(&q);
    return good;
}
