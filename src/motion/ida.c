/* Backward differences of orders 1 to 5 on the stabilised equations (stabilised.h), by IDA with
 * KLU. Multipliers and variables take no part in the choice of steps. Each step ends where Newton's
 * method leaves it: near the constraints, closer than the tolerance; who looks at it brings it onto
 * them. */
#include "motion/sundials_common.h"

#ifdef ROUTH_HAS_SUNDIALS

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "motion/stabilised.h"

typedef struct implicit {
    rt_run *run;
    rt_stabilised *equations;
    SUNContext context;
    void *memory;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    N_Vector y, ydot, kind;
    long failures, iterations, factorizations; /* of IDA, counted since the beginning */
    rt_words words;
    routh_error error; /* of the last evaluation that failed */
} implicit;

/* ---- what IDA calls -------------------------------------------------------------------------- */

/* 1: IDA may try a shorter step; -1: it may not. */
static int outcome(routh_status status)
{
    return !status ? 0 : status == ROUTH_OUT_OF_MEMORY ? -1 : 1;
}

static int ida_residual(realtype t, N_Vector y, N_Vector ydot, N_Vector r, void *data)
{
    implicit *k = data;
    return outcome(rt_stabilised_residual(k->equations, k->run, t, NV_DATA_S(y), NV_DATA_S(ydot),
                                          NV_DATA_S(r), &k->error));
}

static int ida_jacobian(realtype t, realtype c, N_Vector y, N_Vector ydot, N_Vector r, SUNMatrix J,
                        void *data, N_Vector a1, N_Vector a2, N_Vector a3)
{
    (void)r, (void)a1, (void)a2, (void)a3;
    implicit *k = data;
    const rt_pattern *p = rt_stabilised_pattern(k->equations);
    for (int j = 0; j <= p->n_columns; j++) SM_INDEXPTRS_S(J)[j] = p->start[j];
    for (int e = 0; e < p->start[p->n_columns]; e++) SM_INDEXVALS_S(J)[e] = p->row[e];
    return outcome(rt_stabilised_jacobian(k->equations, k->run, t, c, NV_DATA_S(y), NV_DATA_S(ydot),
                                          SM_DATA_S(J), &k->error));
}

static int ida_weights(N_Vector y, N_Vector weight, void *data)
{
    (void)y;
    const implicit *k = data;
    rt_stabilised_weights(k->equations, k->run, NV_DATA_S(weight));
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void ida_release_solver(implicit *k)
{
    if (k->memory) IDAFree(&k->memory);
    if (k->solver) SUNLinSolFree(k->solver);
    if (k->matrix) SUNMatDestroy(k->matrix);
    if (k->y) N_VDestroy(k->y);
    if (k->ydot) N_VDestroy(k->ydot);
    if (k->kind) N_VDestroy(k->kind);
    rt_stabilised_free(k->equations);
    k->memory = NULL, k->solver = NULL, k->matrix = NULL, k->equations = NULL;
    k->y = k->ydot = k->kind = NULL;
}

static void ida_release(rt_run *run)
{
    implicit *k = run->own;
    if (!k) return;
    ida_release_solver(k);
    if (k->context) SUNContext_Free(&k->context);
    free(k);
    run->own = NULL;
}

static routh_status ida_create(rt_run *run, routh_error *error)
{
    if (run->fixed_step > 0)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "bdf chooses its steps by the tolerance; leave out the step, or use hht, "
                       "generalized-alpha or explicit-runge-kutta");
    implicit *k = calloc(1, sizeof *k);
    if (!k) return rt_fail_memory(error);
    run->own = k;
    k->run = run;
    return SUNContext_Create(NULL, &k->context) ? rt_fail_memory(error) : ROUTH_OK;
}

static bool set_options(implicit *k)
{
    static const double newton = 0.1; /* of a step's tolerance */
    return !IDASetErrHandlerFn(k->memory, rt_sundials_handler, &k->words) &&
           !IDAInit(k->memory, ida_residual, k->run->now->t, k->y, k->ydot) &&
           !IDASetUserData(k->memory, k) && !IDAWFtolerances(k->memory, ida_weights) &&
           !IDASetLinearSolver(k->memory, k->solver, k->matrix) &&
           !IDASetJacFn(k->memory, ida_jacobian) && !IDASetId(k->memory, k->kind) &&
           !IDASetSuppressAlg(k->memory, SUNTRUE) && !IDASetNonlinConvCoef(k->memory, newton);
}

static routh_status ida_make_solver(implicit *k, routh_error *error)
{
    ida_release_solver(k);
    const routh_status status = rt_stabilised_create(&k->equations, k->run, error);
    if (status) return status;
    const int n = rt_stabilised_size(k->equations);
    const rt_pattern *p = rt_stabilised_pattern(k->equations);
    k->y = rt_sundials_vector(n, k->context);
    k->ydot = rt_sundials_vector(n, k->context);
    k->kind = rt_sundials_vector(n, k->context);
    k->matrix = SUNSparseMatrix(n, n, p->start[n] > 0 ? p->start[n] : 1, CSC_MAT, k->context);
    if (!k->y || !k->ydot || !k->kind || !k->matrix) return rt_fail_memory(error);
    k->solver = SUNLinSol_KLU(k->y, k->matrix, k->context);
    k->memory = IDACreate(k->context);
    if (!k->solver || !k->memory) return rt_fail_memory(error);
    /* as everywhere here (base/factor.c): what a triangular form would pivot on loses digits */
    SUNLinSol_KLUGetCommon(k->solver)->btf = 0;
    rt_stabilised_kinds(k->equations, NV_DATA_S(k->kind));
    return set_options(k) ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- beginning ------------------------------------------------------------------------------- */

static routh_status ida_begin(rt_run *run, routh_error *error)
{
    implicit *k = run->own;
    rt_search *s = &run->search;
    rt_state_copy(run->m, s->state, run->now);
    /* multipliers of the rows that are kept alone, and all frames */
    routh_status status = rt_find_motion(s, error);
    if (!status && (!k->memory || !rt_stabilised_fits(k->equations, run)))
        status = ida_make_solver(k, error);
    if (status) return status;
    rt_stabilised_take(k->equations, run, NV_DATA_S(k->y), NV_DATA_S(k->ydot));
    k->failures = k->iterations = k->factorizations = 0;
    const rt_pattern *p = rt_stabilised_pattern(k->equations);
    if (SUNLinSol_KLUReInit(k->solver, k->matrix, p->start[p->n_columns], SUNKLU_REINIT_PARTIAL) ||
        IDAReInit(k->memory, run->now->t, k->y, k->ydot))
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "SUNDIALS: %s", k->words.text);
    return ROUTH_OK;
}

/* Onto the constraints, with rows chosen for the place. */
static routh_status ida_begin_here(rt_run *run, routh_error *error)
{
    rt_search *s = &run->search;
    rt_state_copy(run->m, s->state, run->now);
    const int what = RT_EVALUATE_PHI | RT_EVALUATE_JACOBIAN;
    routh_status status = rt_evaluate(run->m, s->w, s->state, what, error);
    if (!status) status = rt_find_rank(s, error);
    if (!status) status = rt_search_mass(s, error);
    if (!status) status = rt_run_project(run, error);
    if (!status) rt_state_copy(run->m, run->now, s->state);
    return status ? status : ida_begin(run, error);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void ida_count(implicit *k)
{
    rt_run *run = k->run;
    long failures = 0, iterations = 0, factorizations = 0;
    IDAGetNumErrTestFails(k->memory, &failures);
    IDAGetNumNonlinSolvIters(k->memory, &iterations);
    IDAGetNumLinSolvSetups(k->memory, &factorizations);
    run->count.steps++;
    run->count.rejected += failures - k->failures;
    run->count.iterations += iterations - k->iterations;
    run->count.factorizations += factorizations - k->factorizations;
    k->failures = failures, k->iterations = iterations, k->factorizations = factorizations;
}

static routh_status ida_accept(implicit *k, double t, routh_error *error)
{
    rt_run *run = k->run;
    rt_state *old = run->before;
    routh_status status =
        rt_stabilised_put(k->equations, run, t, NV_DATA_S(k->y), NV_DATA_S(k->ydot), error);
    if (status) return status;
    status = rt_run_settle(run, error);
    if (status) return status;
    run->before = run->now;
    run->now = old;
    rt_state_copy(run->m, run->now, run->search.state);
    rt_run_measure_states(run);
    realtype next = 0;
    IDAGetCurrentStep(k->memory, &next);
    run->step = next;
    ida_count(k);
    return ROUTH_OK;
}

static routh_status ida_try_step(implicit *k, routh_error *error)
{
    const rt_run *run = k->run;
    const double longest = isfinite(run->largest_step) ? run->largest_step : 0;
    const double limit = isfinite(run->limit) ? run->limit : 1e300;
    const double to = isfinite(run->limit) ? run->limit : run->now->t + 1e3;
    double t = run->now->t;
    k->error.status = ROUTH_OK;
    k->words.text[0] = 0;
    rt_take_angles(run->m, run->search.state, run->now);
    int flag = IDASetMaxStep(k->memory, longest) || IDASetStopTime(k->memory, limit) ? -1 : 0;
    if (!flag) flag = IDASolve(k->memory, to, &t, k->y, k->ydot, IDA_ONE_STEP);
    if (flag >= 0) return ida_accept(k, t, error);
    if (k->error.status && error) *error = k->error;
    return k->error.status ? k->error.status : rt_sundials_stuck(run, k->words.text, error);
}

static routh_status ida_step(rt_run *run, routh_error *error)
{
    enum { MOST = 3 };
    implicit *k = run->own;
    routh_status status = ida_try_step(k, error);
    for (int tries = 1; status && status != ROUTH_OUT_OF_MEMORY && tries < MOST; tries++) {
        routh_error again;
        run->count.rejected++;
        if (ida_begin_here(run, &again)) break;
        status = ida_try_step(k, error);
    }
    return status ? rt_run_fail(run->now->t, status, error) : ROUTH_OK;
}

static routh_status ida_between(rt_run *run, double t, rt_state *out, routh_error *error)
{
    implicit *k = run->own;
    if (IDAGetDky(k->memory, t, 0, k->y) < 0)
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "SUNDIALS: %s", k->words.text);
    if (IDAGetDky(k->memory, t, 1, k->ydot) < 0)
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "SUNDIALS: %s", k->words.text);
    const routh_status status =
        rt_stabilised_put(k->equations, run, t, NV_DATA_S(k->y), NV_DATA_S(k->ydot), error);
    if (!status && out != run->search.state) rt_state_copy(run->m, out, run->search.state);
    return status;
}

#else

static routh_status ida_create(rt_run *run, routh_error *error)
{
    return rt_sundials_missing(run, error);
}

static void ida_release(rt_run *run) { (void)run; }

static routh_status ida_begin(rt_run *run, routh_error *error)
{
    return rt_sundials_missing(run, error);
}

static routh_status ida_step(rt_run *run, routh_error *error)
{
    return rt_sundials_missing(run, error);
}

static routh_status ida_between(rt_run *run, double t, rt_state *out, routh_error *error)
{
    (void)t, (void)out;
    return rt_sundials_missing(run, error);
}

#endif

const rt_integrator rt_bdf = {
    .name = "bdf",
    .about = "backward differences of orders 1 to 5 on the stabilised equations of index 2 (IDA)",
    .available = RT_HAS_SUNDIALS,
    .create = ida_create,
    .free = ida_release,
    .begin = ida_begin,
    .step = ida_step,
    .between = ida_between,
};
