/* Linear models made by hand: y' = A y of a second-order system, and what the tests read off its
 * modes. */
#ifndef TESTS_ANSWERS_LINEAR_MODEL_H
#define TESTS_ANSWERS_LINEAR_MODEL_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "routh/answers.h"

/* n_position + n_velocity zero states; freed by model_free */
static inline routh_linear model_new(int n_position, int n_velocity)
{
    const int n = n_position + n_velocity;
    routh_linear l = {.n_position = n_position, .n_velocity = n_velocity, .n_states = n};
    l.A = calloc((size_t)(n * n) + 1, sizeof *l.A);
    return l;
}

/* x'' = -K x - C x' with unit masses; K, C: n x n row-major, NULL: zero */
static inline routh_linear model_second_order(int n, const double *K, const double *C)
{
    routh_linear l = model_new(n, n);
    for (int i = 0; i < n; i++) {
        l.A[i * 2 * n + n + i] = 1;
        for (int j = 0; j < n; j++) {
            l.A[(n + i) * 2 * n + j] = K ? -K[i * n + j] : 0;
            l.A[(n + i) * 2 * n + n + j] = C ? -C[i * n + j] : 0;
        }
    }
    return l;
}

static inline void model_free(routh_linear *l)
{
    free(l->A);
    free(l->markers);
    free(l->shares);
}

/* max |A x - lambda x| / (|A| |x|), entries of A as they are */
static inline double model_residual(const routh_linear *l, const routh_mode *mode)
{
    const int n = l->n_states;
    double worst = 0, A = 0, x = 0;
    for (int k = 0; k < n * n; k++) A = fmax(A, fabs(l->A[k]));
    for (int i = 0; i < n; i++) {
        double re = 0, im = 0;
        for (int j = 0; j < n; j++)
            re += l->A[i * n + j] * mode->shape[j], im += l->A[i * n + j] * mode->shape[n + j];
        re -= mode->eigenvalue[0] * mode->shape[i] - mode->eigenvalue[1] * mode->shape[n + i];
        im -= mode->eigenvalue[0] * mode->shape[n + i] + mode->eigenvalue[1] * mode->shape[i];
        worst = fmax(worst, hypot(re, im));
        x = fmax(x, hypot(mode->shape[i], mode->shape[n + i]));
    }
    return worst / (A * x);
}

#endif
