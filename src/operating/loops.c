/* See loops.h. */
#include "operating/loops.h"

#include <math.h>
#include <stdlib.h>

#include "base/lapack.h"
#include "base/rotation.h"

/* ---- where the bodies are -------------------------------------------------------------------- */

static void loops_take_frame(const rt_place_frame *from, rt_frame *to)
{
    memset(to, 0, sizeof *to);
    rt_numbers_values(to->r, from->r, 3);
    rt_numbers_values(to->A, from->A, 9);
    rt_numbers_values(to->v, from->v, 3);
    rt_numbers_values(to->w, from->w, 3);
}

static routh_status evaluate_frames(rt_loops *l, const rt_place_frame *start)
{
    rt_search *s = &l->s;
    for (int b = 0; b < l->m->n_bodies; b++) loops_take_frame(&start[b], &l->frames[b]);
    rt_take_frames(l->m, NULL, l->frames, s->state);
    const routh_status status =
        rt_evaluate(l->m, s->w, s->state, RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN, l->p->r->error);
    if (status) return status;
    rt_row_sizes(s, l->size);
    for (int r = 0; r < l->m->n_rows; r++)
        if (!(l->size[r] > 0)) l->size[r] = 1;
    return ROUTH_OK;
}

routh_status rt_loops_evaluate(rt_loops *l, double part)
{
    l->way.part = part;
    routh_status status = rt_place_all(&l->way);
    if (!status) status = evaluate_frames(l, l->way.start);
    for (int r = 0; r < l->m->n_rows && !status; r++)
        l->phi[r] = l->off[r] ? 0 : (l->s.w->phi[0][r] - (1 - part) * l->lead[r]) / l->size[r];
    return status;
}

routh_status rt_loops_evaluate_start(rt_loops *l)
{
    l->way.part = 1;
    routh_status status = rt_place_all(&l->way);
    if (!status) status = evaluate_frames(l, l->p->start);
    for (int r = 0; r < l->m->n_rows && !status; r++)
        l->phi[r] = l->off[r] ? 0 : l->s.w->phi[0][r] / l->size[r];
    return status;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The body of a column, and all that it carries. */
static void mark_moved(rt_loops *l, int body, bool rates)
{
    const rt_place_tree *tree = &l->p->tree;
    memset(l->moved, 0, (size_t)l->m->n_bodies * sizeof *l->moved);
    for (int k = 0; k < l->m->n_bodies; k++) {
        const int b = tree->order[k], parent = tree->parent[b];
        const bool carried =
            tree->joint[b] != RT_CARRIED_BY_NOTHING && parent >= 0 && l->moved[parent];
        l->moved[b] = (b == body || carried) && !(rates && rt_place_has_own_velocity(l->p, b));
    }
}

double rt_loops_unit(const rt_loops *l, int c)
{
    return l->p->loops.column[c].kind == RT_STEP_SLIDE ? 1 : 1 / l->m->length;
}

void rt_loops_column(rt_loops *l, int c, bool rates)
{
    const rt_pattern *G = &l->m->pattern_G;
    const double unit = rt_loops_unit(l, c);
    double w[3], v[3], o[3], arm[3], by[3], xi[6];
    memset(l->dense, 0, (size_t)l->m->n_rows * sizeof *l->dense);
    rt_place_twist(&l->way, c, w, v, o);
    mark_moved(l, l->p->loops.column[c].body, rates);
    for (int b = 0; b < l->m->n_bodies; b++) {
        const rt_frame *f = &l->frames[b];
        if (!l->moved[b]) continue;
        rt_v3_sub(arm, f->r, o);
        rt_v3_cross(by, w, arm);
        rt_v3_add(xi, v, by);
        rt_m3_tmul_v(xi + 3, f->A, w);
        for (int k = 0; k < 6; k++)
            for (int e = G->start[6 * b + k]; e < G->start[6 * b + k + 1]; e++)
                l->dense[G->row[e]] += unit * xi[k] * l->s.w->G[e];
    }
    for (int r = 0; r < l->m->n_rows; r++) l->dense[r] /= l->size[r];
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static int loops_root(int *group, int k)
{
    while (group[k] != k) k = group[k] = group[group[k]];
    return k;
}

/* Singular vectors are kept whole: no more rows than this. */
enum { MOST_BLOCK_ROWS = 6000 };

/* Room to factor it, of blocks that are. */
static routh_status take_factors(rt_loops *l, loops_block *b)
{
    rt_arena *a = &l->arena;
    const size_t m = (size_t)b->n_rows, n = (size_t)b->n_columns;
    if (b->B) return ROUTH_OK;
    if (b->n_rows > MOST_BLOCK_ROWS)
        return rt_fail(l->p->r->error, ROUTH_LIMIT_EXCEEDED,
                       "coordinates of joints that are written move loops of %d equations that "
                       "depend on each other, and %d are the most; write the bodies where they "
                       "begin",
                       b->n_rows, (int)MOST_BLOCK_ROWS);
    b->B = RT_TAKE(a, double, m *n), b->x = RT_TAKE(a, double, n);
    b->u = RT_TAKE(a, double, m *m), b->vt = RT_TAKE(a, double, n *n);
    b->sigma = RT_TAKE(a, double, m + n);
    b->kept_u = RT_TAKE(a, double, m *m), b->kept_vt = RT_TAKE(a, double, n *n);
    b->kept_sigma = RT_TAKE(a, double, m + n);
    const bool all = b->B && b->x && b->u && b->vt && b->sigma && b->kept_u && b->kept_vt;
    return all && b->kept_sigma ? ROUTH_OK : rt_fail_memory(l->p->r->error);
}

/* Groups with at least a row and a column. */
static routh_status list_blocks(rt_loops *l, loops_blocks *blocks, int *group, const bool *used)
{
    const int n_c = l->p->loops.n, n_r = l->m->n_rows, n = n_c + n_r;
    int *number = RT_TAKE(&l->arena, int, n);
    blocks->block = RT_TAKE(&l->arena, loops_block, n_c + 1);
    blocks->n = 0;
    if (!number || !blocks->block) return rt_fail_memory(l->p->r->error);
    for (int k = 0; k < n; k++) number[k] = -1;
    for (int c = 0; c < n_c; c++) {
        const int root = loops_root(group, c);
        if (!used[c]) continue;
        if (number[root] < 0) number[root] = blocks->n++;
        blocks->block[number[root]].n_columns++;
    }
    for (int r = 0; r < n_r; r++) {
        const int k = number[loops_root(group, n_c + r)];
        if (k >= 0) blocks->block[k].n_rows++;
    }
    for (int k = 0; k < blocks->n; k++) {
        loops_block *b = &blocks->block[k];
        b->row = RT_TAKE(&l->arena, int, b->n_rows);
        b->column = RT_TAKE(&l->arena, int, b->n_columns);
        if (!b->row || !b->column) return rt_fail_memory(l->p->r->error);
        b->n_rows = b->n_columns = 0;
    }
    for (int k = 0; k < n; k++) {
        loops_block *b = &blocks->block[number[loops_root(group, k)]];
        if (number[loops_root(group, k)] < 0 || (k < n_c && !used[k])) continue;
        if (k < n_c)
            b->column[b->n_columns++] = k;
        else
            b->row[b->n_rows++] = k - n_c;
    }
    return ROUTH_OK;
}

routh_status rt_loops_find_blocks(rt_loops *l, loops_blocks *blocks, const bool *skip,
                                  const bool *use, bool rates, int passes,
                                  routh_status (*find)(rt_loops *loops, int pass))
{
    static const double none = 1e-9;
    const int n_c = l->p->loops.n, n_r = l->m->n_rows;
    int *group = RT_TAKE(&l->arena, int, n_c + n_r);
    bool *used = RT_TAKE(&l->arena, bool, n_c);
    routh_status status = group && used ? ROUTH_OK : rt_fail_memory(l->p->r->error);
    for (int k = 0; k < n_c + n_r && !status; k++) group[k] = k;
    for (int pass = 0; pass < passes && !status; pass++) {
        status = find(l, pass);
        for (int c = 0; c < n_c && !status; c++) {
            if (!use[c]) continue;
            rt_loops_column(l, c, rates);
            for (int r = 0; r < n_r; r++) {
                if (skip[r] || !(fabs(l->dense[r]) > none)) continue;
                group[loops_root(group, c)] = loops_root(group, n_c + r);
                used[c] = true;
            }
        }
    }
    return status ? status : list_blocks(l, blocks, group, used);
}

routh_status rt_loops_factor(rt_loops *l, loops_block *b, bool rates)
{
    static const double none = 1e-7;
    routh_status status = take_factors(l, b);
    for (int k = 0; k < b->n_columns && !status; k++) {
        rt_loops_column(l, b->column[k], rates);
        for (int i = 0; i < b->n_rows; i++) b->B[i + b->n_rows * k] = l->dense[b->row[i]];
    }
    if (!status)
        status = rt_svd(b->n_rows, b->n_columns, b->B, b->sigma, b->u, b->vt, l->p->r->error);
    const int most = b->n_rows < b->n_columns ? b->n_rows : b->n_columns;
    b->rank = 0;
    while (!status && b->rank < most && b->sigma[b->rank] > none * b->sigma[0]) b->rank++;
    return status;
}

void rt_loops_solve(loops_block *b, const double *rows)
{
    memset(b->x, 0, (size_t)b->n_columns * sizeof *b->x);
    for (int k = 0; k < b->rank; k++) {
        double sum = 0;
        for (int i = 0; i < b->n_rows; i++) sum -= b->u[i + b->n_rows * k] * rows[b->row[i]];
        for (int c = 0; c < b->n_columns; c++)
            b->x[c] += sum / b->sigma[k] * b->vt[k + b->n_columns * c];
    }
}

/* Of the rows what no x takes away, as a part of them. */
double rt_loops_residual(const loops_block *b, const double *rows)
{
    double left = 0, all = 0;
    for (int i = 0; i < b->n_rows; i++) all += rows[b->row[i]] * rows[b->row[i]];
    for (int k = b->rank; k < b->n_rows; k++) {
        double sum = 0;
        for (int i = 0; i < b->n_rows; i++) sum += b->u[i + b->n_rows * k] * rows[b->row[i]];
        left += sum * sum;
    }
    return all > 0 ? sqrt(left / all) : 0;
}

void rt_loops_step(rt_loops *l, const loops_block *b, double scale)
{
    rt_place_loops *to = &l->p->loops;
    for (int k = 0; k < b->n_columns; k++) {
        const int c = b->column[k];
        const rt_place_column *column = &to->column[c];
        const double by = scale * b->x[k] * rt_loops_unit(l, c);
        double *ball = to->ball + 9 * (size_t)column->body, turn[9], next[9];
        double vector[3] = {0, 0, 0};
        if (column->kind != RT_STEP_BALL) {
            to->found[c] += by;
            continue;
        }
        vector[column->part] = by;
        rt_rotation_exp(turn, vector);
        rt_m3_mul(next, turn, ball);
        memcpy(ball, next, sizeof next);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool loops_take(rt_loops *l)
{
    const routh_mechanism *m = l->m;
    rt_arena *a = &l->arena;
    const size_t n_r = (size_t)m->n_rows;
    l->frames = RT_TAKE(a, rt_frame, m->n_bodies);
    l->moved = RT_TAKE(a, bool, m->n_bodies);
    l->dense = RT_TAKE(a, double, n_r), l->size = RT_TAKE(a, double, 2 * n_r + (size_t)m->n_bodies);
    l->phi = RT_TAKE(a, double, n_r), l->slope = RT_TAKE(a, double, n_r);
    l->lead = RT_TAKE(a, double, n_r), l->off = RT_TAKE(a, bool, n_r);
    l->found = RT_TAKE(a, double, l->p->loops.n);
    l->ball = RT_TAKE(a, double, 9 * (size_t)m->n_bodies);
    l->near = RT_TAKE(a, double, rt_count_near(m));
    for (size_t r = 0; l->off && r < n_r; r++) l->off[r] = m->nonholonomic[r];
    return l->frames && l->moved && l->dense && l->size && l->phi && l->slope && l->lead &&
           l->off && l->found && l->ball && l->near;
}

static routh_status loops_create(rt_loops **loops, rt_placing *p)
{
    routh_error *error = p->r->error;
    rt_loops *l = *loops = calloc(1, sizeof *l);
    if (!l) return rt_fail_memory(error);
    l->p = p;
    routh_status status = rt_place_plain(p, &l->way);
    if (!status) status = routh_mechanism_compile(&l->m, p->r->model, "absolute", error);
    if (!status) status = rt_search_create(&l->s, l->m, 1e-12, 1, error);
    if (!status && !loops_take(l)) status = rt_fail_memory(error);
    l->way.loops.any = true;
    return status;
}

static void loops_free(rt_loops *l)
{
    if (!l) return;
    rt_state_free(l->s.state);
    rt_search_release(&l->s);
    routh_mechanism_free(l->m);
    rt_arena_free(&l->arena);
    free(l);
}

const rt_loop_closer rt_loops_closer = {loops_create, loops_free, rt_loops_find,
                                        rt_loops_find_rates, rt_loops_find_slopes};
