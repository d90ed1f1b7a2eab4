/* Time integration. A run is what all integrators share; each integrator is one const struct behind
 * rt_integrator, and goes one step at a time. */
#ifndef RT_MOTION_H
#define RT_MOTION_H

#include "operating/operating.h"
#include "routh/motion.h"

typedef struct rt_integrator rt_integrator;

typedef struct rt_run {
    const routh_mechanism *m;
    const rt_integrator *integrator;
    void *own; /* the integrator's */

    /* The step that was taken last: its two ends, complete states (t, q, u, u', lambda, signals)
     * that keep the constraints of position and velocity. At the beginning both are the same. */
    rt_state *before, *now;

    rt_search search; /* its state, workspace and rank serve every room; see rt_run_complete */
    int n_rank;       /* rank of G that the rows kept were chosen for */

    double tolerance;    /* of the local error, see rt_run_norm */
    double fixed_step;   /* > 0: all steps are so long, but for those that end at the limit */
    double largest_step; /* INFINITY: none */
    double limit;        /* no step goes beyond this time */
    double step;         /* what to try next; 0: not chosen yet */
    double dissipation;  /* NAN: the integrator's default */
    routh_statistics count;
} rt_run;

struct rt_integrator {
    const char *name, *about;
    int order; /* of its global error; 0: it chooses */
    bool available;

    /* own memory for the mechanism; run->now is the start. NOT_SUPPORTED names what stands in the
     * way. */
    routh_status (*create)(rt_run *run, routh_error *error);
    void (*free)(rt_run *run); /* run->own, which may be NULL or half made */

    /* Begins anew at run->now (after the start, an event, or taken up from numbers): nothing from
     * before counts but run->step. */
    routh_status (*begin)(rt_run *run, routh_error *error);

    /* One accepted step: run->before takes what run->now was, run->now the state at its end, not
     * beyond run->limit, on the constraints, with u', lambda and signals; run->step what to try
     * next; counts what it did. Allocates nothing. */
    routh_status (*step)(rt_run *run, routh_error *error);

    /* q, u and the states of controllers at a time of the last step, into out (its t is set). Near
     * the constraints; the caller brings it onto them. */
    routh_status (*between)(rt_run *run, double t, rt_state *out, routh_error *error);

    /* Its own numbers beside before, now and step that the rest of the run depends on: how many (0
     * where `memory` is NULL); keep writes them and forgets everything else, take reads them. Where
     * `keep` is NULL the integrator is begun anew instead. */
    size_t (*memory)(const rt_run *run);
    void (*keep)(rt_run *run, double *numbers);
    routh_status (*take)(rt_run *run, const double *numbers, routh_error *error);
};

/* One file each. Those by SUNDIALS exist in every build, and are not available where it was built
 * without. */
extern const rt_integrator rt_hht, rt_generalized_alpha; /* alpha.c */
extern const rt_integrator rt_explicit_runge_kutta, rt_adams; /* partition_sundials.c */
extern const rt_integrator rt_bdf;                            /* ida.c */

/* The integrator of that name; NULL: the first. NOT_SUPPORTED names those there are. */
routh_status rt_integrator_find(const char *name, const rt_integrator **integrator,
                                routh_error *error);

/* ---- what integrators use of a run ----------------------------------------------------------- */

/* Sets the time of a state, and with it the inputs that follow a history. */
void rt_run_time(const rt_run *run, rt_state *state, double t);

/* A state's q and u brought onto the constraints by the smallest change (Newton on Phi = 0 and
 * G u = -Phi_t with search->mass), rows as search->rank has them. Both residuals are below
 * RT_MOTION_CLOSED typical lengths (per second) after it, or the call fails. state is
 * run->search.state or another. */
routh_status rt_run_project(rt_run *run, rt_state *state, routh_error *error);
static const double RT_MOTION_CLOSED = 1e-12;

/* u', lambda, x' and variables of a state on the constraints. */
routh_status rt_run_accelerate(rt_run *run, rt_state *state, routh_error *error);

/* The largest component of a change of configuration (or of velocities times a time) over typical
 * sizes: lengths over the typical length, radians. */
double rt_run_norm(const rt_run *run, const double *xi);

/* The rank and the independent rows of G at run->now chosen anew, search->mass with them. */
routh_status rt_run_choose_rows(rt_run *run, routh_error *error);

/* Adds the time to an error's message ("at t = 0.31 s: ..."). Gives back its status. */
routh_status rt_run_fail(const rt_run *run, double t, routh_status status, routh_error *error);

#endif
