/* Figures of a verification that several formats show. */
#ifndef RT_OUTPUT_CONFIRM_WORDS_H
#define RT_OUTPUT_CONFIRM_WORDS_H

#include <math.h>

#include "base/eigenvalue.h"
#include "routh/confirm.h"

/* Frequency |Im s| / 2 pi in Hz and damping ratio -Re s / |s|, with the bars of both to first
 * order. */
typedef struct rt_confirm_figures {
    double hertz, hertz_bar, ratio, ratio_bar;
} rt_confirm_figures;

static inline rt_confirm_figures rt_confirm_figures_of(const double s[2], const double bar[2])
{
    const double size = hypot(s[0], s[1]);
    const double by = size > 0 ? fabs(s[1]) / (size * size * size) : 0;
    return (rt_confirm_figures){rt_damped_hz(s), bar[1] / RT_TWO_PI, rt_damping_ratio(s),
                                by * hypot(s[1] * bar[0], s[0] * bar[1])};
}

#endif
