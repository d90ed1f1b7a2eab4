/* What the builders of measures are made with (measure_class.h). */
#include "model/measures/class.h"

#define MARKER(member) RT_TAKES_MARKER, offsetof(rt_measure_call, member)

static const rt_measure_argument arguments[RT_MEASURE_ARGUMENT_KINDS] = {
    [RT_ARGUMENT_I] = {"i", MARKER(i), "the marker that is measured"},
    [RT_ARGUMENT_J] = {"j", MARKER(j), "the marker it is measured from; left out: the ground"},
    [RT_ARGUMENT_K] = {"k", MARKER(k),
                       "the marker along whose axes it is counted; left out: the ground"},
    [RT_ARGUMENT_L] = {"l", MARKER(l),
                       "the marker that the motion is seen from; left out: the ground"},
    [RT_ARGUMENT_ELEMENT] = {"element", RT_TAKES_ELEMENT, 0, "a joint or load"},
    [RT_ARGUMENT_STATE] = {"state", RT_TAKES_STATE, 0, "a state of a controller"},
};

const rt_measure_argument *rt_measure_argument_at(rt_measure_argument_kind k)
{
    return &arguments[k];
}

rt_vector rt_measure_between(rt_vector_kind kind, int i, int j)
{
    return (rt_vector){.kind = kind, .i = i, .j = j, .l = RT_GROUND};
}

rt_vector rt_measure_axis(int marker, int component)
{
    rt_vector v = {.kind = RT_VECTOR_AXIS, .i = marker, .j = RT_GROUND, .l = RT_GROUND};
    v.local[component] = 1;
    return v;
}

static rt_vector measure_transport(const rt_measure_call *call)
{
    return (rt_vector){.kind = RT_VECTOR_TRANSPORT, .i = call->i, .j = call->j, .l = call->l};
}

/* v . v - 2 v . t + t . t, rooted; t is the transport when seen from l. */
rt_expr rt_measure_magnitude(rt_reader *r, const rt_measure_class *class,
                             const rt_measure_call *call)
{
    rt_graph *g = r->model->graph;
    const rt_vector v = rt_measure_between(class->vector, call->i, call->j);
    rt_expr sum = rt_measure_dot(r, &v, &v);
    if (call->l != RT_GROUND) {
        const rt_vector t = measure_transport(call);
        sum = rt_subtract(g, sum, rt_multiply(g, rt_constant(g, 2), rt_measure_dot(r, &v, &t)));
        sum = rt_add(g, sum, rt_measure_dot(r, &t, &t));
    }
    return rt_function_of(g, RT_SQRT, sum);
}

rt_expr rt_measure_component(rt_reader *r, const rt_measure_class *class,
                             const rt_measure_call *call)
{
    const rt_vector v = rt_measure_between(class->vector, call->i, call->j);
    const rt_vector axis = rt_measure_axis(call->k, class->component);
    const rt_expr whole = rt_measure_dot(r, &axis, &v);
    if (call->l == RT_GROUND) return whole;
    const rt_vector t = measure_transport(call);
    return rt_subtract(r->model->graph, whole, rt_measure_dot(r, &axis, &t));
}

static rt_expr element_along(rt_reader *r, bool torque, int component, int k,
                             const rt_measure_call *call)
{
    const rt_quantity quantity = {.kind = RT_QUANTITY_FORCE,
                                  .index = call->element,
                                  .of_load = call->of_load,
                                  .torque = torque,
                                  .a = rt_measure_axis(k, component)};
    const int slot = rt_quantity_slot(r, &quantity);
    return slot < 0 ? RT_NO_EXPR : rt_input(r->model->graph, slot);
}

rt_expr rt_measure_element_component(rt_reader *r, const rt_measure_class *class,
                                     const rt_measure_call *call)
{
    return element_along(r, class->torque, class->component, call->k, call);
}

rt_expr rt_measure_element_magnitude(rt_reader *r, const rt_measure_class *class,
                                     const rt_measure_call *call)
{
    rt_graph *g = r->model->graph;
    rt_expr sum = RT_NO_EXPR;
    for (int k = 0; k < 3; k++) {
        const rt_expr f = element_along(r, class->torque, k, RT_GROUND, call);
        const rt_expr square = rt_multiply(g, f, f);
        sum = k ? rt_add(g, sum, square) : square;
    }
    return rt_function_of(g, RT_SQRT, sum);
}
