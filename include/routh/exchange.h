/* The linear model as a file that other programs read, and that is read back without loss: every
 * number keeps its bits, every text its bytes. docs/guide/exchange.md says what the files hold.
 *
 *     name   suffixes      what it is
 *     json   .json         one object; what `routh linearize --json` writes
 *     mat    .mat          MATLAB version 5: plain variables and cell arrays of names
 *     hdf5   .h5 .hdf5     a data set for each member
 *     npz    .npz          NumPy arrays
 *     csv    .csv          lines: member, label, values
 *     mtx    a folder      Matrix Market, dense, one file for a matrix, the rest in model.csv */
#ifndef ROUTH_EXCHANGE_H
#define ROUTH_EXCHANGE_H

#include "routh/linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Names of the formats, k = 0, 1, ..; NULL past the last. */
ROUTH_API const char *routh_exchange_format_name(int k);

/* The format that the name of a file asks for: by its suffix; mtx for a name that ends in a slash
 * and for a folder that is there. NULL where it asks for none, and of NULL. */
ROUTH_API const char *routh_exchange_format_of_name(const char *path);

/* The format of a file that holds a linear model, recognized by its contents; of a file named
 * .mat, .h5, .hdf5, .npz or .csv, and of a folder, in any case. NULL for all others, and for
 * what cannot be read. */
ROUTH_API const char *routh_exchange_format_of_file(const char *path);

/* Writes the model to path; format NULL: the one of the name. A file is written beside and renamed,
 * so that it is whole or as it was; of a folder, model.csv is written last, and without it the
 * folder is not read.
 * BAD_ARGUMENT where the format is not known or the model has no A, B, C or D; NUMERIC_ERROR names
 * a number that is not finite; FILE_ERROR. */
ROUTH_API routh_status routh_linear_save(const routh_linear *linear, const char *path,
                                         const char *format, routh_error *error);

/* A, B, C and D of a file stand by themselves: y' = A y + B in, out = C y + D in. What becomes of
 * rates of inputs, which act where an input prescribes a motion (routh/linear.h)? */
typedef enum routh_derivatives {
    /* the states become y - (B1 + A B2) in - B2 in' and have a ~ behind their names; the matrices
     * of y stand beside, as rates.B, rates.B1, .. and are read back. Where an output has a rate of
     * an input all the same there is no D, as rates.note
     * reports */
    ROUTH_DERIVATIVES_STATES,
    /* rates that act become inputs of their own: road, road', road''. That model is read back as
     * one of more inputs */
    ROUTH_DERIVATIVES_INPUTS
} routh_derivatives;

/* routh_linear_save has ROUTH_DERIVATIVES_STATES. */
ROUTH_API routh_status routh_linear_save_by(const routh_linear *linear, const char *path,
                                            const char *format, routh_derivatives derivatives,
                                            routh_error *error);

/* Does an output have a rate of an input that no choice of states takes away? The first such pair
 * is *output, *input, which may be NULL; -1 where there is none. */
ROUTH_API int routh_linear_improper(const routh_linear *linear, int *output, int *input);

/* Reads a model that routh_linear_save wrote, or another program in the same form; format NULL: by
 * routh_exchange_format_of_file, else of the name. *linear is the caller's (routh_linear_free), and
 * NULL on failure; texts are never NULL. The error has the file's name, and what is missing or
 * wrong: FILE_ERROR, SYNTAX_ERROR where the file is broken, MODEL_ERROR where its members do not
 * fit together, LIMIT_EXCEEDED above 46340 states or 4 GiB, NOT_SUPPORTED for a later version of
 * the form. */
ROUTH_API routh_status routh_linear_load(routh_linear **linear, const char *path,
                                         const char *format, routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
