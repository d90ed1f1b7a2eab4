/* Is a model what it seems, and do all ways to its linear model agree? */
#ifndef ROUTH_CHECK_H
#define ROUTH_CHECK_H

#include "routh/answers.h"
#include "routh/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_check_options {
    routh_operating_point_options operating; /* how the operating point is found */
    const char *reference;             /* marker of the reference frame; NULL: what the model
                                          asks for */
    double tolerance; /* of eigenvalues, as a fraction of the spectral radius and times the
                              condition number; 0: the default, 1e-8 */
    int threads;      /* 0: what OpenMP gives. Default 0 */
    /* Sizes, of each 0: the default, -1: none. Above either of the first two only augmented is run
     * in every coordinate set, and the other methods, without variants, in absolute coordinates. */
    int most_degrees; /* of freedom, default 60 */
    int most_columns; /* absolute coordinates, 6 a body; default 400 */
    /* Above this no eigenvalues are computed. Default 1000 */
    int most_eigenvalues;
    /* Above this many bodies the closed form (routh/symbolic.h) is not tried. Default 16 */
    int most_exact_bodies;
    /* Called by the thread that made the call with the cells that are done and all there are; and
     * on the way within a cell, as routh_linear_options and routh_operating_point_options say,
     * whose own are not called. Other than 0: stop with ROUTH_STOPPED. Late where eigenvalues of
     * full matrices are found, and in the closed form. NULL: not */
    int (*on_progress)(void *data, int done, int all);
    void *data; /* handed to on_progress */
} routh_check_options;

/* Every option at its default. */
ROUTH_API routh_check_options routh_check_defaults(void);

/* An answer with the figure that decided. */
typedef struct routh_finding {
    const char *name;      /* "rank", "constraints", ... */
    routh_verdict verdict; /* the answer */
    double margin;    /* what was found over what is allowed: at most 1 where the answer is yes; NAN
                      where there is no such figure */
    const char *text; /* it in a sentence, with its figures */
} routh_finding;

/* How a body takes part in a motion: displacement of its centre of mass (m) and rotation vector
 * (rad), world axes; the largest component in the mechanism is 1. */
typedef struct routh_body_motion {
    const char *body;       /* its name */
    double displacement[3]; /* of the centre of mass, world axes; m, scaled as the motion is */
    double rotation[3];     /* rotation vector, world axes; rad, likewise */
} routh_body_motion;

/* A motion that nothing holds: its frequency is zero. */
typedef struct routh_free_motion {
    int n_bodies;              /* that move */
    routh_body_motion *bodies; /* those that move most first */
} routh_free_motion;

typedef enum routh_cell_state {
    ROUTH_CELL_REFERENCE, /* the others are compared with it */
    ROUTH_CELL_COMPARED,  /* compared with the reference */

    ROUTH_CELL_REFUSED, /* the method or the coordinates do not do this model, by design */
    ROUTH_CELL_FAILED,  /* an error */
    ROUTH_CELL_LEFT_OUT /* not tried */
} routh_cell_state;

/* One coordinate set with one method; or "natural" with "symbolic", the closed form of the model as
 * it is written, which shares nothing with the others but the reader, and has no signals. */
typedef struct routh_check_cell {
    const char *coordinates; /* "absolute", "relative", ... */
    const char *method;      /* "augmented", "minimal:qr", ... */
    routh_cell_state state;  /* what became of it */
    routh_verdict verdict;   /* of COMPARED; REFERENCE: yes; others: cannot tell */
    const char *why;         /* of a refusal, a failure or a doubt; NULL: nothing to say */
    double difference;       /* largest distance between eigenvalues that belong together, over the
                              spectral radius */
    double margin;           /* largest distance over what is allowed for that eigenvalue */
    double eigenvalue[2];    /* of the reference, where the margin is largest */
    double stated_error;     /* of an approximate method: its own bound or estimate, of the
                              eigenvalue with the largest, over the spectral radius; else 0 */
    double mac;              /* smallest modal assurance criterion, over the motion of all markers;
                              NAN where no shape could be compared */
    double shape_margin;     /* largest 1 - MAC over what is allowed; NAN likewise */
    double signals;          /* largest difference of an entry of B, C or D (and those of rates of
                              inputs), over the largest of its matrix, in units in which these are
                              near 1; NAN without inputs and outputs, or in other states */
    double seconds;          /* of the linearization; NAN where there is none */
} routh_check_cell;

/* Names point into the model, which must outlive this. Free with routh_check_free. */
typedef struct routh_check {
    /* ---- counts, in absolute coordinates */
    int n_bodies;           /* of the mechanism */
    int n_joint_rows;       /* constraint rows of joints, motions left out */
    int n_motion_rows;      /* of motions */
    int gruebler;           /* 6 bodies - joint rows - motion rows */
    int degrees_of_freedom; /* to first order */
    int degrees_nearby; /* a little away from here; another number in a singular configuration */
    /* ---- distance from singularity; NAN where the mechanism is too large for it */
    double smallest_singular; /* of the independent part of the Jacobian, rows of unit length and
                                 columns as lengths, over the largest */
    double distance; /* about how far bodies must move (m, or rad times the typical length) until
                        the rank drops; INFINITY where no motion leads there to first order */
    double length;   /* the typical length of the mechanism, m */
    /* ---- the reference: absolute coordinates, augmented */
    routh_operating_point *point; /* owned */
    routh_linear *linear;         /* owned; NULL where there is none */
    routh_modes *modes;           /* owned; NULL likewise */
    double *digits;     /* modes->n: how many leading digits of the eigenvalue are right */
    int n_free_motions; /* length of `free_motions` */
    routh_free_motion *free_motions; /* motions that nothing holds */
    /* ---- every coordinate set by every method, and last the closed form */
    int n_cells;             /* length of `cells` */
    routh_check_cell *cells; /* set by set, method by method */
    /* ---- answers */
    int n_findings;          /* length of `findings` */
    routh_finding *findings; /* in the order of the questions */
    routh_verdict verdict;   /* no where one answer is no, else cannot tell where one is that */
} routh_check;

/* Fails where the model cannot be compiled or has no operating point; a coordinate set or method
 * that fails is part of the result. */
ROUTH_API routh_status routh_check_run(routh_check **check, const routh_model *model,
                                       const routh_check_options *options, /* NULL: defaults */
                                       routh_error *error);
ROUTH_API void routh_check_free(routh_check *check); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
