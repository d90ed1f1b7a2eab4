/* The class of a measure: all that the program knows of one function of the field (DX, VM, FX, ...)
 * in one constant. Those of one quantity stand together as a family in a file of its own,
 * src/model/measures/<family>.c, and src/model/measures/list.h names the families.
 *
 * A measure is built as an expression over quantities (model.h) when it is read; evaluation,
 * derivatives, coordinate sets and symbolic linearization see quantities, and no measures. */
#ifndef RT_MODEL_MEASURE_CLASS_H
#define RT_MODEL_MEASURE_CLASS_H

#include "model/reader.h"

/* What is measured, between which things: as written, ground where a marker is left out. */
typedef struct rt_measure_call {
    int i, j, k, l; /* markers */
    bool of_load;   /* element is a load, else a joint */
    int element;
} rt_measure_call;

typedef enum rt_measure_takes {
    RT_TAKES_MARKER,
    RT_TAKES_ELEMENT,
    RT_TAKES_STATE
} rt_measure_takes;

typedef struct rt_measure_argument {
    const char *name; /* as in DX(i, j, k) */
    rt_measure_takes takes;
    size_t offset; /* of a marker: in rt_measure_call */
    const char *doc;
} rt_measure_argument;

/* What arguments there are. */
typedef enum rt_measure_argument_kind {
    RT_ARGUMENT_I,
    RT_ARGUMENT_J,
    RT_ARGUMENT_K,
    RT_ARGUMENT_L,
    RT_ARGUMENT_ELEMENT,
    RT_ARGUMENT_STATE,
    RT_MEASURE_ARGUMENT_KINDS
} rt_measure_argument_kind;
const rt_measure_argument *rt_measure_argument_at(rt_measure_argument_kind k);

enum { RT_MEASURE_ARGUMENTS = 4 };

/* What a reflection of all that is measured makes of the value. It must be said of every measure;
 * there is no default. */
typedef enum rt_parity {
    RT_PARITY_NOT_SAID,
    RT_PARITY_EVEN,  /* it stays */
    RT_PARITY_POLAR, /* as the component of a polar vector, `component` */
    RT_PARITY_AXIAL, /* as the component of an axial vector */
} rt_parity;

typedef struct rt_measure_class {
    const char *name;
    int n_arguments; /* the first must be given, the others may be left out */
    rt_measure_argument_kind arguments[RT_MEASURE_ARGUMENTS];
    bool apart;         /* it has no meaning, or no derivative, between a marker and itself */
    bool of_axes;       /* it is between the axes of i and j */
    bool rough_at_zero; /* it has no derivative where it is zero, as a vector's size */
    rt_parity parity;
    rt_allowed level; /* the lowest level at which functions may use it */
    const char *unit;
    const char *doc; /* what it is, as in a table, where neighbours with the same text share a line;
                        {axis} stands for that of `component` */
    rt_expr (*build)(rt_reader *r, const struct rt_measure_class *class,
                     const rt_measure_call *call);
    /* What a builder of several measures asks: along or about x, y, z: 0, 1, 2; of which vector
     * between markers; of an element's torque or its force. */
    int component;
    rt_vector_kind vector;
    bool torque;
    /* Instead of `build`: reads the arguments too. False with the problem (room 256) said. */
    bool (*call)(rt_reader *r, const rt_call_argument *arguments, int n, rt_expr *out,
                 char *problem);
    /* One call with all arguments, for the tests that every measure must pass
     * (tests/support/signal_samples.h): there are the markers i on body a, j on b, k and l on c,
     * the joint h, the load f, and the state x of a controller. */
    const char *sample;
} rt_measure_class;

typedef struct rt_measure_family {
    const rt_measure_class *measures;
    int n;
} rt_measure_family;

#define RT_MEASURE_FAMILY(name) extern const rt_measure_family rt_measure_family_##name;
#include "model/measures/list.h"
#undef RT_MEASURE_FAMILY

/* All families, in the order of the reference page; NULL after the last. */
const rt_measure_family *rt_measure_family_at(int k);

/* All measures, family by family; NULL after the last. */
const rt_measure_class *rt_measure_at(int k);
int rt_measure_count(void);

/* The measure of that name, in any letter case; NULL. */
const rt_measure_class *rt_measure_find(const char *name);

/* How it is written, "DX(i, j, k)", into text. */
enum { RT_MEASURE_USAGE = 60 };
const char *rt_measure_usage(const rt_measure_class *class, char text[RT_MEASURE_USAGE]);

/* What it is, {axis} written out: "the x axis"; of several measures together "an axis". */
enum { RT_MEASURE_DOC = 160 };
const char *rt_measure_doc(const rt_measure_class *class, bool together, char text[RT_MEASURE_DOC]);

/* ---- for the builders ------------------------------------------------------------------------ */

/* A `build`: of the class's vector between markers i and j, seen from l, its magnitude; its
 * component along an axis of k. */
rt_expr rt_measure_magnitude(rt_reader *r, const rt_measure_class *class,
                             const rt_measure_call *call);
rt_expr rt_measure_component(rt_reader *r, const rt_measure_class *class,
                             const rt_measure_call *call);

/* A `build`: the same of the force, or the torque, of the element on its first marker. */
rt_expr rt_measure_element_magnitude(rt_reader *r, const rt_measure_class *class,
                                     const rt_measure_call *call);
rt_expr rt_measure_element_component(rt_reader *r, const rt_measure_class *class,
                                     const rt_measure_call *call);

/* Vectors, for rt_measure_dot: between markers; an axis fixed in one. */
rt_vector rt_measure_between(rt_vector_kind kind, int i, int j);
rt_vector rt_measure_axis(int marker, int component);

#endif
