#include "studies/sweep_sources.h"

#include "model/model.h"

/* Anything but a lack of memory is found again, and told, where the model is read. */
static routh_status create_source(rt_sweep_sources *s, const routh_model *model,
                                  const routh_setting *settings, size_t n_settings,
                                  const char *const *names, const char *coordinates,
                                  routh_parametric **source, routh_error *error)
{
    routh_error refused = {0};
    routh_status status = ROUTH_OK;
    if (n_settings && !s->base)
        status = rt_model_again(&s->base, model, settings, n_settings, &refused);
    if (!status)
        status = routh_parametric_create(source, s->base ? s->base : model, names, coordinates,
                                         NULL, NULL, &refused);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    s->none = status != ROUTH_OK;
    return ROUTH_OK;
}

routh_status rt_sweep_source_take(rt_sweep_sources *s, const routh_model *model,
                                  const routh_setting *settings, size_t n_settings,
                                  const char *const *names, const char *coordinates,
                                  routh_parametric **source, routh_error *error)
{
    routh_status status = ROUTH_OK;
    *source = NULL;
    pthread_mutex_lock(&s->lock);
    if (s->n > 0)
        *source = s->idle[--s->n];
    else if (!s->none)
        status = create_source(s, model, settings, n_settings, names, coordinates, source, error);
    pthread_mutex_unlock(&s->lock);
    return status;
}

void rt_sweep_source_give(rt_sweep_sources *s, routh_parametric *source)
{
    if (!source) return;
    pthread_mutex_lock(&s->lock);
    const bool room = s->n < RT_MOST_SOURCES;
    if (room) s->idle[s->n++] = source;
    pthread_mutex_unlock(&s->lock);
    if (!room) routh_parametric_free(source);
}

void rt_sweep_sources_release(rt_sweep_sources *s)
{
    for (int k = 0; k < s->n; k++) routh_parametric_free(s->idle[k]);
    routh_model_free(s->base);
    s->n = 0, s->base = NULL;
}
