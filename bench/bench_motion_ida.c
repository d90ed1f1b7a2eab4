/* A motion by every integrator, and by a plain IDA program on the same residual, written as one
 * would without this library's run: one line of CSV each, times in seconds, errors at the end
 * against the explicit formula of order 8 at a tolerance of 1e-12, in typical lengths.
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

typedef struct subject {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    double tolerance, end;
} subject;

static void report(const char *name, const subject *s, double seconds, long steps,
                   const rt_frame *frames, const double *exact)
{
    double worst = 0;
    for (int b = 0; exact && b < s->m->n_bodies; b++)
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(frames[b].r[i] - exact[3 * b + i]) / s->m->length);
    printf("%s,%s,%g,%.6f,%.4g,%ld,%.3g\n", name, s->m->coordinates, s->tolerance, seconds,
           s->end / seconds, steps, worst);
}

static routh_simulation *begin(const subject *s, const char *integrator, double tolerance)
{
    routh_error error;
    routh_simulation *simulation;
    routh_simulate_options options = routh_simulate_defaults();
    options.integrator = integrator, options.tolerance = tolerance;
    bench_check(routh_simulation_create(&simulation, s->m, s->point, &options, &error), &error);
    return simulation;
}

static void run(const subject *s, const char *integrator, double tolerance, const double *exact,
                double *out)
{
    routh_error error;
    routh_statistics counts;
    routh_simulation *simulation = begin(s, integrator, tolerance);
    const double start = bench_now();
    bench_check(routh_simulation_advance(simulation, s->end, &error), &error);
    const double seconds = bench_now() - start;
    const rt_frame *frames = simulation->run.search.w->bodies;
    routh_simulation_statistics(simulation, &counts);
    for (int b = 0; out && b < s->m->n_bodies; b++) rt_v3_copy(out + 3 * b, frames[b].r);
    if (!out) report(integrator, s, seconds, counts.steps, frames, exact);
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
static void run_plain(const subject *s, const double *exact)
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
    const double start = bench_now();
    const bool failed = IDASolve(ida, s->end, &t, y, ydot, IDA_NORMAL) < 0;
    const double seconds = bench_now() - start;
    if (failed) {
        printf("plain IDA,%s,%g,,,,failed at %.3g s\n", s->m->coordinates, s->tolerance, t);
    } else {
        IDAGetNumSteps(ida, &steps);
        bench_check(
            rt_stabilised_put(p.equations, run, s->end, NV_DATA_S(y), NV_DATA_S(ydot), &error),
            &error);
        rt_evaluate_frames(s->m, run->search.w, run->search.state);
        report("plain IDA", s, seconds, steps, run->search.w->bodies, exact);
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
static void run_plain(const subject *s, const double *exact) { (void)s, (void)exact; }
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
    run(&s, rt_explicit_runge_kutta.available ? "explicit-runge-kutta" : "hht", 1e-12, NULL, exact);
    for (int k = 0; routh_integrator_name(k); k++)
        if (routh_integrator_available(k))
            run(&s, routh_integrator_name(k), s.tolerance, exact, NULL);
    run_plain(&s, exact);
    free(exact);
    routh_operating_point_free(s.point);
    routh_mechanism_free(s.m);
    routh_model_free(s.model);
    return 0;
}
