/* Time integration. A run is what all integrators share; each integrator is one const struct behind
 * rt_integrator, and goes one step at a time. */
#ifndef RT_MOTION_MOTION_H
#define RT_MOTION_MOTION_H

#include "operating/operating.h"
#include "routh/motion.h"

typedef struct rt_integrator rt_integrator;

typedef struct rt_run {
    const routh_mechanism *m;
    const rt_integrator *integrator;
    void *own; /* the integrator's */

    /* The step that was taken last: its two ends, complete states (t, q, u, u', lambda, signals)
     * near the constraints. At the beginning both are the same, and on the constraints. */
    rt_state *before, *now;

    rt_search search; /* its state, workspace and rank serve every integrator */
    double *x_size;   /* n_x: how large each state of controllers was so far */
    bool twists;      /* there are bushings or beams, */
    double *twist;    /* and their rotation vectors at run->now, 3 each */

    double tolerance;    /* of the local error, see rt_run_norm */
    double fixed_step;   /* > 0: all steps are so long, but for those that end at the limit */
    double largest_step; /* INFINITY: none */
    double limit;        /* no step goes beyond this time */
    double step;         /* what to try next; 0: not chosen yet */
    double dissipation;  /* NAN: the integrator's default */
    int alert;           /* so many steps more velocities are looked at closely (after a switch), */
    double alert_speed;  /* beside the largest norm of u since then */
    routh_statistics count;
} rt_run;

struct rt_integrator {
    const char *name, *about;
    int order; /* of its global error; 0: it chooses */
    bool available;
    bool tells_step; /* no step is longer than run->step was before it, where that is not 0 */

    /* own memory for the mechanism; run->now is the start. NOT_SUPPORTED names what stands in the
     * way. */
    routh_status (*create)(rt_run *run, routh_error *error);
    void (*free)(rt_run *run); /* run->own, which may be NULL or half made */

    /* Begins anew at run->now, which is complete (the start, after an event, or where the run was
     * kept): nothing from before counts but run->step. What is not in run->now and run->step
     * (factors, pivots, histories) is made anew, so that runs that begin alike go on alike to the
     * last bit. */
    routh_status (*begin)(rt_run *run, routh_error *error);

    /* One accepted step: run->before takes what run->now was, run->now the state at its end, not
     * beyond run->limit, with u', lambda and signals; run->step what to try
     * next; counts what it did. Allocates nothing. */
    routh_status (*step)(rt_run *run, routh_error *error);

    /* q, u and the states of controllers at a time of the last step, into out (its t is set). Near
     * the constraints; the caller brings it onto them. */
    routh_status (*between)(rt_run *run, double t, rt_state *out, routh_error *error);

    /* The same by the states and rates at both ends alone, where `between` feels forces that the
     * step did not; NULL: between is such. */
    routh_status (*glance)(rt_run *run, double t, rt_state *out, routh_error *error);

    /* What it remembers beside run->before, run->now and run->step, as numbers: how many, the
     * numbers, and going on from them as if there had been no break. What is made of states
     * (factors, pivots) is made anew, by an unbroken run too. NULL: it begins anew instead. */
    size_t (*memory)(const rt_run *run);
    void (*keep)(const rt_run *run, double *numbers);
    routh_status (*go_on)(rt_run *run, const double *numbers, routh_error *error);
};

/* One file each. Those by SUNDIALS exist in every build, and are not available where it was built
 * without. */
extern const rt_integrator rt_hht, rt_generalized_alpha;      /* alpha.c */
extern const rt_integrator rt_explicit_runge_kutta, rt_adams; /* partition_sundials.c */
extern const rt_integrator rt_bdf;                            /* ida.c */

/* The integrator of that name; NULL: the first. NOT_SUPPORTED names those there are. */
routh_status rt_integrator_find(const char *name, const rt_integrator **integrator,
                                routh_error *error);

/* ---- what the simulation does with a run ----------------------------------------------------- */

/* tolerance and the like are set by the caller in *run beforehand; start: complete (u', lambda and
 * signals too). Release in any case. */
routh_status rt_run_create(rt_run *run, const rt_integrator *integrator, const rt_state *start,
                           routh_error *error);
void rt_run_release(rt_run *run);

/* Rows and factors are chosen anew, and the integrator begins at run->now. */
routh_status rt_run_begin(rt_run *run, routh_error *error);

/* Rows and factors are chosen anew, and the integrator goes on from its numbers (go_on) at
 * run->before and run->now. */
routh_status rt_run_go_on(rt_run *run, const double *numbers, routh_error *error);

/* The state at a time of the last step into run->search.state, complete, and evaluated in
 * run->search.w. */
routh_status rt_run_show(rt_run *run, double t, routh_error *error);

/* ---- what integrators use of a run ----------------------------------------------------------- */

/* Sets the time of a state, and with it the inputs that follow a history. NUMERIC_ERROR names one
 * that has no finite value. */
routh_status rt_run_time(const rt_run *run, rt_state *state, double t, routh_error *error);

/* Before run->search.state becomes run->now: its angles that count turns go on from it.
 * NUMERIC_ERROR: what one turned since run->now is not what its rates say, so that a turn may be
 * lost, or a bushing was wound through half a revolution; the step is then to be a shorter one. */
routh_status rt_run_settle(rt_run *run, routh_error *error);

/* The rotation vectors of bushings and beams in the evaluated state, as where they go on from; and
 * NUMERIC_ERROR where one went through half a revolution since, else the same. */
void rt_run_note_twists(rt_run *run);
routh_status rt_run_check_twists(rt_run *run, routh_error *error);

/* run->search.state's q and u brought onto the constraints by the smallest change in the metric of
 * the masses: Newton on Phi = 0, then G u = -Phi_t, by search.mass over the rows of search.rank.
 * Residuals of both are below RT_MOTION_CLOSED typical lengths (per second, or that part of the
 * largest velocity) after it, or what rounding allows. NOT_ASSEMBLED names the joint that stays
 * open. */
routh_status rt_run_project(rt_run *run, routh_error *error);
static const double RT_MOTION_CLOSED = 1e-12;

/* Residuals of the constraints in the evaluated state (PHI and JACOBIAN), over typical lengths, and
 * what rounding alone may leave of them. */
typedef struct rt_open {
    double position, velocity;
    double position_rounding, velocity_rounding;
    int position_row, velocity_row; /* the worst; -1 where there is none */
} rt_open;

void rt_run_open(const rt_run *run, rt_open *open);

/* The residual of position alone, of PHI and the sizes of rows (n_rows). */
double rt_run_open_position(const rt_run *run, const double *size);

static inline bool rt_is_closed(double error, double rounding)
{
    return error <= fmax(RT_MOTION_CLOSED, rounding);
}

/* What rounding alone may leave of a position in the evaluated state, over the typical length. */
double rt_run_rounding(const rt_run *run);

/* u', lambda, x' and variables of run->search.state, which is on the constraints. */
routh_status rt_run_accelerate(rt_run *run, routh_error *error);

/* The largest component of a change of configuration (or of velocities times a time) over typical
 * sizes: lengths over the typical length, radians. */
double rt_run_norm(const rt_run *run, const double *xi);

/* How large a controller's state, or a tyre's, is taken to be: the largest so far in the run of
 * its values and of its rates over the motion's own fastest (run->x_size), but a millionth of its
 * unit at least, so that what rounding leaves of a state at zero chooses no steps. 1 where it is
 * zero. */
double rt_run_size_x(const rt_run *run, int k);

/* The same of changes of such states, each over its size. */
double rt_run_norm_x(const rt_run *run, const double *x);

/* From here on, for as many steps as a contact takes, velocities are looked at closely. */
void rt_run_alert(rt_run *run);

/* Lets run->now count for those sizes. */
void rt_run_measure_states(rt_run *run);

/* A first step for the tolerance and the order: a small part of the time in which the motion at
 * run->now changes by a typical size, not beyond the limit. */
double rt_run_first_step(const rt_run *run, int order);

/* Adds the time to an error's message ("at t = 0.31 s: .."). Gives back its status. */
routh_status rt_run_fail(double t, routh_status status, routh_error *error);

#endif
