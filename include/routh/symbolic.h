/* The linear model as formulas: M, C and K of a mechanism in closed form, with parameters that stay
 * symbols. Natural coordinates make joints quadratic and the mass matrix constant, so everything is
 * done exactly, over rational functions with square roots (Ge, Zhao, Chen and Liu 2005;
 * docs/theory/symbolic.md). It shares the reader with the rest of the library and nothing else: a
 * second opinion. */
#ifndef ROUTH_SYMBOLIC_H
#define ROUTH_SYMBOLIC_H

#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_symbolic routh_symbolic;

typedef struct routh_symbolic_options {
    const char *const *symbols; /* NULL-terminated names of parameters that stay symbols; NULL: all
                                       that are not written in terms of others */
    const char *const *coordinates; /* NULL-terminated: as many as are independent, "body.x|y|z",
                                       "body.rx|ry|rz", "marker.x|y|z" or a component of an axis,
                                       "marker.zx"; NULL: the model's states where it has such, else
                                       chosen */
    const char *const *unknowns;    /* NULL-terminated names of parameters that the operating point
                                       fixes, as the angle of an equilibrium: symbols too. Forces
                                       that are left over are the equations for them. NULL: none */
    int stability;                  /* not 0: conditions of stability by Routh's array */
    int only_matrices; /* not 0: M, C and K alone, without the characteristic polynomial and A, on
                          which most of the time goes; stability is left out too */
} routh_symbolic_options;

/* Every option at its default. */
ROUTH_API routh_symbolic_options routh_symbolic_defaults(void);

/* At the positions (and velocities) that the model is written with, which must be an operating
 * point for all values of the symbols: every row of the joints and every force
 * in the direction of an independent coordinate is zero exactly, or the error shows what it is
 * instead. Numbers of the file that are no symbols are read back as fractions (1/10 for 0.1).
 *
 * NOT_SUPPORTED: an element or function leaves the class, by name; or the library was built without
 * FLINT. NOT_ASSEMBLED, NO_EQUILIBRIUM: what is left over, in symbols. BAD_ARGUMENT: a name.
 * The names are the model's, which must outlive the result. FLINT ends the process where it gets no
 * memory. Free with routh_symbolic_free. */
ROUTH_API routh_status routh_symbolic_compute(routh_symbolic **symbolic, const routh_model *model,
                                              /* NULL: defaults */
                                              const routh_symbolic_options *options,
                                              routh_error *error);
ROUTH_API void routh_symbolic_free(routh_symbolic *symbolic); /* NULL is allowed */

/* Independent coordinates: how many, and the name of number k; NULL where there is none. */
ROUTH_API int routh_symbolic_size(const routh_symbolic *symbolic);
ROUTH_API const char *routh_symbolic_coordinate(const routh_symbolic *symbolic, int k);

/* M, C, K (size x size, row-major) where the symbols of these names have these values, and the
 * others those of the model. NaN where a formula has none. BAD_ARGUMENT: no symbol has the name. */
ROUTH_API routh_status routh_symbolic_evaluate(const routh_symbolic *symbolic,
                                               const char *const *names, const double *values,
                                               int n, double *M, double *C, double *K,
                                               routh_error *error);

typedef enum routh_notation {
    ROUTH_NOTATION_TEXT, /* as model files write expressions */

    ROUTH_NOTATION_LATEX, /* for LaTeX */

    ROUTH_NOTATION_C,      /* a function of a file of its own */
    ROUTH_NOTATION_PYTHON, /* a function that returns NumPy arrays */
    ROUTH_NOTATION_MATLAB, /* a function */
    ROUTH_NOTATION_JSON,   /* all of it, for programs */

    ROUTH_NOTATION_MODELICA, /* a function */
} routh_notation;

/* M, C, K; in JSON A too. text: to be freed with routh_text_free. */
ROUTH_API routh_status routh_symbolic_write(const routh_symbolic *symbolic, routh_notation notation,
                                            routh_text *text, routh_error *error);

/* A (2 size x 2 size) of y' = A y, y = (z, z'), in place of M, C, K. LIMIT_EXCEEDED: there is none,
 * as the mass matrix is singular, the coordinates are too many or only_matrices was asked for. */
ROUTH_API routh_status routh_symbolic_write_state_space(const routh_symbolic *symbolic,
                                                        routh_notation notation, routh_text *text,
                                                        routh_error *error);

/* ---- stability over two symbols ------------------------------------------------------------- */

typedef struct routh_chart_axis {
    const char *name; /* of a symbol */
    double from, to;  /* values at its ends */
} routh_chart_axis;

/* A piece of the boundary of the stable region, between two points of it that are right to the last
 * digit: condition (from 0) is zero there and the others hold. */
typedef struct routh_boundary_piece {
    int condition;         /* which of the conditions vanishes here, from 0 */
    double from[2], to[2]; /* ends of a short line: the values of both symbols */
} routh_boundary_piece;

typedef struct routh_stability_chart {
    char *title, *names[2]; /* of the model; the two symbols */
    double from[2], to[2];  /* values at the ends of both axes */
    int n;                  /* cells a side */
    unsigned char *stable;  /* (n + 1) x (n + 1) corners, the first axis along a row: 1 where all
                              conditions hold, by exact signs */
    int marginal;           /* the conditions are those of undamped motion */
    int n_pieces;           /* number of the following */
    routh_boundary_piece *pieces; /* of the lines on which a condition vanishes */
} routh_stability_chart;

/* The plane of two symbols, the others at the model's values; the formulas have conditions
 * (options.stability). What a cell of n x n hides within itself is not seen. BAD_ARGUMENT: no such
 * symbol, a range that does not go upwards. Free with routh_stability_chart_free. */
ROUTH_API routh_status routh_stability_chart_find(routh_stability_chart **chart,
                                                  const routh_symbolic *symbolic,
                                                  const routh_chart_axis axes[2], int n,
                                                  routh_error *error);
ROUTH_API void routh_stability_chart_free(routh_stability_chart *chart); /* NULL is allowed */

/* As a picture; free with routh_text_free. */
ROUTH_API routh_status routh_stability_chart_svg(const routh_stability_chart *chart,
                                                 routh_text *text, routh_error *error);

/* ---- certified eigenvalues ------------------------------------------------------------------ */

typedef enum routh_proof {
    ROUTH_PROVED_STABLE,   /* every eigenvalue lies in the left half plane */
    ROUTH_PROVED_UNSTABLE, /* one lies in the right half plane */
    ROUTH_NOT_DECIDED,     /* the ball of one holds the imaginary axis, and none lies right of it */
} routh_proof;

/* An eigenvalue and a rectangle that provably contains it: real and imaginary part, 1/s and rad/s.
 */
typedef struct routh_enclosure {
    double value[2], reach[2]; /* it is no further from value than reach */
    double radius[2];          /* half the sides of the rectangle as it was computed */
    char *real, *imaginary;    /* the digits that were asked for, "[0.25 +/- 1e-30]" */
    int multiplicity;          /* how many are equal, known of exact polynomials */
    char *polynomial; /* irreducible, with whole coefficients, that it is a zero of: the algebraic
                         number it is; NULL: not found */
} routh_enclosure;

typedef struct routh_certificate {
    int n;                        /* length of `eigenvalues` */
    routh_enclosure *eigenvalues; /* by modulus */
    routh_proof proof;            /* what they say together */
} routh_certificate;

/* The eigenvalues of the model as it is written, every number taken for the fraction that was
 * written, by balls of Arb from the exact characteristic polynomial. unknowns: NULL-terminated
 * parameters that the equilibrium fixes, found near their values in the file and proved to be one;
 * NULL: none. Errors as routh_symbolic_compute's; NUMERIC_ERROR: an operating point is not proved,
 * or eigenvalues are equal that no exact polynomial has. Free with routh_certificate_free. */
ROUTH_API routh_status routh_certificate_compute(routh_certificate **certificate,
                                                 const routh_model *model,
                                                 const char *const *unknowns, int digits,
                                                 routh_error *error);
ROUTH_API void routh_certificate_free(routh_certificate *certificate); /* NULL is allowed */
ROUTH_API const char *routh_proof_name(routh_proof proof);

/* As a table, and as JSON; free with routh_text_free. */
ROUTH_API routh_status routh_certificate_table(const routh_certificate *certificate,
                                               routh_text *text, routh_error *error);
ROUTH_API routh_status routh_certificate_json(const routh_certificate *certificate,
                                              routh_text *text, routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
