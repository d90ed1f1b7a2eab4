#include "support/nonholonomic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool of_velocity(rt_vector_kind kind)
{
    return kind != RT_VECTOR_AXIS && kind != RT_VECTOR_DISPLACEMENT;
}

static bool uses_velocities(const routh_model *model, rt_expr e)
{
    int slots[64];
    const int n = rt_inputs_of(model->graph, e, slots, 64);
    assert_true(n <= 64);
    for (int k = 0; k < n; k++) {
        const rt_quantity *q = &model->quantities[slots[k]];
        if (q->kind == RT_QUANTITY_DOT && (of_velocity(q->a.kind) || of_velocity(q->b.kind)))
            return true;
    }
    return false;
}

static void take_functions(const routh_model *model, const rt_load *load, rt_joint *joint)
{
    static const char *const labels[] = {"first row", "second row", "third row"};
    joint->type = RT_JOINT_NONHOLONOMIC;
    for (int k = 0; k < 3; k++) {
        if (rt_inputs_of(model->graph, load->function[k].expr, NULL, 0) == 0) continue;
        const int to = joint->n_functions++;
        joint->functions[to] = load->function[k];
        joint->labels[to] = labels[to];
        if (!uses_velocities(model, load->function[k].expr)) {
            assert_int_equal(joint->n_position_functions, to);
            joint->n_position_functions++;
        }
    }
}

void nonholonomic_from_loads(routh_model *model)
{
    for (int k = 0; k < model->n_joints; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s_rows", model->joints[k].name);
        const int load = rt_model_find_load(model, name);
        if (load < 0) continue;
        take_functions(model, &model->loads[load], &model->joints[k]);
    }
    while (model->n_loads > 0 && strstr(model->loads[model->n_loads - 1].name, "_rows"))
        model->n_loads--;
}
