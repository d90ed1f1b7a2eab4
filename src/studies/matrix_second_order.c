/* See matrix_second_order.h. */
#include "studies/matrix_second_order.h"

#include <cblas.h>
#include <string.h>

/* What a term of the pencil, or an entry of the inputs, is to these equations. */
typedef enum second_order_part {
    SECOND_ORDER_NONE,
    SECOND_ORDER_FORCE, /* of F */
    SECOND_ORDER_MASS,  /* M */
    SECOND_ORDER_TIED,  /* B */
    SECOND_ORDER_RATE   /* of what the rows of b have on the right */
} second_order_part;

static bool second_order_within(int k, int first, int n) { return k >= first && k < first + n; }

/* Its part; *row: the equation of motion, or the row of B. */
static second_order_part second_order_part_of(const rt_second_order_change *s, const rt_term *t,
                                              int *row)
{
    const rt_levels_pencil *p = s->p;
    const int r = t->row - p->n1, c = t->column - p->n1, n_G = p->s->m->pattern_G.start[p->n];
    if (c < 0 && !second_order_within(r, p->motion, p->n)) return SECOND_ORDER_NONE;
    if (second_order_within(r, p->motion, p->n)) {
        *row = r - p->motion;
        if (second_order_within(c, p->a, p->n)) return SECOND_ORDER_MASS;
        return second_order_within(t->varied, p->array[RT_VARIED_G], n_G) ? SECOND_ORDER_NONE
                                                                          : SECOND_ORDER_FORCE;
    }
    if (second_order_within(r, p->velocity, p->n) && second_order_within(c, p->u, p->n)) {
        *row = r - p->velocity;
        return SECOND_ORDER_TIED;
    }
    const bool moves = second_order_within(c, p->xi, p->n) || second_order_within(c, p->u, p->n);
    if (second_order_within(r, p->rows, p->m)) *row = r - p->rows;
    if (second_order_within(t->row, p->z, p->z1)) *row = p->m + t->row - p->z;
    return moves && (second_order_within(r, p->rows, p->m) ||
                     second_order_within(t->row, p->z, p->z1))
               ? SECOND_ORDER_RATE
               : SECOND_ORDER_NONE;
}

static second_order_part second_order_part_of_input(const rt_second_order_change *s,
                                                    const rt_path_entry *e, int *row)
{
    const rt_levels_pencil *p = s->p;
    const int r = e->row - p->n1;
    if (second_order_within(r, p->motion, p->n)) {
        *row = r - p->motion;
        return SECOND_ORDER_FORCE;
    }
    *row = r - p->rows;
    return second_order_within(r, p->rows, p->m) ? SECOND_ORDER_RATE : SECOND_ORDER_NONE;
}

static int second_order_cause(const rt_second_order_change *s, const rt_path_entry *e)
{
    return s->p->n1 + e->power * s->paths->n_in + e->column;
}

/* Row `row` of to (n x causes) += by times a row of from. */
static void second_order_add(const rt_second_order_change *s, double *to, int row, double by,
                             const double *from, int n_from, int from_row)
{
    const size_t n = (size_t)s->p->n;
    for (int c = 0; c < s->causes; c++)
        to[n * (size_t)c + (size_t)row] += by * from[(size_t)n_from * (size_t)c + (size_t)from_row];
}

/* A term of y itself, whose x is the unit matrix. */
static void second_order_add_term(const rt_second_order_change *s, double *to, int row, double by,
                                  const rt_term *t)
{
    const rt_levels_pencil *p = s->p;
    if (t->column < p->n1)
        to[(size_t)p->n * (size_t)t->column + (size_t)row] += by;
    else
        second_order_add(s, to, row, by, s->x, p->n2, t->column - p->n1);
}

/* ---- once ------------------------------------------------------------------------------------ */

static double second_order_value(double sign, const double *from)
{
    return from ? sign * *from : sign;
}

/* F, and what the rows of b have on the right, into forces and rows. */
static void second_order_evaluate(rt_second_order_change *s)
{
    int row = 0;
    for (int k = 0; k < s->p->n_terms; k++) {
        const rt_term *t = &s->p->terms[k];
        const second_order_part part = second_order_part_of(s, t, &row);
        if (part == SECOND_ORDER_FORCE || part == SECOND_ORDER_RATE)
            second_order_add_term(s, part == SECOND_ORDER_FORCE ? s->forces : s->rows, row,
                                  second_order_value(t->sign, t->from), t);
    }
    for (int k = 0; k < s->paths->S.n; k++) {
        const rt_path_entry *e = &s->paths->S.paths[k];
        const second_order_part part = second_order_part_of_input(s, e, &row);
        double *to = part == SECOND_ORDER_FORCE ? s->forces : s->rows;
        if (part != SECOND_ORDER_NONE)
            to[(size_t)s->p->n * (size_t)second_order_cause(s, e) + (size_t)row] +=
                second_order_value(e->sign, e->from);
    }
}

/* to (n x columns) = sign B^-1 from, or B^-T from */
static routh_status second_order_solve(const rt_second_order_change *s, const double *from,
                                       double sign, bool transposed, int columns, double *to,
                                       rt_arena *scratch, routh_error *error)
{
    const size_t n = (size_t)s->p->n, n2 = (size_t)s->p->n2;
    double *X = RT_TAKE(scratch, double, n2 *(size_t)columns);
    if (!X) return rt_fail_memory(error);
    for (size_t c = 0; c < (size_t)columns; c++)
        for (size_t i = 0; i < n; i++)
            X[n2 * c + (size_t)s->p->velocity + i] = sign * from[n * c + i];
    const routh_status status = rt_levels_solve_one(&s->p->R, 1, transposed, X, columns, error);
    for (size_t c = 0; c < (size_t)columns; c++)
        memcpy(to + n * c, X + n2 * c + s->p->u, n * sizeof *to);
    return status;
}

/* to (n x columns) += M from */
static void second_order_times_mass(const rt_second_order_change *s, const double *from,
                                    int columns, double *to)
{
    const size_t n = (size_t)s->p->n;
    for (size_t c = 0; c < (size_t)columns; c++)
        rt_sparse_multiply_add(&s->p->s->m->pattern_M, s->p->s->w->M, 1, from + n * c, to + n * c);
}

/* What F and the rows of b owe to dx, and so to w. */
static routh_status second_order_find_psi(rt_second_order_change *s, routh_error *error)
{
    const rt_levels_pencil *p = s->p;
    const size_t n = (size_t)p->n, n2 = (size_t)p->n2;
    int row = 0;
    for (int k = 0; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        const second_order_part part = second_order_part_of(s, t, &row);
        if (t->column < p->n1 || (part != SECOND_ORDER_FORCE && part != SECOND_ORDER_RATE))
            continue;
        const double value = second_order_value(t->sign, t->from);
        /* dx = -R^-1 w: - U^T terms dx = + U^T terms R^-1 w, and of the rows the other way round */
        for (size_t i = 0; i < (size_t)p->z1; i++)
            s->psi[n2 * i + (size_t)(t->column - p->n1)] +=
                part == SECOND_ORDER_FORCE ? value * s->U[n * i + (size_t)row]
                                           : -value * s->kappa[n * i + (size_t)row];
    }
    routh_status status = ROUTH_OK;
    for (int level = RT_LEVELS - 1; level >= 0 && !status; level--)
        status = rt_levels_solve_one(&p->R, level, true, s->psi, p->z1, error);
    return status;
}

static bool second_order_take(rt_second_order_change *s, rt_arena *a)
{
    const size_t n = (size_t)s->p->n, z1 = (size_t)s->p->z1, causes = (size_t)s->causes;
    s->U = RT_TAKE(a, double, n *z1), s->kappa = RT_TAKE(a, double, n *z1);
    s->b = RT_TAKE(a, double, n *causes), s->k = RT_TAKE(a, double, n *causes);
    s->psi = RT_TAKE(a, double, (size_t)s->p->n2 *z1);
    s->forces = RT_TAKE(a, double, n *causes), s->rows = RT_TAKE(a, double, n *causes);
    s->mass = RT_TAKE(a, double, z1 *z1), s->product = RT_TAKE(a, double, z1 *causes);
    return s->U && s->kappa && s->b && s->k && s->psi && s->forces && s->rows && s->mass &&
           s->product;
}

routh_status rt_second_order_change_create(rt_second_order_change *s, const rt_levels_pencil *p,
                                           const rt_paths *paths, int causes, const double *x,
                                           const double *w, rt_arena *arena, routh_error *error)
{
    const size_t n = (size_t)p->n, n2 = (size_t)p->n2;
    rt_arena scratch = {0};
    *s = (rt_second_order_change){.p = p, .paths = paths, .causes = causes, .x = x, .w = w};
    double *moved = RT_TAKE(&scratch, double, n *(size_t)p->z1);
    if (!second_order_take(s, arena) || !moved) {
        rt_arena_free(&scratch);
        return rt_fail_memory(error);
    }
    for (size_t i = 0; i < (size_t)p->z1; i++)
        memcpy(s->U + n * i, x + n2 * ((size_t)p->z + i) + p->u, n * sizeof *x);
    second_order_times_mass(s, s->U, p->z1, moved);
    routh_status status = second_order_solve(s, moved, 1, true, p->z1, s->kappa, &scratch, error);
    second_order_evaluate(s);
    if (!status) status = second_order_solve(s, s->rows, -1, false, causes, s->b, &scratch, error);
    second_order_times_mass(s, s->b, causes, s->forces);
    if (!status) status = second_order_solve(s, s->forces, 1, true, causes, s->k, &scratch, error);
    rt_arena_free(&scratch);
    return status ? status : second_order_find_psi(s, error);
}

/* ---- along a parameter ----------------------------------------------------------------------- */

static void second_order_vary_terms(rt_second_order_change *s)
{
    const rt_levels_pencil *p = s->p;
    int row = 0;
    for (int k = 0; k < p->n_terms; k++) {
        const rt_term *t = &p->terms[k];
        const double by = t->varied < 0 ? 0 : t->sign * p->varied[t->varied];
        if (by == 0) continue;
        switch (second_order_part_of(s, t, &row)) {
        case SECOND_ORDER_NONE: break;
        case SECOND_ORDER_FORCE: second_order_add_term(s, s->forces, row, by, t); break;
        case SECOND_ORDER_MASS:
            second_order_add(s, s->forces, row, by, s->b, p->n, t->column - p->n1 - p->a);
            break;
        case SECOND_ORDER_TIED:
            second_order_add(s, s->rows, row, by, s->b, p->n, t->column - p->n1 - p->u);
            break;
        case SECOND_ORDER_RATE: second_order_add_term(s, s->rows, row, by, t); break;
        }
    }
}

static void second_order_vary_inputs(rt_second_order_change *s)
{
    int row = 0;
    for (int k = 0; k < s->paths->S.n; k++) {
        const rt_path_entry *e = &s->paths->S.paths[k];
        const second_order_part part = second_order_part_of_input(s, e, &row);
        double *to = part == SECOND_ORDER_FORCE ? s->forces : s->rows;
        if (part != SECOND_ORDER_NONE && e->varied >= 0)
            to[(size_t)s->p->n * (size_t)second_order_cause(s, e) + (size_t)row] +=
                e->sign * s->paths->varied[e->varied];
    }
}

/* U^T dM U - kappa^T w_W - (kappa^T w_W)^T */
static void second_order_find_mass(rt_second_order_change *s)
{
    const rt_levels_pencil *p = s->p;
    const rt_pattern *M = &p->s->m->pattern_M;
    const size_t n = (size_t)p->n, n2 = (size_t)p->n2, z1 = (size_t)p->z1;
    const double *by = p->varied + p->array[RT_VARIED_M];
    const double *w = s->w + n2 * (size_t)p->z + p->velocity;
    memset(s->mass, 0, z1 * z1 * sizeof *s->mass);
    for (int c = 0; c < p->n; c++)
        for (int e = M->start[c]; e < M->start[c + 1]; e++)
            for (size_t i = 0; i < z1 && by[e] != 0; i++)
                for (size_t k = 0; k < z1; k++)
                    s->mass[i * z1 + k] +=
                        s->U[n * i + (size_t)M->row[e]] * by[e] * s->U[n * k + (size_t)c];
    for (size_t i = 0; i < z1; i++)
        for (size_t k = 0; k < z1; k++) {
            const double turn = cblas_ddot(p->n, s->kappa + n * i, 1, w + n2 * k, 1);
            s->mass[i * z1 + k] -= turn;
            s->mass[k * z1 + i] -= turn;
        }
}

void rt_second_order_change_find(rt_second_order_change *s)
{
    const rt_levels_pencil *p = s->p;
    const size_t size = (size_t)p->n * (size_t)s->causes * sizeof *s->forces;
    const int n = p->n, n2 = p->n2, z1 = p->z1, causes = s->causes;
    memset(s->forces, 0, size);
    memset(s->rows, 0, size);
    second_order_vary_terms(s);
    second_order_vary_inputs(s);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, z1, causes, n, -1, s->U, n, s->forces, n,
                0, s->product, causes);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, z1, causes, n, 1, s->kappa, n, s->rows, n,
                1, s->product, causes);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, z1, causes, n2, 1, s->psi, n2, s->w, n2, 1,
                s->product, causes);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, z1, causes, n, 1,
                s->w + (size_t)n2 * (size_t)p->z + p->velocity, n2, s->k, n, 1, s->product, causes);
    second_order_find_mass(s);
}
