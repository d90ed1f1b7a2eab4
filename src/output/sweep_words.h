/* Figures of a sweep that all its forms show alike. */
#ifndef RT_OUTPUT_SWEEP_WORDS_H
#define RT_OUTPUT_SWEEP_WORDS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/eigenvalue.h"
#include "routh/sweep.h"

typedef struct rt_sweep_figures {
    double hertz, ratio; /* |Im| / 2 pi, -Re / |s| (0 of a zero) */
} rt_sweep_figures;

static inline rt_sweep_figures rt_sweep_figures_of(const double eigenvalue[2])
{
    /* 0 + x: no minus sign before a zero */
    return (rt_sweep_figures){rt_damped_hz(eigenvalue), 0 + rt_damping_ratio(eigenvalue)};
}

/* Of a pair the one without a star in its name; of two alike the first. */
static inline bool rt_sweep_is_upper(const routh_sweep_line *line, int b, int other)
{
    const bool star = strchr(line->names[b], '*') != NULL,
               other_star = strchr(line->names[other], '*') != NULL;
    return star == other_star ? b < other : other_star;
}

/* Is branch b shown at the point: there, no exact zero, and of a pair the one that counts? */
static inline bool rt_sweep_shows(const routh_sweep_line *line, const routh_sweep_point *p, int b)
{
    const int other = p->partner[b];
    return other >= 0 && !p->rigid[b] && (other == b || rt_sweep_is_upper(line, b, other));
}

/* The largest real part; NAN where there is nothing, 0 where there are zeros alone. */
static inline double rt_sweep_largest(const routh_sweep_line *line, const routh_sweep_point *p)
{
    double most = NAN;
    for (int b = 0; b < line->n_branches; b++) {
        if (p->partner[b] < 0) continue;
        const double x = fabs(p->eigenvalues[b][0]) <= p->bounds[b] ? 0 : p->eigenvalues[b][0];
        most = isnan(most) || x > most ? x : most;
    }
    return most;
}

#endif
