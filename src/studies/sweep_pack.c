/* What a piece of a line has found, as bytes from one process to another of the same program. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "studies/sweep.h"

typedef struct sweep_pack_head {
    int n_kept, n_events, computed, n_bounded, n_left;
    bool interrupted, refined;
    routh_status status;
    routh_error error;
} sweep_pack_head;

static void sweep_pack_put(rt_text *out, const void *from, size_t n, size_t size)
{
    if (n > 0) rt_text_bytes(out, from, n * size);
}

static void pack_kept(rt_text *out, const rt_kept *k)
{
    const size_t n = (size_t)k->n, length = k->message ? strlen(k->message) + 1 : 0;
    sweep_pack_put(out, k, 1, sizeof *k);
    sweep_pack_put(out, &length, 1, sizeof length);
    sweep_pack_put(out, k->message, length, 1);
    sweep_pack_put(out, k->eigenvalue, n, sizeof *k->eigenvalue);
    sweep_pack_put(out, k->bound, n, sizeof *k->bound);
    sweep_pack_put(out, k->partner, 3 * n, sizeof *k->partner); /* rigid and place are behind it */
}

void rt_segment_pack(const rt_segment *s, int computed, routh_text *packed)
{
    rt_text out = {0};
    const sweep_pack_head h = {.n_kept = s->n_kept,
                               .n_events = s->list.n,
                               .computed = computed,
                               .n_bounded = s->n_bounded,
                               .n_left = s->n_left,
                               .interrupted = s->interrupted,
                               .refined = s->refined,
                               .status = s->status,
                               .error = s->error};
    sweep_pack_put(&out, &h, 1, sizeof h);
    for (int i = 0; i < s->n_kept; i++) pack_kept(&out, &s->kept[i]);
    sweep_pack_put(&out, s->list.events, (size_t)s->list.n, sizeof *s->list.events);
    packed->length = out.failed ? 0 : out.length;
    packed->bytes = rt_text_take(&out);
}

/* ---- back ------------------------------------------------------------------------------------ */

typedef struct sweep_pack_reader {
    const char *at;
    size_t left;
} sweep_pack_reader;

static bool sweep_pack_get(sweep_pack_reader *r, void *to, size_t n, size_t size)
{
    if (!to || r->left < n * size) return false;
    memcpy(to, r->at, n * size);
    r->at += n * size;
    r->left -= n * size;
    return true;
}

static bool unpack_kept(sweep_pack_reader *r, rt_kept *k)
{
    size_t length = 0;
    if (!sweep_pack_get(r, k, 1, sizeof *k)) return false;
    k->message = NULL;
    k->eigenvalue = NULL, k->bound = NULL, k->partner = NULL;
    if (!sweep_pack_get(r, &length, 1, sizeof length) || length > r->left) return false;
    const size_t n = (size_t)k->n;
    if (length) k->message = malloc(length);
    k->eigenvalue = calloc(n + 1, sizeof *k->eigenvalue);
    k->bound = calloc(n + 1, sizeof *k->bound);
    k->partner = calloc(3 * n + 1, sizeof *k->partner);
    k->rigid = k->partner + n;
    k->place = k->rigid + n;
    return (!length || sweep_pack_get(r, k->message, length, 1)) &&
           sweep_pack_get(r, k->eigenvalue, n, sizeof *k->eigenvalue) &&
           sweep_pack_get(r, k->bound, n, sizeof *k->bound) &&
           sweep_pack_get(r, k->partner, 3 * n, sizeof *k->partner);
}

routh_status rt_segment_unpack(rt_segment *s, const routh_text *packed, int *computed,
                               routh_error *error)
{
    sweep_pack_reader r = {packed->bytes, packed->length};
    sweep_pack_head h;
    rt_segment_release(s);
    if (!sweep_pack_get(&r, &h, 1, sizeof h)) return rt_fail_memory(error); /* of who packed it */
    s->interrupted = h.interrupted, s->refined = h.refined;
    s->n_bounded = h.n_bounded, s->n_left = h.n_left;
    s->status = h.status;
    s->error = h.error;
    *computed += h.computed;
    s->kept = calloc((size_t)h.n_kept + 1, sizeof *s->kept);
    s->list.events = calloc((size_t)h.n_events + 1, sizeof *s->list.events);
    if (!s->kept || !s->list.events) return rt_fail_memory(error);
    s->room = h.n_kept + 1;
    s->list.room = h.n_events + 1;
    while (s->n_kept < h.n_kept)
        if (!unpack_kept(&r, &s->kept[s->n_kept++])) return rt_fail_memory(error);
    s->list.n = h.n_events;
    return sweep_pack_get(&r, s->list.events, (size_t)h.n_events, sizeof *s->list.events)
               ? ROUTH_OK
               : rt_fail_memory(error);
}
