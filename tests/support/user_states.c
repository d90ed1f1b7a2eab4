#include "support/user_states.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void user_states_from_loads(routh_model *model, int n)
{
    assert_true(n <= model->n_loads);
    model->user_states = RT_TAKE(&model->arena, rt_user_state, n);
    assert_non_null(model->user_states);
    model->n_loads -= n;
    for (int j = 0; j < n; j++) {
        const rt_load *load = &model->loads[model->n_loads + j];
        model->user_states[j] = (rt_user_state){
            .name = load->name, .unit = "", .place = load->place, .value = load->function[2]};
    }
    model->n_user_states = n;
}
