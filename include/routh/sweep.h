/* Eigenvalues against parameters: the operating point followed from value to value, modes tracked
 * by their shapes, and the values where something happens solved for. */
#ifndef ROUTH_SWEEP_H
#define ROUTH_SWEEP_H

#include "routh/answers.h"
#include "routh/deal.h"
#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of one parameter, ascending or descending, none twice. Free with routh_sweep_axis_free. */
typedef struct routh_sweep_axis {
    char *parameter; /* its name */
    int n;           /* length of `values` */
    double *values;  /* in its unit: that of its file, SI where the file says none */
    int united;      /* some are written with a unit and read without a model, and so in SI: for
                        parameters in SI alone */
} routh_sweep_axis;

/* "spin=0:2*pi:41" (from, to, how many), "k=log:1:1e6:25" (equal ratios), "k=1, 2, 5"; each number
 * an expression without names, with units as in model files ("0:12000 rpm:9"), which become values
 * in the `units` of the parameter's file. BAD_ARGUMENT. */
ROUTH_API routh_status routh_sweep_axis_parse(routh_sweep_axis *axis, const char *text,
                                              const routh_model *model, /* NULL: in SI units */
                                              routh_error *error);
ROUTH_API void routh_sweep_axis_free(routh_sweep_axis *axis);

enum { ROUTH_SWEEP_ORDERS = 16, ROUTH_SWEEP_EXTRA = 24 };

/* What is solved for between the values of the grid, added up. */
enum {
    ROUTH_SWEEP_SOLVE_NONE = 0,
    ROUTH_SWEEP_SOLVE_LIMITS = 1,    /* of stability, and the damping ratio asked for */
    ROUTH_SWEEP_SOLVE_CRITICAL = 2,  /* critical speeds */
    ROUTH_SWEEP_SOLVE_CROSSINGS = 4, /* where frequencies cross and eigenvalues meet */
    ROUTH_SWEEP_SOLVE_VEERINGS = 8,
    ROUTH_SWEEP_SOLVE_ALL = 15
};

typedef struct routh_sweep_options {
    const char *coordinates;         /* as of routh_mechanism_compile */
    routh_operating_point_type type; /* of the operating point */
    const char *method, *reference;  /* as of routh_linear_options; NULL: augmented */
    const char *const *blades; /* of a rotor, ends with NULL: eigenvalues in multi-blade
                                  coordinates, as of routh_linear_options, the operating point
                                  brought into balance (routh_rotor_point_find). No exact
                                  derivatives. NULL: none */
    const routh_setting *settings;   /* other parameters */
    size_t n_settings;               /* length of `settings` */
    int threads; /* 0: as many as OpenMP gives; the result does not depend on it */
    const routh_distributor
        *dealer;     /* segments by several processes in place of threads; NULL: none. The
                                   result, which does not depend on it, is NULL where it does not
                                   lead */
    int halvings;    /* most of a step between two values, where modes are not distinguished;
                     default 20, 0: none */
    int solve;       /* ROUTH_SWEEP_SOLVE_..; default: limits and critical speeds. None: the grid
                        alone, without values between */
    double below;    /* Hz: crossings, veerings and modes to be distinguished are looked at up to it
                        alone; 0: the default, INFINITY */
    int points;      /* bounds the operating points between the values of the grid; 0: 16. A
                        piece of a line of up to 33 values, n steps, has points (n +
                        ROUTH_SWEEP_EXTRA) of them for limits, as many for crossings and veerings,
                        and for distinguishing modes as many with these, else an eighth. What is
                        left undone then is counted in `n_bounded` */
    int derivatives; /* 1, the default: these are solved for with exact derivatives of eigenvalues
                        where there are any, safeguarded by brackets, and modes that vectors leave
                        in doubt are distinguished with them; 0: by brackets and vectors alone */
    double damping_ratio; /* also where this is reached; 0 and NAN, the default: not asked for (at 0
                             it is a limit of stability) */
    const char *speed;    /* parameter that is the speed of rotation in rad/s, for critical speeds;
                             NULL: none */
    int n_orders;         /* critical where |Im| = order speed; default one, 1. Order 0: Im = 0 */
    double orders[ROUTH_SWEEP_ORDERS]; /* n_orders */
    /* A second parameter: what is solved for along the one that is swept is followed on, as a curve
     * over both, from the value that the model has; NULL: none. Needs exact derivatives by both */
    const char *boundary;
    double boundary_low, boundary_high; /* the model's own value lies between */
    int boundary_united;                /* as `united` of an axis */
    /* called from one thread at a time, after every point and on the way to it; `all` counts the
       values and, where something is solved for, the steps between them, which come after. Other
       than 0: stop with what is done, soon */
    int (*on_progress)(void *data, int done, int all);
    void *data; /* handed to on_progress */
} routh_sweep_options;

/* Every option at its default. */
ROUTH_API routh_sweep_options routh_sweep_defaults(void);

typedef enum routh_sweep_event_kind {
    ROUTH_SWEEP_FLUTTER,    /* the real part of a complex eigenvalue changes its sign */
    ROUTH_SWEEP_DIVERGENCE, /* a real eigenvalue, or a pair of opposite ones, goes through zero */
    ROUTH_SWEEP_MEETING,    /* two eigenvalues meet and part at right angles: a pair becomes real or
                               two real ones a pair, or two frequencies merge */
    ROUTH_SWEEP_CRITICAL,   /* Im = order speed */
    ROUTH_SWEEP_DAMPING,    /* the damping ratio asked for is reached */
    ROUTH_SWEEP_CROSSING,   /* two frequencies are equal, and the shapes stay what they were */
    ROUTH_SWEEP_VEERING,    /* two eigenvalues come nearest, and their shapes are exchanged */
    ROUTH_SWEEP_AMBIGUOUS,  /* here it is not certain which mode goes on as which */
    ROUTH_SWEEP_LOST,       /* the operating point could not be followed: between the values before
                               and after it ends, or jumps */
    ROUTH_SWEEP_UNRESOLVED  /* limits (`of`) that lie between could not be solved for */
} routh_sweep_event_kind;

/* "limits", "critical", "crossings", "veerings": the words of --solve; "" of what is no single one
 * of them. */
ROUTH_API const char *routh_sweep_solve_name(int solve);

/* "flutter", "divergence", ..; "" past the last. */
ROUTH_API const char *routh_sweep_event_name(routh_sweep_event_kind kind);

typedef struct routh_sweep_event {
    routh_sweep_event_kind kind; /* what happens */
    double value;                /* of the parameter */
    double error;         /* what it may be off: of limits (flutter, divergence, damping, critical
                             speed) to values on both sides of it; of others that are solved for
                             from error bound and bracket; else half the step */
    int branch[2];        /* numbers of the branches concerned; -1: none */
    double eigenvalue[2]; /* of the first, there: re, im */
    double order;         /* of a critical speed; else 0 */
    double gap;           /* veering: the smallest distance of the two, 1/s; else 0 */
    int grows;            /* 1: with the parameter rising the real part rises through zero */
    int evaluations;      /* operating points that solving took; 0 of what is not solved for */
    int derivatives;      /* 1: with exact derivatives of the eigenvalues, 0: without */
    routh_sweep_event_kind of; /* not resolved: of which kind; flutter: of stability; else 0 */
} routh_sweep_event;

typedef struct routh_sweep_point {
    double value;  /* of the parameter that is swept */
    int on_grid;   /* 0: put in between to distinguish modes */
    int unstable;  /* eigenvalues whose real part is above zero by more than it may be off */
    int n;         /* eigenvalues; 0 where there is no operating point: message says why */
    char *message; /* NULL where all is well */
    double (*eigenvalues)[2]; /* of each branch of the line: re, im in 1/s, rad/s; NAN where the
                                 branch does not exist here */
    double *bounds;           /* error bounds, 1/s */
    int *partner;     /* of each branch: which one is its conjugate here, itself of a real one; -1
                        where it does not exist */
    int *rigid;       /* 1: an exact zero */
    int steady;       /* 0: the motion is not steady, and eigenvalues do not determine stability */
    double speed;     /* of rotation, rad/s; NAN where none was asked for */
    double certainty; /* of the step from the point before, 0 to 1: how far the modes chosen stand
                         out; 1 at the first */
} routh_sweep_point;

/* Along the first parameter, at one value of the second. */
typedef struct routh_sweep_line {
    double second;             /* NAN where there is one parameter */
    int n_branches;            /* modes that are followed, each of a pair by itself */
    int *first_branch;         /* of the eigenvalues at the first value, as routh_modes has them */
    char **names;              /* of branches: "2" of a mode with its pair, "2*" of its conjugate */
    int n_points;              /* in the order of the values */
    routh_sweep_point *points; /* n_points */
    int n_events;              /* in the order of the values */
    routh_sweep_event *events; /* n_events */
} routh_sweep_line;

typedef struct routh_sweep_boundary_point {
    double value, second;       /* of both parameters */
    double error, second_error; /* what each may be off where the other is as it is said */
    double eigenvalue[2];       /* there: re, im */
    int turns;                  /* 1: the swept parameter has reversed since the point before */
} routh_sweep_boundary_point;

/* A curve over both parameters, from one end to the other: at the border of the ranges, or where it
 * could not be followed any more; or closed. */
typedef struct routh_sweep_boundary {
    routh_sweep_event_kind kind; /* flutter, divergence, critical speed, damping or meeting */
    double order;                /* of a critical speed; else 0 */
    int closed;                  /* 1: the last point is the first one again */
    int border[2];               /* 1: it begins, ends at the border */
    int n;                       /* length of `points` */
    routh_sweep_boundary_point *points; /* along the curve */
} routh_sweep_boundary;

typedef struct routh_sweep {
    char *title, *file;                /* of the model */
    char *parameter, *second;          /* second: NULL where there is one */
    char *speed;                       /* as asked for; NULL */
    int n_orders;                      /* length of `orders` */
    double orders[ROUTH_SWEEP_ORDERS]; /* of critical speeds */
    int n_lines;                       /* one, or as many as the second parameter has values */
    routh_sweep_line *lines;           /* in the order of these */
    char *boundary;                    /* the parameter of the boundaries; NULL */
    int n_boundaries;                  /* length of `boundaries` */
    routh_sweep_boundary *boundaries;  /* curves over both parameters */
    int n_computed;  /* operating points, those of refinement and of solving included */
    int derivatives; /* 1: zeros are solved for with exact derivatives of the eigenvalues, and modes
                        in doubt distinguished with them */
    char *refused;   /* why not, where they are refused; NULL where they are not asked for */
    int solve;       /* as asked for */
    double below;    /* as asked for */
    int points;      /* as asked for */
    int n_bounded;   /* steps between values in which `points` left something undone */
    int n_left;      /* steps that were not looked at, as the sweep was stopped */
    int interrupted; /* 1: by on_progress */
} routh_sweep;

/* Sweeps the model file at path along n_axes (1 or 2) parameters; path "-" is standard input.
 * Values where no operating point is found have a message and the sweep goes on; BAD_ARGUMENT for
 * parameters that the model does not have, and whatever reading the model gives. STOPPED by
 * on_progress, with a sweep of what is done (interrupted is 1). */
ROUTH_API routh_status routh_sweep_run(routh_sweep **sweep, const char *path,
                                       const routh_sweep_axis *axes, int n_axes,
                                       const routh_sweep_options *options, /* NULL: defaults */
                                       routh_error *error);
/* The same of a model that is there, however it was made; it is built anew for each value, with the
 * settings that it was made with and those of the options. The result does not refer to it.
 * BAD_ARGUMENT where it is NULL. */
ROUTH_API routh_status routh_sweep_run_of_model(
    routh_sweep **sweep, const routh_model *model, const routh_sweep_axis *axes, int n_axes,
    const routh_sweep_options *options, /* NULL: defaults */
    routh_error *error);
ROUTH_API void routh_sweep_free(routh_sweep *sweep); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
