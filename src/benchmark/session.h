/* A problem under computation: what one number needed serves the next. */
#ifndef RT_BENCHMARK_SESSION_H
#define RT_BENCHMARK_SESSION_H

#include "benchmark/entries.h"
#include "routh/answers.h"
#include "routh/mechanism.h"
#include "routh/motion.h"

/* One case of a problem. Parts are NULL until a number needs them. */
typedef struct rt_benchmark_session {
    const rt_benchmark_entry *entry;
    const rt_benchmark_case *of;
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_branches *branches;
    routh_simulation *simulation;
    routh_operating_point *later; /* where the simulation is */
} rt_benchmark_session;

/* The text of the model, before settings of its parameters. Free with routh_text_free. */
routh_status rt_benchmark_text(const rt_benchmark_entry *entry, const rt_benchmark_case *of,
                               routh_text *text, routh_error *error);

/* Reads the model. Free in any case. */
routh_status rt_benchmark_begin(rt_benchmark_session *session, const rt_benchmark_entry *entry,
                                const rt_benchmark_case *of, routh_error *error);
void rt_benchmark_end(rt_benchmark_session *session);

/* The number as the library computes it. */
routh_status rt_benchmark_compute(rt_benchmark_session *session, const rt_benchmark_quantity *q,
                                  double *computed, routh_error *error);

#endif
