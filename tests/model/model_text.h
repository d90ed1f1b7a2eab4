/* Reading a model from text within a test. */
#ifndef TESTS_MODEL_TEXT_H
#define TESTS_MODEL_TEXT_H

#include "model/model.h"

/* |found - expected| <= tolerance, in doubles; a NaN fails. */
void assert_near(double found, double expected, double tolerance);

/* The model, or a failed test with the reader's message. */
routh_model *read_model(const char *text);
routh_model *read_model_with(const char *text, const char *name, const char *value);

/* The message of a text that must be refused, in a buffer of the caller's. */
void refuse_model(const char *text, const char *expected);

/* A function's value where slot k has the value slots[k]. */
double evaluate(const routh_model *model, rt_expr e, const double *slots);

/* The bytes of a file of the project, to be freed; a failed test where it cannot be read. */
char *read_source(const char *path, size_t *length);

#endif
