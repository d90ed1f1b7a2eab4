/* What depends on time itself: an operating point and its linear model are those of an instant
 * there, and what is found at other times may be another. Motions of joints are looked at where
 * accelerations and the steady motion are. */
#include <stdio.h>

#include "operating/operating.h"
#include "system/sensor.h"

enum { NAMED = 4 };

typedef struct timed_list {
    char *text;
    size_t room;
    int n;
} timed_list;

static void timed_add(timed_list *list, const char *kind, const char *name)
{
    const size_t used = strlen(list->text);
    if (list->n < NAMED)
        snprintf(list->text + used, list->room - used, "%s%s%s", list->n ? ", " : "", kind, name);
    list->n++;
}

static bool timed_load(const rt_load_block *load)
{
    bool reads = false;
    for (int p = 0; p < load->n_programs; p++)
        reads = reads || rt_program_reads_time(&load->program[p]);
    return reads;
}

static void add_loads(const routh_mechanism *m, timed_list *list)
{
    const routh_mechanism *of = m->joined ? m->inner : m;
    for (int k = 0; k < of->n_loads; k++)
        if (timed_load(&of->loads[k]))
            timed_add(list, "load ", m->model->loads[of->loads[k].load].name);
}

/* An element with several states is named once. */
static void add_sensors(const routh_mechanism *m, rt_sensor_kind kind, timed_list *list)
{
    char element[192], before[192] = "";
    rt_place place;
    for (int k = 0; k < rt_sensor_count(m, kind); k++) {
        if (!rt_sensor_reads_time(m, kind, k)) continue;
        rt_sensor_describe(m, kind, k, element, &place);
        if (strcmp(element, before) != 0) timed_add(list, "", element);
        memcpy(before, element, sizeof before);
    }
}

/* Inputs that their histories are moving at this time. As they are held where a point is searched
 * for, they are looked at in a state of their own. */
static routh_status timed_add_inputs(const routh_mechanism *m, double t, timed_list *list,
                                     routh_error *error)
{
    const int n_inputs = m->model->n_inputs, first = m->n_signals - n_inputs;
    rt_state *state = NULL;
    if (!m->histories.n) return ROUTH_OK;
    routh_status status = rt_state_create(&state, m, error);
    if (!status) {
        state->t = t;
        status = rt_input_histories_set(m, state, error);
    }
    for (int k = 0; k < n_inputs && !status; k++) {
        const double *rate = state->signal + m->n_signals + first + k;
        if (rate[0] != 0 || rate[m->n_signals] != 0)
            timed_add(list, "the history of input ", m->model->inputs[k].name);
    }
    rt_state_free(state);
    return status;
}

bool rt_reads_time(const routh_mechanism *m)
{
    const routh_mechanism *of = m->joined ? m->inner : m;
    static const rt_sensor_kind kinds[] = {RT_SENSOR_STATE, RT_SENSOR_VARIABLE};
    bool reads = false;
    for (int k = 0; k < of->n_loads; k++) reads = reads || timed_load(&of->loads[k]);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int k = 0; k < rt_sensor_count(m, kinds[i]); k++)
            reads = reads || rt_sensor_reads_time(m, kinds[i], k);
    return reads;
}

routh_status rt_timed_words(const rt_search *s, char *text, size_t room, routh_error *error)
{
    timed_list list = {text, room - 192, 0};
    text[0] = 0;
    add_loads(s->m, &list);
    add_sensors(s->m, RT_SENSOR_STATE, &list);
    add_sensors(s->m, RT_SENSOR_VARIABLE, &list);
    const routh_status status = timed_add_inputs(s->m, s->state->t, &list, error);
    if (status || list.n == 0) return status;
    const size_t used = strlen(text);
    char more[32] = "";
    if (list.n > NAMED) snprintf(more, sizeof more, " and %d more", list.n - NAMED);
    snprintf(text + used, room - used,
             "%s depend%s on time: the operating point and its eigenvalues are those of t = %.6g s "
             "alone, and may say nothing of stability; over a period, see `routh floquet`",
             more, list.n == 1 ? "s" : "", s->state->t);
    return ROUTH_OK;
}
