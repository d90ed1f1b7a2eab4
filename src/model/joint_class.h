/* The class of a joint: all that the program knows of a type of joint, in one constant. Each stands
 * in a file of its own, src/model/joints/<type>.c, and src/model/joints/list.h names them all.
 *
 * The rows stand here once. Numeric rows (elements/joint_compile.c), natural coordinates
 * (coordinates/natural_*.c) and symbolic linearization (symbolic/joints.c) read them from here;
 * schema, reference page, Python's methods and the reader read the fields. */
#ifndef RT_MODEL_JOINT_CLASS_H
#define RT_MODEL_JOINT_CLASS_H

#include "model/fields.h"

/* ---- rows ------------------------------------------------------------------------------------ */

/* Between marker i, the first, and j, the second; axes are those of the joint's triad in each. */
typedef enum rt_joint_row_kind {
    RT_JOINT_ROW_END,
    RT_JOINT_ROW_POINT,     /* (r_i - r_j) . e_p, e_p axis p of the world */
    RT_JOINT_ROW_DOT1,      /* axis p of i . axis q of j */
    RT_JOINT_ROW_DOT2,      /* (r_i - r_j) . axis q of j */
    RT_JOINT_ROW_SYMMETRY,  /* axis p of i . axis q of j - axis q of i . axis p of j: no turn about
                              the third */
    RT_JOINT_ROW_DISTANCE,  /* (|r_i - r_j|^2 - L^2)/(2 L), L the number: lambda is a force */
    RT_JOINT_ROW_SUM,       /* sum of the terms, coordinates of the joint itself */
    RT_JOINT_ROW_COUPLED,   /* sum of ratio times coordinate of the joints that this one names; the
                              ratios are the terms' where there are any, else the user's */
    RT_JOINT_ROW_DRIVEN,    /* a coordinate less the user's function of time */
    RT_JOINT_ROW_FUNCTION,  /* the user's function of positions */
    RT_JOINT_ROW_FUNCTIONS, /* the functions that `read` or `settle` made, each with its label; no
                               other row stands beside it */
    RT_JOINT_ROW_STRAINS,   /* the strains of a beam element, made with it (rod_strains.c) */
} rt_joint_row_kind;

/* A number that the user gives to the joint. */
typedef enum rt_joint_slot { RT_NO_NUMBER, RT_NUMBER_1, RT_NUMBER_2, RT_NUMBER_3 } rt_joint_slot;

/* What a row keeps its expression equal to. */
typedef enum rt_joint_keeps {
    RT_KEEPS_ZERO,
    RT_KEEPS_NUMBER, /* the number; where it is not given, the value as written */
    RT_KEEPS_COSINE, /* the number's cosine; likewise (a dot product alone) */
} rt_joint_keeps;

/* factor * number / divisor times a coordinate; no number: 1; divisor 0: 1 */
typedef struct rt_joint_term {
    rt_coordinate coordinate;
    double factor;
    rt_joint_slot number;
    double divisor;
} rt_joint_term;

enum { RT_JOINT_TERMS = 2, RT_JOINT_ROWS = 6 };

typedef struct rt_joint_row {
    rt_joint_row_kind kind;
    int p, q;          /* 0 x, 1 y, 2 z */
    const char *label; /* completes "this row keeps ..." */
    rt_joint_keeps keeps;
    rt_joint_slot number;
    rt_joint_term term[RT_JOINT_TERMS]; /* ended by factor 0 */
} rt_joint_row;

/* ---- relative coordinates -------------------------------------------------------------------- */

/* With T the pose of the first marker relative to the second (axes of the joint),
 *     T = step_1(q_1) step_2(q_2) ... C,
 * C a constant turn by 0 or pi about an axis (coordinates/relative_chain.h). */
typedef enum rt_step_kind {
    RT_STEP_TURN,  /* about an axis */
    RT_STEP_SLIDE, /* along an axis */
    RT_STEP_SCREW, /* both together: RT_NUMBER_1 is the advance in one turn */
    RT_STEP_BALL,  /* any turn: a unit quaternion, three columns */
} rt_step_kind;

typedef struct rt_chain_step {
    rt_step_kind kind;
    int axis; /* 0 x, 1 y, 2 z */
} rt_chain_step;

enum { RT_CHAIN_STEPS = 4, RT_CHAIN_JOINT_COLUMNS = 3 };

typedef struct rt_chain {
    bool is_joint; /* false: such a joint is never in the tree, and stays a constraint */
    int n;
    rt_chain_step step[RT_CHAIN_STEPS];
} rt_chain;

/* ---- the class ------------------------------------------------------------------------------- */

/* What rubs on what under a friction load (friction.c). */
typedef enum rt_joint_rubs {
    RT_RUBS_NOT,
    RT_RUBS_PIN,
    RT_RUBS_SLIDE,
    RT_RUBS_SLEEVE,
    RT_RUBS_BALL,
    RT_RUBS_CROSS,
} rt_joint_rubs;

struct rt_reader;

/* A joint whose names of other joints are settled when all joints have been read. */
typedef struct rt_pending_joint {
    const rt_kind *kind;
    const rt_yaml *node;
    rt_given given;
    rt_word names[3];
    int n_names;
    rt_word_list coordinates;
    int along;
} rt_pending_joint;

typedef struct rt_joint_class {
    rt_kind kind;                       /* name, fields, one line about it; the first member */
    const struct rt_joint_class *alias; /* the class that this is another name of; NULL */
    rt_joint_row rows[RT_JOINT_ROWS];   /* ended by RT_JOINT_ROW_END where there are less */
    rt_chain chain;                     /* what it leaves, for relative coordinates */
    bool has_coordinates; /* it has an axis through its point: others may name its coordinates */
    rt_coordinate coordinate; /* then: the one that is meant where none is named */
    bool slides, turns;       /* along, about z, as it likes: for limits, racks and pinions */
    bool drives;              /* a motion: it leaves no freedom less, and draws what it drives */
    bool without_markers;     /* may be without: then no force of it acts on a marker */
    rt_joint_rubs rubs;
    const char *picture; /* a symbol of the viewer (viewer/data.schema.json); "plain" will do */

    /* What the fields leave to do, after the markers are known; NULL: nothing. */
    routh_status (*read)(struct rt_reader *reader, const rt_written_joint *written,
                         rt_joint *joint);
    /* The same where it names other joints, when these are known. */
    routh_status (*settle)(struct rt_reader *reader, const rt_pending_joint *pending,
                           rt_joint *joint);

    /* One joint x of this class, as it may stand under `joints:`, perhaps with others that it
     * needs; the tests of all classes build their mechanisms around it
     * (tests/support/joint_samples.h, which says what bodies, markers and parameters there are). */
    const char *sample;
} rt_joint_class;

/* All classes, in the order of the reference page. */
enum {
#define RT_JOINT_CLASS(name) RT_JOINT_CLASS_##name,
#include "model/joints/list.h"
#undef RT_JOINT_CLASS
    RT_JOINT_CLASSES
};
const rt_joint_class *rt_joint_class_at(int k);
#define RT_JOINT_CLASS(name) extern const rt_joint_class rt_joint_class_##name;
#include "model/joints/list.h"
#undef RT_JOINT_CLASS

/* The class of the kind, of a name that is another's the other's. */
const rt_joint_class *rt_joint_class_of(const rt_kind *kind);

/* For `read` and `settle` (both in joint_shared.c): adds a row of a function, whose label completes
 * "this row keeps ...". */
routh_status rt_joint_add_function(struct rt_reader *reader, rt_joint *joint, const char *label,
                                   rt_expr function);

/* A `settle`: two or three joints, each once, none with the ratio zero. */
routh_status rt_settle_coupled(struct rt_reader *reader, const rt_pending_joint *pending,
                               rt_joint *joint);

/* How many rows of the class stand in its table. */
int rt_joint_class_count_rows(const rt_joint_class *joint_class);

/* Is there a row of that kind that keeps zero, of axes p, q? */
bool rt_joint_class_has(const rt_joint_class *joint_class, rt_joint_row_kind kind, int p, int q);

/* The number in a slot, and whether the user gave it. */
static inline rt_number rt_joint_number(const rt_joint *joint, rt_joint_slot slot)
{
    return joint->number[slot - 1];
}

static inline bool rt_joint_number_given(const rt_joint *joint, rt_joint_slot slot)
{
    return slot != RT_NO_NUMBER && joint->number_given[slot - 1];
}

#endif
