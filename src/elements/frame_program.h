/* A user's expression of measures, compiled: its value and exact derivatives as functions of
 * frames.
 *
 * The expression is f(x_1 .. x_k, forces, t, parameters) with x_a = dot products of frame
 * vectors. The tape computes f, f_a and, for constraints, f_ab; the frames' part comes from
 * frame_dot.h:
 *     d f = sum f_a dx_a                              (loads: any level)
 *     phi = sum f_a phi_a, with time derivatives by jets   (constraints: position level only)
 *     curvature = sum f_a H_a + sum f_ab phi_a (x) phi_b
 * Of an expression psi that is linear in velocities, for nonholonomic constraints, the same with
 * what frame_rates.h gives of each dot. */
#ifndef RT_ELEMENTS_FRAME_PROGRAM_H
#define RT_ELEMENTS_FRAME_PROGRAM_H

#include "elements/frame_dot.h"

typedef struct rt_program {
    const rt_tape *tape;
    const rt_tape *value_tape; /* f alone, where a function of the caller takes its time; NULL */
    int n_dots, n_forces, n_signals;
    int n_inputs;  /* dots, forces, signals, then time and parameters */
    int n_outputs; /* f, f_a (dots, forces, signals), f_ab (dots, a <= b, row by row); or f alone */
    const rt_quantity *const *quantity;
    const int *signal; /* n_signals: their places in the vector of signals */
    bool curvature;
    bool value_only;
} rt_program;

/* Compiles e. graph is extended with derivatives; the tape and tables go into the arena.
 * curvature: also second derivatives. Fails with BAD_ARGUMENT when more than RT_GRADIENT_FRAMES
 * frames are touched (the caller adds the element and its place). */
routh_status rt_program_compile(rt_program *program, rt_graph *graph, const routh_model *model,
                                rt_expr e, bool curvature, rt_arena *arena, routh_error *error);

/* The same for rt_program_value alone. */
routh_status rt_program_compile_value(rt_program *program, rt_graph *graph,
                                      const routh_model *model, rt_expr e, rt_arena *arena,
                                      routh_error *error);

/* Doubles of work space for any of the calls below. */
size_t rt_program_work(const rt_program *program);

/* Frames the program touches, added to list (unique, ground left out). */
void rt_program_frames(const rt_program *program, int *list, int *n);

/* What an evaluation needs besides frames. */
typedef struct rt_program_input {
    rt_frames frames;
    rt_scalar time;
    const double *near;          /* by angle of the model: what it is near to */
    const rt_scalar *parameters; /* by quantity index */
    const rt_scalar *forces;     /* n_forces values, in the program's order; NULL when there are
                                 none */
    const rt_scalar *signals;    /* all of the mechanism's; NULL where no program uses any */
    const rt_scalar *rates;      /* of the same, two blocks of that many: first and second time
                                 derivatives, along the motion; NULL: zero */
    int n_signals;            /* of the mechanism */
    rt_scalar *work;
} rt_program_input;

rt_scalar rt_program_value(const rt_program *program, const rt_program_input *in);

/* f as a jet along the motion and the jets of phi. */
void rt_program_jets(const rt_program *program, const rt_program_input *in, rt_scalar value[3],
                     rt_gradient *phi);

/* value[3] of a function of time alone. */
void rt_program_time_jet(const rt_program *program, const rt_program_input *in, rt_scalar value[3]);

/* After one of the calls above, with the same work (stride 1: of values or partials, 3: of jets),
 * gave what is not finite: was it a function of the caller (rt_tape_blame)? */
bool rt_program_blame(const rt_program *program, const rt_program_input *in, int stride,
                      char text[512]);

/* Is time itself an argument? */
bool rt_program_reads_time(const rt_program *program);

/* The jets of d f / d signal k of the program's, after rt_program_jets or rt_program_time_jet with
 * the same work. */
void rt_program_signal_jet(const rt_program *program, const rt_program_input *in, int k,
                           rt_scalar value[3]);

/* After rt_program_jets with the same work: adds scale times the curvature into H (see
 * rt_dot_curvature). */
void rt_program_curvature(const rt_program *program, const rt_program_input *in, rt_scalar scale,
                          const int *list, int n, rt_scalar *H);

/* psi = f, linear in velocities; every dot has at most one vector of velocity level, the others are
 * of position level, and the program is compiled with curvature. value: 0, psi, psi'. With
 *     d psi  = phi xi' + rho xi,      d psi' = phi xi'' + (phi' + rho) xi' + rho' xi
 * the levels of phi are phi, rho, rho'. */
void rt_program_rates(const rt_program *program, const rt_program_input *in, rt_scalar value[3],
                      rt_gradient *phi);

/* phi' - rho in level 0, and H += scale d(phi)/d(xi), which is not symmetric (rows: components of
 * phi). After rt_program_rates with the same work. */
void rt_program_rates_turn(const rt_program *program, const rt_program_input *in,
                           rt_gradient *turn);
void rt_program_rates_curvature(const rt_program *program, const rt_program_input *in,
                                rt_scalar scale, const int *list, int n, rt_scalar *H);

/* f and its first partials; by_force[n_forces], by_signal[n_signals] receive f's partials with
 * respect to the forces and the signals (NULL where there are none). */
void rt_program_partials(const rt_program *program, const rt_program_input *in, rt_scalar *value,
                         rt_gradient *g, rt_scalar *by_force, rt_scalar *by_signal);

#endif
