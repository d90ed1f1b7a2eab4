/* Optimisation of parameters: frequencies and damping ratios placed, peaks of responses lowered,
 * within bounds, by exact derivatives (docs/guide/optimisation.md). Needs NLopt. */
#ifndef ROUTH_OPTIMISE_H
#define ROUTH_OPTIMISE_H

#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_optimum_options {
    const char *coordinates;        /* as of routh_mechanism_compile */
    routh_operating_point_type type; /* of the operating point */
    const char *method, *reference;  /* as of routh_linear_options; NULL: augmented */
    const routh_setting *settings;  /* other parameters */
    size_t n_settings;              /* length of `settings` */
    const char *algorithm;          /* "slsqp", "mma" or "ccsa"; NULL: the study's */
    int evaluations; /* most of them, those of a log that is resumed too; 0: the study's */
    double seconds;  /* of this run; 0: the study's */
    const char *log; /* file that gets a line for every evaluation (JSON); NULL: none */
    int resume; /* 1: the log is there, and the run goes on from it. The method goes the same way
                   again, its evaluations taken from the log */
    /* called after every evaluation with the objective there (NAN where there is no operating
     * point) and the largest violation; other than 0: stop with the best so far */
    int (*on_evaluation)(void *data, int evaluation, double objective, double violation);
    void *data; /* handed to on_evaluation */
} routh_optimum_options;

/* Every option at its default. */
ROUTH_API routh_optimum_options routh_optimum_defaults(void);

/* The names of algorithms: number k = 0, 1, ..; NULL past the last. */
ROUTH_API const char *routh_optimum_algorithm_name(int k);

typedef enum routh_wish {
    ROUTH_WISH_NONE,     /* kept within bounds alone */
    ROUTH_WISH_MINIMISE, /* as small as can be */

    ROUTH_WISH_MAXIMISE, /* as large as can be */

    ROUTH_WISH_NEAR /* as near the target as can be */

} routh_wish;

typedef enum routh_optimum_end {
    ROUTH_OPTIMISE_CONVERGED,   /* steps are as small as the tolerance asks, or rounding allows */
    ROUTH_OPTIMISE_EVALUATIONS, /* as many as were allowed */
    ROUTH_OPTIMISE_TIME,        /* as long as was allowed */

    ROUTH_OPTIMISE_INTERRUPTED, /* by on_evaluation */
    ROUTH_OPTIMISE_FAILED,      /* the algorithm gave up: message */
    ROUTH_OPTIMISE_UNVERIFIED   /* it ended where the gradients do not show an optimum: message */
} routh_optimum_end;

/* "converged", "limit of evaluations", .. */
ROUTH_API const char *routh_optimum_end_name(routh_optimum_end end);

typedef struct routh_optimum_variable {
    char *name;                      /* of the parameter */
    double before, after, low, high; /* its value at first and at last, in its unit; its bounds */
    int logarithmic;                 /* 1: varied by its logarithm */
    int at_bound;                    /* -1: at the lower one, 1: at the upper one, 0 */
    double objective_by_bound; /* derivative of the best objective by that bound; 0 where at none */
} routh_optimum_variable;

typedef struct routh_optimum_goal {
    char *name, *what, *unit; /* "ride", "frequency of mode 2", "Hz" */
    double low, high;         /* equal: placed there; infinite: no bound */
    routh_wish wish;          /* besides the bounds */
    double target, weight;    /* of a wish; target NAN where it is not near */
    int n_members;            /* how many modes, or parts of the band, it is made of */
    double before, after; /* of the member that counts most: the largest, or the smallest of those
                              that are to be large */
    double hz;            /* of a peak: where it is in the end; else NAN */
    double slack;         /* to the nearer bound, negative where it is violated; INFINITY: none */
    int active;           /* at that bound */
    double objective_by_bound; /* derivative of the best objective by it; 0 where not active */
} routh_optimum_goal;

typedef struct routh_optimum {
    char *title, *file, *study;        /* title: of the study or else of the model */
    const char *algorithm;             /* "slsqp", "mma" or "ccsa" */
    routh_optimum_end end;             /* why it ended */
    char message[256];                 /* what the algorithm said where it failed; else "" */
    int n_variables;                   /* length of `variables` */
    routh_optimum_variable *variables; /* in the order of the study */
    int n_goals;                       /* length of `goals` */
    routh_optimum_goal *goals;         /* likewise */
    double before, after;              /* of the objective (docs/guide/optimisation.md) */
    int least_change;           /* 1: nothing was to be minimised but the change of the variables */
    double violation;           /* largest of a bound in the end, relative; 0: none */
    double optimality;          /* |gradient of the Lagrangian| over that of the objective, with the
                                   best multipliers: 0 at a local optimum; NAN where violated */
    int n_evaluations, n_taken; /* all; those of a log that was resumed */
    int n_failed;               /* without operating point or modes, or without derivatives */
    char failure[1024];         /* why the first of them failed; "" */
    int n_uncertain; /* where, even in small steps, it was not certain which mode is which */
} routh_optimum;

/* Optimises the model file at path ("-" is standard input) as the study file at study asks. What is
 * wrong in the study is reported with its source location; BAD_ARGUMENT for an unknown algorithm;
 * NOT_SUPPORTED without NLopt, and where a variable acts through numbers that are not
 * differentiated; whatever the operating point at the start gives. Where no optimum is reached the
 * best so far is given, and `end` says why; STOPPED by on_evaluation, with it too. Free with
 * routh_optimum_free. */
ROUTH_API routh_status routh_optimum_find(routh_optimum **optimum, const char *path,
                                          const char *study,
                                          const routh_optimum_options *options, /* NULL: defaults */
                                          routh_error *error);
/* The same of a model that is there, however it was made; it is built anew for each evaluation,
 * with the settings that it was made with and those of the options. text: what the study holds,
 * terminated, where it is no file; study stands for it in messages then. NULL: the file at study.
 * The result does not refer to them. */
ROUTH_API routh_status routh_optimum_find_of_model(
    routh_optimum **optimum, const routh_model *model, const char *study, const char *text,
    const routh_optimum_options *options, /* NULL: defaults */
    routh_error *error);
ROUTH_API void routh_optimum_free(routh_optimum *optimum); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
