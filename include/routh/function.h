/* Functions of the caller in the expressions of a model: forces, measures and constraints whose
 * formula only the caller knows.
 *
 * A function has a name and 1 to ROUTH_FUNCTION_ARGUMENTS arguments. Once it is given with the
 * model, the model's expressions call it as they call sin: the components of forces and torques,
 * variables, controllers, outputs, inputs over time, motions and constraints by an expression.
 * Numbers that are fixed (a mass, a parameter) cannot. Arguments and values are in the units of the
 * file that the expression is in.
 *
 * Linearization needs first derivatives of forces, and second ones of constraints and for
 * sensitivities. What is not given is taken by differences of what is, of high order, with steps
 * that are found for each point; what they may be off by is estimated, and above 1e-8 of the
 * derivative each operating point warns of it, by name. Derivatives that are given are compared
 * with differences at each operating point, with a warning where they do not agree. A second
 * derivative that is given is used as it is: with value, gradient and hessian nothing is a
 * difference but derivatives of third and higher order, of sensitivities and of motions that
 * accelerate.
 *
 * Where a function fails, or gives what is not finite, the call of the library that needed it ends
 * as a NUMERIC_ERROR, which names the element, the function and its arguments. Differences keep to
 * where the function is defined.
 *
 * Formulas (routh_symbolic_compute) are refused for models with such functions, and equations are
 * evaluated in doubles alone (options.extended of routh_linear_compute is without effect). */
#ifndef ROUTH_FUNCTION_H
#define ROUTH_FUNCTION_H

#include "routh/document.h"
#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ROUTH_FUNCTION_ARGUMENTS = 8 };

/* What a function of the caller computes: it reads arguments, writes to `out`, and returns 0;
 * another number where it fails. It gives the same for the same arguments, and may be called from
 * several threads at once. */
typedef int (*routh_function_call)(void *user, const double *arguments, double *out);

typedef struct routh_function {
    const char *name;             /* letters, digits and underscores, none of the library's own */
    int n_arguments;              /* 1 .. ROUTH_FUNCTION_ARGUMENTS */
    routh_function_call value;    /* out: one number */
    routh_function_call gradient; /* out: n_arguments numbers; NULL: by differences */
    routh_function_call hessian;  /* out: n_arguments x n_arguments, symmetric; NULL: likewise */
    routh_function_call complex_value; /* of complex numbers, real and imaginary parts one after the
                                          other, 2 n_arguments in and 2 out: gives the gradient
                                          exactly where there is none; NULL: none */
    const double *scales; /* n_arguments: over what change of each argument the function changes its
                             slope, for differences (0: not known); NULL: none is known */
    void *user;           /* handed to the functions; NULL is allowed */
} routh_function;

/* How a model is read. Zeros: as routh_model_read does without settings. */
typedef struct routh_model_options {
    const routh_setting *settings; /* n_settings, of parameters; may be NULL where there are none */
    size_t n_settings;
    const routh_function *functions; /* n_functions; may be NULL where there are none. Names and
                                        scales are copied; the functions themselves, and what `user`
                                        points to, must be there as long as the model, and as those
                                        the library makes of it */
    size_t n_functions;
    int allow_plugins; /* load the libraries that the file names in its section `functions`: they
                          run code. Else such a file is refused */
} routh_model_options;

/* routh_model_read, routh_model_parse and routh_model_build with these options, NULL: as without
 * settings; name NULL: "model". BAD_ARGUMENT for a function without a name or value, or whose name
 * has a meaning of its own; MODEL_ERROR where the file declares it with other arguments. */
ROUTH_API routh_status routh_model_read_with(routh_model **model, const char *path,
                                             const routh_model_options *options,
                                             routh_error *error);
ROUTH_API routh_status routh_model_parse_with(routh_model **model, const char *text, size_t length,
                                              const char *name, const routh_model_options *options,
                                              routh_error *error);
ROUTH_API routh_status routh_model_build_with(routh_model **model, const routh_document *document,
                                              const routh_model_options *options,
                                              routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
