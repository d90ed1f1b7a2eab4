/* Loads on their blocks' frames, and the force measures their expressions may use; private to
 * the room. */
#ifndef RT_SYSTEM_LOAD_H
#define RT_SYSTEM_LOAD_H

#include "model/load_class.h"
#include "system/scatter.h"

enum {
    RT_LOAD_FRAMES = 64, /* of one load, with those its expressions touch */
    RT_LOAD_LAMBDA = 512, /* multipliers and signals that one load depends on */
    RT_LOAD_FORCES = 16, /* force measures in one expression */
};

/* The gradient of a scalar over the frames and multipliers of a load's block: levels x 6
 * n_frames, and n_lambda. */
typedef struct rt_scalar_gradient {
    rt_scalar by_frame[3][6 * RT_LOAD_FRAMES];
    rt_scalar by_lambda[RT_LOAD_LAMBDA];
} rt_scalar_gradient;

static inline const rt_load_class *rt_class_of(const routh_mechanism *m, const rt_load_block *load)
{
    return rt_load_class_of(m->model->loads[load->load].type);
}

/* Where the load is evaluated; `functions`: RT_LOAD_FUNCTIONS values. */
static inline rt_load_at rt_load_on(const routh_mechanism *m, const rt_workspace *w,
                                    const rt_load_block *load, const rt_scalar *functions)
{
    const rt_load *x = &m->model->loads[load->load];
    rt_load_at at = {.load = x,
                     .i = rt_frame_of(w->markers, x->markers[0]),
                     .j = x->markers[1] == -2 ? NULL : rt_frame_of(w->markers, x->markers[1]),
                     .k = rt_frame_of(w->markers, x->resolved_in),
                     .near = load->angle < 0 ? 0 : w->near[load->angle],
                     .numbers = load->numbers,
                     .functions = functions};
    for (int k = 0; k < x->n_nodes; k++) at.node[k] = rt_frame_of(w->markers, x->nodes[k]);
    return at;
}

/* Function p of the load, or of what is made like one, on the frames as they are: its value and,
 * where partials are wanted, its gradient over the load's frames, multipliers and signals; false
 * when a force it uses has no direction. Works in program[depth] and above. */
bool rt_load_function(const routh_mechanism *m, rt_workspace *w, const rt_load_block *load,
                      const rt_state *state, int p, bool partials, int depth, rt_scalar *value,
                      rt_scalar_gradient *gradient);

/* Where a number of the load, or of what is made like one, is not finite: is it a function of the
 * caller? Then text says which. */
bool rt_load_blame(const routh_mechanism *m, rt_workspace *w, const rt_load_block *block,
                   const rt_state *state, char text[512]);

/* The wrenches and partials of a load into workspace->result[depth]; false when it has no
 * direction. */
bool rt_load_evaluate_at(const routh_mechanism *m, rt_workspace *w, const rt_load_block *load,
                         const rt_state *state, bool partials, int depth);

/* A force on points without functions, on spatial frames: r, K and D at once; false when it has no
 * direction. */
bool rt_is_spatial_spring(const routh_mechanism *m, const rt_load_block *load);
bool rt_spatial_spring(const routh_mechanism *m, rt_workspace *w, const rt_load_block *load,
                       bool tangent);

/* The value of a force measure, and (scale != 0) scale times its gradient added to g, on the
 * frames and multipliers of the load `top` whose expression uses it. Works in result[depth]. */
bool rt_force_measure(const routh_mechanism *m, rt_workspace *w, const rt_load_block *top,
                      const rt_quantity *quantity, const rt_state *state, int depth,
                      rt_scalar *value, rt_scalar scale, rt_scalar_gradient *g);

/* Place in load's list of a multiplier (row) or a signal (n_rows + its place). */
int rt_lambda_place(const rt_load_block *load, int row);

/* Frames, multipliers and signals a force measure depends on, added to the lists; the depth of
 * nesting, or -1 when the lists are full or the nesting is deeper than RT_FORCE_DEPTH. */
int rt_force_dependencies(const routh_mechanism *m, const rt_quantity *quantity, int depth,
                          int *frames, int *n_frames, int *lambda, int *n_lambda);

#endif
