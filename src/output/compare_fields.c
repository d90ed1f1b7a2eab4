/* The tables of what routh compare found, and its JSON. */
#include "output/compare_fields.h"

#include <math.h>
#include <stdlib.h>

double rt_comparison_size(const routh_shift *s)
{
    return hypot(s->eigenvalue[0], s->eigenvalue[1]);
}

void rt_comparison_order(const routh_shift *parts, int n, int *order)
{
    for (int k = 0; k < n; k++) {
        int at = k;
        for (; at > 0 &&
               !(rt_comparison_size(&parts[order[at - 1]]) >= rt_comparison_size(&parts[k]));
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

routh_status rt_comparison_check(const routh_comparison *c, const routh_results *a,
                                 const routh_results *b, int **order, routh_text *text,
                                 routh_error *error)
{
    *text = (routh_text){0};
    if (!c) return rt_fail(error, ROUTH_BAD_ARGUMENT, "there is no comparison to show");
    routh_status status = rt_results_check(a, RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (!status) status = rt_results_check(b, RT_NEED_LINEAR | RT_NEED_MODES, error);
    if (status) return status;
    *order = calloc((size_t)c->n_terms + (size_t)c->n_parameters + 1, sizeof **order);
    return *order ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- changes --------------------------------------------------------------------------------- */

static const rt_result_field shift_fields[] = {
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, RT_AT(routh_shift, eigenvalue),
     .nullable = true, .whole = true, .unit = "1/s",
     .meaning = "change of the eigenvalue, `[re, im]` in 1/s and rad/s; `null` where it is not "
                "known"},
    {.key = "undamped_frequency_hz", .type = RT_RESULT_REAL, RT_AT(routh_shift, frequency_hz),
     .nullable = true, .unit = "Hz", .meaning = "change of the undamped natural frequency",
     .head = "frequency", .digits = 5, .sign = true},
    {.key = "damping_ratio", .type = RT_RESULT_REAL, RT_AT(routh_shift, damping_ratio),
     .nullable = true, .meaning = "change of the damping ratio", .head = "damping",
     .head_unit = "ratio %", .digits = 5, .percent = true, .sign = true},
    {.type = RT_RESULT_REAL, RT_AT(routh_shift, eigenvalue), .out_of = 2, .unit = "1/s",
     .meaning = "change of the real part", .head = "real part", .digits = 5, .sign = true},
    {.type = RT_RESULT_REAL, RT_AT(routh_shift, eigenvalue), .out_of = 2, .part_of = 1,
     .unit = "rad/s", .circular = true, .meaning = "change of the imaginary part",
     .head = "imaginary", .digits = 5,
     .sign = true},
};
static const rt_result_table shift_table = {"change", "Change of a mode", "",
                                            RT_FIELDS(shift_fields)};

static const char *part_name(const rt_result_row *row)
{
    return ((const rt_compare_work *)row->work)->name;
}

static const rt_result_field part_fields[] = {
    {.key = "term", .type = RT_RESULT_TEXT, .text = part_name,
     .meaning = "what changes are shared among, as `load mount`", .head = "part", .align = 'l'},
    {.type = RT_RESULT_PART, .items = &shift_table},
};
const rt_result_table rt_compare_part_table = {"part", "Part of a change", "",
                                               RT_FIELDS(part_fields)};

static const rt_result_field parameter_part_fields[] = {
    {.key = "parameter", .type = RT_RESULT_TEXT, .text = part_name,
     .meaning = "name of the parameter"},
    {.type = RT_RESULT_PART, .items = &shift_table},
};
static const rt_result_table parameter_part_table = {
    "parameter_part", "Part of a change by a parameter", "", RT_FIELDS(parameter_part_fields)};

static void write_parts(rt_json *json, const char *key, const rt_result_row *row,
                        const rt_result_table *table, const routh_shift *all, char *const *names,
                        int n)
{
    rt_compare_work work = *(rt_compare_work *)row->work;
    rt_comparison_order(all, n, work.order);
    rt_json_array(json, key);
    for (int k = 0; k < n && k < work.most; k++) {
        work.name = names[work.order[k]];
        rt_json_flat_object(json, NULL);
        rt_result_json(json, table, &(rt_result_row){.of = &all[work.order[k]], .work = &work});
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Of row->number, 0 or 1. */
static const routh_mode_pair *compare_pair_at(const rt_result_row *row) { return row->of; }

static int compare_pair_mode(const rt_result_row *row)
{
    return compare_pair_at(row)->mode[row->number];
}

static int compare_pair_number(const rt_result_row *row)
{
    return compare_pair_at(row)->number[row->number];
}

static const void *compare_pair_eigenvalue(const rt_result_row *row)
{
    return compare_pair_at(row)->eigenvalue[row->number];
}

static const rt_result_field paired_fields[] = {
    {.key = "mode", .type = RT_RESULT_COUNT, .count = compare_pair_mode,
     .meaning = "place in the `modes` of `routh modes --json`"},
    {.key = "number", .type = RT_RESULT_COUNT, .count = compare_pair_number,
     .meaning = "as tables count, a pair once"},
    {.key = "eigenvalue", .type = RT_RESULT_COMPLEX, .part = compare_pair_eigenvalue, .unit = "1/s",
     .meaning = "`[re, im]`, 1/s and rad/s"},
};
static const rt_result_table paired_table = {"paired_mode", "Mode of a pair", "",
                                             RT_FIELDS(paired_fields)};

static void compare_pair_write_side(rt_json *json, const char *key, const rt_result_row *row,
                                    int side)
{
    rt_json_flat_object(json, key);
    rt_result_json(json, &paired_table, &(rt_result_row){.of = row->of, .number = side});
    rt_json_end(json);
}

static void compare_pair_write_first(rt_json *json, const char *key, const rt_result_row *row)
{
    compare_pair_write_side(json, key, row, 0);
}

static void compare_pair_write_second(rt_json *json, const char *key, const rt_result_row *row)
{
    compare_pair_write_side(json, key, row, 1);
}

static const void *compare_pair_shift(const rt_result_row *row)
{
    return &compare_pair_at(row)->shift;
}

static void compare_pair_write_parts(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_comparison *c = row->parent;
    write_parts(json, key, row, &rt_compare_part_table,
                c->parts + (size_t)row->index * (size_t)c->n_terms, c->terms, c->n_terms);
}

static void compare_pair_write_by_parameter(rt_json *json, const char *key,
                                            const rt_result_row *row)
{
    const routh_comparison *c = row->parent;
    write_parts(json, key, row, &parameter_part_table,
                c->by_parameter + (size_t)row->index * (size_t)c->n_parameters, c->parameters,
                c->n_parameters);
}

static bool compare_pair_has_parameters(const rt_result_row *row)
{
    return ((const routh_comparison *)row->parent)->n_parameters > 0;
}

static const rt_result_field pair_fields[] = {
    {.key = "first", .type = RT_RESULT_OBJECT, .items = &paired_table,
     .write = compare_pair_write_first, .meaning = "the mode of the first"},
    {.key = "second", .type = RT_RESULT_OBJECT, .items = &paired_table,
     .write = compare_pair_write_second, .meaning = "the same mode of the second"},
    {.key = "overlap", .type = RT_RESULT_REAL, RT_AT(routh_mode_pair, overlap),
     .meaning = "of left and right vectors, 1 for the same mode"},
    {.key = "change", .type = RT_RESULT_OBJECT, .items = &shift_table, .part = compare_pair_shift,
     .meaning = "second less first"},
    {.key = "closure", .type = RT_RESULT_REAL, RT_AT(routh_mode_pair, closure),
     .meaning = "what the parts' sum is off the change, over the first eigenvalue and all parts, "
                "absolute values added"},
    {.key = "parts", .type = RT_RESULT_LIST, .items = &rt_compare_part_table,
     .write = compare_pair_write_parts, .meaning = "of the change by elements, largest first"},
    {.key = "parameters_left", .type = RT_RESULT_REAL, RT_AT(routh_mode_pair, parameters_left),
     .nullable = true, .there = compare_pair_has_parameters,
     .meaning = "as `closure`, of the parts by parameters; `null` where the mode could not be "
                "followed"},
    {.key = "by_parameter", .type = RT_RESULT_LIST, .items = &parameter_part_table,
     .write = compare_pair_write_by_parameter, .there = compare_pair_has_parameters,
     .meaning = "with `--versus`, where there are derivatives: parts of the change by parameters"},
};
static const rt_result_table pair_table = {"pair", "Pair of modes", "", RT_FIELDS(pair_fields)};

static const rt_result_field pairs_fields[] = {
    {.key = "pairs", .type = RT_RESULT_LIST, .items = &pair_table, RT_AT(routh_comparison, pairs),
     .n_at = RT_PLACE(routh_comparison, n_pairs), .size = sizeof(routh_mode_pair), .open = true,
     .meaning = "in the order of the first one's modes"},
};
static const rt_result_table pairs_table = {"pairs", "", "", RT_FIELDS(pairs_fields)};

/* ---- the two --------------------------------------------------------------------------------- */

static void write_alone(rt_json *json, const char *key, const routh_comparison *c, int side,
                        bool flat)
{
    (flat ? rt_json_flat_array : rt_json_array)(json, key);
    for (int k = 0; k < c->n_alone[side]; k++) rt_json_int(json, NULL, c->alone[side][k]);
    rt_json_end(json);
}

static void side_write_parameters(rt_json *json, const char *key, const rt_result_row *row)
{
    const routh_comparison *c = row->of;
    rt_json_flat_object(json, key);
    for (int p = 0; p < c->n_parameters; p++)
        rt_json_real(json, c->parameters[p], c->values[row->number][p]);
    rt_json_end(json);
}

static void side_write_alone(rt_json *json, const char *key, const rt_result_row *row)
{
    write_alone(json, key, row->of, row->number, false);
}

static const void *side_linear(const rt_result_row *row) { return row->results->linear; }

static const rt_result_field side_fields[] = {
    {.type = RT_RESULT_PART, .items = &rt_origin_table},
    {.type = RT_RESULT_PART, .items = &rt_method_table, .part = side_linear},
    {.key = "warnings", .type = RT_RESULT_VALUES, .each = RT_RESULT_TEXT,
     .write = rt_result_write_warnings, .meaning = "sentences"},
    {.key = "parameters", .type = RT_RESULT_MAP, .write = side_write_parameters,
     .meaning = "values of those that were followed from the first to the second"},
    {.key = "alone", .type = RT_RESULT_VALUES, .each = RT_RESULT_COUNT, .write = side_write_alone,
     .meaning = "numbers of modes without a partner, as tables count"},
};
static const rt_result_table side_table = {"side", "One of the two", "", RT_FIELDS(side_fields)};

static void write_side(rt_json *json, const char *key, const rt_result_row *row, int side)
{
    const rt_compare_work *work = row->work;
    rt_json_object(json, key);
    rt_result_json(json, &side_table,
                   &(rt_result_row){.results = work->sides[side], .of = row->of, .number = side});
    rt_json_end(json);
}

static void write_first(rt_json *json, const char *key, const rt_result_row *row)
{
    write_side(json, key, row, 0);
}

static void write_second(rt_json *json, const char *key, const rt_result_row *row)
{
    write_side(json, key, row, 1);
}

static const rt_result_field document_fields[] = {
    {.key = "first", .type = RT_RESULT_OBJECT, .items = &side_table, .write = write_first,
     .meaning = "the first model"},
    {.key = "second", .type = RT_RESULT_OBJECT, .items = &side_table, .write = write_second,
     .meaning = "the second model"},
    {.key = "nodes", .type = RT_RESULT_COUNT, RT_AT(routh_comparison, n_nodes),
     .meaning = "places between the two where derivatives were taken; 0: none"},
    {.type = RT_RESULT_PART, .items = &pairs_table},
};
const rt_result_table rt_compare_document = {
    "compare", "routh compare --json",
    "The [guide](../guide/compare.md) says what the figures mean.",
    RT_FIELDS(document_fields)};

void rt_json_report_comparison(rt_json *json, const routh_results *results, int *order)
{
    const routh_comparison *c = results->comparison;
    rt_compare_work work = {.order = order, .most = RT_COMPARE_SHOWN};
    rt_json_string(json, "title", rt_results_title(results->second));
    rt_json_string(json, "file", rt_results_file(results->second));
    rt_json_array(json, "parameters");
    for (int p = 0; p < c->n_parameters; p++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", c->parameters[p]);
        rt_json_real(json, "first", c->values[0][p]);
        rt_json_real(json, "second", c->values[1][p]);
        rt_json_end(json);
    }
    rt_json_end(json);
    rt_json_array(json, "alone");
    for (int side = 0; side < 2; side++) write_alone(json, NULL, c, side, true);
    rt_json_end(json);
    rt_result_json(json, &pairs_table, &(rt_result_row){.of = c, .work = &work});
}

routh_status routh_comparison_json(const routh_comparison *c, const routh_results *a,
                                   const routh_results *b, routh_text *text, routh_error *error)
{
    int *order;
    routh_status status = rt_comparison_check(c, a, b, &order, text, error);
    if (status) return status;
    rt_compare_work work = {{a, b}, order, c->n_terms + c->n_parameters, NULL};
    status = rt_result_document_json(&rt_compare_document,
                                     &(rt_result_row){.of = c, .work = &work}, text, error);
    free(order);
    return status;
}
