/* The benchmark problems as they are written in problems.yaml. */
#ifndef RT_BENCHMARK_ENTRIES_H
#define RT_BENCHMARK_ENTRIES_H

#include "base/arena.h"
#include "base/error.h"
#include "routh/model.h"

/* What the build made of problems.yaml and the examples that it names (cmake/Benchmark.cmake). */
typedef struct rt_benchmark_example {
    const char *name, *text;
} rt_benchmark_example;

extern const unsigned char rt_benchmark_problems[];
extern const size_t rt_benchmark_problems_size;
extern const rt_benchmark_example rt_benchmark_examples[]; /* until one without a name */

/* What a number is, by the word in problems.yaml; benchmark/README.md says more. */
typedef enum rt_benchmark_kind {
    RT_QUANTITY_FREQUENCY, /* imaginary part of pair `index`, by rising imaginary part */
    RT_QUANTITY_GROWTH,    /* its real part */
    RT_QUANTITY_REAL,      /* real eigenvalue `index`, ascending; zeros are not among them */
    RT_QUANTITY_SQUARE,    /* -s^2 of pair `index`, ascending; of systems without damping */
    RT_QUANTITY_MASS,      /* entry [row, column] of M, C, K */
    RT_QUANTITY_DAMPING,
    RT_QUANTITY_STIFFNESS,
    RT_QUANTITY_OUTPUT,    /* of that name, at the operating point or at `time` */
    RT_QUANTITY_FREEDOM,   /* degrees of freedom */
    RT_QUANTITY_REDUNDANT, /* redundant constraints */
    RT_QUANTITY_BRANCH,    /* lowest frequency of branch `index` of a singular configuration */
    RT_QUANTITY_LIMIT,     /* value of the parameter of that name where stability changes */
    RT_QUANTITY_KINDS
} rt_benchmark_kind;

typedef struct rt_benchmark_quantity {
    rt_benchmark_kind kind;
    rt_place place;
    const char *quantity, *unit;
    const char *name;      /* of an output, of a parameter */
    int index[2];          /* from 1 */
    const char *from, *to; /* of a limit: expressions */
    const char *time;      /* of an output: expression; NULL: at the operating point */
    const char *per;       /* the computed number is divided by this expression; NULL */
    double power;          /* and raised to this power; 1 */
    const char *published; /* NULL */
    const char *reference; /* number with more digits, or formula; NULL */
    int is_formula;        /* of the reference */
    int digits;            /* wanted; 0: those that are printed, which may be more than these */
    int misprint;
    const char *note; /* NULL */
} rt_benchmark_quantity;

typedef struct rt_benchmark_case {
    const char *label;       /* "" */
    routh_setting *settings; /* parameters of the model */
    routh_setting *shape;    /* settings of the template */
    int n_settings, n_shape;
    rt_benchmark_quantity *quantities;
    int n_quantities;
} rt_benchmark_case;

typedef enum rt_benchmark_from {
    RT_FROM_TEMPLATE,
    RT_FROM_EXAMPLE,
    RT_FROM_TEXT
} rt_benchmark_from;

typedef struct rt_benchmark_entry {
    const char *name, *title, *source, *where;
    rt_benchmark_from from;
    const char *model;     /* name of template or example, or the text itself */
    const char *described; /* "template four-bar" */
    const char *append;    /* sections that are added to it; NULL */
    const char *frame;     /* reference frame; NULL: the model's */
    const char *coordinates, *method, *integrator; /* NULL: the defaults */
    double tolerance;                              /* of the integration; 0: the default */
    double step;                                   /* fixed; 0: none */
    rt_benchmark_case *cases;
    int n_cases, n_quantities;
} rt_benchmark_entry;

typedef struct rt_benchmark_entries {
    rt_arena arena;
    int n;
    rt_benchmark_entry *entries;
} rt_benchmark_entries;

/* Free in any case. file: for messages. */
routh_status rt_benchmark_read(rt_benchmark_entries *entries, const char *text, size_t length,
                               const char *file, routh_error *error);
void rt_benchmark_entries_free(rt_benchmark_entries *entries);

#endif
