/* Whole models with controllers, inputs and outputs, held against functions written by hand. */
#ifndef CLOSED_FORM_WHOLE_MODEL_H
#define CLOSED_FORM_WHOLE_MODEL_H

#include <complex.h>
#include <stdbool.h>

#include <routh/routh.h>

typedef double complex root;

/* A model with all that is made of it. */
typedef struct whole {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
} whole;

enum { WHOLE_MOST_SETTINGS = 16 };

/* What to do with it; NULL and 0 are the model's and the program's own choice. */
typedef struct whole_way {
    const char *coordinates, *method, *reference;
    int n_settings;
    routh_setting settings[WHOLE_MOST_SETTINGS];
} whole_way;

/* Fails the test with the library's message. */
whole whole_parse(const char *yaml, const whole_way *way);
whole whole_read(const char *path, const whole_way *way); /* from the root of the sources */
void whole_release(whole *x);

/* Every coordinate set there is by every exact method (all but penalty and difference), one after
 * another: false past the last. Begin with *k = 0. */
bool whole_next_way(int *k, whole_way *way);

/* The number of a state, input or output; the test fails where there is none of that name. */
int whole_state(const routh_linear *linear, const char *name);
int whole_input(const routh_linear *linear, const char *name);
int whole_output(const routh_linear *linear, const char *name);

/* `expected` is among the modes, each of which is taken for one of them only; the others of the
 * modes are zeros. `relative` is of the modulus. */
void whole_assert_spectrum(const char *what, const routh_modes *modes, const root *expected, int n,
                           double relative);

/* The same with every mode named: n is all of them. */
void whole_assert_whole_spectrum(const char *what, const routh_modes *modes, const root *expected,
                                 int n, double relative);

/* Roots of a polynomial, coefficients from the constant up: coefficient[0] .. [degree]. Newton's
 * iteration on all of them together (Durand, Kerner), to rounding. */
void polynomial_roots(const root *coefficient, int degree, root *roots);

/* A system written as explicit differential equations,
 *     y' = f(y, in, in', in''),   out = h(y, in, in', in''),
 * whose partials are taken by complex steps: what routh_linear's A, B, B1, B2, C, D, D1, D2 must
 * be. signals: in, in', in'', n_in of each. */
typedef void explicit_rhs(const root *y, const root *signals, root *rate, root *out);

enum { EXPLICIT_MOST = 32 };

typedef struct explicit_system {
    explicit_rhs *rhs;
    int n_y, n_in, n_out;
    const char *states[EXPLICIT_MOST]; /* names in the linear model */
    double y[EXPLICIT_MOST];           /* the operating point */
    const char *inputs[EXPLICIT_MOST];
    double in[EXPLICIT_MOST];
    const char *outputs[EXPLICIT_MOST];
} explicit_system;

/* Every entry within `tolerance` times the largest of its row (1 where all are smaller), and the
 * values of outputs within `tolerance`. */
void assert_linearizes(const char *what, const routh_linear *linear, const explicit_system *system,
                       double tolerance);

#endif
