/* A path on the page: its terms times largest^(i + j), so that none counts for more than it says,
 * as whole numbers of the unit that the mode's own motion has; of a term first i, j, which of the
 * six numbers of markers are there (a bit each), and bytes of a number; then, number by number, of
 * all markers. What is nothing in whole numbers is left out. */
#include "output/report_paths.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BYTES = 650000, ALWAYS_BYTES = 150000 };

typedef struct path_text {
    rt_json *json;
    rt_report_modes *m;
    const routh_mode_path *path;
    double unit[2]; /* m, rad */
} path_text;

static double report_paths_scaled(const path_text *p, int t, int k, int i)
{
    const routh_animation *a = p->m->results->animation;
    const int *power = p->path->power[t];
    return p->path->term[((size_t)t * (size_t)a->n_markers + (size_t)k) * 6 + (size_t)i] *
           pow(a->largest, power[0] + power[1]);
}

/* The grain of the mode's motion, coarser only where a term has more than two bytes hold. */
static void report_paths_find_units(path_text *p)
{
    const routh_animation *a = p->m->results->animation;
    const routh_results *r = p->m->results;
    double most[2] = {0, 0}, x[12];
    for (int k = 0; k < a->n_markers; k++) {
        routh_mode_marker(r->linear, &r->modes->modes[p->path->mode], a->markers[k], x);
        for (int i = 0; i < 12; i++)
            most[i / 3 % 2] = fmax(most[i / 3 % 2], p->path->amplitude * fabs(x[i]));
        for (int t = 0; t < p->path->n_terms; t++)
            for (int i = 0; i < 6; i++)
                most[i / 3] = fmax(most[i / 3], fabs(report_paths_scaled(p, t, k, i)));
    }
    for (int i = 0; i < 2; i++) p->unit[i] = most[i] / RT_PACKED_MOST;
}

static int report_paths_whole(const path_text *p, int t, int k, int i)
{
    const double unit = p->unit[i / 3];
    return unit > 0 ? (int)lround(report_paths_scaled(p, t, k, i) / unit) : 0;
}

/* Which of the six numbers are there, and whether one byte holds them. */
static int mask_of(const path_text *p, int t, bool *short_ones)
{
    enum { BYTE = 127 };
    int mask = 0, most = 0;
    for (int k = 0; k < p->m->results->animation->n_markers; k++)
        for (int i = 0; i < 6; i++) {
            const int n = abs(report_paths_whole(p, t, k, i));
            if (n > 0) mask |= 1 << i;
            if (n > most) most = n;
        }
    *short_ones = most <= BYTE;
    return mask;
}

static void terms(const path_text *p)
{
    bool byte;
    rt_json_flat_array(p->json, "terms");
    for (int t = 0; t < p->path->n_terms; t++) {
        const int mask = mask_of(p, t, &byte);
        if (!mask) continue;
        rt_json_int(p->json, NULL, p->path->power[t][0]);
        rt_json_int(p->json, NULL, p->path->power[t][1]);
        rt_json_int(p->json, NULL, mask);
        rt_json_int(p->json, NULL, byte ? 1 : 2);
    }
    rt_json_end(p->json);
}

static void data(const path_text *p)
{
    rt_packed *packed = &p->m->packed;
    bool byte;
    rt_packed_start(packed);
    for (int t = 0; t < p->path->n_terms; t++) {
        const int mask = mask_of(p, t, &byte);
        for (int i = 0; i < 6; i++)
            for (int k = 0; mask >> i & 1 && k < p->m->results->animation->n_markers; k++)
                rt_packed_whole(packed, report_paths_whole(p, t, k, i), byte ? 1 : 2);
    }
    rt_packed_end(packed, p->json, "data");
}

static bool report_paths_is_seen(const path_text *p)
{
    bool byte;
    for (int t = 0; t < p->path->n_terms; t++)
        if (mask_of(p, t, &byte)) return true;
    return false;
}

static void path(path_text *p)
{
    enum { UNIT_DIGITS = 7 };
    report_paths_find_units(p);
    if (!report_paths_is_seen(p)) return;
    rt_json_flat_object(p->json, NULL);
    rt_json_int(p->json, "mode", p->path->mode);
    rt_json_real_short(p->json, "amplitude", p->path->amplitude, UNIT_DIGITS);
    rt_json_reals_short(p->json, "unit", p->unit, 2, UNIT_DIGITS);
    terms(p);
    data(p);
    rt_json_end(p->json);
}

void rt_json_report_paths(rt_json *json, rt_report_modes *m)
{
    const routh_animation *a = m->results->animation;
    const size_t begun = json->text.length;
    const size_t most = begun + ALWAYS_BYTES > MOST_BYTES ? begun + ALWAYS_BYTES : MOST_BYTES;
    rt_json_object(json, "paths");
    rt_json_real(json, "largest", a->largest);
    rt_json_flat_array(json, "markers");
    for (int k = 0; k < a->n_markers; k++) rt_json_int(json, NULL, a->markers[k]);
    rt_json_end(json);
    rt_json_array(json, "list");
    int written = 0;
    for (; written < a->n_paths && json->text.length < most; written++) {
        path_text p = {.json = json, .m = m, .path = &a->paths[written]};
        path(&p);
    }
    rt_json_end(json);
    rt_json_flat_array(json, "straight");
    for (int i = 0; i < a->n_straight; i++) rt_json_int(json, NULL, a->straight[i]);
    for (int i = written; i < a->n_paths; i++) rt_json_int(json, NULL, a->paths[i].mode);
    rt_json_end(json);
    rt_json_end(json);
}
