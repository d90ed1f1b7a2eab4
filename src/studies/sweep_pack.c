/* What a piece of a line has found, as bytes from one process to another of the same program. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "studies/sweep.h"

typedef struct head {
    int n_kept, n_events, computed;
    bool interrupted;
    routh_status status;
    routh_error error;
} head;

static void put(rt_text *out, const void *from, size_t n, size_t size)
{
    if (n > 0) rt_text_bytes(out, from, n * size);
}

static void pack_kept(rt_text *out, const rt_kept *k)
{
    const size_t n = (size_t)k->n, length = k->message ? strlen(k->message) + 1 : 0;
    put(out, k, 1, sizeof *k);
    put(out, &length, 1, sizeof length);
    put(out, k->message, length, 1);
    put(out, k->eigenvalue, n, sizeof *k->eigenvalue);
    put(out, k->bound, n, sizeof *k->bound);
    put(out, k->partner, 3 * n, sizeof *k->partner); /* rigid and place are behind it */
}

void rt_segment_pack(const rt_segment *s, int computed, routh_text *packed)
{
    rt_text out = {0};
    const head h = {s->n_kept, s->list.n, computed, s->interrupted, s->status, s->error};
    put(&out, &h, 1, sizeof h);
    for (int i = 0; i < s->n_kept; i++) pack_kept(&out, &s->kept[i]);
    put(&out, s->list.events, (size_t)s->list.n, sizeof *s->list.events);
    packed->length = out.failed ? 0 : out.length;
    packed->bytes = rt_text_take(&out);
}

/* ---- back ------------------------------------------------------------------------------------ */

typedef struct reader {
    const char *at;
    size_t left;
} reader;

static bool get(reader *r, void *to, size_t n, size_t size)
{
    if (!to || r->left < n * size) return false;
    memcpy(to, r->at, n * size);
    r->at += n * size;
    r->left -= n * size;
    return true;
}

static bool unpack_kept(reader *r, rt_kept *k)
{
    size_t length = 0;
    if (!get(r, k, 1, sizeof *k)) return false;
    k->message = NULL;
    k->eigenvalue = NULL, k->bound = NULL, k->partner = NULL;
    if (!get(r, &length, 1, sizeof length) || length > r->left) return false;
    const size_t n = (size_t)k->n;
    if (length) k->message = malloc(length);
    k->eigenvalue = calloc(n + 1, sizeof *k->eigenvalue);
    k->bound = calloc(n + 1, sizeof *k->bound);
    k->partner = calloc(3 * n + 1, sizeof *k->partner);
    k->rigid = k->partner + n;
    k->place = k->rigid + n;
    return (!length || get(r, k->message, length, 1)) &&
           get(r, k->eigenvalue, n, sizeof *k->eigenvalue) &&
           get(r, k->bound, n, sizeof *k->bound) && get(r, k->partner, 3 * n, sizeof *k->partner);
}

routh_status rt_segment_unpack(rt_segment *s, const routh_text *packed, int *computed,
                               routh_error *error)
{
    reader r = {packed->bytes, packed->length};
    head h;
    rt_segment_release(s);
    if (!get(&r, &h, 1, sizeof h)) return rt_fail_memory(error); /* of who packed it */
    s->interrupted = h.interrupted;
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
    return get(&r, s->list.events, (size_t)h.n_events, sizeof *s->list.events)
               ? ROUTH_OK
               : rt_fail_memory(error);
}
