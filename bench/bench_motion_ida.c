/* A motion by every integrator, and by a plain IDA program on the same residual, written as one
 * would without this library's run: one line of CSV each; times in seconds of the processor,
 * medians of rounds in which all take turns; errors at the end against the explicit formula of
 * order 8 at a tolerance of 1e-12, in typical lengths.
 *
 *     bench_motion_ida FILE COORDINATES TOLERANCE END
 *     bench_motion_ida                                  the heading */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "motion/simulation.h"
#include "motion/stabilised.h"

enum { ROUNDS = 7, MOST = 16 };

typedef struct subject {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    double tolerance, end;
    const double *exact; /* 3 of each body */
} subject;

/* Of one integrator: how long its rounds took, and what all of them came to. */
typedef struct result {
    const char *name;
    double seconds[ROUNDS], failed_at; /* NAN: it did not fail */
    int n;
    long steps;
    double error;
} result;

static void take(result *x, const subject *s, const char *name, double seconds, long steps,
                 const rt_frame *frames)
{
    double worst = 0;
    for (int b = 0; b < s->m->n_bodies; b++)
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(frames[b].r[i] - s->exact[3 * b + i]) / s->m->length);
    x->name = name, x->steps = steps, x->error = worst, x->failed_at = NAN;
    x->seconds[x->n++] = seconds;
}

static void report(result *x, const subject *s)
{
    printf("%s,%s,%g,", x->name, s->m->coordinates, s->tolerance);
    if (!isnan(x->failed_at)) {
        printf(",,,failed at %.3g s\n", x->failed_at);
        return;
    }
    const double seconds = bench_median(x->seconds, x->n);
    printf("%.6f,%.4g,%ld,%.3g\n", seconds, s->end / seconds, x->steps, x->error);
}

static routh_simulation *begin(const subject *s, const char *integrator, double tolerance)
{
    routh_error error;
    routh_simulation *simulation;
    routh_simulation_options options = routh_simulation_defaults();
    options.integrator = integrator, options.tolerance = tolerance;
    bench_check(routh_simulation_create(&simulation, s->m, s->point, &options, &error), &error);
    return simulation;
}

static void run(const subject *s, const char *integrator, result *x)
{
    routh_error error;
    routh_statistics counts;
    routh_simulation *simulation = begin(s, integrator, s->tolerance);
    const double start = bench_processor();
    bench_check(routh_simulation_advance(simulation, s->end, &error), &error);
    const double seconds = bench_processor() - start;
    routh_simulation_statistics(simulation, &counts);
    take(x, s, integrator, seconds, counts.steps, simulation->run.search.w->bodies);
    routh_simulation_free(simulation);
}

static void run_exactly(const subject *s, double *exact)
{
    routh_error error;
    routh_simulation *simulation =
        begin(s, rt_explicit_runge_kutta.available ? "explicit-runge-kutta" : "hht", 1e-12);
    bench_check(routh_simulation_advance(simulation, s->end, &error), &error);
    for (int b = 0; b < s->m->n_bodies; b++)
        rt_v3_copy(exact + 3 * b, simulation->run.search.w->bodies[b].r);
    routh_simulation_free(simulation);
}

#ifdef ROUTH_HAS_SUNDIALS

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef struct plain {
    rt_run *run;
    rt_stabilised *equations;
} plain;

static int residual(realtype t, N_Vector y, N_Vector ydot, N_Vector r, void *data)
{
    const plain *p = data;
    return rt_stabilised_residual(p->equations, p->run, t, NV_DATA_S(y), NV_DATA_S(ydot),
                                  NV_DATA_S(r), NULL) != ROUTH_OK;
}

static int jacobian(realtype t, realtype c, N_Vector y, N_Vector ydot, N_Vector r, SUNMatrix J,
                    void *data, N_Vector a1, N_Vector a2, N_Vector a3)
{
    (void)r, (void)a1, (void)a2, (void)a3;
    const plain *p = data;
    const rt_pattern *pattern = rt_stabilised_pattern(p->equations);
    for (int j = 0; j <= pattern->n_columns; j++) SM_INDEXPTRS_S(J)[j] = pattern->start[j];
    for (int e = 0; e < pattern->start[pattern->n_columns]; e++)
        SM_INDEXVALS_S(J)[e] = pattern->row[e];
    return rt_stabilised_jacobian(p->equations, p->run, t, c, NV_DATA_S(y), NV_DATA_S(ydot),
                                  SM_DATA_S(J), NULL) != ROUTH_OK;
}

static void check(int failed)
{
    if (!failed) return;
    fprintf(stderr, "IDA failed\n");
    exit(1);
}

/* Scalar tolerances, all usual settings, one call to the end. */
static void run_plain(const subject *s, result *x)
{
    routh_error error;
    SUNContext context;
    routh_simulation *simulation = begin(s, "hht", s->tolerance);
    rt_run *run = &simulation->run;
    plain p = {.run = run};
    check(SUNContext_Create(NULL, &context));
    rt_state_copy(s->m, run->search.state, run->now);
    bench_check(rt_find_motion(&run->search, &error), &error);
    bench_check(rt_stabilised_create(&p.equations, run, &error), &error);
    const int n = rt_stabilised_size(p.equations);
    const rt_pattern *pattern = rt_stabilised_pattern(p.equations);
    N_Vector y = N_VNew_Serial(n, context), ydot = N_VClone(y), id = N_VClone(y);
    SUNMatrix J = SUNSparseMatrix(n, n, pattern->start[n], CSC_MAT, context);
    SUNLinearSolver solver = SUNLinSol_KLU(y, J, context);
    void *ida = IDACreate(context);
    rt_stabilised_take(p.equations, run, NV_DATA_S(y), NV_DATA_S(ydot));
    rt_stabilised_kinds(p.equations, NV_DATA_S(id));
    check(IDAInit(ida, residual, 0, y, ydot) || IDASetUserData(ida, &p) ||
          IDASStolerances(ida, s->tolerance, s->tolerance) || IDASetLinearSolver(ida, solver, J) ||
          IDASetJacFn(ida, jacobian) || IDASetId(ida, id) || IDASetSuppressAlg(ida, SUNTRUE) ||
          IDASetMaxNumSteps(ida, 10000000));
    realtype t = 0;
    long steps = 0;
    const double start = bench_processor();
    const bool failed = IDASolve(ida, s->end, &t, y, ydot, IDA_NORMAL) < 0;
    const double seconds = bench_processor() - start;
    if (failed) {
        x->name = "plain IDA", x->failed_at = t;
    } else {
        IDAGetNumSteps(ida, &steps);
        bench_check(
            rt_stabilised_put(p.equations, run, s->end, NV_DATA_S(y), NV_DATA_S(ydot), &error),
            &error);
        rt_evaluate_frames(s->m, run->search.w, run->search.state);
        take(x, s, "plain IDA", seconds, steps, run->search.w->bodies);
    }
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(J);
    N_VDestroy(y), N_VDestroy(ydot), N_VDestroy(id);
    rt_stabilised_free(p.equations);
    SUNContext_Free(&context);
    routh_simulation_free(simulation);
}

#else
static void run_plain(const subject *s, result *x) { (void)s, (void)x; }
#endif

int main(int argc, char **argv)
{
    if (argc != 5) {
        printf("integrator,coordinates,tolerance,seconds,simulated_per_second,steps,error\n");
        return 0;
    }
    routh_error error;
    subject s = {.tolerance = atof(argv[3]), .end = atof(argv[4])};
    bench_check(routh_model_read(&s.model, argv[1], NULL, 0, &error), &error);
    bench_check(routh_mechanism_compile(&s.m, s.model, argv[2], &error), &error);
    bench_check(routh_operating_point_find(&s.point, s.m, NULL, &error), &error);
    double *exact = calloc(3 * (size_t)s.m->n_bodies + 1, sizeof *exact);
    if (!exact) return 1;
    run_exactly(&s, exact);
    s.exact = exact;
    result results[MOST] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        int n = 0;
        for (int k = 0; routh_integrator_name(k) && n < MOST - 1; k++)
            if (routh_integrator_available(k)) run(&s, routh_integrator_name(k), &results[n++]);
        run_plain(&s, &results[n]);
    }
    for (int k = 0; k < MOST; k++)
        if (results[k].name) report(&results[k], &s);
    free(exact);
    routh_operating_point_free(s.point);
    routh_mechanism_free(s.m);
    routh_model_free(s.model);
    return 0;
}
