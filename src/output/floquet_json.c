/* What routh floquet found, as JSON (docs/reference/json.md) and as CSV. */
#include <math.h>

#include "output/floquet_fields.h"

/* ---- multipliers ----------------------------------------------------------------------------- */

static int multiplier_index(const rt_result_row *row) { return row->index; }

static int multiplier_number(const rt_result_row *row) { return row->number; }

static void multiplier_cell_imaginary(rt_table *table, const rt_result_row *row)
{
    const routh_floquet_mode *mode = row->of;
    rt_result_cell_pair(table, mode->pair ? mode->multiplier[1] : 0, mode->pair, 10);
}

static void multiplier_cell_share(rt_table *table, const rt_result_row *row)
{
    const routh_floquet_mode *mode = row->of;
    if (isnan(mode->exponent[0]))
        rt_table_format(table, "not resolved: no larger than its error");
    else
        rt_table_format(table, "%.3g %%%s", 100 * mode->share,
                        mode->trivial ? " shift along the motion" : "");
}

static const rt_result_field multiplier_fields[] = {
    {.csv = "mode", .type = RT_RESULT_COUNT, .count = multiplier_index,
     .meaning = "place in `modes` of the JSON, from 0"},
    {.type = RT_RESULT_COUNT, .count = multiplier_number, .meaning = "number, from 1",
     .head = "mode"},
    {.key = "multiplier", .type = RT_RESULT_COMPLEX, RT_AT(routh_floquet_mode, multiplier),
     .meaning = "Floquet multiplier, `[re, im]` with im >= 0"},
    {.csv = "multiplier_real", .member = "multiplier", .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, multiplier), .out_of = 2, .nullable = true,
     .meaning = "real part of the multiplier", .head = "multiplier", .digits = 10},
    {.csv = "multiplier_imaginary", .member = "multiplier", .part_of = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, multiplier), .out_of = 2, .nullable = true,
     .meaning = "imaginary part of the multiplier", .head = "", .align = 'l',
     .cell = multiplier_cell_imaginary},
    {.key = "pair", .type = RT_RESULT_TRUTH, RT_AT(routh_floquet_mode, pair),
     .meaning = "true: the conjugate is a multiplier too"},
    {.key = "trivial", .type = RT_RESULT_TRUTH, RT_AT(routh_floquet_mode, trivial),
     .meaning = "true: the multiplier 1 of a shift along the motion"},
    {.key = "modulus", .csv = "modulus", .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, modulus), .meaning = "of the multiplier", .head = "modulus",
     .digits = 10},
    {.key = "error", .csv = "error", .type = RT_RESULT_REAL, RT_AT(routh_floquet_mode, error),
     .meaning = "change of the multiplier with half the steps", .head = "error", .digits = 2},
    {.key = "condition", .type = RT_RESULT_REAL, RT_AT(routh_floquet_mode, condition),
     .nullable = true, .meaning = "condition number of the multiplier as an eigenvalue, 1 or more"},
    {.key = "exponent", .type = RT_RESULT_COMPLEX, RT_AT(routh_floquet_mode, exponent),
     .nullable = true, .unit = "1/s",
     .meaning = "`[re, im]` with im >= 0, in 1/s and rad/s, with the harmonic; null where the "
                "multiplier is no larger than its error"},
    {.csv = "exponent_real", .member = "exponent", .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, exponent), .out_of = 2, .nullable = true, .unit = "1/s",
     .meaning = "real part of the exponent", .head = "exponent"},
    {.csv = "exponent_imaginary", .member = "exponent", .part_of = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, exponent), .out_of = 2, .nullable = true, .unit = "rad/s",
     .circular = true,
     .meaning = "imaginary part of the exponent", .head = ""},
    {.key = "principal", .type = RT_RESULT_REAL, RT_AT(routh_floquet_mode, principal),
     .nullable = true, .unit = "rad/s", .circular = true,
     .meaning = "imaginary part before the harmonic is added"},
    {.key = "harmonic", .csv = "harmonic", .csv_rank = 1, .type = RT_RESULT_COUNT,
     RT_AT(routh_floquet_mode, harmonic), .meaning = "number of the largest harmonic of the shape",
     .head = "harmonic", .head_rank = 1, .sign = true},
    {.key = "share", .csv = "share", .csv_rank = 1, .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, share), .meaning = "fraction of that harmonic", .head = "fraction",
     .head_rank = 1, .align = 'l', .cell = multiplier_cell_share},
    {.key = "damped_frequency_hz", .csv = "damped_frequency_hz", .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, damped_frequency_hz), .nullable = true, .unit = "Hz",
     .meaning = "of the exponent",
     .head = "frequency"},
    {.key = "undamped_frequency_hz", .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, undamped_frequency_hz), .nullable = true, .unit = "Hz",
     .meaning = "of the exponent"},
    {.key = "damping_ratio", .csv = "damping_ratio", .type = RT_RESULT_REAL,
     RT_AT(routh_floquet_mode, damping_ratio), .nullable = true,
     .meaning = "of the exponent", .head = "damping",
     .digits = 4, .percent = true},
};
const rt_result_table rt_multiplier_table = {"multiplier", "Floquet multiplier", "",
                                                 RT_FIELDS(multiplier_fields)};

static void harmonic_write_shape(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_harmonic *h = row->of;
    rt_json_flat_array(json, key);
    for (int i = 0; i < row->results->floquet->n_states; i++)
        rt_json_reals(json, NULL, h->shape + 2 * i, 2);
    rt_json_end(json);
}

static const rt_result_field harmonic_fields[] = {
    {.key = "n", .type = RT_RESULT_COUNT, RT_AT(routh_harmonic, n),
     .meaning = "exp(i n 2 pi t / T)"},
    {.key = "share", .type = RT_RESULT_REAL, RT_AT(routh_harmonic, share),
     .meaning = "fraction of the sum of squares over all harmonics"},
    {.key = "shape", .type = RT_RESULT_VALUES, .each = RT_RESULT_COMPLEX,
     .write = harmonic_write_shape, .meaning = "`[re, im]` of every state"},
};
static const rt_result_table harmonic_table = {"harmonic", "Harmonic of a multiplier", "",
                                               RT_FIELDS(harmonic_fields)};

static const rt_result_field floquet_mode_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_multiplier_table},
    {.key = "harmonics", .type = RT_RESULT_LIST, .items = &harmonic_table,
     RT_AT(routh_floquet_mode, harmonics), .n_at = RT_PLACE(routh_floquet_mode, n_harmonics),
     .size = sizeof(routh_harmonic), .open = true,
     .meaning = "the largest first, down to a thousandth, at most 9"},
};
static const rt_result_table floquet_mode_table = {"floquet_mode", "Multiplier with its shape", "",
                                                   RT_FIELDS(floquet_mode_fields)};

/* ---- the motion ------------------------------------------------------------------------------ */

const char *const rt_stability_names[] = {"stable", "unstable", "neither", NULL};

const char *rt_stability_name(int stable)
{
    return rt_stability_names[stable == 1 ? 0 : stable == 0 ? 1 : 2];
}

static const char *floquet_verdict(const rt_result_row *row)
{
    return rt_stability_name(((const routh_floquet *)row->of)->stable);
}

static const rt_result_field floquet_number_fields[] = {
    {.key = "coordinates", .type = RT_RESULT_TEXT, RT_AT(routh_floquet, coordinates),
     .meaning = "coordinate set in which the motion was followed"},
    {.key = "time", .type = RT_RESULT_REAL, RT_AT(routh_floquet, time), .unit = "s",
     .meaning = "where the period begins"},
    {.key = "period", .type = RT_RESULT_REAL, RT_AT(routh_floquet, period), .unit = "s",
     .meaning = "its length"},
    {.key = "autonomous", .type = RT_RESULT_TRUTH, RT_AT(routh_floquet, autonomous),
     .meaning = "true: the period was found"},
    {.key = "closure", .type = RT_RESULT_REAL, RT_AT(routh_floquet, closure),
     .meaning = "how far the motion is from coming back, in typical lengths and radians"},
    {.key = "iterations", .type = RT_RESULT_COUNT, RT_AT(routh_floquet, iterations),
     .meaning = "steps of the search"},
    {.key = "steps", .type = RT_RESULT_COUNT, RT_AT(routh_floquet, steps),
     .meaning = "of the integration over the period"},
    {.key = "choices_of_states", .type = RT_RESULT_COUNT, RT_AT(routh_floquet, n_choices),
     .meaning = "how often states were chosen along it"},
    {.key = "error", .type = RT_RESULT_REAL, RT_AT(routh_floquet, error),
     .meaning = "largest change of a multiplier with half the steps, over 1 or its modulus"},
    {.key = "trace", .type = RT_RESULT_REAL, RT_AT(routh_floquet, trace),
     .meaning = "integral of tr A over the period"},
    {.key = "log_determinant", .type = RT_RESULT_REAL, RT_AT(routh_floquet, log_determinant),
     .nullable = true, .meaning = "log |det Y| of the monodromy matrix, the same by Liouville"},
    {.key = "liouville", .type = RT_RESULT_REAL, RT_AT(routh_floquet, liouville), .nullable = true,
     .meaning = "difference of the two"},
    {.key = "pairs", .type = RT_RESULT_REAL, RT_AT(routh_floquet, pairs), .nullable = true,
     .meaning = "how far the multipliers are from pairs mu, 1/mu"},
    {.key = "largest", .type = RT_RESULT_REAL, RT_AT(routh_floquet, largest),
     .meaning = "largest modulus of a multiplier, trivial ones left out"},
    {.key = "verdict", .type = RT_RESULT_TEXT, .text = floquet_verdict, .words = rt_stability_names,
     .meaning = "stability of the motion; neither: not to be decided within the error"},
};
static const rt_result_table floquet_number_table = {"numbers", "", "",
                                                     RT_FIELDS(floquet_number_fields)};

static const rt_result_field floquet_names_fields[] = {
    {.key = "states", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT, RT_AT(routh_floquet, names),
     .n_at = RT_PLACE(routh_floquet, n_states),
     .meaning = "names of the states of monodromy matrix and shapes"},
    {.key = "units", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT, RT_AT(routh_floquet, units),
     .n_at = RT_PLACE(routh_floquet, n_states), .meaning = "their units"},
};
static const rt_result_table floquet_names_table = {"names", "", "",
                                                    RT_FIELDS(floquet_names_fields)};

static const rt_result_field floquet_bodies_fields[] = {
    {.key = "bodies", .type = RT_RESULT_LIST, .items = &rt_pose_table, RT_AT(routh_floquet, bodies),
     .n_at = RT_PLACE(routh_floquet, n_bodies), .size = sizeof(routh_body_pose),
     .meaning = "at the beginning of the period"},
};
static const rt_result_table floquet_bodies_table = {"bodies", "", "",
                                                     RT_FIELDS(floquet_bodies_fields)};

static const rt_result_field switch_fields[] = {
    {.key = "element", .type = RT_RESULT_TEXT, RT_AT(routh_floquet_switch, element),
     .meaning = "name of the element"},
    {.key = "what", .type = RT_RESULT_TEXT, RT_AT(routh_floquet_switch, what),
     .meaning = "what switches"},
    {.key = "times", .type = RT_RESULT_COUNT, RT_AT(routh_floquet_switch, times),
     .meaning = "how often in a period"},
    {.key = "time", .type = RT_RESULT_REAL, RT_AT(routh_floquet_switch, time), .unit = "s",
     .meaning = "when first"},
};
static const rt_result_table switch_table = {"switch", "Non-smooth point of a periodic motion", "",
                                             RT_FIELDS(switch_fields)};

static const rt_result_field floquet_switches_fields[] = {
    {.key = "switches", .type = RT_RESULT_LIST, .items = &switch_table,
     RT_AT(routh_floquet, switches), .n_at = RT_PLACE(routh_floquet, n_switches),
     .size = sizeof(routh_floquet_switch),
     .meaning = "non-smooth points of the forces that the motion passes"},
};
static const rt_result_table floquet_switches_table = {"switches", "", "",
                                                       RT_FIELDS(floquet_switches_fields)};

/* ---- multi-blade coordinates ---------------------------------------------------------------- */

static const rt_result_field multiblade_fields[] = {
    {.key = "blades", .type = RT_RESULT_COUNT, RT_AT(routh_multiblade, n_blades),
     .meaning = "how many"},
    {.key = "states_each", .type = RT_RESULT_COUNT, RT_AT(routh_multiblade, n_states_each),
     .meaning = "states of position of a blade"},
    {.key = "sense", .type = RT_RESULT_COUNT, RT_AT(routh_multiblade, sense),
     .meaning = "of rotation, 1 or -1"},
    {.key = "constant", .type = RT_RESULT_TRUTH, RT_AT(routh_multiblade, constant),
     .meaning = "true: A is constant in these coordinates, the rotor is isotropic"},
    {.key = "variation", .type = RT_RESULT_REAL, RT_AT(routh_multiblade, variation),
     .meaning = "of A over the azimuth, over its largest entry"},
    {.key = "variation_before", .type = RT_RESULT_REAL, RT_AT(routh_multiblade, before),
     .meaning = "the same of A in the blades' own states"},
    {.key = "difference", .type = RT_RESULT_REAL, RT_AT(routh_multiblade, difference),
     .unit = "1/s", .meaning = "largest difference of an eigenvalue from Floquet's exponents"},
    {.key = "relative", .type = RT_RESULT_REAL, RT_AT(routh_multiblade, relative),
     .meaning = "the same of the multipliers, over 1 or their modulus"},
    {.key = "states", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     RT_AT(routh_multiblade, names), .n_at = RT_PLACE(routh_multiblade, n_states),
     .meaning = "names of the states in these coordinates"},
    {.key = "A", .type = RT_RESULT_MATRIX, RT_AT(routh_multiblade, A),
     .n_at = RT_PLACE(routh_multiblade, n_states), .meaning = "its mean over the azimuth"},
    {.key = "eigenvalues", .type = RT_RESULT_VALUES, .each = RT_RESULT_COMPLEX,
     RT_AT(routh_multiblade, eigenvalues), .n_at = RT_PLACE(routh_multiblade, n_states),
     .unit = "1/s", .meaning = "of the mean, `[re, im]`"},
};
static const rt_result_table multiblade_table = {"multiblade", "Multi-blade coordinates", "",
                                                 RT_FIELDS(multiblade_fields)};

/* ---- the document --------------------------------------------------------------------------- */

static const void *floquet_part(const rt_result_row *row) { return row->results->floquet; }

static bool floquet_has_blades(const rt_result_row *row)
{
    return row->results->floquet->multiblade != NULL;
}

static const void *floquet_blades(const rt_result_row *row)
{
    return row->results->floquet->multiblade;
}

static const rt_result_field floquet_shape_fields[] = {
    {.key = "modes", .type = RT_RESULT_LIST, .items = &floquet_mode_table,
     RT_AT(routh_floquet, modes), .n_at = RT_PLACE(routh_floquet, n_modes),
     .size = sizeof(routh_floquet_mode), .open = true,
     .meaning = "the largest modulus first, one of each pair"},
    {.key = "monodromy", .type = RT_RESULT_MATRIX, RT_AT(routh_floquet, monodromy),
     .n_at = RT_PLACE(routh_floquet, n_states), .meaning = "monodromy matrix"},
    {.key = "multiblade", .type = RT_RESULT_OBJECT, .items = &multiblade_table,
     .part = floquet_blades, .there = floquet_has_blades, .open = true,
     .meaning = "with `--blades`"},
};
static const rt_result_table floquet_shape_table = {"shapes", "", "",
                                                    RT_FIELDS(floquet_shape_fields)};

static const rt_result_field floquet_document_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.type = RT_RESULT_PART, .items = &floquet_number_table, .part = floquet_part},
    {.key = "warnings", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .write = rt_result_write_warnings, .meaning = "sentences"},
    {.type = RT_RESULT_PART, .items = &floquet_names_table, .part = floquet_part},
    {.type = RT_RESULT_PART, .items = &floquet_bodies_table, .part = floquet_part},
    {.type = RT_RESULT_PART, .items = &floquet_switches_table, .part = floquet_part},
    {.type = RT_RESULT_PART, .items = &floquet_shape_table, .part = floquet_part},
};
const rt_result_table rt_floquet_document = {
    "floquet", "routh floquet --json",
    "The [guide](../guide/periodic.md) says what the figures mean.",
    RT_FIELDS(floquet_document_fields)};

/* For the page: numbers, without shapes and matrices. */
static const rt_result_field floquet_page_fields[] = {
    {.type = RT_RESULT_PART, .items = &floquet_number_table},
    {.type = RT_RESULT_PART, .items = &floquet_switches_table},
    {.key = "modes", .type = RT_RESULT_LIST, .items = &rt_multiplier_table,
     RT_AT(routh_floquet, modes), .n_at = RT_PLACE(routh_floquet, n_modes),
     .size = sizeof(routh_floquet_mode), .open = true, .meaning = "one of each pair"},
};
static const rt_result_table floquet_page_table = {"floquet", "", "",
                                                   RT_FIELDS(floquet_page_fields)};

void rt_json_report_floquet(rt_json *json, const routh_floquet *f)
{
    rt_result_json(json, &floquet_page_table, &(rt_result_row){.of = f});
}

routh_status routh_floquet_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_FLOQUET | RT_NEED_POINT, error);
    if (status) return status;
    return rt_result_document_json(&rt_floquet_document, &(rt_result_row){.results = results},
                                   text, error);
}

/* A line for each multiplier, one of each pair. */
routh_status routh_floquet_csv(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_FLOQUET, error);
    if (status) return status;
    const routh_floquet *f = results->floquet;
    return rt_result_list_csv(&rt_multiplier_table, &(rt_result_row){.results = results, .of = f},
                              f->modes, f->n_modes, sizeof *f->modes, text, error);
}
