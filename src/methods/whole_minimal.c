/* The minimal method for the whole system. Signals are inputs of the mechanics first: with the
 * tangent X = du/dW of the velocity manifold and u'_p from its rows,
 *     X'M X a = -X'(D u + K xi + R signal + M u'_p),      u' = X a + u'_p,
 *     P' [lambda; 0] = -(M u' + D u + K xi + R signal),   P = [G; w_u],
 * for every cause, rates of controllers and variables among them; then the loop is closed
 * (closure.c). */
#include "base/lapack.h"
#include "methods/whole.h"

typedef struct projected {
    const rt_method_task *task;
    const rt_manifold *P;
    int n, z1;
    const double *X; /* n x z1 */
    double *T;       /* LU of X'MX */
    int *pivots;
    double *a, *f;
} projected;

static routh_status refuse_reactions(const routh_mechanism *m, routh_error *error)
{
    if (m->pattern_L.start[m->n_rows] == 0) return ROUTH_OK;
    return rt_fail(error, ROUTH_NOT_SUPPORTED,
                   "the minimal method eliminates joint reactions, but an expression of a load of "
                   "this model uses them; use --method augmented, or a variable for the reaction");
}

static double whole_minimal_dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void whole_minimal_project(const projected *p, const double *f, double *out)
{
    for (int i = 0; i < p->z1; i++)
        out[i] = whole_minimal_dot(p->X + (size_t)p->n * (size_t)i, f, p->n);
}

static routh_status whole_minimal_project_mass(projected *p, routh_error *error)
{
    const rt_search *s = p->task->search;
    for (int k = 0; k < p->z1; k++) {
        memset(p->f, 0, (size_t)p->n * sizeof *p->f);
        rt_sparse_multiply_add(&s->m->pattern_M, s->w->M, 1, p->X + (size_t)p->n * (size_t)k, p->f);
        whole_minimal_project(p, p->f, p->T + (size_t)p->z1 * (size_t)k);
    }
    return rt_lu_factor(p->z1, p->T, p->pivots, error);
}

/* f = -(D u + K xi + R signal), then with M u'_p subtracted, projected and solved */
static routh_status whole_minimal_accelerate(projected *p, rt_response *r, const rt_cause *cause,
                                             int column, routh_error *error)
{
    const rt_search *s = p->task->search;
    double *udot = r->udot + (size_t)p->n * (size_t)column;
    memset(p->f, 0, (size_t)p->n * sizeof *p->f);
    rt_response_forces(r, cause, column, p->task, p->f);
    rt_sparse_multiply_add(&s->m->pattern_M, s->w->M, -1, udot, p->f);
    whole_minimal_project(p, p->f, p->a);
    routh_status status = rt_lu_solve(p->z1, p->T, p->pivots, 1, p->a, 0, error);
    for (int i = 0; i < p->z1 && !status; i++) {
        const double *X = p->X + (size_t)p->n * (size_t)i;
        for (int c = 0; c < p->n; c++) udot[c] += p->a[i] * X[c];
    }
    return status;
}

/* The multipliers of what is left of the equations of motion. */
static routh_status react(projected *p, rt_response *r, const rt_cause *cause, int column,
                          routh_error *error)
{
    const rt_search *s = p->task->search;
    memset(p->f, 0, (size_t)p->n * sizeof *p->f);
    rt_response_forces(r, cause, column, p->task, p->f);
    rt_sparse_multiply_add(&s->m->pattern_M, s->w->M, -1, r->udot + (size_t)p->n * (size_t)column,
                           p->f);
    const routh_status status = rt_manifold_solve_transposed(p->P, p->f, error);
    for (int row = 0; row < r->n_rows && !status; row++)
        if (p->P->slot[row] >= 0)
            r->lambda[(size_t)r->n_rows * (size_t)column + row] = p->f[p->P->slot[row]];
    return status;
}

static routh_status whole_minimal_particular(projected *p, rt_response *r, const rt_cause *causes,
                                             routh_error *error)
{
    for (int c = 0; c < r->n_columns; c++)
        rt_response_rows(r, &causes[c], c, p->task, p->P, r->udot + (size_t)p->n * (size_t)c);
    return rt_manifold_solve(p->P, r->udot, r->n_columns, p->task->threads, error);
}

static routh_status whole_minimal_take(projected *p, rt_arena *arena, routh_error *error)
{
    const size_t z1 = (size_t)p->z1, n = (size_t)p->n;
    p->T = RT_TAKE(arena, double, z1 *z1);
    p->pivots = RT_TAKE(arena, int, z1);
    p->a = RT_TAKE(arena, double, z1);
    p->f = RT_TAKE(arena, double, n);
    return p->T && p->pivots && p->a && p->f ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_whole_minimal(const rt_method_task *task, const rt_manifold *position,
                              const rt_manifold *velocity, rt_response *closed, rt_arena *arena,
                              routh_error *error)
{
    const routh_mechanism *m = task->search->m;
    const bool forces = rt_uses_joint_forces(m);
    rt_response open;
    rt_cause *causes;
    projected p = {.task = task, .P = velocity, .n = m->n_u, .z1 = task->states->z1};
    routh_status status = refuse_reactions(m, error);
    if (!status) status = rt_response_take(&open, task, true, &causes, arena, error);
    if (!status) status = whole_minimal_take(&p, arena, error);
    if (!status) status = rt_response_motion(&open, causes, task, position, velocity, error);
    if (status) return status;
    p.X = open.u + (size_t)p.n * (size_t)rt_response_layout(task).W;
    status = whole_minimal_project_mass(&p, error);
    if (!status) status = whole_minimal_particular(&p, &open, causes, error);
    for (int c = 0; c < open.n_columns && !status; c++) {
        status = whole_minimal_accelerate(&p, &open, &causes[c], c, error);
        if (!status && forces) status = react(&p, &open, &causes[c], c, error);
    }
    return status ? status : rt_close_loop(&open, causes, task, closed, arena, error);
}
