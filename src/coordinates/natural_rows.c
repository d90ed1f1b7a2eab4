/* The rows of the coordinates: what makes a link's points and vectors those of a rigid body. With p
 * points and v vectors, p + v = 4, there are six:
 *     |P_i - P_j|^2 = L^2,    a . b = c (a . a = 1),    a . (P_k - P_1) = c. */
#include "coordinates/natural_affine.h"

#include <stdlib.h>

/* ---- one row -------------------------------------------------------------------------------- */

/* The components of the members, each once, ascending. */
static void form_columns(const rt_natural_plan *plan, const int members[4], rt_natural_form *form)
{
    int sorted[4], count = 0;
    double c[3], E[3][3];
    for (int i = 0; i < 4; i++) {
        bool there = members[i] < 0;
        for (int k = 0; k < count; k++) there = there || sorted[k] == members[i];
        if (there) continue;
        int at = count++;
        const int column = plan->members[members[i]].column;
        for (; at > 0 && plan->members[sorted[at - 1]].column > column; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = members[i];
    }
    for (int i = 0; i < count; i++) {
        const rt_natural_member *m = &plan->members[sorted[i]];
        const int n = rt_natural_components(plan, m, c, E);
        for (int k = 0; k < n; k++) form->column[form->n++] = m->column + k;
    }
}

void rt_natural_row_form(const rt_natural_plan *plan, const rt_natural_row *row,
                         rt_natural_form *form)
{
    const int members[4] = {row->a, row->b, row->c, row->d};
    *form = (rt_natural_form){.constant = row->constant};
    form_columns(plan, members, form);
    for (int i = 0; i < 4; i++) {
        double(*x)[3] = i < 2 ? form->X : form->Y;
        const double factor = i % 2 ? -1 : 1;
        double c[3], E[3][3];
        int at = 0;
        if (members[i] < 0) continue;
        const rt_natural_member *m = &plan->members[members[i]];
        const int n = rt_natural_components(plan, m, c, E);
        rt_v3_add_scaled(x[0], factor, c);
        while (n && form->column[at] != m->column) at++;
        for (int k = 0; k < n; k++) rt_v3_add_scaled(x[1 + at + k], factor, E[k]);
    }
}

/* True where the form is the same number for every q; it is then right when that is zero. */
static bool is_constant(const rt_natural_plan *plan, const rt_natural_form *f, bool *right)
{
    const double x0 = rt_v3_norm(f->X[0]), y0 = rt_v3_norm(f->Y[0]);
    for (int i = 0; i <= f->n; i++)
        for (int k = i; k <= f->n; k++) {
            const double g = rt_v3_dot(f->X[i], f->Y[k]) + rt_v3_dot(f->X[k], f->Y[i]);
            if (k > 0 && !(fabs(g) <= RT_NATURAL_TOLERANCE * (1 + x0 + y0))) return false;
        }
    const double error = rt_v3_dot(f->X[0], f->Y[0]) - f->constant;
    *right = fabs(error) <= 2 * fmax(RT_NATURAL_TOLERANCE, plan->gap) * (x0 + y0);
    return true;
}

/* ---- the rows of a link --------------------------------------------------------------------- */

enum { MOST_ROWS = 6 };

typedef struct slot_difference {
    int a, b;
} slot_difference;

static void local_difference(const rt_natural_link *link, slot_difference d, double x[3])
{
    rt_v3_copy(x, link->local[d.a]);
    if (d.b >= 0) rt_v3_sub(x, x, link->local[d.b]);
}

static void natural_rows_add_row(const rt_natural_plan *plan, const rt_natural_link *link,
                                 slot_difference p, slot_difference q,
                                 rt_natural_row rows[MOST_ROWS], int *n)
{
    double x[3], y[3];
    local_difference(link, p, x);
    local_difference(link, q, y);
    rows[(*n)++] = (rt_natural_row){
        .a = link->member[p.a],
        .b = p.b < 0 ? -1 : link->member[p.b],
        .c = link->member[q.a],
        .d = q.b < 0 ? -1 : link->member[q.b],
        .constant = rt_v3_dot(x, y),
        .link = (int)(link - plan->links),
    };
}

static bool point_at(const rt_natural_plan *plan, const rt_natural_link *link, int k)
{
    return plan->members[link->member[k]].point;
}

/* Slots in pairs, lower member first, so that links that share two members have one row. */
static int natural_rows_of(const rt_natural_plan *plan, const rt_natural_link *link,
                           rt_natural_row rows[MOST_ROWS])
{
    int n = 0, origin = -1;
    for (int k = link->n_members - 1; k >= 0; k--)
        if (point_at(plan, link, k)) origin = k;
    for (int i = 0; i < link->n_members; i++)
        for (int k = 0; k <= i; k++) {
            const bool points = point_at(plan, link, i) && point_at(plan, link, k);
            const bool vectors = !point_at(plan, link, i) && !point_at(plan, link, k);
            const bool swap = link->member[i] < link->member[k];
            const int low = swap ? i : k, high = swap ? k : i;
            if (points && i != k)
                natural_rows_add_row(plan, link, (slot_difference){high, low},
                                     (slot_difference){high, low}, rows, &n);
            else if (vectors)
                natural_rows_add_row(plan, link, (slot_difference){low, -1},
                                     (slot_difference){high, -1}, rows, &n);
        }
    for (int v = 0; v < link->n_members && link->plane < 0; v++)
        for (int k = 0; k < link->n_members; k++)
            if (!point_at(plan, link, v) && point_at(plan, link, k) && k != origin)
                natural_rows_add_row(plan, link, (slot_difference){v, -1},
                                     (slot_difference){k, origin}, rows, &n);
    return n;
}

bool rt_natural_link_agrees(const rt_natural_plan *plan, const rt_natural_link *link)
{
    rt_natural_row rows[MOST_ROWS];
    const int n = natural_rows_of(plan, link, rows);
    for (int k = 0; k < n; k++) {
        rt_natural_form form;
        bool right;
        rt_natural_row_form(plan, &rows[k], &form);
        if (is_constant(plan, &form, &right) && !right) return false;
    }
    return true;
}

/* ---- all rows, each once -------------------------------------------------------------------- */

typedef struct row_key {
    int member[4];
    int row;
} row_key;

static int natural_rows_compare(const void *x, const void *y)
{
    const row_key *a = x, *b = y;
    for (int k = 0; k < 4; k++)
        if (a->member[k] != b->member[k]) return a->member[k] < b->member[k] ? -1 : 1;
    return a->row < b->row ? -1 : 1;
}

static bool same_row(const rt_natural_plan *plan, const rt_natural_row *a, const rt_natural_row *b)
{
    return a->a == b->a && a->b == b->b && a->c == b->c && a->d == b->d &&
           fabs(a->constant - b->constant) <=
               2 * fmax(RT_NATURAL_TOLERANCE, plan->gap) * fmax(1, plan->length);
}

/* same[k]: the row that stands for row k. */
static bool find_copies(const rt_natural_plan *plan, int *same)
{
    row_key *keys = RT_TAKE(plan->arena, row_key, plan->n_rows);
    if (!keys) return false;
    for (int k = 0; k < plan->n_rows; k++) {
        const rt_natural_row *r = &plan->rows[k];
        keys[k] = (row_key){.member = {r->a, r->b, r->c, r->d}, .row = k};
    }
    qsort(keys, (size_t)plan->n_rows, sizeof *keys, natural_rows_compare);
    for (int k = 0; k < plan->n_rows; k++) {
        const int row = keys[k].row, before = k ? keys[k - 1].row : -1;
        same[row] = row;
        if (before >= 0 && same_row(plan, &plan->rows[before], &plan->rows[row]))
            same[row] = same[before];
    }
    return true;
}

static routh_status drop_copies(rt_natural_plan *plan, routh_error *error)
{
    const int n = plan->n_rows;
    int *same = RT_TAKE(plan->arena, int, n);
    plan->rows_of_link =
        rt_arena_take(plan->arena, (size_t)plan->n_links, sizeof *plan->rows_of_link);
    plan->n_rows_of_link = RT_TAKE(plan->arena, int, plan->n_links);
    if (!same || !plan->rows_of_link || !plan->n_rows_of_link || !find_copies(plan, same))
        return rt_fail_memory(error);
    plan->n_rows = 0;
    for (int k = 0; k < n; k++) {
        const rt_natural_row row = plan->rows[k];
        /* the row that stands for others is the first of them, and has its new number by now */
        same[k] = same[k] == k ? plan->n_rows : same[same[k]];
        plan->rows_of_link[row.link][plan->n_rows_of_link[row.link]++] = same[k];
        if (same[k] == plan->n_rows) plan->rows[plan->n_rows++] = row;
    }
    return ROUTH_OK;
}

routh_status rt_natural_find_rows(rt_natural_plan *plan, routh_error *error)
{
    plan->rows = RT_TAKE(plan->arena, rt_natural_row, (size_t)MOST_ROWS * (size_t)plan->n_links);
    if (!plan->rows) return rt_fail_memory(error);
    for (int k = 0; k < plan->n_links; k++) {
        const rt_natural_link *link = &plan->links[plan->link_order[k]];
        rt_natural_row rows[MOST_ROWS];
        const int n = natural_rows_of(plan, link, rows);
        for (int i = 0; i < n; i++) {
            rt_natural_form form;
            bool right;
            rt_natural_row_form(plan, &rows[i], &form);
            if (is_constant(plan, &form, &right) && right) continue;
            plan->rows[plan->n_rows++] = rows[i];
        }
    }
    return drop_copies(plan, error);
}
