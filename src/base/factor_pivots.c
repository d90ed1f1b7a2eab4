/* Are the pivots of a factorization those that KLU would choose for other values?
 *
 * KLU takes of each column the entry of its diagonal row where that is `tol` of the largest or
 * more, else the largest, of equal ones the first in an order that follows from pattern and pivots
 * so far. With the old pivots klu_refactor computes every number by the operations of klu_factor,
 * in their order, and the columns of L hold the candidates divided by the one that was taken. So
 * the choice is proved column by column: with l_i = x_i / x_pivot (a quotient is 1 only where both
 * are alike)
 *
 *     the diagonal was taken:  |l_i| <= 1 / tol for all i;
 *     another was taken:       |l_i| < 1, or = 1 where it was 1 when the pivots were chosen, and
 *                              |l_diagonal| < tol.
 *
 * What is near a limit, but for the exact 1, counts as not proved. (Davis and Palamadai Natarajan,
 * Algorithm 907: KLU, ACM TOMS 37, 2010; the choice is its function lpivot.) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/factor_parts.h"

enum { IS_TAKEN = -1, IS_NONE = -2 };

static const double NEAR = 1e-9;

/* Column k of L below its unit diagonal: how many entries, their rows and their values. */
static int column_of_L(const klu_numeric *f, int k, const int **row, const double **value)
{
    const size_t n = (size_t)f->Llen[k], units = (n * sizeof(int) + sizeof(double) - 1);
    const double *at = (const double *)f->LUbx[0] + f->Lip[k];
    *row = (const int *)(const void *)at;
    *value = at + units / sizeof(double);
    return f->Llen[k];
}

/* pivots: n for the diagonal (IS_TAKEN, IS_NONE, or its place in the column), 4 n of scratch, and
 * one for each entry of L: is it as large as the pivot? */
static int *tie_of(const rt_factor *f) { return f->pivots + 5 * (size_t)f->n; }

static bool pivots_take_memory(rt_factor *f)
{
    size_t need = 5 * (size_t)f->n + 1;
    for (int k = 0; k < f->n; k++) need += (size_t)f->numeric->Llen[k];
    if (f->pivots && need <= f->pivots_room) return true;
    free(f->pivots);
    f->pivots_room = need + need / 2;
    f->pivots = malloc(f->pivots_room * sizeof *f->pivots);
    if (!f->pivots) f->pivots_room = 0;
    return f->pivots != NULL;
}

static int place_in_column(const klu_numeric *f, int k, int wanted)
{
    const int *row;
    const double *value;
    const int n = column_of_L(f, k, &row, &value);
    for (int i = 0; i < n; i++)
        if (row[i] == wanted) return i;
    return IS_NONE;
}

/* Which row counts as the diagonal one of each column: at first its own; where one that is the
 * diagonal of another column is taken, the two change places. */
static void note_diagonals(rt_factor *f)
{
    const size_t n = (size_t)f->n;
    int *diagonal = f->pivots, *where = diagonal + n, *step = where + n;
    int *own = step + n, *column_of = own + n;
    for (int i = 0; i < f->n; i++) where[f->symbolic->P[i]] = i;
    for (int k = 0; k < f->n; k++) {
        step[where[f->numeric->Pnum[k]]] = k;
        own[k] = column_of[k] = k;
    }
    for (int k = 0; k < f->n; k++) {
        const int row = own[k], taken = where[f->numeric->Pnum[k]];
        diagonal[k] = row == taken ? IS_TAKEN : IS_NONE;
        if (row == taken || step[row] < k) continue;
        diagonal[k] = place_in_column(f->numeric, k, step[row]);
        own[column_of[taken]] = row;
        column_of[row] = column_of[taken];
    }
}

void rt_factor_note_pivots(rt_factor *f)
{
    if (!f->analyses || f->n < 2 || !pivots_take_memory(f)) return;
    note_diagonals(f);
    int *tie = tie_of(f);
    for (int k = 0; k < f->n; k++) {
        const int *row;
        const double *value;
        const int n = column_of_L(f->numeric, k, &row, &value);
        for (int i = 0; i < n; i++) *tie++ = fabs(value[i]) == 1;
    }
}

static bool diagonal_is_taken(const double *l, int n, double tol)
{
    const double most = tol == 1 ? 1 : (1 - NEAR) / tol;
    for (int i = 0; i < n; i++)
        if (!(fabs(l[i]) <= most)) return false;
    return true;
}

static bool largest_is_taken(const double *l, int n, const int *tie, int diagonal, double tol)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(l[i]) < 1 || (tie[i] && fabs(l[i]) == 1))) return false;
    return diagonal == IS_NONE || fabs(l[diagonal]) < (1 - NEAR) * tol;
}

static bool are_chosen(const rt_factor *f)
{
    const int *tie = tie_of(f);
    for (int k = 0; k < f->n; k++) {
        const int *row;
        const double *l;
        const int n = column_of_L(f->numeric, k, &row, &l), diagonal = f->pivots[k];
        const bool so = diagonal == IS_TAKEN ? diagonal_is_taken(l, n, f->common.tol)
                                             : largest_is_taken(l, n, tie, diagonal, f->common.tol);
        if (!so) return false;
        tie += n;
    }
    return true;
}

static bool refactor_in_place(rt_factor *f, double *values)
{
    const rt_pattern *p = f->pattern;
    return klu_refactor(p->start, p->row, values, f->symbolic, f->numeric, &f->common) &&
           f->common.status == KLU_OK;
}

bool rt_factor_pivots_again(rt_factor *f, double *values)
{
    return f->pivots && refactor_in_place(f, values) && are_chosen(f);
}

/* In doubles, of L and U. */
static size_t size_of_numbers(const rt_factor *f)
{
    const size_t n = (size_t)f->numeric->Ulen[f->n - 1];
    return (size_t)f->numeric->Uip[f->n - 1] +
           (n * sizeof(int) + sizeof(double) - 1) / sizeof(double) + n;
}

/* L, U and its diagonal as they are where pivots were chosen: where KLU computes the same ones its
 * choice is the same, also at the limits. */
static bool note_chosen_numbers(rt_factor *f)
{
    const size_t n = (size_t)f->n, size = size_of_numbers(f);
    if (size + n > f->noted_room) {
        free(f->noted);
        f->noted_room = size + size / 2 + n;
        f->noted = malloc(f->noted_room * sizeof *f->noted);
        if (!f->noted) f->noted_room = 0;
    }
    if (!f->noted) return false;
    memcpy(f->noted, f->numeric->LUbx[0], size * sizeof *f->noted);
    memcpy(f->noted + size, f->numeric->Udiag, n * sizeof *f->noted);
    return true;
}

static bool has_noted_numbers(const rt_factor *f)
{
    const size_t n = (size_t)f->n, size = size_of_numbers(f);
    return memcmp(f->noted, f->numeric->LUbx[0], size * sizeof *f->noted) == 0 &&
           memcmp(f->noted + size, f->numeric->Udiag, n * sizeof *f->noted) == 0;
}

bool rt_factor_pivots_anew(rt_factor *f, double *values)
{
    if (!f->pivots || !rt_factor_choose_pivots(f, values) || !note_chosen_numbers(f)) return false;
    rt_factor_note_pivots(f);
    return f->pivots && refactor_in_place(f, values) && (are_chosen(f) || has_noted_numbers(f));
}

bool rt_factor_has(const rt_factor *f, const double *values)
{
    const size_t size = (size_t)f->pattern->start[f->n] * sizeof *values;
    return f->numeric && f->known && (f->chosen || !f->again) && memcmp(f->at, values, size) == 0;
}

void rt_factor_know(rt_factor *f, const double *values)
{
    const size_t size = (size_t)f->pattern->start[f->n] * sizeof *values;
    if (f->analyses && !f->at) f->at = malloc(size + 1);
    if (f->at) memcpy(f->at, values, size);
    f->known = f->at != NULL;
}
