/* The class of a controller: all that the program knows of a type of controller, in one constant.
 * Each stands in a file of its own, src/model/controllers/<type>.c, and
 * src/model/controllers/list.h names them all.
 *
 * Every type becomes differential equations d(x', x, ...) = 0 and explicit values of outputs. It is
 * read in two steps: its shape, so that the names of all its states and outputs are known to every
 * expression of the file; then its expressions. Coordinate sets, linearization methods and the
 * rest see states and variables, and no types. */
#ifndef RT_MODEL_CONTROLLER_CLASS_H
#define RT_MODEL_CONTROLLER_CLASS_H

#include "model/reader.h"

/* A state or an output. */
typedef struct rt_control_part {
    const char *name; /* after the dot; NULL: the controller's own */
    rt_place place;
    rt_written_signal written; /* of a general controller: unit, initial value, function */
    rt_number initial;         /* of a state */
    bool initial_given;
} rt_control_part;

/* A controller while it is read. */
typedef struct rt_control {
    const struct rt_controller_class *class;
    rt_given given;
    const rt_yaml *node;
    const char *name, *element; /* "pid", "controller pid"; in the model's arena */
    rt_written_controller written;
    int n_states, n_outputs;
    rt_control_part *states, *outputs;
    int first_state, first_output; /* their places in the model */
    int n_kinks;
    void *own; /* what its class keeps between the two steps, in scratch */
} rt_control;

/* The variables and controllers of the file between the two steps. */
typedef struct rt_control_set {
    int n_controls;
    rt_control *controls;
    rt_written_signal *variables;
} rt_control_set;

typedef struct rt_controller_class {
    rt_kind kind; /* name, fields, one sentence about it; the first member */
    double defaults[RT_CONTROLLER_NUMBERS]; /* of its numbers that are not given */
    int most_kinks;                         /* that `expand` may add to the model */

    /* Fills states and outputs, and checks what needs no expression. */
    routh_status (*shape)(rt_reader *r, rt_control *c);
    /* Reads the expressions, and fills the model's equations and values. */
    routh_status (*expand)(rt_reader *r, rt_control *c);

    /* For the tests that every class must pass (tests/support/signal_samples.h): the fields of one
     * controller x of this class, by the variable v, the input u and the parameters p = 0.7 and
     * q = 1.3, which all matter; and its output: the name of a signal of it, or an expression. No
     * kink is near where v and u are between -1 and 1. */
    const char *sample, *output;
} rt_controller_class;

/* All classes, in the order of the reference page. */
enum {
#define RT_CONTROLLER_CLASS(name) RT_CONTROLLER_CLASS_##name,
#include "model/controllers/list.h"
#undef RT_CONTROLLER_CLASS
    RT_CONTROLLER_CLASSES
};
const rt_controller_class *rt_controller_class_at(int k);

/* The class of a kind of the section. */
const rt_controller_class *rt_controller_class_of(const rt_kind *kind);

#define RT_CONTROLLER_CLASS(name) extern const rt_controller_class rt_controller_class_##name;
#include "model/controllers/list.h"
#undef RT_CONTROLLER_CLASS

/* ---- for the classes (controller_parts.c) ---------------------------------------------------- */

/* Was the field given? */
bool rt_control_has(const rt_control *c, const char *field);

/* Memory for so many states and outputs (in scratch); outputs of one have the controller's name. */
routh_status rt_control_take(rt_reader *r, rt_control *c, int n_states, int n_outputs);

/* A `shape`: one state of the controller's own name, its value from the field `initial`. */
routh_status rt_control_one_state(rt_reader *r, rt_control *c);

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

/* A kink of the function, at the place of that field: no more than the class says. */
void rt_control_add_kink(rt_reader *r, rt_control *c, const char *field, rt_kink kink);

#endif
