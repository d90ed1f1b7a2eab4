#include <limits.h>
#include <stdlib.h>

#include "run.h"
#include "say.h"

/* The mode of that number in the table of modes, where a pair has one; -1: there is none. */
static int numbered(const routh_modes *modes, long number)
{
    for (int i = 0; i < modes->n && number > 0; i++) {
        const routh_mode *mode = &modes->modes[i];
        if ((mode->eigenvalue[1] >= 0 || mode->conjugate == i) && --number == 0) return i;
    }
    return -1;
}

static int not_modes(const char *text)
{
    return usage_error("option --animate takes numbers of modes such as 3,120:125, not \"%s\"",
                       text);
}

/* "3" or "120:125" at *at, which moves on behind it. */
static bool read_range(const char **at, long *first, long *last)
{
    char *end;
    *first = *last = strtol(*at, &end, 10);
    if (end == *at) return false;
    if (*end == ':') {
        const char *second = end + 1;
        *last = strtol(second, &end, 10);
        if (end == second) return false;
    }
    *at = end;
    return *first > 0 && *last >= *first && *last < INT_MAX;
}

static int read_animated(run *r, const options *given)
{
    const char *at = given->animate;
    if (!at) return EXIT_DONE;
    free(r->animated);
    r->n_animated = 0;
    r->animated = calloc((size_t)r->modes->n + 1, sizeof *r->animated);
    if (!r->animated) return complain("out of memory"), EXIT_FAULT;
    for (;;) {
        long first, last;
        if (!read_range(&at, &first, &last) || (*at && *at != ','))
            return not_modes(given->animate);
        for (long k = first; k <= last; k++) {
            const int i = numbered(r->modes, k);
            if (i < 0)
                return usage_error("option --animate: there is no mode %ld; routh modes lists them",
                                   k);
            if (r->n_animated < r->modes->n) r->animated[r->n_animated++] = i;
        }
        if (!*at++) return EXIT_DONE;
    }
}

int run_to_animation(run *r, const options *given, int parts)
{
    routh_error error = {0};
    int status = r->modes ? EXIT_DONE : run_to_modes(r, given, parts);
    if (!status) status = read_animated(r, given);
    routh_animation_options o = routh_animation_defaults();
    o.chosen = r->animated;
    o.n_chosen = r->n_animated;
    if (!status && routh_animation_compute(&r->animation, r->mechanism, r->point, r->linear,
                                           r->modes, &o, &error))
        status = fault(&error);
    return status;
}
