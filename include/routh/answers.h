/* Answers from a linear model: eigenvalues, modes and their energies. */
#ifndef ROUTH_ANSWERS_H
#define ROUTH_ANSWERS_H

#include "routh/factors.h"
#include "routh/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum routh_verdict {
    ROUTH_YES,        /* it holds */
    ROUTH_NO,         /* it does not */
    ROUTH_CANNOT_TELL /* rounding hides it, or it was not examined */
} routh_verdict;

/* "yes", "no", "cannot tell" */
ROUTH_API const char *routh_verdict_name(routh_verdict verdict);

typedef struct routh_mode {
    double eigenvalue[2];         /* re, im in 1/s and rad/s */
    double undamped_frequency_hz; /* |s| / 2 pi */
    double damped_frequency_hz;   /* |Im s| / 2 pi */
    double damping_ratio;         /* -Re s / |s|; 0 for a zero eigenvalue */
    double condition;   /* of the eigenvalue: 1 / |y' x| for unit vectors of the balanced matrix,
                           >= 1; 1 for a zero split off exactly */
    double error_bound; /* estimate of the absolute error of the eigenvalue from rounding, 1/s;
                           0 for a zero split off exactly; with the bound of the method's own
                           error where that is approximate (routh_linear.bound) */
    double control;     /* share of the controllers' states in it, 0 to 1: |p_X| / (|p_X| + |p_M|)
                           of the participation factors (left times right vector) summed over
                           them and over the mechanism's states; 0 where there are none */
    int rigid;          /* 1: a zero eigenvalue (rigid-body or neutral motion), exactly 0 */
    int multiplicity;   /* how many agree with it within their error bounds, itself included; of
                           selected ones those too that are not given */
    int defective; /* how many eigenvalues, itself included, rounding could make of one defective
                           eigenvalue, such as that of critical damping; 0: it is none of such */
    int conjugate;      /* index of the complex conjugate, itself for a real one */
    /* 2 x n_states: real parts, then imaginary parts, of y; scaled so that the largest component of
     * a marker's displacement or rotation (1 rad counts as 1 m) is 1 and real; where no marker
     * moves, the largest state. Rigid: a null vector z of A, or z + A z + .. for a generalized
     * vector z. */
    const double *shape;
    double residual; /* wanted ones: how well the pair solves the descriptor's equations, relative
                        to their largest terms; else 0 */
    int n_states;    /* half the length of shape */
} routh_mode;

/* How it is known that none was missed. */
typedef enum routh_count {
    ROUTH_COUNT_NONE,    /* it is not: copies of an eigenvalue may be missing */
    ROUTH_COUNT_INERTIA, /* signs of the pivots of a symmetric matrix (Sylvester) */
    ROUTH_COUNT_WINDING, /* revolutions of the determinant along a circle round them (Cauchy) */
    ROUTH_COUNT_ALL      /* all eigenvalues that there are were found */
} routh_count;

/* "not counted", "inertia", "winding number", "all found" */
ROUTH_API const char *routh_count_name(routh_count count);

/* Where they were sought: all eigenvalues in the disc are among the modes, and their conjugates. */
typedef struct routh_selection_region {
    double near[2];      /* 1/s, rad/s: the middle, imaginary part 0 or more */
    double radius;       /* 1/s; infinite where there are no others; 0 where not counted */
    double shift[2];     /* used: near, or a little beside it where that is an eigenvalue; of the
                        counted symmetric pencil the root of its shift */
    routh_count counted; /* how it is known that none is missing in the region */
} routh_selection_region;

/* How selected eigenvalues were found. */
typedef struct routh_selection {
    int count;        /* asked for about each number; 0 where all were computed, or between two */
    int between;      /* 1: all between two frequencies, */
    double low, high; /* Hz */
    int n_regions;    /* 0: all were computed */
    routh_selection_region
        *regions;                 /* of the modes; with between one, of which only counted says */
    double violation;             /* largest |G xi| / (|G| |xi|) of a mode, of rounding size */
    int n_solves;                 /* of the sparse system; those of the count are not among them */
    int n_restarts;               /* of the iterations */
} routh_selection;

typedef struct routh_modes {
    int n;               /* n_states of the linear model; the wanted ones where only some were */
    routh_mode *modes;   /* sorted by modulus, then imaginary part */
    int n_zero;          /* how many are rigid */
    double zero_margin;  /* largest singular value (or column) of the scaled A taken as zero /
                           smallest kept after; 0 when nothing but exact zeros was taken. Near 1:
                           the zeros are doubtful */
    double zero_margin_sure; /* up to this the number of zeros is not in doubt: 1e-9 of models in
                                extended precision, 1e-6 of others */
    routh_selection wanted; /* what was asked for, where only some modes were */
    double *storage;     /* holds the shapes; the library's own */
    unsigned long long of, origin; /* the library's own: which linear model they are of, and its
                                      origin; 0: not known */
} routh_modes;

/* Eigenvalues by LAPACK dgeevx (balanced, both vectors, condition numbers) after the zero
 * eigenvalues, which may be defective, are split off exactly by a staircase of rank decisions. A
 * slow mode is distinguished from zero down to some 1e-7 of the highest frequency, and further
 * down where it shares no states with the fast ones. Positions come first in y, then velocities,
 * then states of controllers, each of which may have a unit of its own; an angle is a state
 * whose unit begins with "rad". ROUTH_NUMERIC_ERROR when A is not finite or the iteration fails,
 * ROUTH_BAD_ARGUMENT when the sizes do not add up. The caller frees *modes; linear must live
 * only during the call. */
ROUTH_API routh_status routh_modes_compute(routh_modes **modes, const routh_linear *linear,
                                           routh_error *error);

/* 1: it cannot be said which of them are zero: what was taken as zero is more than 1e-6 of what was
 * not, or an error bound is as large as its eigenvalue, or that of zeros as the smallest other. A
 * linear model with options.extended 2 may decide it. Of selected modes always 0. */
ROUTH_API int routh_modes_in_doubt(const routh_modes *modes);
ROUTH_API void routh_modes_free(routh_modes *modes);

/* Which eigenvalues of a mechanism too large for full matrices. */
typedef struct routh_selection_request {
    int count;          /* so many nearest to each of the numbers; a pair is kept whole, at the
                           distance of its nearer one, so that one more may come, and copies of the
                           last one come too, if there are no more than 100; else its multiplicity
                           says how many there are */
    int n_near;         /* numbers; 0: one, which is 0 */
    const double *near; /* 2 x n_near: real parts (1/s) and imaginary parts (rad/s) in turn */
    int between;        /* 1: all between two frequencies in their place; a negative frequency
                           stands for a real pair +-2 pi f, of what is not stable */
    double low, high;   /* Hz */
    int uncounted;      /* 1: without the count by the winding number, which factors some 10 to 30
                           complex matrices for each number */
    /* Called by the thread that made the call after every factorization and solution, so many are
     * done; all is 0, not known. Other than 0: stop with ROUTH_STOPPED, once the factorization that
     * is under way is done. It must not begin another search itself. NULL: not */
    int (*on_progress)(void *data, int done, int all);
    void *data; /* handed to on_progress */
} routh_selection_request;

/* Eigenvalues nearest to some numbers, each once, with a count that shows that none was missed.
 * Without damping and with symmetric matrices, near imaginary numbers (0 among them) and between
 * two frequencies: block Lanczos on the symmetric pencil, counted by inertia. Else sparse
 * shift-and-invert, Arnoldi (ARPACK-NG over KLU) near a real number and Krylov-Schur near a complex
 * one, counted by the winding number of det(A - s E); what the count misses is sought again. Where
 * the phase of the determinant changes too fast to be followed they stay uncounted, and the result
 * has that for its count.
 *
 * A mode's condition is NaN (not computed), its error_bound follows from the residual for a
 * condition of 1, its shape is scaled by its largest state. ARPACK works for one thread at a time:
 * calls from other threads wait. Memory goes with the factor.
 *
 * BAD_ARGUMENT where there are fewer than count eigenvalues or numbers do not fit, NOT_SUPPORTED
 * for between with damping, in motion or with controllers, NUMERIC_ERROR where the iteration does
 * not converge (then ask for more, or nearer to where they lie) or where the count says that some
 * are missing, and how many. */
ROUTH_API routh_status routh_modes_search(routh_modes **modes, const routh_descriptor *descriptor,
                                          const routh_selection_request *request,
                                          routh_error *error);

/* The same of the `count` eigenvalues nearest to a real number `near` (1/s). */
ROUTH_API routh_status routh_modes_select(routh_modes **modes, const routh_descriptor *descriptor,
                                          int count, double near, routh_error *error);

/* Eigenvalues nu of OP = (A - shift E)^-1 E of largest modulus, nu = 1 / (lambda - shift): what
 * routh_modes_select asks for again and again, to be answered by another solver than its own. */
typedef struct routh_shift_invert {
    /* the problem: y = (xi, du, lambda) as in routh_descriptor, scaled, and real */
    int n_coordinates, n_constraints;
    int order;              /* 2 n_coordinates + n_constraints */
    const int *start, *row; /* of E and of A, in compressed columns */
    const double *E, *A;    /* their values, as `start` and `row` say */
    double shift;           /* sigma, 1/s: OP = (A - sigma E)^-1 E */
    int wanted, basis;      /* how many nu, and how many vectors an iteration should keep */
    int most_restarts;      /* of the iteration, before it gives up */
    /* the answer, in arrays that are there */
    int singular;    /* 1: OP is so large that the shift is an eigenvalue; then nothing else */
    int found;       /* at most wanted + 1: a pair is kept together; fewer are no failure */
    double *re, *im; /* wanted + 1: nu; of a pair two in a row, im > 0 first */
    double *error;   /* wanted + 1: |OP x - nu x| / |x| on (xi, du), for both of a pair */
    double *vectors; /* order x (wanted + 1): y = OP x / nu, lambda too; of a pair the real part,
                           then the imaginary part for im > 0 */
    int n_solves, n_restarts; /* by OP, and new starts of the iteration */
} routh_shift_invert;

/* solve: any status that is not ROUTH_OK is passed on. */
typedef struct routh_eigensolver {
    void *context; /* handed to solve */
    /* Fills the answer of the problem; its status is passed on. */
    routh_status (*solve)(void *context, routh_shift_invert *problem, routh_error *error);
    /* in place of solve for what is counted by inertia (no damping, K and M symmetric, near 0);
     * NULL: none */
    const routh_factors *factors;
} routh_eigensolver;

/* The same by another solver: shifts are chosen and pairs are checked against the equations as
 * those of ARPACK-NG are. Not counted, but by its factors. */
ROUTH_API routh_status routh_modes_select_by(routh_modes **modes,
                                             const routh_descriptor *descriptor, int count,
                                             double near, const routh_eigensolver *solver,
                                             routh_error *error);

/* Motion of a marker in a mode, world components: motion[0..2] real part of the displacement,
 * [3..5] of the rotation, [6..8] and [9..11] the imaginary parts. NAN where there is no such
 * marker, or the mode has other states; so of the calls that follow, where there is no such body,
 * node or part. */
ROUTH_API void routh_mode_marker(const routh_linear *linear, const routh_mode *mode, int marker,
                                 double motion[12]);

/* How the blades of a rotor move in a mode of multi-blade coordinates (linear->rotor). In axes that
 * rotate with it blade k = 0 .. N - 1 moves by X_n exp(s t + i n psi_k) of each order n, which
 * psi_k = speed t + 2 pi k/N; orders count by |X_n|^2, weighed by masses. */
typedef struct routh_blade_motion {
    int order;         /* n of the largest part; 0: all blades alike (collective), 1 and -1: cyclic,
                          others: reactionless, the hub does not move */
    const char *name;  /* "collective", "cyclic", "reactionless" */
    double share;      /* of the orders n and -n in the motion of the blades, 0 to 1 */
    double whirl;      /* how the wave of these goes around: 1 with the rotation, -1 against it, 0
                          of a standing one, of one order alone and of a rotor at rest */
    double frequency_hz; /* of the largest part in the axes that rotate: |Im s + n speed| / 2 pi;
                            if 2 n = N, |Im s| / 2 pi: the blades alternate */
} routh_blade_motion;

/* Of another linear model, and where no blade moves: share, whirl and frequency are NAN, the name
 * is "". */
ROUTH_API void routh_mode_blades(const routh_linear *linear, const routh_mode *mode,
                                 routh_blade_motion *motion);

/* The elastic coordinates of flexible body `body` (of linear->flexible) in a mode, q[2 n]: real
 * parts, then imaginary parts. */
ROUTH_API void routh_mode_elastic(const routh_linear *linear, const routh_mode *mode, int body,
                                  double *q);

/* Motion of a node (a place in the body's list) in a mode, as that of a marker: frame is that of
 * the body's marker, q its elastic coordinates. */
ROUTH_API void routh_mode_node(const routh_linear *linear, int body, const double frame[12],
                               const double *q, int node, double motion[12]);

/* Strain energy of a part of the body, averaged over a cycle: Re(q^H k q) / 4. */
ROUTH_API double routh_mode_part_energy(const routh_linear *linear, int body, const double *q,
                                        int part);

/* Shares of one kind in mode i, as fractions that sum to 1 (all 0 where there is none of that
 * kind), averaged over a cycle: fractions[linear->n_shares], entries of other kinds are set to 0.
 * Strain shares of destabilising loads are negative. Where the shares cancel to nothing all are 0.
 */
ROUTH_API void routh_mode_energy_fractions(const routh_linear *linear, const routh_mode *mode,
                                           routh_energy_kind kind, double *fractions);

/* The same for many modes of large models: what the shares hold is packed once, in memory of its
 * own, and the linear model is not looked at again. Free by routh_energy_forms_free, which allows
 * NULL. Fails with ROUTH_OUT_OF_MEMORY alone. One thread uses one of these at a time. */
typedef struct routh_energy_forms routh_energy_forms;

/* Packs the shares of the linear model; shares gives fractions as
 * routh_mode_energy_fractions does. */
ROUTH_API routh_status routh_energy_forms_create(routh_energy_forms **forms,
                                                 const routh_linear *linear, routh_error *error);
ROUTH_API void routh_energy_forms_fractions(routh_energy_forms *forms, const routh_mode *mode,
                                            routh_energy_kind kind, double *fractions);
ROUTH_API void routh_energy_forms_free(routh_energy_forms *forms);

/* ---- what inputs reach and outputs see ------------------------------------------------------- */

/* One side of a mode: inputs that drive it, or outputs that see it. All figures are taken after
 * states, inputs and outputs are counted in units in which all couplings are as nearly alike as
 * they can be (Curtis and Reid 1972), so that they depend on no units. */
typedef struct routh_mode_reach {
    routh_verdict verdict; /* yes: controllable (observable) */
    double distance; /* smallest singular value of [A - lambda I, B] ([A - lambda I; C]), over the
                        largest row or column of these: 0 where the mode is out of reach (Popov,
                        Belevitch, Hautus) */
    double margin;   /* the same in units of eps, 2^-52 */
    double noise;    /* what rounding, the eigenvalue's own error included, may make of 0,
                        likewise in units of eps. Yes from 1e4 times that; no up to 1e2 times what
                        rounding of the matrices alone makes */
    double least;    /* of the combination of the copies' shapes that is reached least: smallest
                        singular value of W'B (C V), W, V orthonormal left and right eigenvectors,
                        columns of B (rows of C) of length 1; 0 where there are more copies than
                        signals */
    const double *each; /* by input (output): |W'b|/|b| (|c V|/|c|), 0 to 1 */
} routh_mode_reach;

typedef struct routh_mode_realization {
    int copies;                     /* independent eigenvectors of this eigenvalue */
    routh_mode_reach input, output; /* controllable by the inputs; observable at the outputs */
} routh_mode_realization;

/* Which modes belong to a minimal realization: those that inputs drive and outputs see. */
typedef struct routh_realization {
    int n;                         /* as of the modes */
    routh_mode_realization *modes; /* in their order */
    int n_inputs, n_outputs;       /* where one is 0, its verdicts are "cannot tell" and its
                                      figures NaN */
    double *storage;               /* holds the arrays `each`; the library's own */
    unsigned long long of; /* the library's own: of which linear model; 0: not known */
} routh_realization;

/* The Popov-Belevitch-Hautus test of every mode, B being that of inputs which also act through
 * their rates: B + lambda B1 + lambda^2 B2. Takes four singular value decompositions of a complex
 * matrix of order n_states for each eigenvalue. modes: all of that linear model. BAD_ARGUMENT where
 * it has neither inputs nor outputs, or the modes are not all of its own. */
ROUTH_API routh_status routh_realization_compute(routh_realization **realization,
                                                 const routh_linear *linear,
                                                 const routh_modes *modes, routh_error *error);
ROUTH_API void routh_realization_free(routh_realization *realization); /* NULL is allowed */

/* Which modes readers want to see first, where not all can be shown: all modes, of a pair the one
 * with a positive imaginary part, each once. First those chosen (places among the modes, of which
 * those that are not there are passed over; NULL where n_chosen is 0), then those that grow, the
 * fastest first, then alternately the lowest and the least damped of the rest. order has room for
 * all modes; *n is how many there are. OUT_OF_MEMORY. */
ROUTH_API routh_status routh_modes_notable(const routh_modes *modes, const int *chosen,
                                           int n_chosen, int *order, int *n, routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
