/* Solving with K + s M of a finite-element model: its symmetric factor and one step of refinement,
 * all right-hand sides at once. */
#include <string.h>

#include "base/ldl.h"
#include "flexible/body.h"

enum { AT_ONCE = 12 };

struct rt_body_solver {
    const rt_body_fe *b;
    const double *values;
    rt_ldl *ldl;
    double *right, *residual; /* n x AT_ONCE */
    double *work;
    rt_arena arena; /* of work, as large as the factor wants */
};

routh_status rt_body_solver_create(rt_body_solver **solver, const rt_body_fe *b, rt_arena *arena,
                                   routh_error *error)
{
    rt_body_solver *s = RT_TAKE(arena, rt_body_solver, 1);
    *solver = s;
    if (!s) return rt_fail_memory(error);
    s->b = b;
    s->right = RT_TAKE(arena, double, (size_t)b->n *AT_ONCE);
    s->residual = RT_TAKE(arena, double, (size_t)b->n *AT_ONCE);
    if (!s->right || !s->residual) return rt_fail_memory(error);
    return rt_ldl_create(&s->ldl, &b->fe->pattern, error);
}

routh_status rt_body_solver_factor(rt_body_solver *s, const double *values, routh_error *error)
{
    s->values = values;
    rt_arena_free(&s->arena);
    s->arena = (rt_arena){0};
    const routh_status status = rt_ldl_factor(s->ldl, values, error);
    if (status) return status;
    s->work = RT_TAKE(&s->arena, double, rt_ldl_work(s->ldl, AT_ONCE));
    return s->work ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status solve_some(const rt_body_solver *s, double *x, int n_rhs, routh_error *error)
{
    const size_t n = (size_t)s->b->n, all = n * (size_t)n_rhs;
    memcpy(s->right, x, all * sizeof *x);
    routh_status status = rt_ldl_solve(s->ldl, x, n_rhs, s->work, error);
    if (status) return status;
    for (int k = 0; k < n_rhs; k++)
        rt_body_times(s->b, s->values, x + n * (size_t)k, s->residual + n * (size_t)k);
    for (size_t i = 0; i < all; i++) s->residual[i] = s->right[i] - s->residual[i];
    status = rt_ldl_solve(s->ldl, s->residual, n_rhs, s->work, error);
    for (size_t i = 0; i < all && !status; i++) x[i] += s->residual[i];
    return status;
}

routh_status rt_body_solve(const rt_body_solver *s, double *x, int n_rhs, routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n_rhs && !status; k += AT_ONCE)
        status = solve_some(s, x + (size_t)s->b->n * (size_t)k,
                            n_rhs - k < AT_ONCE ? n_rhs - k : AT_ONCE, error);
    return status;
}

void rt_body_solver_free(rt_body_solver *s)
{
    if (!s) return;
    rt_ldl_free(s->ldl);
    rt_arena_free(&s->arena);
    s->ldl = NULL;
}
