/* The descriptor tables: every field of every thing a model file can hold.
 *
 * They drive the reader, the JSON Schema and the reference page, so the three cannot disagree. */
#ifndef RT_MODEL_FIELDS_H
#define RT_MODEL_FIELDS_H

#include <stddef.h>
#include <string.h>

#include "model/model.h"
#include "model/shape.h"
#include "model/yaml.h"

/* What a field's value is, and (after the arrow) what the reader stores at the field's offset. */
typedef enum rt_field_type {
    RT_FIELD_TEXT,        /* words -> const char * */
    RT_FIELD_TYPE,        /* the element's type, chosen before its fields are read -> nothing */
    RT_FIELD_TRUTH,       /* true or false -> bool */
    RT_FIELD_CHOICE,      /* one of the field's choices -> int, its position among them */
    RT_FIELD_CHOICES,     /* a list of at most 3 of them -> rt_word_list */
    RT_FIELD_COUNT,       /* a whole number, or an expression of parameters that gives one -> int */
    RT_FIELD_NUMBER,      /* a number or an expression of parameters -> rt_number */
    RT_FIELD_VECTOR,      /* 3 numbers -> rt_number[3] */
    RT_FIELD_VECTOR6,     /* 6 numbers -> rt_number[6] */
    RT_FIELD_MATRIX6,     /* 6 rows of 6 numbers -> rt_number[36] */
    RT_FIELD_RATIOS,      /* 2 or 3 numbers -> rt_number[3], count known from the field `joints` */
    RT_FIELD_INERTIA,     /* 3 or 6 numbers -> rt_number[9] */
    RT_FIELD_ORIENTATION, /* a mapping -> rt_number[9] */
    RT_FIELD_AXIS,        /* x, -z, ... or 3 numbers -> rt_axis */
    RT_FIELD_TRIPLE,      /* a number for all or 3 numbers -> rt_number[3] */
    RT_FIELD_WORD,        /* one word -> rt_word */
    RT_FIELD_BODY,        /* name of a body or ground -> rt_word */
    RT_FIELD_NODE,        /* the number of a node, first or last -> const rt_yaml * */
    RT_FIELD_NODES,       /* a list of nodes, or NUMBER=SET -> const rt_yaml * */
    RT_FIELD_MARKER,      /* name of a marker, body or ground -> rt_word */
    RT_FIELD_BETWEEN,     /* two of them -> rt_word[2] */
    RT_FIELD_MARKERS,     /* a list of them, of any length -> const rt_yaml * */
    RT_FIELD_JOINT,       /* name of a joint -> rt_word */
    RT_FIELD_JOINTS,      /* a list of 2 or 3 -> rt_word_list */
    RT_FIELD_FUNCTION,    /* an expression of measures, time, parameters -> const rt_yaml * */
    RT_FIELD_FUNCTIONS,   /* 3 of them -> const rt_yaml * */
    RT_FIELD_SOME_FUNCTIONS, /* a list of 1 to 3 of them -> const rt_yaml * */
    RT_FIELD_ANY_FUNCTIONS,  /* a list of them, of any length -> const rt_yaml * */
    RT_FIELD_PROFILE,    /* a number, or a list of them, one for each station -> const rt_yaml * */
    RT_FIELD_LIST,       /* a list of numbers, of any length -> const rt_yaml * */
    RT_FIELD_MATRIX,     /* a list of rows of numbers -> const rt_yaml * */
    RT_FIELD_NAMES,      /* a list of new names -> const rt_yaml * */
    RT_FIELD_TABLE,      /* a list of pairs of numbers -> const rt_yaml * */
    RT_FIELD_STATES,     /* a list of names body.coordinate or of states of the user's own
                             -> const rt_yaml * */
    RT_FIELD_SIGNALS,    /* a list of names of signals -> const rt_yaml * */
    RT_FIELD_GROUP,      /* a mapping with fields of its own -> in the same structure */
    RT_FIELD_WORDS,      /* names under names -> const rt_yaml * */
    RT_FIELD_PARAMETERS, /* the section of parameters -> const rt_yaml * */
    RT_FIELD_SECTION,    /* a section of named things -> const rt_yaml * */
} rt_field_type;

/* How a field's numbers follow when a part is mirrored, by diagonal D with entries 1 and -1, and
 * placed, by a rotation R and a displacement p (parts.h). Every field that holds numbers says it;
 * there is no default. Components are those of the part's frame, or local: of a body or marker,
 * whose axes A become D A D. */
typedef enum rt_sense {
    RT_SENSE_NOT_SAID,
    RT_SCALAR,         /* x */
    RT_PSEUDOSCALAR,   /* det(D) x */
    RT_POINT,          /* p + R D x */
    RT_POLAR,          /* R D x: a velocity */
    RT_AXIAL,          /* det(D) R D x: an angular velocity */
    RT_ATTITUDE,       /* R D A D */
    RT_LOCAL_POLAR,    /* D x */
    RT_LOCAL_ATTITUDE, /* D A D */
    RT_LOCAL_INERTIA,  /* D I D */
    RT_AXIS_POLAR,     /* D n, of an axis along which something is displaced */
    RT_AXIS_AXIAL,     /* det(D) D n, of an axis about which something rotates */
    RT_WRENCH,         /* six entries, or six rows: s f, s K s, s = (D, det(D) D) */
    RT_SECTION_WRENCH, /* the same in a section's axes, x along a line, y towards the marker's y */
    RT_READ_LATER,     /* as who reads it does */
    RT_PARTS_POLAR,    /* three expressions, read later: components of a polar vector */
    RT_PARTS_AXIAL,    /* of an axial one */
} rt_sense;

typedef enum rt_range { RT_ANY, RT_POSITIVE, RT_NOT_NEGATIVE, RT_NOT_ZERO } rt_range;

enum { RT_MOST_COUNTED = 1000000 }; /* the largest whole number that is taken */

typedef struct rt_word {
    const char *text; /* NULL where not given */
    rt_place place;
} rt_word;

typedef struct rt_word_list {
    int n;
    rt_word words[3];
    int choice[3]; /* RT_FIELD_CHOICES: positions among the choices */
} rt_word_list;

struct rt_section;

typedef struct rt_field {
    const char *name;
    rt_field_type type;
    size_t offset; /* in the structure that the reader fills */
    bool required;
    rt_range range;             /* of each number */
    rt_sense sense;             /* of numbers: must be said */
    const char *unit;           /* "" where it is not known, or none is */
    const char *fallback;       /* the default, in words; NULL where there is none */
    const char *const *choices; /* RT_FIELD_CHOICE: NULL-terminated */
    const char *excludes;       /* a field that must not be given beside this one; NULL for none */
    const char *unless;         /* required unless this field is given; NULL: as `required` says */
    const char *needs;          /* a field that must be given beside this one; NULL for none */
    const char *doc;
    const struct rt_section *inside; /* GROUP, SECTION: what is in it */
    const struct rt_named_number *named; /* NUMBER: words for a value, to one without a name */
    bool file;                       /* WORD: a file's name, from the folder of the model file */
    bool varies; /* numbers: other values may take their place. Who reads it uses no value but for
                    its range, or with a guard (reader.h) of what follows from it */
    bool moves; /* known by its expressions where of others values are kept: how a body begins */
} rt_field;

/* The unit of numbers that have none, angles among them; "" is that of those of which nothing is
 * known. Vectors without a unit are directions. */
#define RT_UNIT_NONE "1"

/* A word that stands for a number. */
typedef struct rt_named_number {
    const char *name;
    double value;
} rt_named_number;

/* A thing with fields: a body, a marker, a revolute joint. */
typedef struct rt_kind {
    const char *name; /* what `type` says, or the thing's own name */
    int type;         /* its enum value */
    const rt_field *fields;
    int n_fields;          /* at most 32 */
    const char *one_of[12]; /* at least one of these fields must be given; NULL-terminated */
    const char *doc;
} rt_kind;

/* A section holds things of one kind, or of several kinds told apart by their `type`. */
typedef struct rt_section {
    const char *name;    /* "bodies" */
    const char *element; /* "body", for messages */
    const rt_kind *kinds;
    int n_kinds;
    const char *doc;
    const rt_kind *const *list; /* instead of kinds: where each stands by itself; else NULL */
    const char *shorthand; /* the field that a thing written without a mapping stands for, NULL */
    bool optional_type;    /* without `type`, a thing is of the first kind */
    bool signals;          /* names of things in it stand in expressions, as those of parameters */
} rt_section;

static inline const rt_kind *rt_section_kind(const rt_section *section, int k)
{
    return section->list ? section->list[k] : &section->kinds[k];
}

/* Bits of the fields that were given, by position in the kind's table. */
typedef unsigned rt_given;

/* The unit of a field of the kind. */
static inline const char *rt_unit_of_field(const rt_kind *kind, const char *field)
{
    for (int k = 0; k < kind->n_fields; k++)
        if (!strcmp(kind->fields[k].name, field)) return kind->fields[k].unit;
    return NULL;
}

static inline rt_sense rt_sense_of_field(const rt_kind *kind, const char *field)
{
    for (int k = 0; k < kind->n_fields; k++)
        if (!strcmp(kind->fields[k].name, field)) return kind->fields[k].sense;
    return RT_SENSE_NOT_SAID;
}

static inline bool rt_is_given(const rt_kind *kind, rt_given given, const char *field)
{
    for (int k = 0; k < kind->n_fields; k++)
        if (!strcmp(kind->fields[k].name, field)) return given >> k & 1u;
    return false;
}

/* The whole file: one kind whose fields are the sections. */
extern const rt_kind rt_model_kind;
extern const rt_section rt_body_section, rt_marker_section, rt_joint_section, rt_load_section;
extern const rt_section rt_input_section, rt_output_section, rt_variable_section;
extern const rt_section rt_controller_section;
extern const rt_section rt_general_state_section, rt_general_output_section; /* inside general */
extern const rt_section rt_coordinate_section; /* the user's own states */
extern const rt_section rt_steady_group, rt_spin_section, rt_prescribed_section;
extern const rt_section rt_function_section; /* fields_functions.c */
extern const rt_section rt_simulate_group, rt_history_section, rt_event_section;

extern const rt_section rt_rod_section; /* fields_rod.c */
extern const rt_section rt_shape_group; /* fields_shape.c */
extern const char *const rt_mesh_origins[]; /* centre, file */
extern const rt_named_number rt_densities[]; /* fields_shape.c: kg/m^3 */
extern const rt_section rt_part_section; /* fields_parts.c */
extern const rt_section rt_part_variant_section, rt_file_variant_section; /* fields_variants.c */
extern const rt_section rt_moved_group, rt_turning_group; /* fields_placing.c: of bodies */
extern const rt_section rt_part_turning_group; /* of parts */

extern const char *const rt_base_units[]; /* unit_systems.c */
extern const double rt_length_values[]; /* m, of rt_length_units */
extern const char *const rt_length_units[], *const rt_mass_units[], *const rt_time_units[];
/* By rt_interpolation, for tables. */
#define RT_INTERPOLATIONS                                                                          \
    (const char *const[]) { "monotone", "linear", "cubic", NULL }
/* The field of that name, behind a field `table`; more: said of it besides, or "". */
#define RT_INTERPOLATION_FIELD(member, more)                                                       \
    {                                                                                              \
        "interpolation", RT_FIELD_CHOICE, member,                                                  \
            .unit = "", .fallback = "monotone", .choices = RT_INTERPOLATIONS, .needs = "table",    \
            .doc = "how the curve goes through the points: monotone, smooth without extremes "     \
                   "between "                                                                      \
                   "points; linear, straight from point to point; cubic, a natural spline, "       \
                   "smooth to "                                                                    \
                   "its curvature, which may swing between points" more                            \
    }
extern const char *const rt_normal_modes[]; /* of modal bodies */

/* choices.c */
extern const char *const rt_axis_names[];        /* x y z -x -y -z */
extern const char *const rt_coordinate_names[];  /* x y z rx ry rz, in the order of rt_coordinate */
extern const char *const rt_orientation_forms[]; /* the keys an orientation may have */

/* ---- the structures that the reader fills from the tables ------------------------------------ */

/* What is said of a steady motion. */
typedef struct rt_written_steady {
    rt_axis axis;
    rt_number turn_rate;
    bool accelerated;
    const rt_yaml *spins, *prescribed, *free, *drifting;
} rt_written_steady;

typedef struct rt_written_spin {
    rt_axis axis;
    rt_number rate;
} rt_written_spin;

typedef struct rt_written_model {
    const char *title, *description;
    rt_word_list units;
    const rt_yaml *parameters, *bodies, *beams, *markers, *joints, *loads;
    const rt_yaml *inputs, *outputs, *variables, *controllers;
    rt_number gravity[3];
    int operating_point;
    bool accept_unstable;
    rt_number time;
    rt_written_steady steady;
    rt_word reference;
    const rt_yaml *coordinates, *states, *velocities;
    const rt_yaml *events, *functions;
    const rt_yaml *parts, *connections, *exports, *variants;
    rt_word variant;
    struct {
        rt_number end, every, tolerance, step, largest_step;
        rt_word integrator;
        const rt_yaml *histories;
    } simulate;
} rt_written_model;

typedef enum rt_body_type { RT_BODY_RIGID, RT_BODY_BEAM, RT_BODY_MODAL } rt_body_type;

/* A modal body: its file, or its matrices and how they are reduced. */
typedef struct rt_written_modal {
    rt_word file, stiffness, mass, nodes, dofs, shapes;
    const rt_yaml *interface;
    int modes, length_unit, mass_unit, time_unit, normal_modes;
    rt_number cut, below, accuracy, damping_ratio;
} rt_written_modal;

/* The shape of a rigid body: sizes of the kinds that were not given are NaN. */
typedef struct rt_written_shape {
    rt_number size[RT_SHAPE_KINDS][3];
    rt_number position[3], orientation[9];
    rt_axis axis;
    rt_word color;
    const rt_yaml *outline;
    rt_word mesh;
    int mesh_unit, mesh_origin;
} rt_written_shape;

/* A rotation about an axis through a point, as a velocity. */
typedef struct rt_written_turning {
    rt_axis axis;
    rt_number rate, about[3];
} rt_written_turning;

/* How a body is moved from where it is written to where it begins. */
typedef struct rt_written_moved {
    rt_number about[3], orientation[9], displacement[3];
} rt_written_moved;

/* A body as written. Numbers of a beam that were not given and have no default are NaN, but for
 * `modes`, then 0. */
typedef struct rt_written_function {
    int arguments;
    rt_word library;
} rt_written_function;

typedef struct rt_written_body {
    rt_body body; /* fields that go straight into the model */
    /* a beam: */
    rt_number from[3], to[3], side[3];
    int elements, frame, modes;
    bool planar, stiffening, rotary_inertia;
    rt_number density, area, youngs_modulus, shear_modulus, poissons_ratio;
    rt_number iyy, izz, torsion_constant;
    rt_number circle_radius, tube_outer, tube_inner, rectangle_width, rectangle_height;
    rt_number damping_mass, damping_stiffness;
    rt_written_modal modal;
    rt_written_shape shape; /* a rigid body's, which density fills */
    rt_word relative_to;
    rt_written_moved moved;
    rt_written_turning spin;
} rt_written_body;

typedef struct rt_written_marker {
    rt_word body;
    const rt_yaml *node;
    rt_number position[3], at[3], orientation[9];
} rt_written_marker;

typedef struct rt_written_joint {
    rt_joint joint; /* fields that go straight into the model */
    rt_word between[2];
    rt_number at[3];
    rt_word on_joint;
    rt_word_list joints;
    int along;
    rt_word_list coordinates;
    const rt_yaml *function, *functions;
    rt_joint_start start;
} rt_written_joint;

enum { RT_TYRE_LONGITUDINAL, RT_TYRE_LATERAL };

/* A curve of the magic formula; peak_load a plain zero: none. */
typedef struct rt_written_curve {
    rt_number stiffness, peak_load, friction, friction_slope, shape, curvature, curvature_slope;
} rt_written_curve;

typedef struct rt_written_tyre {
    rt_number radius, preload, tube_radius, stiffness, damping, effective_radius, low_speed;
    bool no_tension;
    rt_number relaxation_length, longitudinal_relaxation;
    const rt_yaml *drive_force;
    rt_number cornering_stiffness, cornering_coefficient, camber_stiffness, camber_coefficient;
    rt_number slip_stiffness, slip_coefficient, trail;
    rt_written_curve curve[2];
    rt_number camber_shift, trail_shape, trail_stiffness;
} rt_written_tyre;
/* Friction, contact and limits. */
typedef struct rt_written_contact {
    rt_word joint;
    int coordinate;
    bool reaction;
    rt_number static_coefficient, dynamic_coefficient, static_level, dynamic_level;
    rt_number stiction_velocity, dynamic_velocity, viscous;
    rt_number radius, other_radius, length, thrust_radius, preload, smoothing;
    rt_number stiffness, exponent, damping, lower, upper;
} rt_written_contact;

typedef struct rt_written_load {
    rt_load load;
    rt_word between[2];
    rt_number at[3];
    rt_number translation_stiffness[3], translation_damping[3];
    rt_number rotation_stiffness[3], rotation_damping[3];
    const rt_yaml *function, *table, *components;
    int interpolation; /* rt_interpolation */
    rt_word on, resolved_in, reaction_on;
    rt_number length, youngs_modulus, shear_modulus, area, iyy, izz, torsion_constant;
    rt_number shear_factor_y, shear_factor_z, damping_ratio;
    rt_number side[3];
    const rt_yaml *through;
    rt_written_tyre tyre;
    rt_written_contact contact;
} rt_written_load;

/* An input, output, variable, state of the user's own, or a state or output of a general
 * controller. */
typedef struct rt_written_signal {
    const char *unit;
    rt_number value; /* input; variable: guess; state: initial */
    const rt_yaml *function, *table;
    int interpolation; /* rt_interpolation */
} rt_written_signal;

typedef struct rt_written_event {
    const rt_yaml *when, *value;
    int direction, action;
    rt_word input;
} rt_written_event;

enum { RT_CONTROLLER_NUMBERS = 6, RT_CONTROLLER_NODES = 8 };

/* Controllers: what each number and node is, their classes say. */
typedef struct rt_written_controller {
    const char *unit;
    const rt_yaml *function; /* differential: rate; implicit: equation; else the input */
    rt_number initial;
    rt_number number[RT_CONTROLLER_NUMBERS];
    const rt_yaml *node[RT_CONTROLLER_NODES]; /* lists, matrices, names, sections */
} rt_written_controller;

#endif
