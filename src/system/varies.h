/* Of equations that are evaluated with numbers that carry a derivative (base/scalar.h) only the
 * derivatives are read, and an element none of whose numbers carries one has none: it is left out.
 * Ordinarily every element counts. */
#ifndef RT_SYSTEM_VARIES_H
#define RT_SYSTEM_VARIES_H

#include "system/system.h"

#ifdef RT_VARIATION

bool rt_frame_varies(const rt_frame *frame);
/* Does how the marker moves with u? */
bool rt_marker_varies(const routh_mechanism *m, const rt_workspace *w, int marker);

/* Does a number the element is evaluated from carry a derivative: of its frames, of its own, of the
 * state? */
bool rt_constraint_varies(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                          const rt_constraint_block *c);
bool rt_load_varies(const routh_mechanism *m, const rt_workspace *w, const rt_state *state,
                    const rt_load_block *load);
bool rt_body_varies(const routh_mechanism *m, const rt_workspace *w, int body);
/* Does what acts on the body, after all that does? */
bool rt_body_wrench_varies(const rt_workspace *w, int body);

/* Does where the marker is on its body? */
bool rt_marker_is_varied(const routh_mechanism *m, int marker);
/* Does the configuration as written, or where a marker is on its body? */
bool rt_start_varies(const routh_mechanism *m);
/* Bodies that elements act on whose numbers vary, of rigid bodies none of which moves: true. */
void rt_touched_bodies(const routh_mechanism *m, const rt_state *state, bool *bodies);

/* Zeros where a constraint that is left out would have put its rows. */
void rt_clear_rows(rt_workspace *w, const rt_constraint_block *c);

#else

static inline bool rt_constraint_varies(const routh_mechanism *m, const rt_workspace *w,
                                        const rt_state *state, const rt_constraint_block *c)
{
    (void)m, (void)w, (void)state, (void)c;
    return true;
}

static inline bool rt_load_varies(const routh_mechanism *m, const rt_workspace *w,
                                  const rt_state *state, const rt_load_block *load)
{
    (void)m, (void)w, (void)state, (void)load;
    return true;
}

static inline bool rt_body_varies(const routh_mechanism *m, const rt_workspace *w, int body)
{
    (void)m, (void)w, (void)body;
    return true;
}

static inline bool rt_body_wrench_varies(const rt_workspace *w, int body)
{
    (void)w, (void)body;
    return true;
}

static inline void rt_clear_rows(rt_workspace *w, const rt_constraint_block *c)
{
    (void)w, (void)c;
}

#endif

#endif
