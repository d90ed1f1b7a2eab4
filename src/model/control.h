/* Controllers while they are read: what each type is made of.
 *
 * Every type becomes differential equations d(x', x, ...) = 0 and explicit values of outputs. It is
 * read in two steps: its shape, so that the names of all its states and outputs are known to every
 * expression of the file; then its expressions. */
#ifndef RT_MODEL_CONTROL_H
#define RT_MODEL_CONTROL_H

#include "model/reader.h"

/* A state or an output. */
typedef struct rt_control_part {
    const char *name; /* after the dot; NULL: the controller's own */
    rt_place place;
    rt_written_signal written; /* of a general controller: unit, initial value, function */
    rt_number initial;         /* of a state */
    bool initial_given;
} rt_control_part;

typedef struct rt_control {
    const rt_kind *kind;
    rt_given given;
    const rt_yaml *node;
    const char *name, *element; /* "pid", "controller pid"; in the model's arena */
    rt_written_controller written;
    int n_states, n_outputs;
    rt_control_part *states, *outputs;
    int first_state, first_output;      /* their places in the model */
    int n_inputs;                       /* state space */
    rt_number *A, *B, *C, *D;           /* row by row */
    rt_number *numerator, *denominator; /* n_states + 1 each, the highest power first */
} rt_control;

/* The variables and controllers of the file between the two steps. */
typedef struct rt_control_set {
    int n_controls;
    rt_control *controls;
    rt_written_signal *variables;
} rt_control_set;

/* One type. shape fills states and outputs and checks what needs no expression; expand reads the
 * expressions and fills the model's equations and values. */
typedef struct rt_control_type {
    routh_status (*shape)(rt_reader *r, rt_control *c);
    routh_status (*expand)(rt_reader *r, rt_control *c);
} rt_control_type;

extern const rt_control_type rt_control_differential, rt_control_implicit, rt_control_state_space,
    rt_control_transfer_function, rt_control_general, rt_control_pid, rt_control_gain;

/* ---- for the types --------------------------------------------------------------------------- */

/* Memory for so many states and outputs (in scratch); outputs of one have the controller's name. */
routh_status rt_control_take(rt_reader *r, rt_control *c, int n_states, int n_outputs);

/* Names letter1, letter2, ... for parts that the file does not name. */
routh_status rt_control_number(rt_reader *r, rt_control_part *parts, int n, char letter);

/* Initial values from a list of one number for each state; nothing where node is NULL. */
routh_status rt_control_initials(rt_reader *r, rt_control *c, const rt_yaml *node);

rt_expr rt_control_state_expr(rt_reader *r, const rt_control *c, int k);
rt_expr rt_control_rate_expr(rt_reader *r, const rt_control *c, int k);

/* equation = 0 for state k; value for output k. MEMORY where the expression could not be made. */
routh_status rt_control_set_equation(rt_reader *r, rt_control *c, int k, rt_expr equation,
                                     rt_place place);
routh_status rt_control_set_output(rt_reader *r, rt_control *c, int k, rt_expr value,
                                   rt_place place);

/* The function of the controller's `function` field. */
routh_status rt_control_read(rt_reader *r, const rt_control *c, const char *what, rt_expr *out);

/* sum + a x, left out where a is a plain zero. */
rt_expr rt_control_add(rt_reader *r, rt_expr sum, rt_number a, rt_expr x);

#endif
