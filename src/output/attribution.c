/* What each body, joint and load does in each mode, below the table of modes and in their JSON. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "output/results.h"
#include "output/table.h"

/* So many elements and states of each mode are shown, those that do least left out; below the least
 * none is. */
enum { MOST_ELEMENTS = 10, MOST_STATES = 4 };
static const double LEAST = 5e-4;

typedef struct attribution_writer {
    const routh_results *results;
    bool *shown; /* of the elements and states of one mode */
    rt_table table;
} attribution_writer;

static double attribution_total(const double ways[ROUTH_N_WAYS])
{
    double sum = 0;
    for (int w = 0; w < ROUTH_N_WAYS; w++) sum += ways[w];
    return sum;
}

static const routh_attributed *attribution_parts_of(const attribution_writer *w, int mode)
{
    const routh_attribution *a = w->results->attribution;
    return a->parts + (size_t)mode * (size_t)a->n_elements;
}

static double attribution_larger(double a, double b)
{
    return b > a ? b : a;
} /* a where b is NaN */

/* How much an element does, by the largest of what is shown of it, 0 to 1. */
static double attribution_effect(const routh_attributed *p, double damping)
{
    const double most = attribution_larger(attribution_larger(0, fabs(p->kinetic)),
                                           fabs(attribution_total(p->frequency)));
    return attribution_larger(most,
                              damping > 0 ? fabs(attribution_total(p->damping)) / damping : 0);
}

/* The largest of |damping| there is, to compare with. */
static double most_damping(const attribution_writer *w, int mode)
{
    const routh_attribution *a = w->results->attribution;
    double most = 0;
    for (int e = 0; e < a->n_elements; e++)
        most = attribution_larger(
            most, fabs(attribution_total(attribution_parts_of(w, mode)[e].damping)));
    return most > 1e-12 ? most : 0; /* else it is rounding */
}

/* The element that does most of those not shown yet, -1: none does enough. */
static int attribution_next_element(const attribution_writer *w, int mode)
{
    const routh_attribution *a = w->results->attribution;
    const double damping = most_damping(w, mode);
    double most = LEAST;
    int best = -1;
    for (int e = 0; e < a->n_elements; e++) {
        const double x = attribution_effect(&attribution_parts_of(w, mode)[e], damping);
        if (!w->shown[e] && x > most) most = x, best = e;
    }
    return best;
}

/* Per cent; nothing where it is no number, or rounds to nothing. */
static void percent(rt_table *table, double x)
{
    if (!(fabs(x) >= LEAST / 10))
        rt_table_cell(table, isnan(x) ? "" : "0");
    else
        rt_table_real(table, 100 * x, 4);
}

static void attribution_element_line(attribution_writer *w, int number, int mode, int e)
{
    const routh_attributed *p = &attribution_parts_of(w, mode)[e];
    if (number > 0)
        rt_table_format(&w->table, "%d", number);
    else
        rt_table_cell(&w->table, "");
    rt_table_cell(&w->table, w->results->attribution->elements[e]);
    percent(&w->table, p->kinetic);
    percent(&w->table, p->rotation);
    percent(&w->table, attribution_total(p->frequency));
    percent(&w->table, attribution_total(p->damping));
}

static void attribution_clear(const attribution_writer *w)
{
    const routh_attribution *a = w->results->attribution;
    const int n = a->n_elements > a->n_states ? a->n_elements : a->n_states;
    for (int k = 0; k < n; k++) w->shown[k] = false;
}

static void elements(attribution_writer *w, int number, int mode)
{
    attribution_clear(w);
    for (int k = 0; k < MOST_ELEMENTS; k++) {
        const int e = attribution_next_element(w, mode);
        if (e < 0) break;
        w->shown[e] = true;
        attribution_element_line(w, k == 0 ? number : 0, mode, e);
    }
}

static int next_state(const attribution_writer *w, int mode)
{
    const routh_attribution *a = w->results->attribution;
    double most = LEAST;
    int best = -1;
    for (int k = 0; k < a->n_states; k++) {
        const double *p = a->participation[(size_t)mode * (size_t)a->n_states + (size_t)k];
        const double x = hypot(p[0], p[1]);
        if (!w->shown[k] && x > most) most = x, best = k;
    }
    return best;
}

static void attribution_states(attribution_writer *w, int number, int mode)
{
    const routh_attribution *a = w->results->attribution;
    attribution_clear(w);
    if (next_state(w, mode) < 0) return;
    rt_table_format(&w->table, "%d", number);
    for (int k = 0; k < MOST_STATES; k++) {
        char re[RT_NUMBER_SIZE];
        const int n = next_state(w, mode);
        if (n < 0) {
            rt_table_cell(&w->table, "");
            continue;
        }
        w->shown[n] = true;
        const double *p = a->participation[(size_t)mode * (size_t)a->n_states + (size_t)n];
        rt_number_text(re, hypot(p[0], p[1]), 3);
        rt_table_format(&w->table, "%s %s", w->results->linear->states[n].name, re);
    }
}

/* As the table of modes counts: a pair once. */
static void each_mode(attribution_writer *w,
                      void (*write)(attribution_writer *w, int number, int mode))
{
    const routh_modes *modes = w->results->modes;
    int number = 0;
    for (int i = 0; i < modes->n; i++) {
        const bool counts = modes->modes[i].eigenvalue[1] >= 0 || modes->modes[i].conjugate == i;
        if (counts) write(w, ++number, i);
    }
}

routh_status rt_attribution_table(rt_text *text, const routh_results *results, routh_error *error)
{
    const routh_attribution *a = results->attribution;
    if (!a || a->n_modes == 0) return ROUTH_OK;
    attribution_writer w = {.results = results, .table = {.align = "rlrrrr"}};
    w.shown = calloc((size_t)a->n_elements + (size_t)a->n_states + 1, sizeof *w.shown);
    if (!w.shown) return rt_fail_memory(error);
    static const char *const heads[2][6] = {
        {"mode", "element", "kinetic", "of it", "frequency", "damping"},
        {"", "", "energy %", "rotation", "squared %", "ratio %"}};
    rt_text_append(text, "\nAttribution of frequency and damping\n");
    for (int row = 0; row < 2; row++) rt_table_heads(&w.table, heads[row]);
    each_mode(&w, elements);
    rt_table_write(&w.table, text);
    rt_text_append(text, "\nParticipation of states\n");
    w.table.align = "rllll";
    each_mode(&w, attribution_states);
    rt_table_write(&w.table, text);
    free(w.shown);
    return ROUTH_OK;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void ways(rt_json *json, const char *key, const double x[ROUTH_N_WAYS])
{
    rt_json_flat_object(json, key);
    for (int w = 0; w < ROUTH_N_WAYS; w++)
        rt_json_real_or_null(json, routh_way_name((routh_way)w), x[w]);
    rt_json_end(json);
}

void rt_json_attribution(rt_json *json, const routh_results *results, int mode)
{
    const routh_attribution *a = results->attribution;
    if (!a) return;
    rt_json_object(json, "attribution");
    rt_json_real_or_null(json, "closure", a->closure[mode]);
    rt_json_array(json, "elements");
    for (int e = 0; e < a->n_elements; e++) {
        const routh_attributed *p = &a->parts[(size_t)mode * (size_t)a->n_elements + (size_t)e];
        rt_json_object(json, NULL);
        rt_json_string(json, "element", a->elements[e]);
        rt_json_real_or_null(json, "kinetic", p->kinetic);
        rt_json_real_or_null(json, "rotation", p->rotation);
        ways(json, "frequency", p->frequency);
        ways(json, "damping", p->damping);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_array(json, "participation");
    for (int k = 0; k < a->n_states; k++) {
        const double *p = a->participation[(size_t)mode * (size_t)a->n_states + (size_t)k];
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "state", results->linear->states[k].name);
        rt_json_real_or_null(json, "re", p[0]);
        rt_json_real_or_null(json, "im", p[1]);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_end(json);
}
