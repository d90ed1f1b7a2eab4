/* What every load must satisfy, checked on random states. */
#ifndef LOADS_CHECK_LOAD_H
#define LOADS_CHECK_LOAD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "elements/loads.h"
#include "support/random_frames.h"

/* A load between frames i, j, whose components may be in the axes of a third frame. */
enum { FRAME_I, FRAME_J, FRAME_K, N_FRAMES };

typedef struct load_under_test {
    void *context;
    /* false where the load is not defined */
    bool (*evaluate)(void *context, const rt_frame f[N_FRAMES], bool partials, rt_load_result *out,
                     double partial_k[36]);
    /* a state far enough from where the load is not defined for differences to be taken */
    bool (*fit)(void *context, const rt_frame f[N_FRAMES]);
    bool has_k; /* frame k matters */
    void (*draw)(void *context, random_stream *stream); /* new data of the load */
} load_under_test;

/* All partials against differences: at rest, with velocity, with acceleration, with both, 200
 * states each. Every single variation by perturbed_frame(), and whole motions by joint_frame(). */
void check_partials(const load_under_test *load, uint64_t seed);

/* Force and moment about the world's origin vanish, and so do their partials: 200 states. */
void check_balance(const load_under_test *load, uint64_t seed);

/* Turning and shifting the world turns the wrenches; carrying it along steadily does not change
 * them. */
void check_objectivity(const load_under_test *load, uint64_t seed);

/* |a - b| <= tolerance * scale for all n, else fails with text and the numbers. */
void assert_close(const char *text, int n, const double *a, const double *b, double tolerance,
                  double scale);

/* Largest absolute value, at least floor. */
double largest_entry(int n, const double *x, double floor);

/* Draws three frames in the given motion until load->fit. */
void draw_frames(const load_under_test *load, random_stream *stream, int motion,
                 joint_motion m[N_FRAMES], rt_frame f[N_FRAMES]);

#endif
