/* The model: what the user wrote, checked and named. Immutable after reading.
 *
 * Every number keeps its value and the expression it was written as, so that derivatives with
 * respect to parameters can be taken later. Functions (of measures and time) are expressions
 * over quantities. */
#ifndef RT_MODEL_MODEL_H
#define RT_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/scalar.h"
#include "expression/expression.h"
#include "flexible/flexible.h"
#include "model/load_types.h"
#include "routh/function.h"
#include "routh/model.h"

enum { RT_GROUND = -1 }; /* the body index of ground */

/* A number as written: its value now, and its expression in the parameters: RT_NO_EXPR where it
 * depends on none. */
typedef struct rt_number {
    double value;
    rt_expr expr;
} rt_number;

/* A direction of the parameters: what every expression and every parameter changes along it. Only
 * the sources that are compiled for variations look at it (base/scalar.h); NULL: none. */
typedef struct rt_slopes {
    const double *expr; /* by node of the model's graph, of those that numbers are written as */
    const double *parameter;         /* by parameter, then by made number */
    const rt_flexible *const *shape; /* by body: of its shape; NULL: none */
    /* in place of the first two in extended precision, of rt_scalar: their values (NULL: none) */
    const void *exact_expr, *exact_parameter;
} rt_slopes;

/* The number where the equations are evaluated. */
static inline rt_scalar rt_value_of(rt_number number, const rt_slopes *slopes)
{
#ifdef RT_VARIATION
    if (slopes && number.expr >= 0) return rt_complex(number.value, slopes->expr[number.expr]);
#elif defined RT_WIDE
    if (slopes && slopes->exact_expr && number.expr >= 0) {
        const rt_scalar exact = ((const rt_scalar *)slopes->exact_expr)[number.expr];
        if (exact == exact) return exact; /* else it depends on no parameter */
    }
#endif
    (void)slopes;
    return number.value;
}

/* The derivatives of the shape of body number b; NULL: there are none. */
static inline const rt_flexible *rt_shape_slope(const rt_slopes *slopes, int b)
{
#if defined RT_VARIATION || defined RT_WIDE
    return slopes && slopes->shape ? slopes->shape[b] : NULL;
#else
    (void)slopes, (void)b;
    return NULL;
#endif
}

/* An expression of parameters of which only the value was kept: what it is of, for messages. */
typedef struct rt_fixed {
    rt_expr expr;
    rt_place place;
    const char *what;    /* "axis" */
    const char *element; /* "joint bearing" */
    bool whole;          /* a whole number, which has no derivative */
} rt_fixed;

/* What the reader used the value of a number for, beside keeping it: while that holds, other values
 * of parameters may be put into the model that was read (retake.h). */
typedef enum rt_guard_kind {
    RT_GUARD_FINITE,
    RT_GUARD_POSITIVE,
    RT_GUARD_NOT_NEGATIVE,
    RT_GUARD_NOT_ZERO,
    RT_GUARD_SAME, /* the value itself */
} rt_guard_kind;

typedef struct rt_guard {
    rt_expr expr;
    rt_guard_kind kind;
} rt_guard;

/* A function of measures and time; expr is RT_NO_EXPR where the user gave none. */
typedef struct rt_function {
    rt_expr expr;
    rt_place place;
} rt_function;

/* ---- quantities: what the input slots of expressions mean ------------------------------------ */

/* Vectors that measures are made of, all in world components. displacement r_i - r_j, velocity
 * v_i - v_j, acceleration a_i - a_j, omega w_i - w_j, alpha al_i - al_j of marker origins /
 * frames; transport w_l x (r_i - r_j); axis: a unit vector fixed in marker i, given by its
 * components local[3] in that marker. Marker -1 is the ground frame at the world origin. */
typedef enum rt_vector_kind {
    RT_VECTOR_AXIS,
    RT_VECTOR_DISPLACEMENT,
    RT_VECTOR_VELOCITY,
    RT_VECTOR_ACCELERATION,
    RT_VECTOR_OMEGA,
    RT_VECTOR_ALPHA,
    RT_VECTOR_TRANSPORT,
} rt_vector_kind;

typedef struct rt_vector {
    rt_vector_kind kind;
    int i, j, l; /* markers */
    double local[3];
} rt_vector;

typedef enum rt_quantity_kind {
    RT_QUANTITY_PARAMETER, /* index: the parameter */
    RT_QUANTITY_MADE,      /* index: parameters, then numbers made (made.h), in one count */
    RT_QUANTITY_TIME,
    RT_QUANTITY_DOT,   /* a . b */
    RT_QUANTITY_FORCE, /* component along axis a of the force (or torque) that element exerts on
                          its first marker */
    RT_QUANTITY_NEAR,  /* what angle number index, which counts its turns, is near to */
    /* signals; index counts states (rates too), variables or inputs */
    RT_QUANTITY_STATE,
    RT_QUANTITY_STATE_RATE,
    RT_QUANTITY_VARIABLE,
    RT_QUANTITY_INPUT,
} rt_quantity_kind;

typedef struct rt_quantity {
    rt_quantity_kind kind;
    int index;      /* parameter; the element, a joint or a load; or the signal of its kind */
    bool of_load;   /* FORCE: index counts loads, else joints */
    bool torque;    /* FORCE: torque instead of force */
    rt_vector a, b; /* DOT: both; FORCE: a is the axis */
} rt_quantity;

/* An angle that counts its turns: of marker i relative to marker j about the third axis after p and
 * q, atan2(p_i . q_j, p_i . p_j), and whole turns so that it is continuous in all that a mechanism
 * goes through. p and q are unit vectors in either marker's axes. */
typedef struct rt_counted_angle {
    int i, j;
    double p[3], q[3];
    int load;         /* whose own it is, a torsion spring's; -1: shared by all that measure it */
    bool start_given; /* `start`: its value where joints with coordinates moved the bodies to */
    double start;
    bool felt;        /* a joint or load goes by it, not a motion or a measure alone */
    const char *name; /* in files of states: "hinge.rz", "spring", "AZ(a, b)" */
} rt_counted_angle;

/* ---- what the user named --------------------------------------------------------------------- */

typedef struct rt_parameter {
    const char *name;
    rt_place place;
    rt_number number; /* in terms of other parameters' slots where it was an expression */
    bool overridden;  /* by --set or by the caller */
    const rt_unit_system *units; /* that its value is in: of its file; NULL: SI */
    rt_dimension dimension;      /* of the text that gives its value */
    const char *label; /* its name, with the unit where its file is not in SI: "k [N/mm]" */
} rt_parameter;

typedef struct rt_body {
    const char *name;
    rt_place place;
    rt_number mass;
    rt_number inertia[9];          /* about the centre of mass, body axes, row-major, symmetric */
    rt_number position[3];         /* of the centre of mass, world */
    rt_number orientation[9];      /* body axes as columns, world */
    rt_number velocity[3];         /* of the centre of mass, world */
    rt_number angular_velocity[3]; /* world components */
    bool velocity_given, angular_velocity_given;
    bool weightless; /* its mass is auxiliary, and has no weight (system/auxiliary.h) */
    /* A flexible body: its shape; position, velocity and markers are those of its floating frame,
     * and mass and inertia above are zero, since all inertia is the shape's. NULL: rigid. */
    const rt_flexible *flexible;
    /* A beam as written; else NULL. Where its shape depends on parameters: its nodes, in its frame:
     * their axes (9), then 3 for each node. */
    const struct rt_beam_writing *beam;
    const rt_number *places;
    struct rt_shape *shape; /* of a rigid body, where one is given; else NULL */
    /* Position (3) and orientation (9) in the reference configuration, from which joints with
     * coordinates moved it to where it begins, above (placing.h); NULL: there. */
    rt_number *reference;
    bool place_held;         /* all coordinates that carry it are written: loops close by others */
    rt_number damping_ratio; /* of a modal body that is reduced when it is read; else 0 */
} rt_body;

/* A frame fixed in a body. The first n_bodies markers are the bodies' own (centre of mass, body
 * axes, the body's name); user markers follow; then markers that joints written with `at:`
 * brought along. */
typedef struct rt_marker {
    const char *name;
    rt_place place;
    int body;                 /* RT_GROUND or 0.. */
    rt_number position[3];    /* from the centre of mass, body axes (world for ground) */
    rt_number orientation[9]; /* marker axes as columns, body axes */
    int node; /* of a flexible body: index of the node that carries the marker, whose axes position
                 and orientation are in; -1: fixed in the body's frame, as markers of rigid bodies
                 and of nodes that do not move in it are */
    bool implicit;     /* made by the reader, not named by the user */
    bool axes_of_body; /* it has the axes of its body as they are */
    bool of_beam;      /* the place on a beam's axis of one of its nodes */
    bool is_copy;      /* at the place of another, with axes of its own */
} rt_marker;

/* The triad of an axis that was written. */
typedef struct rt_axis {
    double triad[9];
    const rt_number *numbers; /* the same 9 where they depend on parameters; else NULL. A joint's or
                                 load's are then in the orientation of markers of its own */
    bool turned;              /* they are in there */
} rt_axis;

struct rt_joint_class; /* model/joint_class.h */

enum { RT_JOINT_NUMBERS = 3, RT_MOST_ROW_FUNCTIONS = 3 };

/* The one coordinate that a motion drives or a coupler couples. */
typedef enum rt_coordinate {
    /* displacement along an axis of the second marker (of the joint's triad in it) */
    RT_COORDINATE_X,
    RT_COORDINATE_Y,
    RT_COORDINATE_Z,
    /* rotation about it: AX, AY, AZ */
    RT_COORDINATE_RX,
    RT_COORDINATE_RY,
    RT_COORDINATE_RZ,
} rt_coordinate;

/* Coordinates and rates of a joint where it begins, by step of its chain (joint_class.h): of the
 * first marker relative to the second. */
enum { RT_JOINT_COORDINATES = 3 };

typedef struct rt_joint_start {
    bool value_given[RT_JOINT_COORDINATES], rate_given[RT_JOINT_COORDINATES]; /* of a ball [0] */
    rt_number value[RT_JOINT_COORDINATES], rate[RT_JOINT_COORDINATES];
    rt_number turn[9], turn_rate[3]; /* of a ball, in the second marker's axes */
    bool is_set;                     /* by the caller: bodies may be written elsewhere */
    bool value_set[RT_JOINT_COORDINATES], rate_set[RT_JOINT_COORDINATES]; /* of these, which */
} rt_joint_start;

typedef struct rt_joint {
    const char *name;
    rt_place place;
    const struct rt_joint_class *class;
    int markers[2]; /* as written in `between`: [0] the first, [1] the second; -2 where
                              none. A motion or coupler on joints has copies of its (first)
                              joint's markers and triad. */
    union { /* columns: the joint's x, y, z in each marker's own axes; z is the joint axis */
        rt_axis axis;
        double triad[9];
    };
    rt_number number[RT_JOINT_NUMBERS]; /* what its class makes of them: a length, a pitch, ... */
    bool number_given[RT_JOINT_NUMBERS];
    int n_coupled;
    int coupled[3];              /* joints */
    rt_coordinate coordinate[3]; /* of each coupled joint; [0] also for a motion */
    rt_number ratio[3];
    rt_function function; /* motion: displacement(time, inputs); expression: the residual */
    /* made by the class, as rows: the first n_position_functions of them of position level, the
     * others linear in velocities */
    int n_functions, n_position_functions;
    rt_function functions[RT_MOST_ROW_FUNCTIONS];
    const char *labels[RT_MOST_ROW_FUNCTIONS]; /* what each keeps: "no slip along x" */
    bool cut;                                  /* stays a constraint in relative coordinates */
    rt_joint_start *start;                     /* what is written of it; NULL: nothing */
    /* strains of a beam element that are kept zero (rod_strains.c) */
    int n_strains; /* rows: the same strains at each of n_nodes - 1 points */
    int n_nodes;
    const int *nodes; /* markers, the ends `markers` first and last */
    int n_list;
    rt_number *list; /* base axes in those of each node, 9 each; numbers of each row, 9 each */
    const char *const *strain_labels; /* what each row keeps */
} rt_joint;

enum { RT_LOAD_FUNCTIONS = 6, RT_LOAD_OWN = 8, RT_LOAD_NODES = 9 };

typedef struct rt_load {
    const char *name;
    rt_place place;
    rt_load_type type;
    int markers[2]; /* [1] is -2 where there is none */
    union {         /* torsion spring: z is the axis, in each marker's own axes */
        rt_axis axis;
        double triad[9];
    };
    rt_number stiffness; /* spring, torsion spring */
    rt_number damping;
    rt_number free_length;    /* spring: length; torsion spring: angle */
    bool free_length_given;   /* else: the length at the given configuration */
    rt_number preload;        /* spring: force at the free length, positive pushes the markers
                                apart; torsion spring: torque on the first marker */
    rt_number stiffness6[36]; /* bushing, beam: force on the first marker = -K e - C e' +
                                 preload6, */
    rt_number damping6[36];   /* e = (r, theta) of the first relative to the second, in the
                                 second's axes */
    rt_number preload6[6];
    rt_number offset6[6];       /* e is measured from here (beam: its length along x) */
    rt_number ends[18];         /* rod: axes of its section in those of its two markers */
    rt_number own[RT_LOAD_OWN]; /* what other types need, as their class says */
    int n_nodes;                /* of a load on more than two markers: how many; else 0 */
    const int *nodes;           /* all of them, the ends `markers` first and last */
    int n_list;                 /* numbers that its evaluation takes behind those of its class */
    rt_number *list;
    /* spring: [0] force that pushes apart; torsion spring: [0] torque on the first marker; force,
     * torque: components; others: those of the force, then of the torque */
    rt_function function[RT_LOAD_FUNCTIONS];
    int resolved_in; /* the marker whose axes the components are in; -1 ground */
} rt_load;

/* The markers that a load is between, one of them -2 where there is none. Returns how many. */
static inline int rt_markers_of_load(const rt_load *load, const int **markers)
{
    *markers = load->n_nodes ? load->nodes : load->markers;
    return load->n_nodes ? load->n_nodes : 2;
}

/* ---- signals: controllers, variables, inputs, outputs ---------------------------------------- */

/* All controller elements are made of two kinds of equation, whatever the file calls them: a
 * differential equation d(x', x, ...) = 0 for every state, and an explicit value of every variable.
 * Functions of signals may use measures of every kind, time, parameters and signals.
 *
 * The signals of a mechanism are one vector: states x, their rates x', variables v, inputs. */

/* A state of a controller. */
typedef struct rt_control_state {
    const char *name;    /* "filter", or "controller.integral" */
    const char *element; /* for messages: "controller pid" */
    rt_place place;
    const char *unit;     /* as written; "" where none was */
    const char *units;    /* the system of its file: "[mm, t, s]" */
    rt_function equation; /* d(x', x, ...), zero */
    rt_number initial;
    bool initial_given; /* else: where x' = 0, if there is such a place */
} rt_control_state;

typedef struct rt_variable {
    const char *name;
    const char *element; /* "variable error", or the controller it is an output of */
    rt_place place;
    const char *unit;
    const char *units; /* as of a state */
    rt_function value; /* v = value(...), itself and others among its arguments */
    rt_number guess;   /* where the search for it starts; 0 */
} rt_variable;

typedef struct rt_named_input {
    const char *name;
    rt_place place;
    const char *unit;
    const char *units;   /* as of a state */
    rt_number value;     /* at the operating point; constant in time there */
    rt_function history; /* of time and parameters, where the file gives one: the value at any time,
                            the operating point's too, whatever `value` says */
    bool used;           /* anything in the model depends on it */
} rt_named_input;

typedef struct rt_named_output {
    const char *name;
    rt_place place;
    const char *unit;
    rt_function value;
} rt_named_output;

/* A function that is zero where a saturation or dead zone has its kink, or where a function of the
 * model switches from one branch to another: the functions of loads, joints, variables,
 * controllers, outputs and states of the user's own, and the histories of inputs. */
typedef struct rt_kink {
    const char *element; /* "controller valve" */
    rt_place place;
    const char *what; /* "the upper limit", for messages */
    rt_expr distance;
    double scale; /* distances of 1e-9 times this count as on the kink: the size of its terms */
    bool sized;   /* it follows from the sizes of quantities (kink_sizes.h) */
    const char *sides[2]; /* where the distance is negative and positive: "held at it"; NULL where
                             there are many */
    int tie;              /* which side's derivative is taken where it is zero; -1: neither's but */
    const char *between;  /* "the mean of both slopes" */
    bool watches;         /* of an output or a state of the user's own: no motion feels it */
    bool weighed;         /* there may be no kink for all that the distance is zero: */
    rt_expr jump;         /* weighed: by how much the element's functions and their slopes differ on
                             the two sides, each against its size; nothing below RT_KINK_JUMP */
    rt_expr step;         /* weighed: the same of values alone, and of a motion's rates in time; 0
                             where it comes at a time that is given */
} rt_kink;

#define RT_KINK_JUMP 1e-8

/* One over the size of an expression (kink_sizes.h), as a number made. */
typedef struct rt_kink_weight {
    rt_expr of;
    int made; /* which of the model's made numbers */
} rt_kink_weight;

/* What happens when a function crosses zero in a run. */
typedef enum rt_event_direction {
    RT_EVENT_BOTH,
    RT_EVENT_RISING, /* from negative to positive */
    RT_EVENT_FALLING,
} rt_event_direction;

typedef enum rt_event_action {
    RT_EVENT_RECORD, /* the moment is recorded */
    RT_EVENT_STOP,   /* and the run ends */
    RT_EVENT_SET,    /* and from then on an input has another value */
} rt_event_action;

typedef struct rt_event {
    const char *name;
    rt_place place;
    rt_function when; /* what crosses zero */
    rt_event_direction direction;
    rt_event_action action;
    int input;         /* SET; else -1 */
    rt_function value; /* SET: taken once, at the event */
} rt_event;

/* A position-level state of the user's: s(q), an expression of position-level measures, time and
 * parameters. */
typedef struct rt_user_state {
    const char *name;
    const char *unit;
    rt_place place;
    rt_function value;
} rt_user_state;

/* How a run in time is made; what is not given the program chooses. Numbers that are given are
 * positive, but for `end`. */
typedef struct rt_simulation {
    bool given; /* the file has such a section */
    rt_place place;
    rt_number end; /* time; later than that of the operating point */
    bool end_given;
    rt_number every;        /* time between records */
    const char *integrator; /* its name as written, not looked up; NULL */
    rt_place integrator_place;
    rt_number tolerance;    /* of the error of a step */
    rt_number step;         /* of one length */
    rt_number largest_step; /* that may be taken */
} rt_simulation;

typedef enum rt_operating_point {
    RT_OPERATING_GIVEN,  /* as written: assembled, velocities made consistent */
    RT_OPERATING_STATIC, /* static equilibrium */
    RT_OPERATING_STEADY, /* steady motion: what `steady` says of it */
} rt_operating_point;

/* ---- steady motion --------------------------------------------------------------------------- */

/* A body that turns about an axis fixed in it, seen from the moving frame. */
typedef struct rt_spin {
    int body;
    rt_place place;
    double axis[3]; /* unit vector in the body's axes */
    rt_expr axis_expr[3];
    rt_number rate;
    bool rate_given; /* else it is looked for */
} rt_spin;

/* A measure that must have a value. */
typedef struct rt_prescription {
    const char *name;
    rt_place place;
    const char *unit;
    rt_function measure;
    rt_number value;
} rt_prescription;

typedef struct rt_steady {
    double axis[3]; /* of the turn, unit, world; zero: against gravity, or z */
    rt_expr axis_expr[3];
    rt_number turn_rate;
    bool turn_rate_given; /* else it is looked for */
    bool accelerated;     /* the frame has a constant acceleration, which is looked for */
    int n_spins, n_prescribed, n_free, n_drifting;
    rt_spin *spins;
    rt_prescription *prescribed;
    int *free;     /* inputs that are looked for */
    int *drifting; /* states of controllers whose rates need not be zero */
} rt_steady;

/* ---- functions of the caller ----------------------------------------------------------------- */

/* What a model is read with, beside settings. */
typedef struct rt_given_functions {
    const routh_function *list;
    size_t n;
    bool plugins; /* libraries that the file names may be loaded */
} rt_given_functions;

/* A function that expressions may call: given, or declared by the file. */
typedef struct rt_model_function {
    rt_user_function of; /* value NULL: declared, and nobody gave it */
    rt_place place;      /* where it is declared */
    void *library;       /* that it came from, to be closed; NULL */
} rt_model_function;

/* A call in an element's expression; its arguments are sensors (system/sensor.h) from `first`. */
typedef struct rt_function_use {
    const char *element; /* "load bush" */
    rt_place place;
    const rt_user_function *function;
    int first;
} rt_function_use;

struct routh_model {
    rt_arena arena;
    uint64_t identity;            /* of what is made of it (base/identity.h) */
    struct rt_model_index *index; /* names to indices, for rt_model_find_... */
    rt_graph *graph;
    const char *file;
    const char *text; /* as it was read, text_length bytes and a zero */
    size_t text_length;
    const struct rt_yaml *tree; /* of a model that a program built, as text is written from; else
                                   NULL */
    size_t n_settings;          /* values of parameters that were given in place of its own */
    routh_setting *settings;
    const char *title; /* what results are headed with: as written, or the name of the file */
    const char *written_title; /* "" where none is written */
    const char *description;
    const rt_unit_system *units; /* of parameters, and of all expressions; NULL: SI */

    int n_quantities;
    rt_quantity *quantities; /* input slot k of the graph is quantities[k] */
    int n_parameters;
    rt_parameter *parameters; /* quantities 0..n_parameters-1 */

    int n_angles;
    rt_counted_angle *angles;

    rt_number gravity[3];
    int n_bodies, n_markers, n_joints, n_loads;
    rt_body *bodies;
    rt_marker *markers;
    rt_joint *joints;
    rt_load *loads;

    rt_operating_point operating_point;
    bool accept_unstable; /* a static equilibrium that is not stable is one too */
    rt_steady steady;
    rt_number time;
    int reference; /* marker of the observer; -1 ground */
    bool reference_given;
    int n_states; /* states the user prefers, as names "body.x|y|z|rx|ry|rz" or of user
                            states; 0: the program chooses */
    const char **states;
    rt_place *state_places;
    int n_velocities; /* states whose rates the user prefers as velocity states, where
                            nonholonomic joints leave fewer of them; of the same names */
    const char **velocities;
    rt_place *velocity_places;
    int n_user_states;
    rt_user_state *user_states;

    int n_control_states, n_variables, n_inputs, n_outputs, n_kinks;
    rt_control_state *control_states;
    rt_variable *variables;
    rt_named_input *inputs;
    rt_named_output *outputs;
    rt_kink *kinks;
    int n_kink_weights;
    rt_kink_weight *kink_weights; /* of what jumps at kinks are made of */

    const struct rt_loop_closer *closer; /* who closed loops, to read it again */

    int n_makings, n_made; /* numbers made of others (made.h) */
    struct rt_making *makings;
    double *made; /* their values */

    const struct rt_mesh *meshes; /* of shapes, the last that was read first (mesh.h) */

    int n_fixed; /* numbers that parameters act through and that are not differentiated */
    rt_fixed *fixed;

    int n_guards; /* of numbers that depend on parameters */
    rt_guard *guards;
    bool values_shape; /* it is not known which values were used, as bodies are placed by them:
                          RT_GUARD_SAME of all numbers */

    int n_warnings; /* of what the file says, for each operating point */
    const char **warnings;

    rt_simulation simulation;
    int n_events;
    rt_event *events;

    rt_given_functions given; /* copies, to read it again */
    int n_functions;
    rt_model_function *functions; /* those that are given, then those that are declared alone */
    int n_function_uses, n_function_arguments;
    rt_function_use *function_uses;
    rt_expr *function_arguments;
};

/* Signals of the model: how many, and the place of a quantity of a signal kind among them. */
static inline int rt_count_signals(const routh_model *model)
{
    return 2 * model->n_control_states + model->n_variables + model->n_inputs;
}

static inline bool rt_is_signal(const rt_quantity *quantity)
{
    return quantity->kind >= RT_QUANTITY_STATE && quantity->kind <= RT_QUANTITY_INPUT;
}

static inline int rt_signal_place(const routh_model *model, const rt_quantity *quantity)
{
    const int n_x = model->n_control_states;
    switch (quantity->kind) {
    case RT_QUANTITY_STATE: return quantity->index;
    case RT_QUANTITY_STATE_RATE: return n_x + quantity->index;
    case RT_QUANTITY_VARIABLE: return 2 * n_x + quantity->index;
    default: return 2 * n_x + model->n_variables + quantity->index;
    }
}

/* Of a quantity that is a parameter or a number made: its value. */
static inline double rt_constant_value(const routh_model *model, const rt_quantity *quantity)
{
    const int k = quantity->index, n = model->n_parameters;
    return k < n ? model->parameters[k].number.value : model->made[k - n];
}

static inline bool rt_is_constant_quantity(const rt_quantity *quantity)
{
    return quantity->kind == RT_QUANTITY_PARAMETER || quantity->kind == RT_QUANTITY_MADE;
}

/* The node that carries marker k and moves in its body's frame; NULL: the marker is fixed in it. */
static inline const rt_flexible_node *rt_marker_node(const routh_model *model, int k)
{
    if (k < 0 || model->markers[k].node < 0) return NULL;
    return &model->bodies[model->markers[k].body].flexible->nodes[model->markers[k].node];
}

/* Does the joint connect places that are fixed in the frames of their bodies? */
static inline bool rt_joint_is_rigid(const routh_model *model, const rt_joint *joint)
{
    return !rt_marker_node(model, joint->markers[0]) && !rt_marker_node(model, joint->markers[1]);
}

/* The name model files use for a type; never NULL. */
const char *rt_joint_type_name(const rt_joint *joint);
const char *rt_load_type_name(rt_load_type type);

/* Who closes loops while a model is read: what it takes are the equations, which are known above
 * (operating/loops.c). `find` and the others speak of rt_place_loops (placing.h). */
typedef struct rt_loops rt_loops;
struct rt_placing;
struct routh_document;
typedef struct rt_loop_closer {
    /* With the model complete, its bodies where what is written alone puts them. */
    routh_status (*create)(rt_loops **loops, struct rt_placing *placing);
    void (*free)(rt_loops *loops); /* NULL is allowed */
    /* The coordinates that close loops: from the reference configuration on the way to what is
     * written. Angles that count turns are counted on it. */
    routh_status (*find)(rt_loops *loops);
    /* Then, of bodies that begin so: the rates that close them (n columns). */
    routh_status (*find_rates)(rt_loops *loops, double *rate);
    /* What coordinates, or their rates, change by along each parameter alone (columns x
     * parameters), of the model as it is, with the made numbers that it has. */
    routh_status (*find_slopes)(rt_loops *loops, bool rates, double *slope);
} rt_loop_closer;

/* routh_model_read_with, routh_model_parse_with and routh_model_build_with, with who closes loops.
 */
routh_status rt_model_read(routh_model **model, const char *path,
                           const routh_model_options *options, const rt_loop_closer *closer,
                           routh_error *error);
routh_status rt_model_parse(routh_model **model, const char *text, size_t length, const char *name,
                            const routh_model_options *options, const rt_loop_closer *closer,
                            routh_error *error);
routh_status rt_model_build(routh_model **model, const struct routh_document *document,
                            const routh_model_options *options, const rt_loop_closer *closer,
                            routh_error *error);

/* The same model with more settings, from what it was made of: where it has been given a value of
 * the parameter before, the new one counts. */
routh_status rt_model_again(routh_model **model, const routh_model *of,
                            const routh_setting *settings, size_t n_settings, routh_error *error);

/* The marker, joint, load of that name, or -2. "ground" is -1 for markers. */
int rt_model_find_marker(const routh_model *model, const char *name);
int rt_model_find_joint(const routh_model *model, const char *name);

/* Is it the name of a joint and, behind a dot, of a number among its coordinates and rates? */
bool rt_is_joint_coordinate(const routh_model *model, const char *name);
int rt_model_find_load(const routh_model *model, const char *name);

/* The place among its kind (STATE, VARIABLE or INPUT) of the signal of that name; the user state of
 * that name; or -2. */
int rt_model_find_signal(const routh_model *model, const char *name, rt_quantity_kind *kind);
int rt_model_find_user_state(const routh_model *model, const char *name);

/* ---- units (unit_systems.c) ------------------------------------------------------------------ */

/* Are these one system? NULL: SI. */
bool rt_same_units(const rt_unit_system *a, const rt_unit_system *b);

/* "[mm, t, s]". Returns text. */
enum { RT_UNITS_TEXT = 48 };
const char *rt_units_text(const rt_unit_system *units, char text[RT_UNITS_TEXT]);

/* ---- values of expressions (evaluate_units.c) ------------------------------------------------ */

/* By what a parameter's value becomes one in other units; false: nothing says what it is of. */
bool rt_parameter_factor(const rt_parameter *p, const rt_unit_system *units, rt_unit *by);

/* The value in the units of an expression of parameters, in which bare numbers are in them. of: of
 * what it must be; where that is not known, it becomes what the expression is known to be of. */
routh_status rt_model_evaluate_in(const routh_model *model, const char *expression,
                                  const rt_unit_system *units, rt_dimension *of, double *value,
                                  routh_error *error);

#endif
