#include "entry/belongs.h"
#include "entry/given.h"
#include "entry/inner.h"

/* ---- of results ------------------------------------------------------------------------------ */

#define WRITES_RESULTS(function, inside)                                                           \
    routh_status function(const routh_results *results, routh_text *text, routh_error *error)      \
    {                                                                                              \
        RT_CALL(error);                                                                            \
        RT_RESULTS(results);                                                                       \
        RT_TEXT(text);                                                                             \
        return RT_RUN(inside(results, text, error));                                               \
    }

WRITES_RESULTS(routh_results_warnings, ri_results_warnings)
WRITES_RESULTS(routh_modes_table, ri_modes_table)
WRITES_RESULTS(routh_modes_json, ri_modes_json)
WRITES_RESULTS(routh_modes_csv, ri_modes_csv)
WRITES_RESULTS(routh_linear_table, ri_linear_table)
WRITES_RESULTS(routh_linear_json, ri_linear_json)
WRITES_RESULTS(routh_linear_csv, ri_linear_csv)
WRITES_RESULTS(routh_operating_point_table, ri_operating_point_table)
WRITES_RESULTS(routh_operating_point_json, ri_operating_point_json)
WRITES_RESULTS(routh_operating_point_csv, ri_operating_point_csv)
WRITES_RESULTS(routh_check_table, ri_check_table)
WRITES_RESULTS(routh_check_json, ri_check_json)
WRITES_RESULTS(routh_verification_table, ri_verification_table)
WRITES_RESULTS(routh_verification_json, ri_verification_json)
WRITES_RESULTS(routh_verification_csv, ri_verification_csv)
WRITES_RESULTS(routh_response_table, ri_response_table)
WRITES_RESULTS(routh_response_json, ri_response_json)
WRITES_RESULTS(routh_response_csv, ri_response_csv)
WRITES_RESULTS(routh_response_svg, ri_response_svg)
WRITES_RESULTS(routh_floquet_table, ri_floquet_table)
WRITES_RESULTS(routh_floquet_json, ri_floquet_json)
WRITES_RESULTS(routh_floquet_csv, ri_floquet_csv)
WRITES_RESULTS(routh_sensitivity_table, ri_sensitivity_table)
WRITES_RESULTS(routh_sensitivity_json, ri_sensitivity_json)
WRITES_RESULTS(routh_sensitivity_csv, ri_sensitivity_csv)
WRITES_RESULTS(routh_response_sensitivity_table, ri_response_sensitivity_table)
WRITES_RESULTS(routh_response_sensitivity_json, ri_response_sensitivity_json)
WRITES_RESULTS(routh_response_sensitivity_csv, ri_response_sensitivity_csv)
WRITES_RESULTS(routh_report_html, ri_report_html)

/* ---- of one object --------------------------------------------------------------------------- */

#define WRITES(function, inside, type)                                                             \
    routh_status function(const type *object, routh_text *text, routh_error *error)                \
    {                                                                                              \
        RT_CALL(error);                                                                            \
        RT_CHECK(rt_call_given(&call, object, &#type[sizeof "routh"]));                            \
        RT_TEXT(text);                                                                             \
        return RT_RUN(inside(object, text, error));                                                \
    }

WRITES(routh_sweep_json, ri_sweep_json, routh_sweep)
WRITES(routh_sweep_csv, ri_sweep_csv, routh_sweep)
WRITES(routh_sweep_svg, ri_sweep_svg, routh_sweep)
WRITES(routh_optimum_json, ri_optimum_json, routh_optimum)
WRITES(routh_benchmark_table, ri_benchmark_table, routh_benchmark)
WRITES(routh_benchmark_json, ri_benchmark_json, routh_benchmark)
WRITES(routh_benchmark_csv, ri_benchmark_csv, routh_benchmark)
WRITES(routh_benchmark_list, ri_benchmark_list, routh_benchmark)
WRITES(routh_sparsity_svg, ri_sparsity_svg, routh_sparsity)

/* ---- of others ------------------------------------------------------------------------------- */

routh_status routh_units_read(routh_units **units, const char *list, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(units);
    RT_GIVEN(list);
    return RT_RUN(ri_units_read(units, list, error));
}

routh_status routh_sweep_table(const routh_sweep *sweep, const routh_units *units,
                               routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(sweep);
    RT_TEXT(text);
    return RT_RUN(ri_sweep_table(sweep, units, text, error));
}

routh_status routh_optimum_table(const routh_optimum *optimum, const routh_units *units,
                                 routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(optimum);
    RT_TEXT(text);
    return RT_RUN(ri_optimum_table(optimum, units, text, error));
}

routh_status routh_comparison_table(const routh_comparison *comparison, const routh_results *a,
                                    const routh_results *b, routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(comparison);
    RT_RESULTS(a);
    RT_RESULTS(b);
    RT_CHECK(rt_call_result(&call, comparison->of[0], a->linear, "a"));
    RT_CHECK(rt_call_result(&call, comparison->of[1], b->linear, "b"));
    RT_TEXT(text);
    return RT_RUN(ri_comparison_table(comparison, a, b, text, error));
}

routh_status routh_comparison_json(const routh_comparison *comparison, const routh_results *a,
                                   const routh_results *b, routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(comparison);
    RT_RESULTS(a);
    RT_RESULTS(b);
    RT_CHECK(rt_call_result(&call, comparison->of[0], a->linear, "a"));
    RT_CHECK(rt_call_result(&call, comparison->of[1], b->linear, "b"));
    RT_TEXT(text);
    return RT_RUN(ri_comparison_json(comparison, a, b, text, error));
}

routh_status routh_matrix_modes_table(const routh_matrix_modes *modes, const char *const names[3],
                                      const routh_units *units, routh_text *text,
                                      routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(modes);
    RT_GIVEN(names);
    RT_TEXT(text);
    return RT_RUN(ri_matrix_modes_table(modes, names, units, text, error));
}

routh_status routh_matrix_modes_json(const routh_matrix_modes *modes, const char *const names[3],
                                     routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(modes);
    RT_GIVEN(names);
    RT_TEXT(text);
    return RT_RUN(ri_matrix_modes_json(modes, names, text, error));
}

routh_status routh_matrix_modes_csv(const routh_matrix_modes *modes, const char *const names[3],
                                    routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(modes);
    RT_GIVEN(names);
    RT_TEXT(text);
    return RT_RUN(ri_matrix_modes_csv(modes, names, text, error));
}

routh_status routh_operating_points_table(const routh_text *texts, const char *const *labels, int n,
                                          routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    RT_LEAST(n, 1);
    RT_CHECK(rt_call_texts(&call, texts, n));
    RT_WORDS(labels, n);
    return RT_RUN(ri_operating_points_table(texts, labels, n, text, error));
}

routh_status routh_operating_points_json(const routh_text *texts, int n, routh_text *text,
                                         routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    RT_LEAST(n, 1);
    RT_CHECK(rt_call_texts(&call, texts, n));
    return RT_RUN(ri_operating_points_json(texts, n, text, error));
}

routh_status routh_operating_points_csv(const routh_text *texts, const char *const *labels, int n,
                                        routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    RT_LEAST(n, 1);
    RT_CHECK(rt_call_texts(&call, texts, n));
    RT_WORDS(labels, n);
    return RT_RUN(ri_operating_points_csv(texts, labels, n, text, error));
}

routh_status routh_linear_models_table(const routh_text *texts, const char *const *labels, int n,
                                       routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    RT_CHECK(rt_call_texts(&call, texts, n));
    RT_WORDS(labels, n);
    return RT_RUN(ri_linear_models_table(texts, labels, n, text, error));
}

routh_status routh_linear_models_json(const routh_text *texts, int n, routh_text *text,
                                      routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    RT_CHECK(rt_call_texts(&call, texts, n));
    return RT_RUN(ri_linear_models_json(texts, n, text, error));
}

routh_status routh_linear_models_csv(const routh_text *texts, const char *const *labels, int n,
                                     routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    RT_CHECK(rt_call_texts(&call, texts, n));
    RT_WORDS(labels, n);
    return RT_RUN(ri_linear_models_csv(texts, labels, n, text, error));
}

routh_status routh_boundary_table(const routh_boundary *boundary,
                                  const routh_boundary_options *options, routh_text *text,
                                  routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(boundary);
    RT_GIVEN(options);
    RT_CHECK(rt_call_given(&call, options->parameter, "options->parameter"));
    RT_CHECK(rt_call_choice(&call, (long long)options->crossing, ROUTH_CROSSING_ANY + 1,
                            "options->crossing"));
    RT_TEXT(text);
    return RT_RUN(ri_boundary_table(boundary, options, text, error));
}

routh_status routh_boundary_json(const routh_boundary *boundary,
                                 const routh_boundary_options *options, routh_text *text,
                                 routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(boundary);
    RT_GIVEN(options);
    RT_CHECK(rt_call_given(&call, options->parameter, "options->parameter"));
    RT_CHECK(rt_call_choice(&call, (long long)options->crossing, ROUTH_CROSSING_ANY + 1,
                            "options->crossing"));
    RT_TEXT(text);
    return RT_RUN(ri_boundary_json(boundary, options, text, error));
}

routh_status routh_results_schema(const char *name, routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(name);
    RT_TEXT(text);
    return RT_RUN(ri_results_schema(name, text, error));
}

routh_status routh_results_reference(routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_TEXT(text);
    return RT_RUN(ri_results_reference(text, error));
}

routh_status routh_modes_values(const routh_modes *modes, const char *name, double *values,
                                routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(modes);
    RT_GIVEN(name);
    RT_GIVEN(values);
    return RT_RUN(ri_modes_values(modes, name, values, error));
}

routh_status routh_text_save(const routh_text *text, const char *path, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(text);
    RT_GIVEN(path);
    return RT_RUN(ri_text_save(text, path, error));
}
