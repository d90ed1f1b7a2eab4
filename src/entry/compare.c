#include "base/identity.h"
#include "entry/belongs.h"
#include "entry/inner.h"

enum { ENTRY_MOST_NODES = 16 };

/* The caller's function; what it fills is looked at as an argument is. */
static routh_status compare_at(void *context, double t, routh_compared *there, routh_error *error)
{
    const routh_compare_path *path = context;
    const routh_status status = path->at(path->context, t, there, error);
    if (status) return status;
    RT_CALL(error);
    RT_COMPARED(there);
    return call.status;
}

routh_status routh_comparison_compute(routh_comparison **comparison, const routh_compared *a,
                                      const routh_compared *b, routh_error *error)
{
    RT_CALL(error);
    RT_MADE(comparison);
    RT_COMPARED(a);
    RT_COMPARED(b);
    const routh_status status = RT_RUN(ri_comparison_compute(comparison, a, b, error));
    if (status) return status;
    (*comparison)->of[0] = rt_identity_of_linear(a->linear);
    (*comparison)->of[1] = rt_identity_of_linear(b->linear);
    return ROUTH_OK;
}

routh_status routh_comparison_by_parameters(routh_comparison *comparison, const routh_compared *a,
                                            const routh_compared *b, const routh_compare_path *path,
                                            const char *const *parameters, int n_nodes,
                                            routh_error *error)
{
    RT_CALL(error);
    RT_GIVEN(comparison);
    RT_COMPARED(a);
    RT_COMPARED(b);
    RT_GIVEN(path);
    RT_GIVEN(parameters);
    RT_CHECK(rt_call_result(&call, comparison->of[0], a->linear, "comparison"));
    RT_CHECK(rt_call_result(&call, comparison->of[1], b->linear, "comparison"));
    RT_CHECK(rt_call_given(&call, path->at ? path : NULL, "path->at"));
    RT_LEAST(n_nodes, 1);
    if (n_nodes > ENTRY_MOST_NODES)
        rt_call_refuse(&call, "n_nodes", "is %d, of at most %d", n_nodes, ENTRY_MOST_NODES);
    const routh_compare_path checked = {.context = (void *)path, .at = compare_at};
    return RT_RUN(
        ri_comparison_by_parameters(comparison, a, b, &checked, parameters, n_nodes, error));
}
