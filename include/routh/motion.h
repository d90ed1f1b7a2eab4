/* Time integration: a mechanism from an operating point on. */
#ifndef ROUTH_MOTION_H
#define ROUTH_MOTION_H

#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The integrators there are: name and one line about number k = 0, 1, ..; NULL past the last. Not
 * every build has all of them: those by SUNDIALS are an optional part. */
ROUTH_API const char *routh_integrator_name(int k);
ROUTH_API const char *routh_integrator_about(int k);
ROUTH_API int routh_integrator_available(int k);

typedef enum routh_event_action {
    ROUTH_EVENT_RECORD, /* noted; the integration begins anew after it */
    ROUTH_EVENT_STOP,   /* ends the integration there */

    ROUTH_EVENT_SET /* gives an input another value */
} routh_event_action;

/* A switch of the model that changed sign: an event of the user's or a non-smooth point of an
 * element. */
typedef struct routh_event {
    const char *name;          /* of the user's event, else of the element: "limit stop" */
    const char *what;          /* of an element: what changed sign; "" for the user's events */
    double time;               /* s */
    int direction;             /* 1: it rose through zero, -1: it fell */
    routh_event_action action; /* what follows */
} routh_event;

/* How far a simulation has come. */
typedef struct routh_progress {
    double time, step;    /* s: of the end of the last step, and its length */
    long steps, rejected; /* so far: taken; tried and taken back */
} routh_progress;

typedef struct routh_simulation_options {
    const char *integrator; /* NULL: the model's (simulate: integrator), else the first there is */
    double tolerance;       /* local error of a step over typical lengths, radians and speeds; 0:
                               the model's, else 1e-6 */
    double step;            /* s; a fixed step; 0: the model's, else controlled by the tolerance */
    double largest_step;    /* s; 0: the model's, else none */
    double end;             /* s; no step goes beyond it; 0: the model's, else none */
    /* Of hht: alpha, -1/3 .. 0, default -0.3; of generalized-alpha: the spectral radius at infinite
     * frequency, 0 .. 1, default 0.7. NAN: the default. */
    double dissipation;
    /* Called at every event and after every step; NULL: not. A step function that gives other than
     * 0 ends the integration there (stopped is set). */
    void (*on_event)(void *data, const routh_event *event);
    int (*on_step)(void *data, const routh_progress *progress);
    void *data; /* handed to both */
} routh_simulation_options;

/* Every option at its default. */
ROUTH_API routh_simulation_options routh_simulation_defaults(void);

typedef struct routh_simulation routh_simulation;

/* Begins at the point, which must be of this mechanism. Mechanism must outlive it; the point need
 * not. Free with routh_simulation_free. NOT_SUPPORTED where this build or this mechanism allows no
 * such integrator. */
ROUTH_API routh_status routh_simulation_create(routh_simulation **simulation,
                                               const routh_mechanism *mechanism,
                                               const routh_operating_point *point,
                                               /* NULL: defaults */
                                               const routh_simulation_options *options,
                                               routh_error *error);
ROUTH_API void routh_simulation_free(routh_simulation *simulation); /* NULL is allowed */

/* Goes on to the time, which must not be before the present one, and is there: dense output of
 * the integrator, brought onto the constraints of position and velocity, with accelerations and
 * joint forces solved for. Earlier where an event or the step function stopped it. NUMERIC_ERROR,
 * SINGULAR say at which time and of which element. Allocates nothing, but where a factorization
 * needs fresh pivots or the constraints change their rank. */
ROUTH_API routh_status routh_simulation_advance(routh_simulation *simulation, double time,
                                                routh_error *error);

/* The time it is at, s; NAN of NULL. */
ROUTH_API double routh_simulation_time(const routh_simulation *simulation);
/* 1: an event or the step function ended it; routh_simulation_time says where. */
ROUTH_API int routh_simulation_stopped(const routh_simulation *simulation);

/* Where it is, as an operating point: to be linearized about, printed, or begun from again. */
ROUTH_API routh_status routh_simulation_point(const routh_simulation *simulation,
                                              routh_operating_point **point, routh_error *error);

typedef struct routh_statistics {
    long steps, rejected;                  /* taken; tried and taken back */
    long iterations;                       /* of Newton's method */
    long evaluations;                      /* of the equations of motion */
    long factorizations;                   /* of matrices */
    long partitions;                       /* how often independent coordinates were chosen anew */
    long events;                           /* that happened */
    double smallest_step, largest_step;    /* s */
    double position_error, velocity_error; /* largest residual of the constraints at the states
                                              that were shown, m and m/s (rad over the typical
                                              length) */
} routh_statistics;

/* What the run took so far: zeros of NULL. statistics may be NULL. */
ROUTH_API void routh_simulation_statistics(const routh_simulation *simulation,
                                           routh_statistics *statistics);

/* Everything that the rest of the run depends on, as numbers: how many, and the numbers. After
 * `keep` a simulation goes on exactly as one that takes the numbers up by `resume`, to the last
 * bit: hht and generalized-alpha from their last step, with new factors; the others begin anew
 * where they are. So runs that keep at the same times are the same. `resume` is for a simulation of
 * the same mechanism and options; BAD_ARGUMENT where the numbers are of another. */
ROUTH_API size_t routh_simulation_memory(const routh_simulation *simulation);
ROUTH_API routh_status routh_simulation_keep(routh_simulation *simulation, double *numbers,
                                             routh_error *error);
ROUTH_API routh_status routh_simulation_resume(routh_simulation *simulation, const double *numbers,
                                               routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
