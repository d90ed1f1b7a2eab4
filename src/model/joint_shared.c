/* What `read` and `settle` of several classes of joints do. */
#include "model/joint_class.h"
#include "model/scope.h"

routh_status rt_joint_add_function(rt_reader *r, rt_joint *joint, const char *label,
                                   rt_expr function)
{
    const int k = joint->n_functions++;
    joint->functions[k] = (rt_function){function, joint->place};
    joint->labels[k] = label;
    return function < 0 ? rt_fail_memory(r->error) : ROUTH_OK;
}

/* What the coordinate is in SI, in the model's units. */
static double unit_of_coordinate(const rt_reader *r, rt_coordinate which)
{
    return rt_model_unit(r, which >= RT_COORDINATE_RX ? "rad" : "m");
}

/* sum of r_k q_k/c_k = o, q_k in SI and c_k what the model's unit of it is, times c_1. */
static void couple_into_si(rt_reader *r, rt_joint *joint)
{
    rt_calculator *c = &r->calculator;
    rt_number *offset = &joint->number[RT_NUMBER_1 - 1];
    const double first = unit_of_coordinate(r, joint->coordinate[0]);
    for (int k = 0; k < joint->n_coupled; k++) {
        const double by = first / unit_of_coordinate(r, joint->coordinate[k]);
        if (by != 1) joint->ratio[k] = rt_times(c, rt_plain(by), joint->ratio[k]);
    }
    if (first != 1) *offset = rt_times(c, rt_plain(first), *offset);
}

routh_status rt_settle_coupled(rt_reader *r, const rt_pending_joint *p, rt_joint *joint)
{
    const rt_yaml *ratios = rt_yaml_find(p->node, "ratios");
    if (ratios->count != p->n_names)
        return rt_reader_fail(r, ratios->place,
                              "there are %d joints and %d ratios; give one for each", p->n_names,
                              ratios->count);
    int k = 0;
    for (const rt_yaml *entry = ratios->first; entry; entry = entry->next, k++)
        if (joint->ratio[k].value == 0)
            return rt_reader_fail(r, entry->place, "a ratio is zero; leave that joint out instead");
    for (k = 0; k < p->n_names; k++)
        for (int m = 0; m < k; m++)
            if (joint->coupled[k] == joint->coupled[m])
                return rt_reader_fail(r, p->names[k].place, "the joint '%.60s' is named twice",
                                      p->names[k].text);
    for (k = 0; k < p->n_names; k++) {
        int sign;
        const routh_status status =
            rt_coordinate_sign(r, p->names[k].place, &r->model->joints[joint->coupled[k]],
                               joint->coordinate[k], &sign);
        if (status) return status;
        joint->ratio[k] = rt_signed(r, sign, joint->ratio[k]);
    }
    couple_into_si(r, joint);
    return ROUTH_OK;
}
