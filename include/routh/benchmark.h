/* Benchmark problems: mechanisms whose answer is published or known in closed form, computed and
 * compared (routh benchmark). The problems are data of the library, src/benchmark/problems.yaml. */
#ifndef ROUTH_BENCHMARK_H
#define ROUTH_BENCHMARK_H

#include "routh/answers.h"
#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One number of a problem. */
typedef struct routh_benchmark_value {
    const char *label;     /* of its case, as "N = 5"; "" where the problem has one case */
    const char *quantity;  /* what it is */
    const char *unit;      /* "" of what has none */
    const char *published; /* as the source prints it; NULL: the source has a formula */
    const char *formula;   /* closed form in the parameters of the model; NULL */
    double reference;      /* what is right: by the formula, or with more digits than printed; else
                              the printed number */
    double computed;       /* by this library; NAN where it was not computed */
    int digits_wanted; /* leading digits of the reference that must be computed; 0: those printed */
    int digits;        /* leading digits that agree with the reference, at most 15 */
    int misprint;      /* 1: what is printed is wrong, and why is in `note` */
    const char *note;  /* a sentence; NULL */
    routh_verdict verdict; /* agrees with the reference to so many digits, and with what is printed
                              to all of them, or not at all where that is a misprint; CANNOT_TELL:
                              not computed */
} routh_benchmark_value;

typedef struct routh_benchmark_problem {
    const char *name;              /* "bicycle" */
    const char *title;             /* one line */
    const char *source;            /* citation in full */
    const char *where;             /* table or equation there; "" where it is the whole */
    const char *model;             /* "template four-bar", "example bicycle-whipple", "its own" */
    int n_values;                  /* length of `values` */
    routh_benchmark_value *values; /* in the order of the table */
    double seconds;                /* wall clock; 0 where it was not computed */
    const char *fault;             /* what could not be computed, and why; NULL */
    routh_verdict verdict;         /* NO where one value is wrong, else CANNOT_TELL where one was
                                      not computed, else YES */
} routh_benchmark_problem;

/* Free with routh_benchmark_free. */
typedef struct routh_benchmark {
    int n;                             /* length of `problems` */
    routh_benchmark_problem *problems; /* in the order of the data */
    int n_values;                      /* of all */
    int n_agree, n_wrong, n_unknown;   /* values: YES, NO, CANNOT_TELL */
    double seconds;                    /* of all */
    void *storage;                     /* the library's own */
} routh_benchmark;

typedef struct routh_benchmark_options {
    const char *const
        *names;  /* n_names: of problems, or patterns with * and ?; a word without these
                                 names all problems whose name holds it */
    int n_names; /* 0: all problems */
    int list;    /* 1: only which problems there are; nothing is computed */
    /* Called after every problem, so many are done; other than 0: stop with ROUTH_STOPPED. NULL:
     * not */
    int (*on_progress)(void *data, int done, int all);
    void *data; /* handed to on_progress */
} routh_benchmark_options;

/* Computes the problems. One that fails, as for want of an optional library, has a fault and does
 * not stop the others. BAD_ARGUMENT names a pattern that no problem has. */
ROUTH_API routh_status routh_benchmark_run(routh_benchmark **benchmark,
                                           const routh_benchmark_options *options, /* NULL: all */
                                           routh_error *error);
ROUTH_API void routh_benchmark_free(routh_benchmark *benchmark); /* NULL is allowed */

/* The model file of a problem, of a template that of its first case; parameters as they stand
 * there, before what a case sets. BAD_ARGUMENT where there is no problem of that name. The text is
 * the caller's, to be freed with routh_text_free. */
ROUTH_API routh_status routh_benchmark_model(const char *name, routh_text *text,
                                             routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
