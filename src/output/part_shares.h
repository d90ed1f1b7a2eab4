/* Energies summed by part: what the names before the dots of an element's name are. */
#ifndef RT_OUTPUT_PART_SHARES_H
#define RT_OUTPUT_PART_SHARES_H

#include "base/arena.h"
#include "output/results.h"

/* A part, and in it others: of front_left.hub.wheel there are front_left and front_left.hub. Those
 * around it stand before it. */
typedef struct rt_part_of_shares {
    const char *name;
    int around, depth; /* -1: nothing; of those with nothing around 1 */
    double sum[3];     /* by routh_energy_kind, with all parts in it */
    double own;        /* room of those who use it */
} rt_part_of_shares;

typedef struct rt_part_shares {
    rt_part_of_shares *parts;
    int n;
    int *of_share; /* the innermost part of each share, -1: of none */
    rt_arena arena;
} rt_part_shares;

routh_status rt_part_shares_create(rt_part_shares *tree, const routh_linear *linear,
                                   routh_error *error);
void rt_part_shares_free(rt_part_shares *tree);

/* Sums the fractions of one kind, n_shares of them. */
void rt_part_shares_sum(rt_part_shares *tree, const routh_linear *linear, const double *fractions,
                        routh_energy_kind kind);

/* The part around it that is so deep, or it. */
int rt_part_shares_at_depth(const rt_part_shares *tree, int part, int depth);

#endif
