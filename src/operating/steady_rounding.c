/* Is what is left of the balance of a steady motion rounding of places?
 *
 * Each unknown of the configuration is known to d_c = 4 eps of its size, and each signal likewise
 * (R: forces by signals). What is left, f, is rounding where another place within rounding of this
 * one, with other joint forces, is in balance:
 *
 *     f + K diag(d) x + (G' + L) y = e,     |x_c| <= 1,     |e_i| <= allowed_i
 *
 * allowed: a part of the largest single force on the body, and 4 eps of the sum of |single forces|.
 * What moves f along a direction that no stiffness holds is none, however stiff it is across it or
 * beside it. Of all x, y those with the least sum of x_c^2 + (e_i / allowed_i)^2 are tried. They
 * prove that it is rounding; where they do not, it is not taken for it. */
#include <float.h>

#include "operating/steady.h"

struct rt_steady_rounding {
    rt_pivoted_qr qr;
    int n_forces, n_noise, n_rows, n_columns; /* n_noise: x; n_columns: x and y */
    double *d;                                /* n_noise */
    double *scale;                            /* n_columns: unknowns by those of the matrix */
    double *allowed, *force, *left;           /* n_forces */
    double *b, *x;                            /* n_rows, n_columns */
    int *place;                               /* n_forces: where its row is, large ones first */
};

double rt_steady_unbalanced(const rt_steady_search *k)
{
    double worst = 0;
    for (int i = 0; i < k->n_rows; i++)
        if (i % k->n_equations < k->in_phi)
            worst = fmax(worst, fabs(k->whole.F[i]) / k->whole.own[i]);
    return worst;
}

/* ---- memory --------------------------------------------------------------------------------- */

static routh_status steady_rounding_create(rt_steady_search *k, routh_error *error)
{
    const routh_mechanism *m = k->s->m;
    rt_arena *a = &k->arena;
    rt_steady_rounding *t = RT_TAKE(a, rt_steady_rounding, 1);
    if (!t) return rt_fail_memory(error);
    t->n_forces = m->n_u;
    t->n_noise = m->n_u + rt_count_rounded_signals(k->s);
    t->n_rows = t->n_forces + t->n_noise;
    t->n_columns = t->n_noise + m->n_rows;
    t->d = RT_TAKE(a, double, t->n_noise);
    t->scale = RT_TAKE(a, double, 2 * (size_t)t->n_columns);
    t->allowed = RT_TAKE(a, double, 3 * (size_t)t->n_forces);
    t->b = RT_TAKE(a, double, t->n_rows);
    t->place = RT_TAKE(a, int, t->n_forces);
    if (!t->d || !t->scale || !t->allowed || !t->b || !t->place) return rt_fail_memory(error);
    t->force = t->allowed + t->n_forces;
    t->left = t->force + t->n_forces;
    t->x = t->scale + t->n_columns;
    const routh_status status = rt_pivoted_qr_create(&t->qr, t->n_rows, t->n_columns, a, error);
    if (!status) k->judge = t;
    return status;
}

/* ---- columns of the matrix ------------------------------------------------------------------ */

/* What it does with an entry: of column c the force i changes by `value`. */
typedef void (*steady_rounding_use)(rt_steady_rounding *t, int i, int c, double value);

static void steady_rounding_visit(const rt_steady_search *k, rt_steady_rounding *t,
                                  steady_rounding_use use)
{
    const routh_mechanism *m = k->s->m;
    const rt_workspace *w = k->s->w;
    const rt_pattern *K = &m->pattern_K, *G = &m->pattern_G, *L = &m->pattern_L, *R = &m->pattern_R;
    for (int c = 0; c < m->n_u; c++) {
        for (int p = K->start[c]; p < K->start[c + 1]; p++) use(t, K->row[p], c, w->K[p]);
        for (int p = G->start[c]; p < G->start[c + 1]; p++)
            use(t, c, t->n_noise + G->row[p], w->G[p]);
    }
    for (int i = 0; i < t->n_noise - m->n_u; i++)
        for (int p = R->start[i]; p < R->start[i + 1]; p++) use(t, R->row[p], m->n_u + i, w->L[p]);
    for (int r = 0; r < m->n_rows; r++)
        for (int p = L->start[r]; p < L->start[r + 1]; p++)
            use(t, L->row[p], t->n_noise + r, w->L[p]);
}

static void steady_rounding_add_noise(rt_steady_rounding *t, int i, int c, double value)
{
    if (c < t->n_noise) t->left[i] += fabs(value) * t->d[c];
}

/* The largest entry of a row of forces by x (left), and of a column by y (scale). */
static void steady_rounding_find_largest(rt_steady_rounding *t, int i, int c, double value)
{
    const double entry = fabs(value) / t->allowed[i];
    if (c < t->n_noise)
        t->left[i] = fmax(t->left[i], entry * t->d[c]);
    else
        t->scale[c] = fmax(t->scale[c], entry);
}

static void steady_rounding_put(rt_steady_rounding *t, int i, int c, double value)
{
    t->qr.a[(size_t)t->place[i] + (size_t)t->n_rows * (size_t)c] +=
        value * t->scale[c] / t->allowed[i];
}

static void steady_rounding_apply(rt_steady_rounding *t, int i, int c, double value)
{
    t->left[i] += value * t->x[c];
}

/* ---- the task ------------------------------------------------------------------------------- */

/* Forces on bodies in world axes, as K has them. */
static void steady_rounding_take_forces(const rt_steady_search *k, rt_steady_rounding *t)
{
    for (int i = 0; i < t->n_forces; i++) t->force[i] = k->filled->F[i];
    if (k->filled == &k->whole)
        for (int i = 0; i < t->n_forces; i++) t->force[i] -= k->offset[i];
    else
        for (int i = 0; i < t->n_forces; i++) t->force[i] -= k->offset[k->n_equations + i];
    for (int b = 0; b < k->s->m->n_bodies; b++) {
        double *force = t->force + 6 * (size_t)b, x[3];
        rt_m3_mul_v(x, k->s->w->bodies[b].A, force);
        rt_v3_copy(force, x);
    }
}

/* Rows of forces in falling order of their entries, so that large ones do not bury small ones
 * (Powell, Reid; Cox, Higham 1998). */
static void steady_rounding_sort(rt_steady_rounding *t)
{
    int *order = t->qr.column; /* which force is n-th */
    for (int i = 0; i < t->n_forces; i++) {
        int at = i;
        for (; at > 0 && t->left[order[at - 1]] < t->left[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < t->n_forces; i++) t->place[order[i]] = i;
}

static void steady_rounding_fill(const rt_steady_search *k, rt_steady_rounding *t, double limit,
                                 double times)
{
    static const double LARGE = 1e6; /* joint forces cost nothing beside x */
    const size_t forces = (size_t)t->n_forces * sizeof *t->left;
    rt_rounding_of_unknowns(k->s, t->d);
    for (int i = 0; i < t->n_forces; i++) t->d[i] *= times;
    for (int i = 0; i < t->n_noise - t->n_forces; i++)
        t->d[t->n_forces + i] = times * rt_rounding_of_signal(k->s, i);
    memset(t->left, 0, forces);
    steady_rounding_visit(k, t, steady_rounding_add_noise);
    for (int i = 0; i < t->n_forces; i++)
        t->allowed[i] = fmax(limit * k->filled->own[i], DBL_MIN) +
                        4 * DBL_EPSILON * (k->s->w->scale[i] + t->left[i]);
    memset(t->left, 0, forces);
    memset(t->scale, 0, (size_t)t->n_columns * sizeof *t->scale);
    steady_rounding_visit(k, t, steady_rounding_find_largest);
    steady_rounding_sort(t);
    for (int c = 0; c < t->n_noise; c++) t->scale[c] = t->d[c];
    for (int c = t->n_noise; c < t->n_columns; c++)
        t->scale[c] = t->scale[c] > 0 ? LARGE / t->scale[c] : 1;
    memset(t->qr.a, 0, (size_t)t->n_rows * (size_t)t->n_columns * sizeof *t->qr.a);
    steady_rounding_visit(k, t, steady_rounding_put);
    for (int c = 0; c < t->n_noise; c++)
        t->qr.a[(size_t)(t->n_forces + c) + (size_t)t->n_rows * (size_t)c] = 1;
    memset(t->b, 0, (size_t)t->n_rows * sizeof *t->b);
    for (int i = 0; i < t->n_forces; i++) t->b[t->place[i]] = -t->force[i] / t->allowed[i];
}

static double steady_rounding_longest_column(const rt_steady_rounding *t)
{
    double longest = 0;
    for (int c = 0; c < t->n_columns; c++) {
        const double *column = t->qr.a + (size_t)t->n_rows * (size_t)c;
        double sum = 0;
        for (int i = 0; i < t->n_rows; i++) sum += column[i] * column[i];
        longest = fmax(longest, sqrt(sum));
    }
    return longest;
}

/* x and y; every x has a 1 in the matrix, joint forces that add nothing to others have rounding of
 * 1e6. */
static routh_status steady_rounding_solve(rt_steady_rounding *t, routh_error *error)
{
    static const double NOTHING = 1e-7;
    const double none = NOTHING / steady_rounding_longest_column(t);
    rt_qr_gap gap = {.none = none, .least = none, .most = none};
    const routh_status status =
        rt_pivoted_qr_factor(&t->qr, t->n_rows, t->n_columns, NULL, &gap, error);
    if (status) return status;
    rt_pivoted_qr_project(&t->qr, t->b);
    rt_pivoted_qr_solve(&t->qr, t->b, t->x);
    return ROUTH_OK;
}

/* What is left of the forces there, and whether that place is as near as rounding. */
static void steady_rounding_look(const rt_steady_search *k, rt_steady_rounding *t, double limit,
                                 rt_steady_remainder *out)
{
    double worst = 0;
    for (int c = 0; c < t->n_noise; c++) worst = fmax(worst, fabs(t->x[c]));
    for (int c = 0; c < t->n_columns; c++) t->x[c] *= t->scale[c];
    memcpy(t->left, t->force, (size_t)t->n_forces * sizeof *t->left);
    steady_rounding_visit(k, t, steady_rounding_apply);
    double left = 0;
    for (int i = 0; i < t->n_forces; i++) left = fmax(left, fabs(t->left[i]) / t->allowed[i]);
    *out = (rt_steady_remainder){
        .small = true, .is_rounding = fmax(worst, left) <= 1, .left = left * limit};
}

static bool steady_rounding_is_small(const rt_steady_search *k, const rt_steady_rounding *t,
                                     double limit)
{
    static const double TIMES = 8;
    double most = 0;
    for (int b = 0; b < k->s->m->n_bodies; b++) most = fmax(most, k->rounding[b]);
    for (int i = 0; i < t->n_forces; i++)
        if (fabs(t->force[i]) > limit * k->filled->own[i] &&
            fabs(t->force[i]) * k->s->unit[i] > TIMES * most)
            return false;
    return true;
}

static routh_status steady_rounding_judge(rt_steady_search *k, double limit, double times,
                                          rt_steady_remainder *out, routh_error *error)
{
    routh_status status = k->judge ? ROUTH_OK : steady_rounding_create(k, error);
    *out = (rt_steady_remainder){.left = INFINITY};
    if (status) return status;
    rt_steady_rounding *t = k->judge;
    steady_rounding_take_forces(k, t);
    if (!steady_rounding_is_small(k, t, limit)) return ROUTH_OK;
    steady_rounding_fill(k, t, limit, times);
    status = steady_rounding_solve(t, error);
    if (!status) steady_rounding_look(k, t, limit, out);
    return status == ROUTH_NUMERIC_ERROR ? ROUTH_OK : status;
}

routh_status rt_steady_judge_now(rt_steady_search *k, double limit, rt_steady_remainder *out,
                                 routh_error *error)
{
    return steady_rounding_judge(k, limit, 1, out, error);
}

/* Newton's method comes near to within rounding of its equations, which is more than of places:
 * what it finds is there where another place as near is in balance. */
routh_status rt_steady_judge(rt_steady_search *k, double limit, rt_steady_remainder *out,
                             routh_error *error)
{
    static const double TIMES = 64;
    routh_status status = ROUTH_OK;
    rt_steady_remainder later = {true, true, 0};
    if (k->late) {
        rt_steady_rates(k);
        status = rt_steady_evaluate_late(k, false, error);
        k->filled = &k->at_later;
        if (!status) status = steady_rounding_judge(k, limit, TIMES, &later, error);
        k->filled = &k->whole;
    }
    if (!status) status = rt_steady_evaluate_here(k, false, error);
    if (!status) status = steady_rounding_judge(k, limit, TIMES, out, error);
    if (!status && k->late) rt_steady_add_late(k, false);
    if (status) return status;
    out->small = out->small && later.small;
    out->is_rounding = out->is_rounding && later.is_rounding;
    out->left = fmax(out->left, later.left);
    return ROUTH_OK;
}
