/* What is for mechanisms alone says what in the model is more than that. */
#include <stdio.h>

#include "methods/method.h"

/* The first of what takes part in the motion: a row of velocities, a state of a controller, a
 * variable; and of inputs and outputs. False: there is none. */
static bool find_more(const routh_mechanism *m, bool inputs_and_outputs, char element[192],
                      rt_place *place)
{
    const routh_model *model = m->model;
    const char *label;
    for (int r = 0; m->n_nonholonomic && r < m->n_rows; r++)
        if (m->nonholonomic[r]) {
            rt_row_describe(m, r, element, place, &label);
            return true;
        }
    if (model->n_control_states) {
        snprintf(element, 192, "%s", model->control_states[0].element);
        *place = model->control_states[0].place;
    } else if (model->n_variables) {
        snprintf(element, 192, "%s", model->variables[0].element);
        *place = model->variables[0].place;
    } else if (inputs_and_outputs && model->n_inputs) {
        snprintf(element, 192, "input %s", model->inputs[0].name);
        *place = model->inputs[0].place;
    } else if (inputs_and_outputs && model->n_outputs) {
        snprintf(element, 192, "output %s", model->outputs[0].name);
        *place = model->outputs[0].place;
    } else {
        return false;
    }
    return true;
}

routh_status rt_check_alone(const routh_mechanism *m, bool inputs_and_outputs, const char *what,
                            const char *instead, routh_error *error)
{
    char element[192];
    rt_place place;
    if (!find_more(m, inputs_and_outputs, element, &place)) return ROUTH_OK;
    return rt_fail_at(error, ROUTH_NOT_SUPPORTED, m->model->file, place, element,
                      "%s for mechanisms without controllers, variables%s and joints that hold "
                      "velocities only, and would leave this out: %s",
                      what, inputs_and_outputs ? ", inputs, outputs" : "", instead);
}
