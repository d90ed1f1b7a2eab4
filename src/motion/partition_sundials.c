/* Integrators of the state-space equations (partition.h) by SUNDIALS: an embedded pair of explicit
 * Runge-Kutta formulas (ARKODE), and Adams formulas of orders 1 to 12 (CVODE).
 *
 * Below a tolerance of 1e-7 the pair is Verner's of orders 6 and 5, with steps of one length
 * Fehlberg's of orders 8 and 7, whose estimate vanishes where forces depend on time alone (its two
 * formulas weigh the ends of the step alike); above it is Dormand and Prince's of
 * orders 5 and 4; both go on with the formula of the higher order. Within a step its states are
 * those of a shorter step from the same beginning, so that dense output is as exact as steps are,
 * for the evaluations of a step each; the polynomial of CVODE costs none.
 *
 * Adams' formulas are solved by functional iteration: Newton's method would need the Jacobian of
 * the reduced equations, which is dense; and stiff mechanisms are for the implicit integrators. */
#include "motion/sundials_common.h"

#ifdef ROUTH_HAS_SUNDIALS

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/hermite.h"
#include "motion/partition.h"

typedef struct ode {
    rt_run *run;
    rt_partition *partition;
    SUNContext context;
    bool adams;
    void *memory;     /* of ARKODE or CVODE */
    void *short_step; /* of ARKODE, for states within a step */
    SUNNonlinearSolver solver;
    int size; /* that they were made for; 0: not made yet */
    N_Vector y, y_before, y_between;
    N_Vector rate_before, rate_now; /* y' at both ends of the step to run->now at `glanced` */
    double glanced;
    const rt_state *from; /* where the step begins */
    bool worn;            /* another partition before the next step */
    long failures;        /* of error tests, counted since the beginning */
    rt_words words;
    routh_error error; /* of the last evaluation that failed */
} ode;

/* ---- what SUNDIALS calls --------------------------------------------------------------------- */

/* 1: SUNDIALS may try a shorter step; -1: it may not. */
static int partition_sundials_rate(realtype t, N_Vector y, N_Vector ydot, void *data)
{
    ode *k = data;
    NV_DATA_S(ydot)[0] = 0; /* where there is no number at all */
    routh_error unused;
    const routh_status status =
        rt_partition_rate(k->partition, k->run, t, NV_DATA_S(y), NV_DATA_S(ydot), &k->error);
    if (!status) return 0;
    /* what was tried must not lead the next search to another branch of the motion */
    const bool back = !rt_partition_start(k->partition, k->run, k->from, &unused);
    return status == ROUTH_OUT_OF_MEMORY || !back ? -1 : 1;
}

static int partition_sundials_weights(N_Vector y, N_Vector weight, void *data)
{
    (void)y;
    const ode *k = data;
    NV_DATA_S(weight)[0] = 1;
    rt_partition_weights(k->partition, k->run, NV_DATA_S(weight));
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void partition_sundials_release_solver(ode *k)
{
    if (k->adams && k->memory) CVodeFree(&k->memory);
    if (!k->adams && k->memory) ARKStepFree(&k->memory);
    if (k->short_step) ARKStepFree(&k->short_step);
    if (k->solver) SUNNonlinSolFree(k->solver);
    if (k->y) N_VDestroy(k->y);
    if (k->y_before) N_VDestroy(k->y_before);
    if (k->y_between) N_VDestroy(k->y_between);
    if (k->rate_before) N_VDestroy(k->rate_before);
    if (k->rate_now) N_VDestroy(k->rate_now);
    k->memory = k->short_step = NULL, k->solver = NULL;
    k->y = k->y_before = k->y_between = k->rate_before = k->rate_now = NULL;
    k->glanced = NAN;
    k->size = 0;
}

static void partition_sundials_release(rt_run *run)
{
    ode *k = run->own;
    if (!k) return;
    partition_sundials_release_solver(k);
    rt_partition_free(k->partition);
    if (k->context) SUNContext_Free(&k->context);
    free(k);
    run->own = NULL;
}

static routh_status partition_sundials_create(rt_run *run, bool adams, routh_error *error)
{
    ode *k = calloc(1, sizeof *k);
    if (!k) return rt_fail_memory(error);
    run->own = k;
    k->run = run, k->adams = adams;
    if (SUNContext_Create(NULL, &k->context)) return rt_fail_memory(error);
    return rt_partition_create(&k->partition, run, error);
}

static routh_status create_runge_kutta(rt_run *run, routh_error *error)
{
    return partition_sundials_create(run, false, error);
}

static routh_status create_adams(rt_run *run, routh_error *error)
{
    if (run->fixed_step > 0)
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "adams chooses its steps by the tolerance; leave out the step, or use "
                       "explicit-runge-kutta, hht or generalized-alpha");
    return partition_sundials_create(run, true, error);
}

/* By ARKStep, as ERKStep of version 6.4 takes Fehlberg's last stage for the next step's first one,
 * a known fault, which leaves less than order 8. Its own dense output is not used, but where a step
 * ends at the limit, and there a line is exact. */
static void *make_runge_kutta(ode *k)
{
    void *memory = ARKStepCreate(partition_sundials_rate, NULL, k->run->now->t, k->y, k->context);
    const bool tight = k->run->tolerance < 1e-7;
    const bool fixed = k->run->fixed_step > 0;
    const ARKODE_ERKTableID pair = !tight  ? ARKODE_DORMAND_PRINCE_7_4_5
                                   : fixed ? ARKODE_FEHLBERG_13_7_8
                                           : ARKODE_VERNER_8_5_6;
    if (!memory || ARKStepSetErrHandlerFn(memory, rt_sundials_handler, &k->words) ||
        ARKStepSetUserData(memory, k) || ARKStepSetTableNum(memory, ARKODE_DIRK_NONE, pair) ||
        ARKStepWFtolerances(memory, partition_sundials_weights) ||
        ARKStepSetInterpolantDegree(memory, 1)) {
        if (memory) ARKStepFree(&memory);
        return NULL;
    }
    return memory;
}

static bool make_adams(ode *k)
{
    k->memory = CVodeCreate(CV_ADAMS, k->context);
    k->solver = SUNNonlinSol_FixedPoint(k->y, 0, k->context);
    return k->memory && k->solver &&
           !CVodeSetErrHandlerFn(k->memory, rt_sundials_handler, &k->words) &&
           !CVodeInit(k->memory, partition_sundials_rate, k->run->now->t, k->y) &&
           !CVodeSetUserData(k->memory, k) &&
           !CVodeWFtolerances(k->memory, partition_sundials_weights) &&
           !CVodeSetNonlinearSolver(k->memory, k->solver);
}

static routh_status partition_sundials_make_solver(ode *k, int size, routh_error *error)
{
    partition_sundials_release_solver(k);
    k->y = rt_sundials_vector(size, k->context);
    k->y_before = rt_sundials_vector(size, k->context);
    k->y_between = rt_sundials_vector(size, k->context);
    k->rate_before = rt_sundials_vector(size, k->context);
    k->rate_now = rt_sundials_vector(size, k->context);
    if (!k->y || !k->y_before || !k->y_between || !k->rate_before || !k->rate_now)
        return rt_fail_memory(error);
    k->size = size;
    if (k->adams) return make_adams(k) ? ROUTH_OK : rt_fail_memory(error);
    k->memory = make_runge_kutta(k);
    k->short_step = make_runge_kutta(k);
    return k->memory && k->short_step ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* No longer than the turns that are coordinates allow. A mechanism that is driven altogether has no
 * error to choose its steps by: a tenth of the time in which it moves by a typical size. */
static double partition_sundials_longest_step(const ode *k)
{
    const rt_run *run = k->run;
    if (rt_partition_size(k->partition) > 0)
        return fmin(run->largest_step, rt_partition_longest_step(k->partition, run));
    const double curve = sqrt(rt_run_norm(run, run->now->udot));
    const double fastest = fmax(rt_run_norm(run, run->now->u), curve);
    return fmin(run->largest_step, 0.1 / fmax(fastest, 1e-3));
}

static int partition_sundials_restart(ode *k, double h)
{
    const rt_run *run = k->run;
    k->failures = 0;
    if (k->adams)
        return CVodeReInit(k->memory, run->now->t, k->y) || CVodeSetInitStep(k->memory, h);
    if (ARKStepReInit(k->memory, partition_sundials_rate, NULL, run->now->t, k->y)) return -1;
    return run->fixed_step > 0 ? ARKStepSetFixedStep(k->memory, run->fixed_step)
                               : ARKStepSetInitStep(k->memory, h);
}

/* At run->now with a choice of independent coordinates of its own; h: to try first, 0: SUNDIALS
 * chooses. */
static routh_status begin_with(ode *k, double h, routh_error *error)
{
    rt_run *run = k->run;
    routh_status status = rt_partition_choose(k->partition, run, error);
    const int n = rt_partition_size(k->partition), size = n > 0 ? n : 1;
    if (!status && size != k->size) status = partition_sundials_make_solver(k, size, error);
    if (!status) status = rt_partition_start(k->partition, run, run->now, error);
    if (status) return status;
    k->worn = false;
    k->glanced = NAN;
    k->from = run->now;
    NV_DATA_S(k->y)[0] = 0;
    rt_partition_take(k->partition, run, NV_DATA_S(k->y));
    if (partition_sundials_restart(k, h))
        return rt_fail(error, ROUTH_NUMERIC_ERROR, "SUNDIALS: %s", k->words.text);
    return ROUTH_OK;
}

/* A formula of order 1, with which Adams begins, would not take the step of the last one. */
static routh_status partition_sundials_begin(rt_run *run, routh_error *error)
{
    ode *k = run->own;
    return begin_with(k, k->adams ? 0 : run->step, error);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static int set_bounds(ode *k)
{
    const rt_run *run = k->run;
    const double longest = partition_sundials_longest_step(k), h = isfinite(longest) ? longest : 0;
    const double limit = isfinite(run->limit) ? run->limit : 1e300;
    if (k->adams) return CVodeSetMaxStep(k->memory, h) || CVodeSetStopTime(k->memory, limit);
    return ARKStepSetMaxStep(k->memory, h) || ARKStepSetStopTime(k->memory, limit);
}

static int partition_sundials_advance(ode *k, double *t)
{
    const rt_run *run = k->run;
    const double to = isfinite(run->limit) ? run->limit : run->now->t + 1e3;
    *t = run->now->t;
    return k->adams ? CVode(k->memory, to, k->y, t, CV_ONE_STEP)
                    : ARKStepEvolve(k->memory, to, k->y, t, ARK_ONE_STEP);
}

static void partition_sundials_count(ode *k)
{
    rt_run *run = k->run;
    long failures = 0;
    if (k->adams)
        CVodeGetNumErrTestFails(k->memory, &failures);
    else
        ARKStepGetNumErrTestFails(k->memory, &failures);
    run->count.rejected += failures - k->failures;
    k->failures = failures;
    run->count.steps++;
}

/* Did the step end on another branch of the configurations? Then u jumps, and not by u'. The rule
 * of trapezoids is off by a part (omega h)^3 / 12 for motions of a frequency omega. */
static bool has_jumped(const rt_run *run)
{
    static const double most = 0.3, slowest = 1e-3; /* 1/s: slower is rest */
    const rt_state *a = run->now, *b = run->search.state;
    double *d = run->search.x;
    for (int c = 0; c < run->m->n_u; c++)
        d[c] = b->u[c] - a->u[c] - (b->t - a->t) / 2 * (a->udot[c] + b->udot[c]);
    const double speed = fmax(rt_run_norm(run, a->u), rt_run_norm(run, b->u));
    return rt_run_norm(run, d) > most * fmax(speed, slowest);
}

/* The state at y becomes run->now, what that was run->before. */
static routh_status partition_sundials_accept(ode *k, double t, routh_error *error)
{
    rt_run *run = k->run;
    routh_status status = rt_partition_place(k->partition, run, t, NV_DATA_S(k->y), error);
    if (status) return status;
    k->worn = rt_partition_worn(k->partition, run);
    status = rt_run_accelerate(run, error);
    if (status) return status;
    if (run->fixed_step == 0 && has_jumped(run))
        return rt_fail(error, ROUTH_NUMERIC_ERROR,
                       "the velocities jump in the step; check whether the mechanism passes a "
                       "singular configuration, or the function of a motion jumps");
    status = rt_run_settle(run, error);
    if (status) return status;
    rt_state *old = run->before;
    run->before = run->now;
    run->now = old;
    rt_state_copy(run->m, run->now, run->search.state);
    rt_run_measure_states(run);
    partition_sundials_count(k);
    realtype next = 0;
    if (k->adams)
        CVodeGetCurrentStep(k->memory, &next);
    else
        ARKStepGetCurrentStep(k->memory, &next);
    run->step = next;
    return ROUTH_OK;
}

/* One try; fails where no shorter step would help SUNDIALS itself. */
static routh_status partition_sundials_try_step(ode *k, routh_error *error)
{
    rt_run *run = k->run;
    double t;
    k->error.status = ROUTH_OK;
    k->from = run->now;
    k->words.text[0] = 0;
    routh_status status = rt_partition_start(k->partition, run, run->now, error);
    if (status) return status;
    N_VScale(1, k->y, k->y_before);
    const int flag = set_bounds(k) ? -1 : partition_sundials_advance(k, &t);
    if (flag >= 0) return partition_sundials_accept(k, t, error);
    if (k->error.status) {
        if (error) *error = k->error;
        return k->error.status;
    }
    return rt_sundials_stuck(run, k->words.text, error);
}

static routh_status partition_sundials_step(rt_run *run, routh_error *error)
{
    enum { MOST = 12 };
    ode *k = run->own;
    double h = k->adams ? 0 : run->step;
    routh_status status = k->worn ? begin_with(k, h, error) : ROUTH_OK;
    for (int tries = 0; !status; tries++) {
        const double at = run->now->t;
        status = partition_sundials_try_step(k, error);
        if (!status) return ROUTH_OK;
        if (status == ROUTH_OUT_OF_MEMORY || tries == MOST || run->fixed_step > 0) break;
        /* once more with coordinates for this place, and shorter */
        run->count.rejected++;
        realtype tried = 0;
        if (k->adams)
            CVodeGetCurrentStep(k->memory, &tried);
        else
            ARKStepGetCurrentStep(k->memory, &tried);
        h = 0.1 * fmin(tried > 0 ? tried : 1, h > 0 ? h : INFINITY);
        if (h <= 1e-14 * fabs(at)) break;
        status = begin_with(k, h, error);
    }
    return rt_run_fail(run->now->t, status, error);
}

/* ---- within a step --------------------------------------------------------------------------- */

static int shorter_step(ode *k, double t)
{
    const rt_run *run = k->run;
    const double from = run->before->t;
    realtype reached;
    if (ARKStepReInit(k->short_step, partition_sundials_rate, NULL, from, k->y_before) ||
        ARKStepSetFixedStep(k->short_step, t - from))
        return -1;
    return ARKStepEvolve(k->short_step, t, k->y_between, &reached, ARK_ONE_STEP);
}

static routh_status find_end_rates(ode *k, routh_error *error)
{
    rt_run *run = k->run;
    k->error.status = ROUTH_OK;
    k->from = run->before;
    routh_status status = rt_partition_start(k->partition, run, run->before, error);
    if (status) return status;
    if (partition_sundials_rate(run->before->t, k->y_before, k->rate_before, k) ||
        partition_sundials_rate(run->now->t, k->y, k->rate_now, k)) {
        if (error) *error = k->error;
        return k->error.status;
    }
    k->glanced = run->now->t;
    return ROUTH_OK;
}

/* The cubics through y and y' at both ends. */
static routh_status partition_sundials_glance(rt_run *run, double t, rt_state *out,
                                              routh_error *error)
{
    ode *k = run->own;
    const double from = run->before->t, h = run->now->t - from, s = (t - from) / h;
    const double *a = NV_DATA_S(k->y_before), *b = NV_DATA_S(k->y);
    double *y = NV_DATA_S(k->y_between);
    routh_status status = k->glanced == run->now->t ? ROUTH_OK : find_end_rates(k, error);
    if (!status) status = rt_partition_start(k->partition, run, run->before, error);
    if (status) return status;
    const double *a_rate = NV_DATA_S(k->rate_before), *b_rate = NV_DATA_S(k->rate_now);
    for (int i = 0; i < k->size; i++) {
        double jet[3];
        rt_hermite(a[i], a_rate[i], b[i], b_rate[i], h, s, jet);
        y[i] = jet[0];
    }
    status = rt_partition_place(k->partition, run, t, y, error);
    if (!status && out != run->search.state) rt_state_copy(run->m, out, run->search.state);
    return status;
}

/* Formulas of orders 1 and 2, as after a beginning, miss the state that the step began at. */
static bool is_rough(const ode *k)
{
    int order = 0;
    return k->adams && !CVodeGetLastOrder(k->memory, &order) && order < 3;
}

static routh_status partition_sundials_between(rt_run *run, double t, rt_state *out,
                                               routh_error *error)
{
    ode *k = run->own;
    if (is_rough(k)) return partition_sundials_glance(run, t, out, error);
    const bool late = k->adams && t - run->before->t > run->now->t - t;
    k->error.status = ROUTH_OK;
    k->from = late ? run->now : run->before;
    routh_status status = rt_partition_start(k->partition, run, k->from, error);
    if (status) return status;
    const int flag = k->adams ? CVodeGetDky(k->memory, t, 0, k->y_between) : shorter_step(k, t);
    if (flag < 0) {
        if (error && k->error.status) *error = k->error;
        return k->error.status ? k->error.status
                               : rt_fail(error, ROUTH_NUMERIC_ERROR, "SUNDIALS: %s", k->words.text);
    }
    status = rt_partition_place(k->partition, run, t, NV_DATA_S(k->y_between), error);
    if (!status && out != run->search.state) rt_state_copy(run->m, out, run->search.state);
    return status;
}

#else

static routh_status partition_sundials_glance(rt_run *run, double t, rt_state *out,
                                              routh_error *error)
{
    (void)t, (void)out;
    return rt_sundials_missing(run, error);
}

static routh_status create_runge_kutta(rt_run *run, routh_error *error)
{
    return rt_sundials_missing(run, error);
}

static routh_status create_adams(rt_run *run, routh_error *error)
{
    return rt_sundials_missing(run, error);
}

static void partition_sundials_release(rt_run *run) { (void)run; }

static routh_status partition_sundials_begin(rt_run *run, routh_error *error)
{
    return rt_sundials_missing(run, error);
}

static routh_status partition_sundials_step(rt_run *run, routh_error *error)
{
    return rt_sundials_missing(run, error);
}

static routh_status partition_sundials_between(rt_run *run, double t, rt_state *out,
                                               routh_error *error)
{
    (void)t, (void)out;
    return rt_sundials_missing(run, error);
}

#endif

const rt_integrator rt_explicit_runge_kutta = {
    .name = "explicit-runge-kutta",
    .about =
        "embedded Runge-Kutta pair of order 8, 6 or 5 on independent coordinates (ARKODE); for "
        "tight tolerances without stiffness",
    .available = RT_HAS_SUNDIALS,
    .create = create_runge_kutta,
    .free = partition_sundials_release,
    .begin = partition_sundials_begin,
    .step = partition_sundials_step,
    .between = partition_sundials_between,
    .glance = partition_sundials_glance,
};

const rt_integrator rt_adams = {
    .name = "adams",
    .about = "Adams formulas of orders 1 to 12 on independent coordinates (CVODE); for smooth "
             "motions without stiffness",
    .available = RT_HAS_SUNDIALS,
    .create = create_adams,
    .free = partition_sundials_release,
    .begin = partition_sundials_begin,
    .step = partition_sundials_step,
    .between = partition_sundials_between,
    .glance = partition_sundials_glance,
};
