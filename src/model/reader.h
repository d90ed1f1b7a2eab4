/* What the parts of the reader share while one model is read. */
#ifndef RT_MODEL_READER_H
#define RT_MODEL_READER_H

#include "model/fields.h"
#include "model/names.h"
#include "model/number.h"

/* Which quantities a function may use; each level includes the measures of those before it. Inputs
 * are signals that TIME and ALL may use, the others ALL only. */
typedef enum rt_allowed {
    RT_ALLOW_TIME_ALONE, /* histories of inputs */
    RT_ALLOW_TIME,       /* motions */
    RT_ALLOW_POSITIONS,
    RT_ALLOW_VELOCITIES,
    RT_ALLOW_ALL
} rt_allowed;

/* A name that stands for a signal in expressions. */
typedef struct rt_signal_name {
    const char *name;
    const char *what; /* "an input", for messages */
    rt_quantity_kind kind;
    int index;            /* of its kind; -1: a controller whose signals have longer names */
    const rt_yaml *given; /* of a part's input: the expression that it is; else NULL */
    const struct rt_scope *scope; /* in which that, or its expression, is read */
    bool odd; /* a reflection of all changes its sign: the longitudinal slip of a tyre */
    const rt_unit_system *units; /* that its numbers are in; NULL: SI */
    const char *unit;            /* what the file says its unit is; NULL, "": nothing */
    const rt_yaml *expression;   /* that it is, read in `scope`; NULL: it has none */
} rt_signal_name;

struct rt_model_index {
    rt_names points; /* bodies and the user's markers -> marker */
    rt_names joints;
    rt_names loads;
    rt_names parameters;
    rt_names signals; /* -> named */
    int n_named;
    rt_signal_name *named;
    rt_names user_states;
};

/* A load whose function asks for the force of another. */
typedef struct rt_load_use {
    int load, used;
    rt_place place;
} rt_load_use;

enum { RT_VALUE_CACHE = 256 };

typedef struct rt_reader {
    routh_model *model;
    struct rt_model_index *index;
    const rt_yaml *outputs; /* the section, for errors */
    routh_error *error;
    const char *file;
    char element[192]; /* what is being read, for messages: "joint bearing" */
    rt_arena scratch;  /* lives as long as the reading */
    rt_calculator calculator;

    const struct rt_scope *scope; /* of what is being read: the part it is in, NULL: the model */
    struct rt_part_set *parts;    /* NULL: the model has none */
    char full[520];               /* what rt_full_name gave last */

    struct rt_body_place *places;   /* by body (placing.h) */
    struct rt_placing *placing;     /* NULL: bodies begin where they are written */
    bool places_bodies;             /* something is written that moves a body from there */
    bool *marker_known;             /* by marker of the user's: it is read */
    const rt_yaml **marker_entries; /* the same: where it is written */
    int waiting;                    /* markers that wait for another one to be read */
    const routh_setting *settings;  /* of parameters, and of coordinates of joints */
    size_t n_settings;
    const rt_yaml *joint_section;

    int n_user_points;                         /* bodies and the user's markers */
    int marker_room;                           /* markers there is memory for */
    const rt_yaml **joint_nodes, **load_nodes; /* by index, for messages about them */

    rt_quantity *quantities; /* grows; copied to the model at the end */
    int n_quantities, quantity_room;
    int *quantity_table; /* hash to index + 1 */
    int table_room;

    rt_counted_angle *angles; /* grows; copied to the model at the end */
    int n_angles, angle_room;

    int n_parameters_known; /* parameters whose value is computed have known[k] */
    unsigned char *parameter_state;
    int wanted;                        /* the parameter that a parse stopped for, -1 */

    int making_room, made_room, kink_weight_room;

    const rt_yaml *free; /* names under steady.free, or NULL: parameters among them are inputs */

    const rt_unit_system *set_units; /* of a value that the caller sets, where set_in_units */
    bool set_in_units;
    bool of_signals; /* numbers stay in the units of their file: those of controllers */
    const char *unit;            /* of the field being read (rt_field), NULL where none is known */
    rt_dimension read_dimension; /* what is known of the number that was read last */
    rt_dimension function_dimension; /* the same of the function, measures included */
    bool measuring;                  /* an expression is read for its dimension alone */
    bool values_only; /* of numbers being read only the value is kept: they go to model->fixed */
    int fixed_room;
    bool varies; /* other values may take the place of the number being read (rt_field) */
    int guard_room;

    rt_allowed allowed; /* in the function being read */
    /* rt_read_function, for what lies below it and reads expressions in turn */
    routh_status (*read_function)(struct rt_reader *r, const rt_yaml *node, const char *what,
                                  rt_allowed allowed, rt_function *out);
    /* rt_dimension_of_function, likewise */
    rt_dimension (*dimension_of)(struct rt_reader *r, const rt_yaml *node,
                                 const struct rt_scope *scope);
    int warning_room;
    int following;     /* how many inputs of parts are being replaced by what they are given */
    int function_load; /* the load it belongs to, -1 */
    rt_place function_place;
    const char *function_what; /* the field it is, for warnings */
    rt_load_use *uses;
    int n_uses, use_room;
    int use_list_room, use_argument_room; /* of model->function_uses, function_arguments */
    int next_load_state; /* which control state the next one of a load is */

    rt_expr cached[RT_VALUE_CACHE]; /* expression + 1 whose value is in cached_value */
    double cached_value[RT_VALUE_CACHE];
} rt_reader;

/* ---- messages and names (reader.c) ----------------------------------------------------------- */

routh_status rt_reader_fail(rt_reader *r, rt_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the element for messages: kind "joint", name "bearing"; names then mean what they do outside
 * of parts. */
void rt_reader_element(rt_reader *r, const char *kind, const char *name);
/* The same of an entry of a section, whose names mean what they do in its part from here on. */
void rt_reader_enter(rt_reader *r, const char *kind, const rt_yaml *entry);

/* ", did you mean 'x'?" or "" into text. */
const char *rt_did_you_mean(const char *word, const char *const *candidates, char *text,
                            size_t size);

/* "a, b, c" of a NULL-terminated list into text, cut where it is full. */
const char *rt_join_words(const char *const *words, char *text, size_t size);

/* A name of the user's: letters, digits, underscores. */
routh_status rt_check_name(rt_reader *r, const rt_yaml *entry);
/* The same for names that stand in expressions: none that has a meaning of its own. */
routh_status rt_check_quantity_name(rt_reader *r, const rt_yaml *entry);

/* The keys of a mapping, NULL-terminated, in the scratch arena; NULL when out of memory. */
const char *const *rt_reader_keys(rt_reader *r, const rt_yaml *mapping);

/* Names of bodies and markers (NULL-terminated, in the scratch arena; NULL when out of memory). */
const char *const *rt_reader_point_names(rt_reader *r);

/* Fails where a number that was computed from what was written has overflowed. */
routh_status rt_check_finite(rt_reader *r, rt_place place, const char *what,
                             const rt_number *numbers, int n);

/* ---- numbers (values.c) ---------------------------------------------------------------------- */

/* Where r->values_only and the number depends on parameters: it goes to model->fixed. */
routh_status rt_note_fixed(rt_reader *r, const rt_yaml *node, const char *what, rt_number number);
/* The same of a whole number, whatever r says. */
routh_status rt_note_whole(rt_reader *r, const rt_yaml *node, const char *what, rt_number number);

routh_status rt_read_number(rt_reader *r, const rt_yaml *node, const char *what, rt_range range,
                            rt_number *out);
routh_status rt_read_numbers(rt_reader *r, const rt_yaml *node, const char *what, int n,
                             rt_number *out);

/* Lists of numbers of any length, and matrices of a length that is known (row_of, column_of: what
 * each row and column belongs to, for messages); numbers are in scratch. */
routh_status rt_read_list(rt_reader *r, const rt_yaml *node, const char *what, rt_number **numbers,
                          int *n);
routh_status rt_read_matrix(rt_reader *r, const rt_yaml *node, const char *what, int n_rows,
                            const char *row_of, int n_columns, const char *column_of,
                            rt_number **numbers);

/* ---- directions (orientation.c, axis.c) ------------------------------------------------------ */

routh_status rt_read_orientation(rt_reader *r, const rt_yaml *node, rt_number A[9]);

/* The triad whose z lies along the axis; the rest of it follows by one rule. */
routh_status rt_read_axis(rt_reader *r, const rt_yaml *node, rt_axis *axis);
void rt_triad_of_axis(const double axis[3], double triad[9]);

/* Markers whose axes are turned by an axis that depends on parameters become markers of the owner's
 * own, and the axis their z: so it is differentiated as orientations are. */
routh_status rt_turn_markers(rt_reader *r, const char *owner, rt_place place, rt_axis *axis,
                             int markers[2]);

/* ---- fields (read_fields.c) ------------------------------------------------------------------ */

/* Reads a mapping by its kind's table into target. */
routh_status rt_read_fields(rt_reader *r, const rt_kind *kind, const rt_yaml *node, void *target,
                            rt_given *given);

/* Whether a mapping has the fields that its kind asks for, and no others (rt_check_keys: that
 * alone), without reading them. */
routh_status rt_check_fields(rt_reader *r, const rt_kind *kind, const rt_yaml *node);
routh_status rt_check_keys(rt_reader *r, const rt_kind *kind, const rt_yaml *node);

/* The same for a thing of a section of one kind, where it may be written without a mapping. */
routh_status rt_read_entry(rt_reader *r, const rt_section *section, const rt_yaml *node,
                           void *target, rt_given *given);

/* The kind that the node's `type` names; checks that node is a mapping. */
routh_status rt_read_type(rt_reader *r, const rt_section *section, const rt_yaml *node,
                          const rt_kind **kind);

/* A number made as an input of the graph, and which it is; RT_NO_EXPR: out of memory. */
rt_expr rt_add_made(rt_reader *r, double value, int *index);

/* Room in an array of the model's arena that grows for one more than n of that size: the array, or
 * a wider one; NULL: out of memory. */
void *rt_reader_grow(rt_reader *r, void *array, size_t size, int n, int *room);

/* What the making gives, `made` in scratch: numbers that know of what parameters they depend
 * (make.c). problem: what rt_make says; not 0: nothing was made. The making is copied. */
struct rt_making;
routh_status rt_make_numbers(rt_reader *r, const struct rt_making *making, rt_number **made,
                             int *problem);

/* ---- sections -------------------------------------------------------------------------------- */

routh_status rt_read_parameters(rt_reader *r, const rt_yaml *section, const routh_setting *settings,
                                size_t n_settings);
routh_status rt_read_bodies(rt_reader *r, const rt_yaml *section);
routh_status rt_read_markers(rt_reader *r, const rt_yaml *section);
routh_status rt_read_joints(rt_reader *r, const rt_yaml *section);
routh_status rt_read_loads(rt_reader *r, const rt_yaml *section);
routh_status rt_read_states(rt_reader *r, const rt_written_model *w);
routh_status rt_read_steady(rt_reader *r, const rt_written_model *w); /* after all else */

/* The shape of a beam (beam_body.c). */
void rt_default_beam(rt_written_body *w);
routh_status rt_build_beam(rt_reader *r, const rt_kind *kind, rt_given given, const rt_yaml *node,
                           const rt_written_body *w, rt_body *body);

/* The shape of a rigid body, and mass and inertia where they follow from it (shape.c). */
void rt_default_shape(rt_written_shape *w);
routh_status rt_take_shape(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                           rt_body *body);

/* What is in a file: of a mesh, of the outline of an extrusion (shape_outline.c, shape_mesh.c). */
routh_status rt_take_outline(rt_reader *r, const rt_written_shape *w, struct rt_shape *shape);
routh_status rt_take_mesh(rt_reader *r, const rt_written_shape *w, struct rt_shape *shape);
/* Fails where mass and inertia cannot follow from the mesh. */
routh_status rt_check_solid(rt_reader *r, const rt_yaml *node, const struct rt_shape *shape);

/* The path of a file that is named in the model file or part file that is read: from its folder, or
 * from the working directory for standard input; in scratch, NULL: no memory (modal_body.c). */
const char *rt_file_beside(rt_reader *r, rt_word word);
/* What is wrong with that file, at the place that names it. */
routh_status rt_pass_on(rt_reader *r, rt_word word, const routh_error *problem);

/* The shape of a modal body (modal_body.c). */
void rt_default_modal(rt_written_modal *w);
routh_status rt_build_modal(rt_reader *r, const rt_written_modal *w, const rt_flexible **out);

/* Fails where the marker is on a node that is displaced but does not turn: what needs its axes, or
 * brings a moment, cannot be there. what: "a revolute joint". */
routh_status rt_check_turns(rt_reader *r, rt_place place, int marker, const char *what);

/* Axes and place of a body's node in its frame, as numbers; NULL: not wanted. */
void rt_node_places(const rt_body *body, int index, rt_number axes[9], rt_number X[3]);

/* Markers on nodes of flexible bodies (nodes.c): on the node that `node` names, position and
 * orientation in its axes (at, NULL where not given: a point in the frame's axes instead of the
 * position); or on the one at a point p in the frame's axes, with axes as the world's if so wanted.
 * A node that does not move gives a marker fixed in the frame. */
routh_status rt_put_on_node(rt_reader *r, const rt_yaml *node, const rt_number *at,
                            rt_marker *marker);
routh_status rt_put_on_node_at(rt_reader *r, rt_place place, const rt_number p[3], bool world_axes,
                               rt_marker *marker);

/* States and kinks of loads' own, before anything of them is read (load_states.c): how many; the
 * states named, from control state `first` on. */
void rt_count_load_states(const rt_yaml *loads, int *n_states, int *n_kinks);
routh_status rt_name_load_states(rt_reader *r, const rt_yaml *loads, int first);

/* A tyre read into the load, whose markers are known (tyre.c); magic: by the magic formula. */
routh_status rt_read_tyre(rt_reader *r, const rt_kind *kind, rt_given given, const rt_yaml *node,
                          bool magic, rt_written_load *w, rt_load *load);

/* Inputs, variables, controllers: their names, before any expression is read; then outputs too and
 * all expressions (controllers.c). */
struct rt_control_set;
routh_status rt_declare_signals(rt_reader *r, const rt_written_model *w,
                                struct rt_control_set *set);
routh_status rt_read_signals(rt_reader *r, const rt_written_model *w, struct rt_control_set *set);

/* The input of that name. */
routh_status rt_find_input(rt_reader *r, rt_place place, const char *name, int *input);

/* `simulate`, when the signals are named (simulate.c). */
routh_status rt_read_simulation(rt_reader *r, const rt_yaml *section, const rt_written_model *w);

/* `events`, likewise (events.c). */
routh_status rt_read_events(rt_reader *r, const rt_yaml *section);

/* Functions of the caller (functions.c, function_calls.c): what is given, before anything is read;
 * the section `functions`; libraries closed when the model is freed. */
routh_status rt_keep_functions(rt_reader *r, const rt_given_functions *given);
routh_status rt_read_functions(rt_reader *r, const rt_yaml *section);
void rt_close_plugins(routh_model *model);

/* A call in an expression: false where no function has this name, or with a problem. */
bool rt_call_function(rt_reader *r, const char *name, const rt_call_argument *arguments, int n,
                      rt_expr *out, char *problem);
rt_model_function *rt_find_function(const routh_model *model, const char *name); /* NULL */

/* Notes the calls in an element's expression; false: out of memory. */
bool rt_note_function_uses(rt_reader *r, const char *element, const rt_function *function);

/* From a library (plugin.c): fills function->of and ->library. */
routh_status rt_load_plugin(rt_reader *r, rt_word library, rt_model_function *function);

/* The kinks of all functions, beside those of controllers, when all are read (kinks.c). */
routh_status rt_find_kinks(rt_reader *r);

/* One over the size of e, a number made that rt_kink_sizes_run finds (kink_sizes.h); RT_NO_EXPR:
 * out of memory. */
rt_expr rt_weigh_expression(rt_reader *r, rt_expr e);

/* Sets `used` of the inputs, when all functions are read. */
routh_status rt_mark_used_inputs(rt_reader *r);

/* ---- free parameters (free_parameters.c) ----------------------------------------------------- */

/* Parameters under steady.free become inputs after those of the file: which of them parameter k is,
 * or -1; how many there are; the input that one becomes; it in an expression, where functions may
 * use inputs: else false. */
int rt_free_parameter(const rt_reader *r, int k);
int rt_count_free_parameters(const rt_reader *r);
int rt_input_of_parameter(const rt_reader *r, int k);
bool rt_resolve_free(rt_reader *r, int k, rt_expr *out, char *problem);
routh_status rt_add_free_inputs(rt_reader *r);

/* ---- coordinates of joints that are set (joint_settings.c) ----------------------------------- */

/* Is the setting one of a joint: its name and that of a field? */
bool rt_is_joint_setting(const rt_reader *r, const char *name);

/* Is this field of the joint set? */
bool rt_is_field_set(const rt_reader *r, const char *joint, const char *field);

/* The joint's entry with what is set in place of what it says; the same where nothing is. */
routh_status rt_set_joint(rt_reader *r, const rt_yaml *entry, const rt_yaml **with);

/* ---- signals (signals.c) --------------------------------------------------------------------- */

/* Room for n names. */
routh_status rt_start_signals(rt_reader *r, int n);

/* Gives a name (kept by reference) to a signal; index -1: a controller without a signal of that
 * name. */
routh_status rt_name_signal(rt_reader *r, rt_place place, const char *name, const char *what,
                            rt_quantity_kind kind, int index);

/* The signal named last is an input of a part, and given this expression in r->scope. */
void rt_note_given_input(rt_reader *r, const rt_yaml *expression);

/* The signal named last: what the file says its unit is; its expression, NULL: none; the part it
 * is of, whose units it has. */
void rt_note_signal(rt_reader *r, const char *unit, const rt_yaml *expression,
                    const struct rt_scope *owner);

/* The model's states of controllers, variables and inputs learn which system of units their numbers
 * are in, once all are declared. */
routh_status rt_keep_signal_units(rt_reader *r);

/* The signal of a whole name; NULL: there is none. */
const rt_signal_name *rt_signal_named(const rt_reader *r, const char *full);

/* "first.second" in the model's arena; NULL when out of memory. */
const char *rt_dotted_name(rt_reader *r, const char *first, const char *second);

/* A name, and RATE(name), in an expression; false, with a problem where the name is known. */
bool rt_resolve_signal(rt_reader *r, const char *name, rt_expr *out, char *problem);
bool rt_resolve_rate(rt_reader *r, const rt_call_argument *arguments, int n, rt_expr *out,
                     char *problem);

/* The quantities so far, into the model (quantities.c). */
routh_status rt_keep_quantities(rt_reader *r);

/* ---- guards (guards.c) ----------------------------------------------------------------------- */

/* The reader uses this number's value: numbers that depend on no parameter need no guard. */
routh_status rt_guard_number(rt_reader *r, rt_number number, rt_guard_kind kind);
routh_status rt_guard_numbers(rt_reader *r, const rt_number *numbers, int n, rt_guard_kind kind);

/* Has a rigid body an inertia that none can have (bodies.c)? */
bool rt_inertia_is_wrong(const rt_body *body);

/* ---- names to things ------------------------------------------------------------------------- */

/* The marker of that name (a body's own included); -1 for ground. */
routh_status rt_find_point(rt_reader *r, rt_word word, const char *what, int *marker);
int rt_find_joint_name(rt_reader *r, rt_word word); /* -1: there is none */
int rt_body_of_marker(const routh_model *model, int marker);
/* The body of that name; -1: there is none. Names of nodes of beams are markers on their axis. */
int rt_find_named_body(const rt_reader *r, const char *name);

/* Markers of a `between`, where `at` (NULL when not given) asks for markers made at a point. */
routh_status rt_read_pair(rt_reader *r, const char *owner, const rt_word between[2],
                          const rt_number *at, rt_place place, int markers[2]);

/* Marker or body position and axes in the world, in the configuration as written, flexible bodies
 * undeformed. */
void rt_marker_in_world(rt_reader *r, int marker, rt_number position[3], rt_number axes[9]);

/* ---- quantities (quantities.c) --------------------------------------------------------------- */

/* The slot of a quantity, shared between equal ones; -1 when out of memory. */
int rt_quantity_slot(rt_reader *r, const rt_quantity *quantity);

/* A quantity in an expression: any, a . b, the time, a signal. */
rt_expr rt_quantity_expr(rt_reader *r, const rt_quantity *quantity);
rt_expr rt_measure_dot(rt_reader *r, const rt_vector *a, const rt_vector *b);
rt_expr rt_time_expr(rt_reader *r);
rt_expr rt_signal_expr(rt_reader *r, rt_quantity_kind kind, int index);

/* ---- expressions (parameters.c, measures.c) -------------------------------------------------- */

/* A function of measures, time and parameters. */
routh_status rt_read_function(rt_reader *r, const rt_yaml *node, const char *what,
                              rt_allowed allowed, rt_function *out);

/* The same, of a field with this unit (rt_field): a value of another dimension is refused. */
routh_status rt_read_function_in(rt_reader *r, const rt_yaml *node, const char *what,
                                 const char *unit, rt_allowed allowed, rt_function *out);

/* Adds a warning to the model, of the function that is read; context: the reader. */
void rt_warn_of_function(void *context, const char *message);

/* Warns where the function read last is known to be in another unit than this one, which the signal
 * is said to be in; NULL: none is said (signal_units.c). */
void rt_check_signal_unit(rt_reader *r, const char *unit);

/* A number that was read, where only now is known what its unit is; NULL: it was not given. */
routh_status rt_check_number_in(rt_reader *r, const rt_yaml *node, const char *what,
                                const char *unit);

/* Unit k of a list "m, N"; "" where it has less. Returns text. */
enum { RT_LISTED_UNIT = 48 };
const char *rt_listed_unit(const char *units, int k, char text[RT_LISTED_UNIT]);

/* ---- units of the model (model_units.c, unit_systems.c) -------------------------------------- */

/* `units` of a file; NULL where it says none. */
routh_status rt_read_units(rt_reader *r, const rt_yaml *root, const rt_unit_system **units);

/* The units of the text that is being read: of the model, or of the part's file; NULL: SI. */
const rt_unit_system *rt_units_here(const rt_reader *r);

/* Which one of a file's units is written: a place in its choices. Where none is (-1), the first,
 * that of SI; but a model in other units has to say what its files are in. of: 0 length, 1 mass,
 * 2 time. */
routh_status rt_file_unit(rt_reader *r, rt_word file, const char *field, int of, int *written);

/* A value in SI as it is in the model's units, for messages. */
double rt_as_written(rt_reader *r, const char *unit, double value);
/* A value of the field with r->unit, out of the model's units; one of several units ("m or rad")
 * stays as it is, and who knows which it is takes rt_number_from. No unit: it stays too. */
routh_status rt_number_into_si(rt_reader *r, rt_number *number);
routh_status rt_function_into_si(rt_reader *r, rt_function *function);

/* The same of a number that stayed. */
rt_number rt_number_from(rt_reader *r, const char *unit, rt_number number);

/* What the model's unit is in SI; 1 where the model has none. */
double rt_model_unit(const rt_reader *r, const char *unit);

/* A measure in the model's units. */
rt_expr rt_out_of_si(rt_reader *r, const char *unit, rt_expr e);

/* Three components of a direction. */
routh_status rt_read_direction(rt_reader *r, const rt_yaml *node, const char *what,
                               rt_number out[3]);

/* Refuses what is known to be of another dimension than r->unit: `mass: 5 mm`. */
routh_status rt_check_dimension(rt_reader *r, const rt_yaml *node, const char *what,
                                const rt_dimension *dimension);

/* A list of pairs [x, y], x increasing, as a curve over x times sign (table.c). */
typedef struct rt_table_use {
    const char *example; /* for messages: "[[0, 0], [1, 5]]" */
    const char *units;   /* of both columns: "m, N" */
    double sign;
    int interpolation; /* rt_interpolation */
} rt_table_use;
routh_status rt_read_table(rt_reader *r, const rt_yaml *table, const rt_table_use *use, rt_expr x,
                           rt_function *out);

/* The value of an expression of parameters alone. */
routh_status rt_evaluate_parameters(rt_reader *r, rt_expr e, double *value);

/* The name is that of a parameter where r->scope is, or of the index of an array. */
bool rt_is_parameter(rt_reader *r, const char *name);

/* What an expression of measures, signals and parameters is known to be of, read in a scope. */
rt_dimension rt_dimension_of_function(rt_reader *r, const rt_yaml *node,
                                      const struct rt_scope *scope);

/* Of a parameter, for resolvers whose context is the reader. */
rt_dimension rt_dimension_of_parameter(void *reader, const char *name);

/* Parses text with the parameters as its only names. */
routh_status rt_parse_parameters(rt_reader *r, const char *text, rt_expr *out,
                                 rt_dimension *dimension, routh_error *problem);

/* A flexible rod, its markers known (rod_load.c). */
routh_status rt_read_rod_load(rt_reader *r, const rt_yaml *node, const rt_number *side,
                              rt_load *load);

/* One of higher order: `through`, its inner markers. */
routh_status rt_read_spectral_load(rt_reader *r, const rt_yaml *node, const rt_yaml *through,
                                   const rt_number *side, rt_load *load);

/* Beam stiffness and damping (beam.c). */
void rt_beam_matrices(rt_calculator *c, const rt_written_load *beam, rt_number stiffness[36],
                      rt_number damping[36]);

#endif
