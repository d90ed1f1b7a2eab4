/* Mechanisms made from texts of model files, for tests that look inside. */
#ifndef SUPPORT_MECHANISMS_H
#define SUPPORT_MECHANISMS_H

#include "support/random_frames.h"
#include "system/system.h"

/* A text that grows. Free bytes. */
typedef struct growing_text {
    char *bytes;
    size_t length, room;
} growing_text;

void text_add(growing_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table y = 4 x in which more numbers depend on the parameter than are differentiated. */
void text_add_long_table(growing_text *text, const char *parameter);

/* A model with everything one needs to evaluate its equations. */
typedef struct test_mechanism {
    routh_model *model;
    routh_mechanism *m;
    rt_workspace *w;
    rt_state *state;
} test_mechanism;

/* Fails the test with the library's message when the text is not accepted. */
void mechanism_make(test_mechanism *t, const char *yaml);

/* The same with parameters overridden: name, value, name, value, ..., NULL. */
void mechanism_make_with(test_mechanism *t, const char *yaml, const char *const *parameters);

/* The same of a model that is changed before it is compiled. */
void mechanism_make_changed(test_mechanism *t, const char *yaml,
                            void (*change)(routh_model *model, void *context), void *context);

/* From a template, with settings name, value, ..., NULL. */
void mechanism_make_template(test_mechanism *t, const char *name, const char *const *settings);
void mechanism_release(test_mechanism *t);

/* The operating point, or a failed test with the library's message. */
routh_operating_point *mechanism_point(const test_mechanism *t);
routh_linear *mechanism_linear(const test_mechanism *t, const routh_operating_point *point,
                               const char *reference);

/* out (rows x columns, row-major) from values on a pattern. */
void to_dense(const rt_pattern *pattern, const double *values, double *out);

double largest_of(const double *x, int n);

#endif
