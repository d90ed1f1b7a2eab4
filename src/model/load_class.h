/* What a type of load is: one const rt_load_class in one file of src/elements. Everything that
 * differs from type to type is a member here, and nothing else asks which type a load has.
 *
 * The structure stands in this room because the reader, the JSON Schema and the reference page are
 * made from its first member; what evaluates it is in src/elements and compiled twice. */
#ifndef RT_MODEL_LOAD_CLASS_H
#define RT_MODEL_LOAD_CLASS_H

#include "model/fields.h"

struct rt_load_at;     /* elements/loads.h: where it is evaluated */
struct rt_load_result; /* its wrenches and partials */
struct rt_nodes_result; /* the same of a load on more than two frames */
struct rt_point_force;

/* Numbers of an rt_load that its evaluation takes: `n` of them from `offset` on. */
typedef struct rt_load_span {
    size_t offset;
    int n;
} rt_load_span;

#define RT_NUMBERS_OF(member)                                                                      \
    {                                                                                              \
        offsetof(rt_load, member), sizeof(((rt_load *)0)->member) / sizeof(rt_number)              \
    }

enum { RT_LOAD_SPANS = 4, RT_LOAD_STATES = 2 };

/* A state of the load's own (a slip with a relaxation length): there where the field is given. */
typedef struct rt_load_state {
    const char *field, *name; /* the name after the load's and a dot */
} rt_load_state;

/* What its force is in closed form: symbolic linearization (src/symbolic/loads.c) has these. */
typedef enum rt_closed_form {
    RT_CLOSED_NONE,
    RT_CLOSED_LENGTH,  /* along the line between its markers: -K (l - l0) - C l' + preload + f0 */
    RT_CLOSED_ANGLE,   /* the same about z of its triad */
    RT_CLOSED_BUSHING, /* by its 6 x 6 matrices, displacements and rotations of the markers */
    RT_CLOSED_FORCE,   /* its functions are the components of a force at the first marker, */
    RT_CLOSED_TORQUE,  /* of a torque, in the axes of resolved_in */
    RT_CLOSED_FORMS
} rt_closed_form;

/* How the page of the report draws it. */
typedef enum rt_load_picture {
    RT_PICTURE_PLAIN,
    RT_PICTURE_COIL, /* between its markers */
    RT_PICTURE_RING, /* about an axis */
    RT_PICTURE_RUBBER,
    RT_PICTURE_ARROW
} rt_load_picture;

typedef struct rt_load_class {
    rt_kind kind; /* its name, its fields with their documentation, one sentence about it */

    /* ---- what the model keeps of it ---- */
    /* The numbers that `evaluate` gets, one span after the other; a span of none ends the list.
     * Behind them are those of load->list. Derivatives by parameters follow from them. */
    rt_load_span numbers[RT_LOAD_SPANS];
    int n_functions; /* expressions of the user, or made by its reader: at most RT_LOAD_FUNCTIONS */
    bool all_functions; /* absent ones count as zero; else there may be one or none */
    bool resolved;      /* its components are in the axes of the marker resolved_in */
    int points; /* so many of its markers, from the first on, count as points: their axes do not
                   matter */
    bool about_axis;     /* the z axis of its triad: drawn there */
    bool counts_turns;   /* its angle about that, which is its own (rt_counted_angle) */
    /* It goes by the rotation of a marker or node against the next, up to half a revolution: why a
     * run ends that winds it further, and what to do. NULL: it does not. */
    const char *wound;
    bool (*rotates)(const rt_load *load); /* does it, with these numbers? NULL: always */
    /* Its own axes at a node, in those of the marker; NULL: the marker's. */
    const rt_number *(*axes)(const rt_load *load, int node);
    /* The first of three of its numbers that are lengths between places of its nodes, or their
     * derivatives along it; NULL: there are not so many of them. */
    const rt_number *(*lengths)(const rt_load *load, int k);
    bool between_bodies; /* momentum is kept: it does the opposite to its second marker */
    bool mesh;           /* one of many elements that stand for a body */
    bool one_body;       /* a mechanism's typical length is reckoned as if they were one body */
    rt_load_state states[RT_LOAD_STATES]; /* ended by a NULL field where there are less */
    const char *kink_field;               /* its reader makes one kink where it is given; NULL */

    /* ---- evaluation: frames in, wrenches out (elements/loads.h) ---- */
    bool (*evaluate)(const struct rt_load_at *at, bool partials, struct rt_load_result *out);
    /* Instead, where its nodes are more than two. */
    bool (*evaluate_nodes)(const struct rt_load_at *at, bool partials,
                           const struct rt_nodes_result *out);
    const char *undefined; /* why `evaluate` may be false, and what to do */
    /* The wrench of function number k at one, the others and everything else at zero; NULL where
     * there are no functions. */
    bool (*unit)(const struct rt_load_at *at, int k, struct rt_load_result *out);
    /* A force on points along which nothing turns: may be NULL, and saves time where it is not. */
    bool (*on_points)(const struct rt_load_at *at, bool partials, struct rt_point_force *out);
    /* Number `free` is `measure` of the configuration as written where !free_length_given; NULL:
     * none is. */
    rt_scalar (*measure)(const struct rt_load_at *at);
    int free;
    /* What it stores of energy, of its functions none; NULL: nothing. */
    rt_scalar (*energy)(const struct rt_load_at *at);

    /* ---- for people ---- */
    rt_load_picture picture;
    bool kink_at_rest; /* its partials by velocities exist there and are not smooth: |v| v */
    rt_closed_form closed_form;
    /* Where there is one: its fields for a test, by parameters k and c, that ask for no force as
     * written, between m at [0, 0, -1] on a body that turns about the world's y, and w on the
     * ground at [1, 0, -1] or n at m. */
    const char *closed_sample;
    /* One of it for the tests that every type must pass (tests/studies/test_load_classes.c,
     * tests/system/test_derivatives.c): parameters and their values, numbers of it all; and its
     * fields, by them. There are bodies a, b, c with the markers i, j, k, a wheel's marker `axle`
     * on a, ground's marker g, and the cylindrical joint h from i to j. */
    const char *sample_parameters, *sample;
} rt_load_class;

/* The class of a type; one for each value of rt_load_type. */
const rt_load_class *rt_load_class_of(rt_load_type type);

#define RT_LOAD_DECLARE(NAME, name, reader) extern const rt_load_class rt_load_class_##name;
RT_LOAD_LIST(RT_LOAD_DECLARE)
#undef RT_LOAD_DECLARE

#endif
