/* Where a sweep takes the mechanism of a value from: parametric mechanisms, one for each thread
 * that needs one at the time, so that most values are numbers put into a mechanism that is there
 * (routh/parametric.h). What comes of it is to the bit what a model gives that is read with the
 * value. */
#ifndef RT_STUDIES_SWEEP_SOURCES_H
#define RT_STUDIES_SWEEP_SOURCES_H

#include <pthread.h>
#include <stdbool.h>

#include "routh/parametric.h"

enum { RT_MOST_SOURCES = 64 };

typedef struct rt_sweep_sources {
    pthread_mutex_t lock;
    bool none;         /* the parameters are none that can be set */
    routh_model *base; /* the model with the settings; NULL: as it was read */
    int n;             /* those that nobody uses */
    routh_parametric *idle[RT_MOST_SOURCES];
} rt_sweep_sources;

/* One that nobody else uses until it is given back; NULL without error: the model has to be read.
 * names ends with NULL. */
routh_status rt_sweep_source_take(rt_sweep_sources *sources, const routh_model *model,
                                  const routh_setting *settings, size_t n_settings,
                                  const char *const *names, const char *coordinates,
                                  routh_parametric **source, routh_error *error);
void rt_sweep_source_give(rt_sweep_sources *sources, routh_parametric *source);
void rt_sweep_sources_release(rt_sweep_sources *sources);

#endif
