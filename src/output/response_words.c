#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pi.h"
#include "output/response_parts.h"

void rt_channel_name(rt_text *text, const routh_response *r, int channel)
{
    const routh_response_channel *c = &r->channels[channel];
    rt_text_append(text, "%s / %s", r->outputs[c->output], r->inputs[c->input]);
}

void rt_channel_unit(rt_text *text, const routh_response *r, int channel)
{
    const char *out = r->output_units[r->channels[channel].output];
    const char *in = r->input_units[r->channels[channel].input];
    const bool compound = strpbrk(in, " /") != NULL;
    rt_text_append(text, compound ? "%s/(%s)" : "%s/%s", *out ? out : "1", *in ? in : "1");
}

const char *rt_unit_of_ratio(const char *out, const char *in, char room[RT_UNIT_SIZE])
{
    const bool compound = strpbrk(in, " /") != NULL;
    const int n = snprintf(room, RT_UNIT_SIZE, compound ? "%s/(%s)" : "%s/%s", *out ? out : "1",
                           *in ? in : "1");
    return n < RT_UNIT_SIZE ? room : NULL;
}

void rt_channel_phase(const routh_response *r, int channel, double *phase)
{
    for (int k = 0; k < r->n; k++) {
        const size_t at = (size_t)k * (size_t)r->n_channels + (size_t)channel;
        phase[k] = atan2(r->im[at], r->re[at]);
        if (k > 0) phase[k] += RT_TWO_PI * round((phase[k - 1] - phase[k]) / RT_TWO_PI);
    }
}
