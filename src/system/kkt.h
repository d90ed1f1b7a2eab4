/* The saddle-point matrix [X G'+L; G -delta I] over chosen rows of G: made once, filled and
 * solved many times. */
#ifndef RT_SYSTEM_KKT_H
#define RT_SYSTEM_KKT_H

#include "base/progress.h"
#include "system/system.h"

typedef struct rt_kkt rt_kkt;

/* upper: the pattern of X (pattern_M or pattern_K). keep[n_rows]: rows with keep < 0 are left
 * out (NULL: all stay). */
routh_status rt_kkt_create(rt_kkt **kkt, const routh_mechanism *mechanism, const rt_pattern *upper,
                           const int *keep, routh_error *error);

/* The same of matrices with patterns of their own: X n x n, G n_rows x n, L n x n_rows. */
routh_status rt_kkt_create_of(rt_kkt **kkt, const rt_pattern *X, const rt_pattern *G,
                              const rt_pattern *L, const int *keep, routh_error *error);

/* Puts the values in, without factoring. */
void rt_kkt_fill(rt_kkt *kkt, const double *X, const double *G, const double *L, double delta);

/* Factors for these values of X, G and L (NULL: zero). delta >= 0. SINGULAR as
 * rt_factor_numeric. */
routh_status rt_kkt_factor(rt_kkt *kkt, const double *X, const double *G, const double *L,
                           double delta, routh_error *error);

/* Solves for x (n_u) and y (n_rows; rows left out get 0): in, the right-hand sides; out, the
 * solution. */
routh_status rt_kkt_solve(rt_kkt *kkt, double *x, double *y, routh_error *error);

/* Many right-hand sides at once: B is n_columns columns of rt_kkt_size each, motion rows first,
 * then the kept rows in their order (rt_kkt_slot). threads: at most so many (0: what OpenMP
 * gives). */
int rt_kkt_size(const rt_kkt *kkt);
int rt_kkt_slot(const rt_kkt *kkt, int row);
routh_status rt_kkt_solve_columns(const rt_kkt *kkt, double *B, int n_columns, int threads,
                                  rt_progress *progress, routh_error *error);

/* The matrix as it was factored last: pattern and values are the rt_kkt's own. */
const rt_pattern *rt_kkt_matrix(const rt_kkt *kkt, const double **values);
rt_factor *rt_kkt_factors(rt_kkt *kkt);

void rt_kkt_free(rt_kkt *kkt);

#endif
