/* A mechanism with parameters that are set again and again: operating point, linear model and modes
 * at each of their values. */
#ifndef ROUTH_PARAMETRIC_H
#define ROUTH_PARAMETRIC_H

#include "routh/answers.h"
#include "routh/linear.h"
#include "routh/mechanism.h"
#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model, its mechanism and what is computed of them, at values of parameters that may be set.
 * Results are to the bit those of a model that is read with these values; what does not depend on
 * the values is kept, and so is all memory: from the second time on a changed parameter that only
 * changes numbers (routh_parametric_is_number) allocates nothing up to the modes, until something
 * is met for the first time, as other states. Where the model is read again and has other
 * sizes, what was kept is given back. One thread at a time. */
typedef struct routh_parametric routh_parametric;

/* The parameters are named by a list that ends with NULL. They begin with the values that they have
 * in the model, and keep them until they are set: one that is written in terms of others follows
 * them no longer. coordinates: as of routh_mechanism_compile. BAD_ARGUMENT for a name that is none
 * of the model's parameters or is there twice, and for one that the steady motion finds. The model
 * must outlive what is made; options and names need not. With blades in linear_options the
 * operating point is that of the rotor, as of routh_rotor_point_find. */
ROUTH_API routh_status routh_parametric_create(
    routh_parametric **parametric, const routh_model *model, const char *const *parameters,
    const char *coordinates,                            /* NULL: "absolute" */
    const routh_operating_point_options *point_options, /* NULL: defaults */
    const routh_linear_options *linear_options,         /* NULL: defaults */
    routh_error *error);
ROUTH_API void routh_parametric_free(routh_parametric *parametric); /* NULL is allowed */

/* How many parameters there are; the index of that name, -1: it is none of them; and the value of
 * number `index`, NAN where there is no such number. */
ROUTH_API int routh_parametric_count(const routh_parametric *parametric);
ROUTH_API int routh_parametric_index(const routh_parametric *parametric, const char *name);
ROUTH_API double routh_parametric_value(const routh_parametric *parametric, int index);

/* Sets a parameter, in the units of its file, as a setting is. Nothing is computed yet.
 * BAD_ARGUMENT for an index that there is not and for a value that is not finite: none is set. */
ROUTH_API routh_status routh_parametric_set(routh_parametric *parametric, int index, double value,
                                            routh_error *error);

/* 1: another value of this parameter only changes numbers (masses, stiffnesses, expressions, what
 * a steady motion is asked to be), and nothing is read again. 0: the mechanism follows from it
 * (positions, axes, counts, tables, tyres, contacts, friction), or the model has bodies placed by
 * joint coordinates: model and mechanism are then made anew, which takes longer, with the same
 * result. The text of the model is kept; files that it
 * names (parts, tables) are then read from disk, and must stay as they are. 0 also for an index
 * that there is not. */
ROUTH_API int routh_parametric_is_number(const routh_parametric *parametric, int index);

/* What is computed at the values that are set: once, when it is first asked for. It is the
 * parametric mechanism's own and holds until a parameter is set. Errors are those of the calls that
 * compute it; after one, parameters may be set to other values. */
ROUTH_API routh_status routh_parametric_model(routh_parametric *parametric,
                                              const routh_model **model, routh_error *error);
ROUTH_API routh_status routh_parametric_mechanism(routh_parametric *parametric,
                                                  const routh_mechanism **mechanism,
                                                  routh_error *error);
ROUTH_API routh_status routh_parametric_point(routh_parametric *parametric,
                                              const routh_operating_point **point,
                                              routh_error *error);
ROUTH_API routh_status routh_parametric_linear(routh_parametric *parametric,
                                               const routh_linear **linear, routh_error *error);
ROUTH_API routh_status routh_parametric_modes(routh_parametric *parametric,
                                              const routh_modes **modes, routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
