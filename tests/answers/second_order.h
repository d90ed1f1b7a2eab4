/* Linear models made by hand: M x'' + D x' + K x = F in, all full matrices, row-major. */
#ifndef TESTS_RESPONSE_SECOND_ORDER_H
#define TESTS_RESPONSE_SECOND_ORDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lapack.h"
#include "routh/response.h"

enum { SECOND_ORDER_MOST = 8 };

typedef struct second_order {
    routh_linear linear; /* first */
    double A[4 * SECOND_ORDER_MOST * SECOND_ORDER_MOST];
    double M[SECOND_ORDER_MOST * SECOND_ORDER_MOST], D[SECOND_ORDER_MOST * SECOND_ORDER_MOST],
        K[SECOND_ORDER_MOST * SECOND_ORDER_MOST], zero[4 * SECOND_ORDER_MOST * SECOND_ORDER_MOST];
    char names[2 * SECOND_ORDER_MOST][8];
    routh_state_name states[2 * SECOND_ORDER_MOST];
} second_order;

static char second_order_metre[] = "m", second_order_ground[] = "ground";

/* States x0, x1, .. and x0', .. */
static inline void second_order_make(second_order *s, int n, const double *M, const double *D,
                                     const double *K)
{
    memset(s, 0, sizeof *s);
    double lu[SECOND_ORDER_MOST * SECOND_ORDER_MOST],
        rhs[2 * SECOND_ORDER_MOST * SECOND_ORDER_MOST];
    int pivots[SECOND_ORDER_MOST];
    const int N = 2 * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            s->M[i * n + j] = M[i * n + j];
            s->D[i * n + j] = D[i * n + j];
            s->K[i * n + j] = K[i * n + j];
            lu[i + n * j] = M[i * n + j];
            rhs[i + n * j] = -K[i * n + j];
            rhs[i + n * (n + j)] = -D[i * n + j];
        }
    if (rt_lu_factor(n, lu, pivots, NULL) || rt_lu_solve(n, lu, pivots, N, rhs, 0, NULL)) abort();
    for (int i = 0; i < n; i++) {
        s->A[i * N + n + i] = 1;
        for (int j = 0; j < N; j++) s->A[(n + i) * N + j] = rhs[i + n * j];
    }
    for (int k = 0; k < N; k++) {
        snprintf(s->names[k], sizeof s->names[k], "x%d%s", k % n, k < n ? "" : "'");
        s->states[k] = (routh_state_name){
            .name = s->names[k], .unit = second_order_metre, .frame = second_order_ground};
    }
    s->linear = (routh_linear){.n_position = n,
                               .n_velocity = n,
                               .n_states = N,
                               .states = s->states,
                               .A = s->A,
                               .mass = s->M,
                               .damping = s->D,
                               .stiffness = s->K,
                               .coupling = s->zero,
                               .affine = s->zero};
}

#endif
