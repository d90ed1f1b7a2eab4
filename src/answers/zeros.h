/* Splitting off the zero eigenvalues of a state matrix, which may be defective (a free rigid-body
 * motion gives a Jordan block of size 2, which any rounding tears into +-1e-8 or so).
 *
 * A staircase (Kublanovskaya 1966; Golub and Wilkinson, SIAM Review 18, 1976): the null space of A
 * is found by a rank decision, a similarity brings A to [0 A12; 0 B], and the same is done with B
 * until it is regular. The similarity here is T = [I 0; F I] on a subset of the states, not an
 * orthogonal one: it keeps the states' names and the zeros of the matrix, so a slow mode that does
 * not touch the fast ones keeps its digits. */
#ifndef RT_ANSWERS_ZEROS_H
#define RT_ANSWERS_ZEROS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/lapack.h"
#include "routh/linear.h"

/* One deflation of the current n x n matrix: x_out = y, x_in = F y + w, with A12 = A(out, in).
 * Column-major. */
typedef struct rt_zero_stage {
    int n, k;           /* order before; zeros split off */
    const int *out;     /* k: which of the current states are taken out */
    const int *in;      /* n - k: which remain, ascending */
    const double *F;    /* (n - k) x k, NULL: zero */
    const double *link; /* A12, k x (n - k) */
    /* singular values and vectors of the current matrix, the last k of them taken as zero; NULL
     * where its columns were zero themselves */
    const double *sigma, *left, *right_t;
    double taken;       /* the largest size taken as zero */
    const double *rest; /* (n - k) x k, in doubles: R of [R_0 A12; R B], taken as zero */
} rt_zero_stage;

typedef struct rt_zeros {
    rt_arena arena;
    int n;
    const routh_linear *linear; /* NULL of a transposed one */
    double *scale;              /* n: x = scale * scaled x; powers of two */
    double *A;                  /* n x n, the scaled matrix */
    double norm;                /* largest norm of a row or column of A */
    double *B;                  /* what is left: n_left x n_left, regular */
    double *B_rest;             /* B + B_rest: B as it is known in extended precision; or NULL */
    double *B_error;            /* then: a bound of the error of each entry */
    double *B_own_error;        /* of it what is the arithmetic's */
    double unknown;    /* where B_rest is NULL though A_rest was there: what rounding of the model's
                       numbers does to B, its norm as the samples have it; else 0 */
    int n_samples;     /* of B: those of A_error after the same steps, and where it was split by
                          samples (zeros_extended.c) others that stand for the arithmetic */
    double *B_samples; /* n_samples matrices, by how much they are off from B */
    int n_left;
    int n_zero;
    double taken;  /* largest size of a stage's taken */
    double floor;  /* in doubles: singular values up to it were taken as zero as well */
    double margin; /* largest size taken as zero / smallest singular value kept in the last stage */
    double sure;   /* margin up to which the zeros are not in doubt */
    int n_stages;
    rt_zero_stage *stages; /* n at most */
    double *work;          /* 4 n, for the lifts */
} rt_zeros;

/* analyses: whose memory it takes, and what is made of it after; NULL: the system's. */
routh_status rt_zeros_split(rt_zeros *zeros, const routh_linear *linear, rt_analyses *analyses,
                            routh_error *error);

/* The eigenvector x (re, im: n each, in the units of the states) of A to the eigenvalue re + i im
 * that has the eigenvector w of B. w_im NULL: real. */
void rt_zeros_lift(const rt_zeros *zeros, const double lambda[2], const double *w_re,
                   const double *w_im, double *x_re, double *x_im);

/* Vector number k (0 .. n_zero - 1) of the zero eigenvalue: a null vector, or z + A z + A^2 z + ...
 * for a generalized vector z, so that its motion is that of the null vector at the head of its
 * chain. */
void rt_zeros_vector(const rt_zeros *zeros, int k, double *x);

/* The left eigenvector u of A, u^H A = lambda u^H, that belongs to the left eigenvector w of B, in
 * 1 / units of the states. w_im NULL: real, and u_im is not touched. */
void rt_zeros_lift_left(const rt_zeros *zeros, const double *w_re, const double *w_im, double *u_re,
                        double *u_im);

/* The same for A': its vectors are left ones of A, in 1 / units of the states. The rank decisions
 * are taken again. */
routh_status rt_zeros_split_transposed(rt_zeros *transposed, const rt_zeros *zeros,
                                       routh_error *error);

void rt_zeros_free(rt_zeros *zeros);

/* What was taken as zero over the smallest that was not: up to this, zeros are sure. Singular
 * values are as stiffness is: a slow mode among the zeros may be their ratio's root of the slowest
 * that is none, 3e-5 in extended precision and 1e-3 in doubles: rounding leaves no more. */
#define RT_ZEROS_SURE 1e-9
#define RT_ZEROS_SURE_IN_DOUBLES 1e-6

/* The same split of a loaded matrix that is known in extended precision. *clear: false where the
 * bounds of the errors have grown so large that they do not tell zeros from others. */
routh_status rt_zeros_run_extended(rt_zeros *zeros, bool *clear, routh_error *error);

/* The same by samples of the arithmetic in place of bounds. *clear: nothing was taken as zero but
 * what is zero whatever the numbers of the model are. */
routh_status rt_zeros_run_sampled(rt_zeros *zeros, bool *clear, routh_error *error);

/* ---- what rounding leaves -------------------------------------------------------------------- */

/* A bound of |l' dB r|, B being what is left now (n_left numbers each), for |dA| = eps |A|. A stage
 * whose null vectors X were told from others at small singular values makes it larger, since
 * dX = -A^+ dA X:
 *     B = A_ii - F A_oi,   l' dB r = m' dA (0, r) + (m' A^+) dA (X A_oi r),   m' = (0, l') T^-1 */
routh_status rt_zeros_noise(const rt_zeros *zeros, const double *l, const double *r, double *noise,
                            rt_arena *scratch, routh_error *error);

/* u (stage.n) from w (stage.n - k) in place: (0, w') T^-1, so u_in = w, u_out = -F' w; work holds
 * n - k. */
void rt_zeros_widen_left(const rt_zero_stage *stage, double *u, double *work);

/* Up to this a singular value of n states may be what rounding leaves of zero. */
double rt_zeros_rounding(int n, double norm);

/* left_out[k], n_left of them: how much eigenvalue k of e, those of B, may change as parts R of
 * [R_0 L; R B] were taken as zero in doubles: to first order |w|' |R| |L x / lambda| / |w'x|, stage
 * by stage. Where nothing is known of A, less what is rounding of it. */
routh_status rt_zeros_left_out(const rt_zeros *zeros, const rt_eigen *e, double *left_out,
                               rt_arena *scratch, routh_error *error);

/* rounding[k], n_left of them: what rounding in the stages does to eigenvalue k of e, to first
 * order. Of a split in doubles. */
routh_status rt_zeros_rounding_of_stages(const rt_zeros *zeros, const rt_eigen *e, double *rounding,
                                         rt_arena *scratch, routh_error *error);

/* How far from zero the eigenvalues may be that were taken as zero; 0 where nothing is known of
 * A. */
routh_status rt_zeros_bound(const rt_zeros *zeros, double *bound, rt_arena *scratch,
                            routh_error *error);

/* ---- what is slow ---------------------------------------------------------------------------- */

/* Are all of k <= RT_MOST_SLOW motions of the positions (S: n_position x k, in the units of the
 * states), which A takes for zeros, slow modes by the model's stiffness and mass? norm: the highest
 * frequency. Never of a model that does not hold these exactly. */
enum { RT_MOST_SLOW = 64 };
routh_status rt_zeros_are_slow(const routh_linear *linear, double norm, int k, const double *S,
                               bool *slow, rt_arena *scratch, routh_error *error);

#endif
