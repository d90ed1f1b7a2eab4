/* See refill.h. */
#include "system/refill.h"

#include <stdlib.h>

#include "system/auxiliary.h"
#include "system/compile.h"
#include "system/joined.h"

/* A mechanism with the room that its numbers are found with, as when it was compiled. */
typedef struct refilled {
    routh_mechanism *m; /* NULL: there is none */
    rt_workspace *w;
    rt_state *state;
} refilled;

struct rt_refill {
    refilled own, base, inner; /* inner: own shares its elements */
};

static routh_status take_refill_room(refilled *r, routh_mechanism *m, routh_error *error)
{
    r->m = m;
    if (!m) return ROUTH_OK;
    routh_status status = rt_workspace_create(&r->w, m, error);
    if (!status) status = rt_state_create(&r->state, m, error);
    return status;
}

static void release_refill_room(refilled *r)
{
    rt_workspace_free(r->w);
    rt_state_free(r->state);
}

routh_status rt_refill_create(rt_refill **refill, routh_mechanism *m, routh_error *error)
{
    *refill = NULL;
    if (m->auxiliary || m->plain || (m->joined && m->joined->mass_start)) return ROUTH_OK;
    rt_refill *r = calloc(1, sizeof *r);
    if (!r) return rt_fail_memory(error);
    routh_status status = take_refill_room(&r->own, m, error);
    if (!status) status = take_refill_room(&r->base, m->base, error);
    if (!status) status = take_refill_room(&r->inner, m->inner, error);
    if (status) {
        rt_refill_free(r);
        return status;
    }
    *refill = r;
    return ROUTH_OK;
}

void rt_refill_free(rt_refill *r)
{
    if (!r) return;
    release_refill_room(&r->own);
    release_refill_room(&r->base);
    release_refill_room(&r->inner);
    free(r);
}

/* As rt_compile_direct takes them. */
static routh_status refill_direct(const refilled *r, routh_error *error)
{
    routh_mechanism *m = r->m;
    if (!m) return ROUTH_OK;
    rt_fill_numbers(m, r->w);
    for (int k = 0; k < m->model->n_angles; k++) m->start_near[k] = 0;
    const routh_status status = rt_state_start(m, r->state, error);
    if (status) return status;
    rt_start_numbers(m, r->w, r->state);
    m->length = rt_typical_length(m, r->w);
    return ROUTH_OK;
}

routh_status rt_refill_run(rt_refill *r, bool *again, routh_error *error)
{
    *again = rt_model_has_massless(r->own.m->model);
    if (*again) return ROUTH_OK;
    routh_status status = refill_direct(&r->base, error);
    if (!status) status = refill_direct(r->inner.m ? &r->inner : &r->own, error);
    if (!status && r->inner.m) rt_joined_refill(r->own.m, r->own.w);
    return status;
}
