/* Blocks of bodies along a tree: composite sums, in O(n d) for n columns and paths of d columns.
 *
 * With X^c the sum of the blocks of all pairs of bodies that column c carries, S_k the screw of a
 * column k on c's path,
 *     K_ck = S_c' (K^c S_k + D^c J1_k + M^c J2x_k),    K_kc = S_k' (K^c S_c + D^c J1_c + M^c J2x_c)
 * and D, M alike. A pair of bodies (a, b) on different branches belongs to the composite of the
 * deepest column that carries both, and joins the sums of the columns below it as the walk towards
 * the base passes that column. Geometric stiffness: with W_c the wrench that column c carries,
 *     K_ck += (S_k x S_c) . W_c                       (EQUATIONS.md, "Relative joint coordinates")
 */
#include <limits.h>

#include "system/block6.h"
#include "system/joined.h"

struct rt_tree_tables {
    int *junction;        /* n_pairs: the deepest column that carries both bodies, or -1 */
    int *path_start;      /* n_u + 1: of column c's path c, parent[c], ... */
    const int *row_at;    /* entry (c, k) of the path */
    const int *column_at; /* entry (k, c) */
    /* pairs that cross out of what column c carries and meet the other body's path, deepest
     * junction first: with the row's body below c (0), with the column's body below c (1) */
    int *cross_start[2], *cross[2];
    int *rectangle_start; /* n_pairs + 1 */
    const int *rectangle; /* entries (path of a below the junction) x (path of b below it) */
};

static int find_junction(const rt_joined *j, int a, int b)
{
    int x = j->tip[a], y = j->tip[b];
    while (x != y) {
        if (x > y)
            x = j->parent[x];
        else
            y = j->parent[y];
    }
    return x;
}

static int tree_blocks_count_below(const rt_joined *j, int tip, int junction)
{
    int n = 0;
    for (int c = tip; c != junction; c = j->parent[c]) n++;
    return n;
}

/* How far k is up the path of c. */
static int steps_up(const rt_joined *j, int c, int k)
{
    int n = 0;
    for (; c != k; c = j->parent[c]) n++;
    return n;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* Pairs are taken in order of junction, deepest first, so every column's list is in order. */
static void list_crossings(const rt_joined *j, const rt_joined_tables *t, const int *order,
                           int *fill[2])
{
    rt_tree_tables *tree = t->tree;
    for (int n = 0; n < t->n_pairs; n++) {
        const int p = order[n], junction = tree->junction[p];
        if (junction < 0) continue;
        for (int c = j->tip[t->pairs[p].a]; c != junction; c = j->parent[c])
            tree->cross[0][fill[0][c]++] = p;
        for (int c = j->tip[t->pairs[p].b]; c != junction; c = j->parent[c])
            tree->cross[1][fill[1][c]++] = p;
    }
}

static void count_crossings(const rt_joined *j, const rt_joined_tables *t)
{
    rt_tree_tables *tree = t->tree;
    for (int p = 0; p < t->n_pairs; p++) {
        const int junction = tree->junction[p];
        if (junction < 0) continue;
        for (int c = j->tip[t->pairs[p].a]; c != junction; c = j->parent[c])
            tree->cross_start[0][c + 1]++;
        for (int c = j->tip[t->pairs[p].b]; c != junction; c = j->parent[c])
            tree->cross_start[1][c + 1]++;
    }
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < j->n_u; c++)
            tree->cross_start[side][c + 1] += tree->cross_start[side][c];
}

/* order: pairs by falling junction (counting sort; work: n_u + 2) */
static void sort_pairs(const rt_joined *j, const rt_joined_tables *t, int *order, int *work)
{
    const int *junction = t->tree->junction;
    for (int p = 0; p < t->n_pairs; p++) work[j->n_u - junction[p]]++;
    for (int c = 0, at = 0; c < j->n_u + 2; c++) {
        const int n = work[c];
        work[c] = at;
        at += n;
    }
    for (int p = 0; p < t->n_pairs; p++) order[work[j->n_u - junction[p]]++] = p;
}

static routh_status make_crossings(const rt_joined *j, rt_joined_tables *t, rt_arena *arena,
                                   routh_error *error)
{
    rt_tree_tables *tree = t->tree;
    rt_arena scratch = {0};
    int *fill[2], *order = RT_TAKE(&scratch, int, t->n_pairs);
    int *work = RT_TAKE(&scratch, int, j->n_u + 2);
    bool ok = order && work;
    for (int side = 0; side < 2; side++) {
        tree->cross_start[side] = RT_TAKE(arena, int, j->n_u + 1);
        fill[side] = RT_TAKE(&scratch, int, j->n_u + 1);
        ok = ok && tree->cross_start[side] && fill[side];
    }
    if (ok) count_crossings(j, t);
    for (int side = 0; side < 2 && ok; side++) {
        tree->cross[side] = RT_TAKE(arena, int, tree->cross_start[side][j->n_u]);
        ok = tree->cross[side] != NULL;
        memcpy(fill[side], tree->cross_start[side], (size_t)j->n_u * sizeof(int));
    }
    if (ok) {
        sort_pairs(j, t, order, work);
        list_crossings(j, t, order, fill);
    }
    rt_arena_free(&scratch);
    return ok ? ROUTH_OK : rt_fail_memory(error);
}

static void tree_blocks_list_entries(const rt_joined *j, const rt_joined_tables *t, rt_entries *e)
{
    const rt_tree_tables *tree = t->tree;
    for (int c = 0; c < j->n_u; c++)
        for (int k = c; k >= 0; k = j->parent[k]) rt_entries_add(e, c, k);
    for (int c = 0; c < j->n_u; c++)
        for (int k = c; k >= 0; k = j->parent[k]) rt_entries_add(e, k, c);
    for (int p = 0; p < t->n_pairs; p++)
        for (int a = j->tip[t->pairs[p].a]; a != tree->junction[p]; a = j->parent[a])
            for (int b = j->tip[t->pairs[p].b]; b != tree->junction[p]; b = j->parent[b])
                rt_entries_add(e, a, b);
}

/* Where the entries of paths and rectangles begin. False where there are more than an int can
 * count. */
static bool number_entries(const rt_joined *j, const rt_joined_tables *t)
{
    rt_tree_tables *tree = t->tree;
    const size_t most = INT_MAX - 1;
    size_t n = 0;
    for (int c = 0; c < j->n_u; c++) {
        const int p = j->parent[c];
        const int above = p < 0 ? 0 : tree->path_start[p + 1] - tree->path_start[p];
        n += 2 * ((size_t)above + 1);
        if (n > most) return false;
        tree->path_start[c + 1] = tree->path_start[c] + above + 1;
    }
    for (int p = 0; p < t->n_pairs; p++) {
        const int a = t->pairs[p].a, b = t->pairs[p].b;
        const int junction = tree->junction[p] = find_junction(j, a, b);
        const size_t size = (size_t)tree_blocks_count_below(j, j->tip[a], junction) *
                            (size_t)tree_blocks_count_below(j, j->tip[b], junction);
        n += size;
        if (n > most) return false;
        tree->rectangle_start[p + 1] = tree->rectangle_start[p] + (int)size;
    }
    return true;
}

routh_status rt_tree_make(const rt_joined *j, rt_joined_tables *t, rt_entries *e, rt_arena *arena,
                          routh_error *error)
{
    rt_tree_tables *tree = t->tree = RT_TAKE(arena, rt_tree_tables, 1);
    if (!tree) return rt_fail_memory(error);
    tree->junction = RT_TAKE(arena, int, t->n_pairs);
    tree->path_start = RT_TAKE(arena, int, j->n_u + 1);
    tree->rectangle_start = RT_TAKE(arena, int, t->n_pairs + 1);
    if (!tree->junction || !tree->path_start || !tree->rectangle_start)
        return rt_fail_memory(error);
    if (!number_entries(j, t))
        return rt_fail(error, ROUTH_LIMIT_EXCEEDED,
                       "the chains of bodies are so long that matrices in joint coordinates have "
                       "more than %d entries; use --coordinates absolute",
                       INT_MAX - 1);
    tree_blocks_list_entries(j, t, e);
    return make_crossings(j, t, arena, error);
}

size_t rt_tree_positions(const rt_joined *j, rt_joined_tables *t, const int *position)
{
    rt_tree_tables *tree = t->tree;
    const int n_path = tree->path_start[j->n_u];
    tree->row_at = position;
    tree->column_at = position + n_path;
    tree->rectangle = position + 2 * (size_t)n_path;
    return 2 * (size_t)n_path + (size_t)tree->rectangle_start[t->n_pairs];
}

/* ---- numbers -------------------------------------------------------------------------------- */

enum { BLOCK = 36 };

/* The three blocks of a pair, column-major; M is zero where there is none. */
typedef struct blocks {
    const double *K, *D, *M;
    int stride, mass_stride;
} blocks;

static blocks blocks_of(const rt_workspace *inner, const rt_pair *p)
{
    return (blocks){inner->K + p->at, inner->D + p->at, p->mass < 0 ? NULL : inner->M + p->mass,
                    p->stride, p->mass_stride};
}

static void tree_blocks_add_block(double *to, const double *from, int stride)
{
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) to[6 * j + i] += from[stride * j + i];
}

/* S_c'X of row c, for X = K, D, M */
typedef struct row_sums {
    double K[6], D[6], M[6];
} row_sums;

/* What column c does: forces of levels K, D, M. */
typedef struct column_sums {
    double K[6], D[6], M[6];
} column_sums;

static inline void tree_blocks_add_row(row_sums *y, const blocks *x, const double S[6],
                                       bool tangent)
{
    if (tangent) {
        rt_block6_transposed(y->K, x->K, x->stride, S);
        rt_block6_transposed(y->D, x->D, x->stride, S);
    }
    if (x->M) rt_block6_transposed(y->M, x->M, x->mass_stride, S);
}

static inline void add_column(column_sums *y, const blocks *x, const rt_screws *s, int c,
                              bool tangent)
{
    const double *J = s->J + 6 * (size_t)c;
    if (tangent) {
        rt_block6_times(y->K, x->K, x->stride, J);
        rt_block6_times(y->K, x->D, x->stride, s->J1 + 6 * (size_t)c);
        rt_block6_times(y->D, x->D, x->stride, J);
    }
    if (!x->M) return;
    rt_block6_times(y->M, x->M, x->mass_stride, J);
    if (!tangent) return;
    rt_block6_times(y->K, x->M, x->mass_stride, s->J2x + 6 * (size_t)c);
    rt_block6_times(y->D, x->M, x->mass_stride, s->J2u + 6 * (size_t)c);
}

/* Composite blocks of all columns: K, then D, then M. */
static void composites(const routh_mechanism *m, rt_workspace *w, bool tangent)
{
    const rt_joined *j = m->joined;
    const rt_joined_tables *t = m->tables;
    double *K = w->joined->composite, *D = K + BLOCK * (size_t)m->joined->n_u,
           *M = D + BLOCK * (size_t)m->joined->n_u;
    memset(K, 0, 3 * BLOCK * (size_t)m->joined->n_u * sizeof *K);
    for (int p = 0; p < t->n_pairs; p++) {
        const int c = t->tree->junction[p];
        if (c < 0) continue;
        const blocks x = blocks_of(w->joined->inner, &t->pairs[p]);
        if (tangent) tree_blocks_add_block(K + BLOCK * (size_t)c, x.K, x.stride);
        if (tangent) tree_blocks_add_block(D + BLOCK * (size_t)c, x.D, x.stride);
        if (x.M) tree_blocks_add_block(M + BLOCK * (size_t)c, x.M, x.mass_stride);
    }
    for (int c = m->joined->n_u - 1; c >= 0; c--) {
        const int p = j->parent[c];
        if (p < 0) continue;
        for (double *X = tangent ? K : M; X <= M; X += BLOCK * (size_t)m->joined->n_u)
            for (int i = 0; i < BLOCK; i++) X[BLOCK * (size_t)p + i] += X[BLOCK * (size_t)c + i];
    }
}

static void one_column(const routh_mechanism *m, rt_workspace *w, int c, bool tangent)
{
    const rt_joined *j = m->joined;
    const rt_joined_tables *t = m->tables;
    const rt_tree_tables *tree = t->tree;
    const rt_screws *s = &w->joined->screws;
    const double *K = w->joined->composite + BLOCK * (size_t)c,
                 *D = K + BLOCK * (size_t)m->joined->n_u, *M = D + BLOCK * (size_t)m->joined->n_u;
    const blocks own = {K, D, M, 6, 6};
    const int *row = tree->row_at + tree->path_start[c],
              *column = tree->column_at + tree->path_start[c];
    const int *by_row = tree->cross[0] + tree->cross_start[0][c],
              *row_end = tree->cross[0] + tree->cross_start[0][c + 1];
    const int *by_column = tree->cross[1] + tree->cross_start[1][c],
              *column_end = tree->cross[1] + tree->cross_start[1][c + 1];
    row_sums r = {0};
    column_sums x = {0};
    tree_blocks_add_row(&r, &own, s->J + 6 * (size_t)c, tangent);
    add_column(&x, &own, s, c, tangent);
    for (int k = c; k >= 0; k = j->parent[k], row++, column++) {
        for (; by_row < row_end && tree->junction[*by_row] >= k; by_row++) {
            const blocks pair = blocks_of(w->joined->inner, &t->pairs[*by_row]);
            tree_blocks_add_row(&r, &pair, s->J + 6 * (size_t)c, tangent);
        }
        for (; by_column < column_end && tree->junction[*by_column] >= k; by_column++) {
            const blocks pair = blocks_of(w->joined->inner, &t->pairs[*by_column]);
            add_column(&x, &pair, s, c, tangent);
        }
        const double *J = s->J + 6 * (size_t)k;
        w->M[*row] += rt_dot6(r.M, J);
        if (k != c) w->M[*column] += rt_dot6(x.M, J);
        if (!tangent) continue;
        w->K[*row] += rt_dot6(r.K, J) + rt_dot6(r.D, s->J1 + 6 * (size_t)k) +
                      rt_dot6(r.M, s->J2x + 6 * (size_t)k);
        w->D[*row] += rt_dot6(r.D, J) + rt_dot6(r.M, s->J2u + 6 * (size_t)k);
        if (k == c) continue;
        w->K[*column] += rt_dot6(x.K, J);
        w->D[*column] += rt_dot6(x.D, J);
    }
}

/* Both bodies below the junction. */
static void tree_blocks_rectangle(const routh_mechanism *m, rt_workspace *w, int p, bool tangent)
{
    const rt_joined *j = m->joined;
    const rt_joined_tables *t = m->tables;
    const rt_screws *s = &w->joined->screws;
    const int junction = t->tree->junction[p], a = j->tip[t->pairs[p].a], b = j->tip[t->pairs[p].b];
    const int *at = t->tree->rectangle + t->tree->rectangle_start[p];
    const blocks pair = blocks_of(w->joined->inner, &t->pairs[p]);
    for (int c = a; c != junction; c = j->parent[c]) {
        row_sums r = {0};
        tree_blocks_add_row(&r, &pair, s->J + 6 * (size_t)c, tangent);
        for (int k = b; k != junction; k = j->parent[k], at++) {
            const double *J = s->J + 6 * (size_t)k;
            w->M[*at] += rt_dot6(r.M, J);
            if (!tangent) continue;
            w->K[*at] += rt_dot6(r.K, J) + rt_dot6(r.D, s->J1 + 6 * (size_t)k) +
                         rt_dot6(r.M, s->J2x + 6 * (size_t)k);
            w->D[*at] += rt_dot6(r.D, J) + rt_dot6(r.M, s->J2u + 6 * (size_t)k);
        }
    }
}

/* (S_k x S_c) . W = w_k . (v_c x f + w_c x t) + v_k . (w_c x f) */
static void tree_blocks_geometric(const routh_mechanism *m, rt_workspace *w, int c)
{
    const rt_joined *j = m->joined;
    const rt_tree_tables *tree = m->tables->tree;
    const double *S = w->joined->screws.J, *s = S + 6 * (size_t)c,
                 *W = w->joined->wrench + 6 * (size_t)c;
    double y[6];
    rt_v3_cross(y, s + 3, W);
    rt_v3_cross(y + 3, s, W);
    rt_v3_cross_add(y + 3, s + 3, W + 3);
    int k = j->carrier[c];
    for (; k > c; k = j->parent[k]) /* a ball's other columns */
        w->K[tree->column_at[tree->path_start[k] + steps_up(j, k, c)]] +=
            rt_dot6(S + 6 * (size_t)k, y);
    const int *row = tree->row_at + tree->path_start[c] + (k == c ? 0 : 1);
    for (; k >= 0; k = j->parent[k]) w->K[*row++] += rt_dot6(S + 6 * (size_t)k, y);
}

void rt_tree_blocks(const routh_mechanism *m, rt_workspace *w, bool tangent)
{
    composites(m, w, tangent);
    for (int c = 0; c < m->joined->n_u; c++) one_column(m, w, c, tangent);
    for (int p = 0; p < m->tables->n_pairs; p++)
        if (m->tables->tree->rectangle_start[p + 1] > m->tables->tree->rectangle_start[p])
            tree_blocks_rectangle(m, w, p, tangent);
    for (int c = 0; c < m->joined->n_u && tangent; c++) tree_blocks_geometric(m, w, c);
}

/* W_c = sum of r0_b over the bodies that c carries; r_c = S_c . W_c */
void rt_tree_wrenches(const routh_mechanism *m, rt_workspace *w)
{
    const rt_joined *j = m->joined;
    double *W = w->joined->wrench, *size = w->joined->scale;
    memset(W, 0, 6 * (size_t)m->joined->n_u * sizeof *W);
    memset(size, 0, 6 * (size_t)m->joined->n_u * sizeof *size);
    for (int b = 0; b < m->n_bodies; b++) {
        const size_t c = 6 * (size_t)j->tip[b], at = 6 * (size_t)b;
        for (int i = 0; i < 6 && j->tip[b] >= 0; i++) {
            W[c + i] += w->joined->inner->residual[at + i];
            size[c + i] = rt_larger(size[c + i], w->joined->inner->scale[at + i]);
        }
    }
    for (int c = m->joined->n_u - 1; c >= 0; c--) {
        const double *S = w->joined->screws.J + 6 * (size_t)c;
        w->residual[c] = rt_dot6(S, W + 6 * (size_t)c);
        w->scale[c] = 0;
        for (int i = 0; i < 6; i++) {
            w->scale[c] = rt_larger(w->scale[c], fabs(S[i]) * size[6 * (size_t)c + i]);
            if (j->parent[c] < 0) continue;
            const size_t p = 6 * (size_t)j->parent[c] + i;
            W[p] += W[6 * (size_t)c + i];
            size[p] = rt_larger(size[p], size[6 * (size_t)c + i]);
        }
    }
}
