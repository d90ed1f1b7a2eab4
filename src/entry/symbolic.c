#include "entry/inner.h"
#include "entry/options.h"

routh_status routh_symbolic_compute(routh_symbolic **symbolic, const routh_model *model,
                                    const routh_symbolic_options *options, routh_error *error)
{
    RT_CALL(error);
    routh_symbolic_options room;
    RT_MADE(symbolic);
    RT_GIVEN(model);
    options = call.status ? NULL : rt_call_symbolic_options(&call, &room, options);
    return RT_RUN(ri_symbolic_compute(symbolic, model, options, error));
}

int routh_symbolic_size(const routh_symbolic *symbolic)
{
    return symbolic ? ri_symbolic_size(symbolic) : 0;
}

const char *routh_symbolic_coordinate(const routh_symbolic *symbolic, int k)
{
    const bool there = symbolic && k >= 0 && k < ri_symbolic_size(symbolic);
    return there ? ri_symbolic_coordinate(symbolic, k) : NULL;
}

routh_status routh_symbolic_evaluate(const routh_symbolic *symbolic, const char *const *names,
                                     const double *values, int n, double *M, double *C, double *K,
                                     routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(symbolic);
    RT_WORDS(names, n);
    RT_LIST(values, n);
    RT_ALL_FINITE(values, n);
    RT_GIVEN(M);
    RT_GIVEN(C);
    RT_GIVEN(K);
    return RT_RUN(ri_symbolic_evaluate(symbolic, names, values, n, M, C, K, error));
}

routh_status routh_symbolic_write(const routh_symbolic *symbolic, routh_notation notation,
                                  routh_text *text, routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(symbolic);
    RT_TEXT(text);
    RT_CHOICE(notation, ROUTH_NOTATION_MODELICA + 1);
    return RT_RUN(ri_symbolic_write(symbolic, notation, text, error));
}

routh_status routh_symbolic_write_state_space(const routh_symbolic *symbolic,
                                              routh_notation notation, routh_text *text,
                                              routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(symbolic);
    RT_TEXT(text);
    RT_CHOICE(notation, ROUTH_NOTATION_MODELICA + 1);
    return RT_RUN(ri_symbolic_write_state_space(symbolic, notation, text, error));
}

routh_status routh_stability_chart_find(routh_stability_chart **chart,
                                        const routh_symbolic *symbolic,
                                        const routh_chart_axis axes[2], int n, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(chart);
    RT_GIVEN(symbolic);
    RT_GIVEN(axes);
    for (int k = 0; k < 2 && !call.status; k++) {
        RT_CHECK(rt_call_given(&call, axes[k].name, "axes->name"));
        RT_CHECK(rt_call_finite(&call, axes[k].from, "axes->from"));
        RT_CHECK(rt_call_finite(&call, axes[k].to, "axes->to"));
    }
    RT_LEAST(n, 1);
    return RT_RUN(ri_stability_chart_find(chart, symbolic, axes, n, error));
}

routh_status routh_stability_chart_svg(const routh_stability_chart *chart, routh_text *text,
                                       routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(chart);
    RT_TEXT(text);
    return RT_RUN(ri_stability_chart_svg(chart, text, error));
}

routh_status routh_certificate_compute(routh_certificate **certificate, const routh_model *model,
                                       const char *const *unknowns, int digits, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(certificate);
    RT_GIVEN(model);
    RT_LEAST(digits, 1);
    return RT_RUN(ri_certificate_compute(certificate, model, unknowns, digits, error));
}

routh_status routh_certificate_table(const routh_certificate *certificate, routh_text *text,
                                     routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(certificate);
    RT_TEXT(text);
    return RT_RUN(ri_certificate_table(certificate, text, error));
}

routh_status routh_certificate_json(const routh_certificate *certificate, routh_text *text,
                                    routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(certificate);
    RT_TEXT(text);
    return RT_RUN(ri_certificate_json(certificate, text, error));
}
