/* Is this configuration singular? Where links stand in line, fewer rows of constraints are
 * independent than a little away from there. */
#include <stdarg.h>
#include <stdio.h>

#include "base/kept_memory.h"
#include "operating/second_order.h"

/* Numbers in [-1, 1], the same in every run. */
static double singular_next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

void rt_noise(rt_search *s, double size, unsigned *seed)
{
    for (int c = 0; c < s->m->n_u; c++)
        s->z[c] = size * s->m->length * s->unit[c] * singular_next_random(seed);
}

/* Moved a thousandth of the typical length any way, and assembled again. */
static routh_status step_away(rt_search *s, unsigned *seed, routh_error *error)
{
    rt_noise(s, 1e-3, seed);
    rt_advance(s->m, s->state->q, s->z);
    return rt_assemble(s, error);
}

/* A row that rounding or a misalignment brings above the tolerance there is none that opens. */
static int rank_beyond(const rt_elimination *e, double least)
{
    int n = 0;
    for (int k = 0; k < e->rank; k++) n += e->pivot_size[k] > least;
    return n;
}

int rt_sound_rank(const rt_elimination *rank) { return rank_beyond(rank, RT_NEAR_REDUNDANT); }

routh_status rt_rank_there(rt_search *s, int *rank, routh_error *error)
{
    static const double BEYOND = 1e-8;
    rt_elimination *e = NULL;
    routh_status status = rt_evaluate(s->m, s->w, s->state, RT_EVALUATE_JACOBIAN, error);
    if (!status) status = rt_eliminate_jacobian(s, &e, error);
    if (!status) {
        const int there = rank_beyond(e, BEYOND), sound = rt_sound_rank(e);
        if (there > *rank) *rank = there;
        if (sound > s->sound_nearby) s->sound_nearby = sound;
    }
    rt_elimination_free(e);
    return status;
}

routh_status rt_rank_nearby(rt_search *s, int *rank, routh_error *error)
{
    enum { TRIES = 6 }; /* not every way can be gone */
    *rank = s->rank->rank;
    s->sound_nearby = rt_sound_rank(s->rank);
    if (s->sound_nearby == s->m->n_rows || s->m->n_u > RT_NEARBY_COLUMNS) return ROUTH_OK;
    double *q = rt_kept_malloc(s->m->analyses, (size_t)s->m->n_q * sizeof *q);
    if (!q) return rt_fail_memory(error);
    const int iterations = s->iterations;
    routh_error unused;
    memcpy(q, s->state->q, (size_t)s->m->n_q * sizeof *q);
    routh_status status = ROUTH_NOT_ASSEMBLED;
    unsigned seed = 1;
    for (int k = 0; k < TRIES && status && status != ROUTH_OUT_OF_MEMORY; k++) {
        status = step_away(s, &seed, &unused);
        if (!status) status = rt_rank_there(s, rank, &unused);
        memcpy(s->state->q, q, (size_t)s->m->n_q * sizeof *q);
    }
    rt_kept_free(q);
    s->iterations = iterations;
    return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
}

routh_status rt_find_rank_nearby(rt_search *s, routh_error *error)
{
    routh_status status = rt_rank_nearby(s, &s->rank_nearby, error);
    if (!status) status = rt_find_passing(s, &s->passing, error);
    if (s->passing.rank > s->rank_nearby) s->rank_nearby = s->passing.rank;
    return status;
}

/* ---- what to say of it ---------------------------------------------------------------------- */

typedef struct singular_words {
    char *text;
    size_t used, room;
} singular_words;

static void singular_say(singular_words *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void singular_say(singular_words *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(w->text + w->used, w->room - w->used, format, args);
    va_end(args);
    if (n > 0) w->used += (size_t)n < w->room - w->used ? (size_t)n : w->room - w->used - 1;
}

/* "a, b and c", "a, b, c and 4 more" */
static void say_joints(singular_words *w, const rt_search *s, const double *force)
{
    enum { NAMED = 6 };
    int n = 0, said = 0;
    for (int c = 0; c < s->m->n_constraints; c++) n += force[c] > RT_UNDETERMINED_LEAST;
    const int named = n <= NAMED ? n : NAMED - 1;
    singular_say(w, "joint%s ", n > 1 ? "s" : "");
    for (int c = 0; c < s->m->n_constraints && said < named; c++) {
        if (!(force[c] > RT_UNDETERMINED_LEAST)) continue;
        said++;
        singular_say(w, "%s%.32s",
                     said == 1   ? ""
                     : said == n ? " and "
                                 : ", ",
                     s->m->model->joints[s->m->constraints[c].constraint.joint].name);
    }
    if (named < n) singular_say(w, " and %d more", n - named);
}

/* The joints whose forces are undetermined only here; known is false where that cannot be said. */
static routh_status find_undetermined(rt_search *s, rt_arena *arena, double *force, bool *known,
                                      routh_error *error)
{
    rt_second_order second;
    *known = false;
    /* what rows of velocities leave to second order is not how Phi bends */
    if (!rt_second_order_fits(s->m) || s->m->n_nonholonomic) return ROUTH_OK;
    routh_status status = rt_second_order_find(&second, s, arena, error);
    if (!status && second.n_forms > 0) {
        status = rt_undetermined_forces(&second, s, arena, force, error);
        *known = true;
    }
    return status;
}

/* Along the motions that it has here, as time goes on, or as an input changes. */
static void say_where(singular_words *w, const rt_search *s)
{
    const int here = s->m->n_u - s->rank->rank, elsewhere = s->m->n_u - s->rank_nearby;
    const int input = s->passing.input;
    singular_say(w,
                 "this configuration is singular (a dead point, links in line): it has %d "
                 "degree%s of freedom ",
                 here, here == 1 ? "" : "s");
    if (s->passing.in_time)
        singular_say(w,
                     s->still ? "here and %d where the prescribed motions are a little further"
                              : "at this instant and %d a moment before or after",
                     elsewhere);
    else if (input >= 0)
        singular_say(w, "here and %d as soon as input %.64s changes", elsewhere,
                     s->m->model->inputs[input].name);
    else
        singular_say(w, "here and %d a little away", elsewhere);
}

routh_status rt_singular_words(rt_search *s, char *text, size_t room, routh_error *error)
{
    singular_words w = {text, 0, room};
    rt_arena arena = {.kept = s->m->analyses};
    routh_error unused;
    bool known = false;
    double *force = RT_TAKE(&arena, double, s->m->n_constraints);
    routh_status status =
        force ? find_undetermined(s, &arena, force, &known, &unused) : ROUTH_OUT_OF_MEMORY;
    say_where(&w, s);
    if (!status && known) {
        singular_say(&w, "; the forces of ");
        say_joints(&w, s, force);
        singular_say(
            &w, " are not determined here, nor are the modes that depend on them; the smallest "
                "joint forces were taken (modes --branches gives the motions there are)");
    } else {
        singular_say(&w, "; modes of the surplus ones mean nothing");
    }
    rt_arena_free(&arena);
    return status == ROUTH_OUT_OF_MEMORY ? rt_fail_memory(error) : ROUTH_OK;
}
