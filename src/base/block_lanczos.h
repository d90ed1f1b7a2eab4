/* Lanczos' iteration in blocks on OP = (K - s M)^-1 M, in the inner product of M, kept orthogonal
 * in full and restarted thick. The largest |theta| of OP are the lambda = s + 1 / theta nearest to
 * s. */
#ifndef RT_BASE_BLOCK_LANCZOS_H
#define RT_BASE_BLOCK_LANCZOS_H

#include <stdbool.h>

#include "base/symmetric_pencil.h"

enum { RT_MOST_BLOCK = 16 }; /* vectors in a block */

typedef struct rt_lanczos {
    rt_shifted_pencil *pencil;
    int n, block, most; /* most vectors in the basis */
    double *V;          /* n x (most + block): the basis, then the next block; V' M V = I */
    double *H;          /* most x most: V' M OP V */
    int done, next;     /* vectors in the basis; width of the next block, 0: nothing is left */
    int last;           /* width of the last block of the basis */
    int apart;          /* the first so many of the basis are Ritz vectors for good */
    int turned;         /* the first so many were Ritz vectors when it began anew */
    double *R;          /* block x block: OP of the last block, seen in the next, and room */
    double *theta, *residual; /* most: Ritz values of largest modulus first; |OP x - theta x| */
    double *Y;                /* most x most: their vectors in the basis */
    double *MQ;               /* n x block: M times the next block */
    double *MP;               /* M times the last block of the basis, where it is of Lanczos */
    double *W, *MW, *C, *rows;
    double *room;   /* most x (most + 2) */
    bool *massless; /* n: rows that M does not see, which stay zero; NULL where there are none */
    unsigned seed;
} rt_lanczos;

routh_status rt_lanczos_create(rt_lanczos *l, rt_shifted_pencil *pencil, int block, int most,
                               rt_arena *arena, routh_error *error);

/* The pencil was factored: a first block without a pattern. */
routh_status rt_lanczos_begin(rt_lanczos *l, routh_error *error);

/* The next block is filled up with OP times numbers without a pattern, orthogonal to all
 * before. */
routh_status rt_lanczos_fill(rt_lanczos *l, routh_error *error);

/* The next block joins the basis, where there is room for it: done + next <= most. */
routh_status rt_lanczos_step(rt_lanczos *l, routh_error *error);

/* theta, residual and Y of the present basis. */
routh_status rt_lanczos_ritz(rt_lanczos *l, routh_error *error);

/* The first `keep` Ritz vectors become the basis. */
void rt_lanczos_restart(rt_lanczos *l, int keep);

/* The same, and these stay as they are: theta of the others may be smaller than theirs by more than
 * the digits there are. What they leave, |OP x - theta x|, must be nothing beside theta. */
void rt_lanczos_set_apart(rt_lanczos *l, int keep);

/* Those marked, all that are apart among them, become the basis, and the next block is without a
 * pattern again. */
routh_status rt_lanczos_renew(rt_lanczos *l, const bool *keep, routh_error *error);

/* Ritz vector k: n numbers. */
void rt_lanczos_vector(const rt_lanczos *l, int k, double *x);

#endif
