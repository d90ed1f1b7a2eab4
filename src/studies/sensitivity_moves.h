/* What every coordinate and every multiplier does to the numbers of a pencil at rest: found once,
 * it gives what the motion of an equilibrium does along every parameter,
 *     d(number) = partial by the parameter + sum over c of d(number)/dz_c dz_c/dp
 * with z = (xi, lambda).
 * Bodies that share no element, nor a neighbour, move in one evaluation: each number that changes
 * then belongs to one of them (Curtis, Powell and Reid 1974). What no parameter moves, as in a
 * plane mechanism all that leads out of the plane, is not evaluated. */
#ifndef RT_STUDIES_SENSITIVITY_MOVES_H
#define RT_STUDIES_SENSITIVITY_MOVES_H

#include "studies/sensitivity_pencil.h"
#include "studies/sensitivity_varied_rows.h"

/* Of one evaluation: the numbers that changed, by which coordinate. */
typedef struct rt_move {
    int n;
    int *number, *coordinate;
    double *slope;
} rt_move;

typedef struct rt_moves {
    const rt_levels_pencil *p;
    int what; /* what is evaluated of a pencil at rest: RT_EVALUATE_... */
    int n_body_colours, n_joint_colours;
    int *body_colour, *joint_colour; /* n_bodies; n_constraints */
    int *body_of;                    /* n_bodies x n_body_colours: which neighbour has it; -1 */
    int *joint_of;                   /* n_bodies x n_joint_colours: which constraint */
    const int *body_of_number;       /* n_varied: whose column it is in */
    int n, n_joint_rows;             /* found so far; the most rows of a joint */
    bool *found;    /* by colour and component of bodies, then by colour and row of joints */
    rt_move *moves; /* NULL: not begun */
} rt_moves;

/* Can the motion of an equilibrium be told apart so: rigid bodies without controllers, states along
 * fixed axes, loads that use no forces of joints? */
bool rt_moves_fit(const rt_levels_pencil *pencil);
/* Is it worth finding for so many parameters that move it? */
bool rt_moves_pay(const rt_levels_pencil *pencil, int n_parameters);

/* None found yet; `what` is set. body_of_number: as rt_bodies_of_numbers. */
void rt_moves_begin(rt_moves *moves, const rt_levels_pencil *pencil, const int *body_of_number);
/* Those that z (n_z x stride, of the first n each) needs and that have not been found. Memory is
 * the arena's. The variation stands at the equilibrium; it is left without direction. */
routh_status rt_moves_find(rt_moves *moves, const double *z, int stride, int n,
                           rt_variation *variation, rt_arena *arena, routh_error *error);

/* rows += what z (n_z x rows->width, of the first n each) does. */
routh_status rt_moves_add(const rt_moves *moves, const double *z, int n, rt_varied_rows *rows,
                          routh_error *error);

#endif
