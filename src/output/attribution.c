/* What each body, joint and load does in each mode, below the table of modes and in their JSON. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "output/mode_fields.h"

/* So many elements and states of each mode are shown, those that do least left out; below the least
 * none is. */
enum { MOST_ELEMENTS = 10, MOST_STATES = 4 };
static const double LEAST = 5e-4;

typedef struct attribution_writer {
    const routh_results *results;
    bool *shown; /* of the elements and states of one mode */
    rt_result_lines lines;
    rt_table table;
} attribution_writer;

static double attribution_total(const double ways[ROUTH_N_WAYS])
{
    double sum = 0;
    for (int w = 0; w < ROUTH_N_WAYS; w++) sum += ways[w];
    return sum;
}

/* ---- fields: row->of is a routh_attributed, index the element -------------------------------- */

typedef struct way_values {
    double of[ROUTH_N_WAYS];
} way_values;

#define WAY(name, way, meaning_)                                                                   \
    {.key = name, .type = RT_RESULT_REAL, RT_AT(way_values, of), .out_of = ROUTH_N_WAYS,           \
     .part_of = (way), .nullable = true, .meaning = (meaning_)}

static const rt_result_field way_fields[] = {
    WAY("position", ROUTH_BY_POSITION, "by displacements"),
    WAY("rate", ROUTH_BY_RATE, "by velocities"),
    WAY("acceleration", ROUTH_BY_ACCELERATION, "by accelerations"),
    WAY("signal", ROUTH_BY_SIGNAL, "by states of controllers, variables and joint reactions"),
};
static const rt_result_table way_table = {
    "by_way", "Contributions by the cause of the force", "", RT_FIELDS(way_fields)};

static const routh_attributed *attributed_at(const rt_result_row *row) { return row->of; }

static const char *attributed_element(const rt_result_row *row)
{
    return row->results->attribution->elements[row->index];
}

static const void *attributed_frequency(const rt_result_row *row)
{
    return attributed_at(row)->frequency;
}

static const void *attributed_damping(const rt_result_row *row)
{
    return attributed_at(row)->damping;
}

/* What rounds to nothing is 0. */
static double attributed_shown(double x) { return fabs(x) < LEAST / 10 ? 0 : x; }

static double attributed_kinetic_shown(const rt_result_row *row)
{
    return attributed_shown(attributed_at(row)->kinetic);
}

static double attributed_rotation_shown(const rt_result_row *row)
{
    return attributed_shown(attributed_at(row)->rotation);
}

static double attributed_whole_frequency(const rt_result_row *row)
{
    return attributed_shown(attribution_total(attributed_at(row)->frequency));
}

static double attributed_whole_damping(const rt_result_row *row)
{
    return attributed_shown(attribution_total(attributed_at(row)->damping));
}

/* Number of the mode, in its first line; 0: in another. */
static void attributed_cell_mode(rt_table *table, const rt_result_row *row)
{
    if (row->number > 0)
        rt_table_format(table, "%d", row->number);
    else
        rt_table_cell(table, "");
}

static const rt_result_field attributed_fields[] = {
    {.type = RT_RESULT_COUNT, .cell = attributed_cell_mode, .meaning = "number of the mode",
     .head = "mode"},
    {.key = "element", .type = RT_RESULT_TEXT, .text = attributed_element,
     .meaning = "`\"load mount\"`", .head = "element", .align = 'l'},
    {.key = "kinetic", .type = RT_RESULT_REAL, RT_AT(routh_attributed, kinetic), .nullable = true,
     .shown = attributed_kinetic_shown, .meaning = "fraction of the kinetic energy",
     .head = "kinetic", .head_unit = "energy %", .digits = 4, .percent = true},
    {.key = "rotation", .type = RT_RESULT_REAL, RT_AT(routh_attributed, rotation),
     .nullable = true, .shown = attributed_rotation_shown,
     .meaning = "the part of it due to rotation and deformation", .head = "of it",
     .head_unit = "rotation", .digits = 4, .percent = true},
    {.key = "frequency", .type = RT_RESULT_OBJECT, .items = &way_table,
     .part = attributed_frequency,
     .meaning = "contributions to the squared undamped frequency, relative to it; `null` where the "
                "mode does not oscillate"},
    {.type = RT_RESULT_REAL, .real = attributed_whole_frequency,
     .meaning = "its contribution to the squared undamped frequency, relative to it",
     .head = "frequency", .head_unit = "squared %", .digits = 4, .percent = true},
    {.key = "damping", .type = RT_RESULT_OBJECT, .items = &way_table, .part = attributed_damping,
     .meaning = "contributions to the damping ratio; `null` where there is no energy to compare "
                "with"},
    {.type = RT_RESULT_REAL, .real = attributed_whole_damping,
     .meaning = "its contribution to the damping ratio", .head = "damping", .head_unit = "ratio %",
     .digits = 4, .percent = true},
};
static const rt_result_table attributed_table = {
    "attributed", "Contribution of an element to a mode", "", RT_FIELDS(attributed_fields)};

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
        rt_result_line(&w->lines, &(rt_result_row){.results = w->results,
                                                   .of = &attribution_parts_of(w, mode)[e],
                                                   .index = e,
                                                   .number = k == 0 ? number : 0});
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
    attribution_writer w = {.results = results, .table = {.align = "rllll"}};
    w.shown = calloc((size_t)a->n_elements + (size_t)a->n_states + 1, sizeof *w.shown);
    if (!w.shown) return rt_fail_memory(error);
    rt_text_append(text, "\nAttribution of frequency and damping\n");
    rt_result_begin(&w.lines, text, &attributed_table, &(rt_result_row){.results = results});
    each_mode(&w, elements);
    rt_result_end(&w.lines);
    rt_text_append(text, "\nParticipation of states\n");
    each_mode(&w, attribution_states);
    rt_table_write(&w.table, text);
    free(w.shown);
    return ROUTH_OK;
}

/* ---- JSON: row->index is the mode ------------------------------------------------------------ */

static double attribution_closure(const rt_result_row *row)
{
    return row->results->attribution->closure[row->index];
}

static void attribution_write_elements(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_attribution *a = row->results->attribution;
    rt_result_row element = {.results = row->results};
    rt_json_array(json, key);
    for (int e = 0; e < a->n_elements; e++) {
        element.of = &a->parts[(size_t)row->index * (size_t)a->n_elements + (size_t)e];
        element.index = e;
        rt_json_object(json, NULL);
        rt_result_json(json, &attributed_table, &element);
        rt_json_end(json);
    }
    rt_json_end(json);
}

typedef struct state_participation {
    const char *state;
    const double *factor;
} state_participation;

static const char *participation_state(const rt_result_row *row)
{
    return ((const state_participation *)row->of)->state;
}

static double participation_re(const rt_result_row *row)
{
    return ((const state_participation *)row->of)->factor[0];
}

static double participation_im(const rt_result_row *row)
{
    return ((const state_participation *)row->of)->factor[1];
}

static const rt_result_field participation_fields[] = {
    {.key = "state", .type = RT_RESULT_TEXT, .text = participation_state,
     .meaning = "name of the state"},
    {.key = "re", .type = RT_RESULT_REAL, .real = participation_re, .nullable = true,
     .meaning = "real part of the factor"},
    {.key = "im", .type = RT_RESULT_REAL, .real = participation_im, .nullable = true,
     .meaning = "imaginary part of the factor"},
};
static const rt_result_table participation_table = {
    "participation", "Participation of a state in a mode", "", RT_FIELDS(participation_fields)};

static void attribution_write_participation(rt_json *json, const char *key,
                                            const rt_result_row *row)
{
    const routh_attribution *a = row->results->attribution;
    rt_json_array(json, key);
    for (int k = 0; k < a->n_states; k++) {
        const state_participation p = {
            row->results->linear->states[k].name,
            a->participation[(size_t)row->index * (size_t)a->n_states + (size_t)k]};
        rt_json_flat_object(json, NULL);
        rt_result_json(json, &participation_table, &(rt_result_row){.of = &p});
        rt_json_end(json);
    }
    rt_json_end(json);
}

static const rt_result_field attribution_fields[] = {
    {.key = "closure", .type = RT_RESULT_REAL, .real = attribution_closure, .nullable = true,
     .meaning = "sum of the powers of all forces, which is zero but for rounding, over the sum of "
                "their absolute values; `null` (as all numbers here) for rigid-body modes"},
    {.key = "elements", .type = RT_RESULT_LIST, .items = &attributed_table,
     .write = attribution_write_elements, .meaning = "contributions of all elements"},
    {.key = "participation", .type = RT_RESULT_LIST, .items = &participation_table,
     .write = attribution_write_participation,
     .meaning = "participation factors; `null` where eigenvalues agree"},
};
const rt_result_table rt_attribution_fields = {
    "attribution", "Attribution of a mode",
    "See [the guide](../guide/modes-and-energies.md#what-makes-frequency-and-damping).",
    RT_FIELDS(attribution_fields)};

void rt_json_attribution(rt_json *json, const routh_results *results, int mode)
{
    if (!results->attribution) return;
    rt_json_object(json, "attribution");
    rt_result_json(json, &rt_attribution_fields,
                   &(rt_result_row){.results = results, .index = mode});
    rt_json_end(json);
}
