#include "base/kept_memory.h"
#include "operating/point_signals.h"

#include <float.h>
#include <stdio.h>

#include "system/switches.h"

/* ---- values --------------------------------------------------------------------------------- */

static int point_signals_count(const routh_model *model)
{
    return model->n_control_states + model->n_variables + model->n_inputs + model->n_outputs;
}

/* What is rounding of the terms that a signal is made of is told as zero. */
static double point_signals_told(const rt_search *s, int place)
{
    const double value = s->state->signal[place];
    const double rounding = s->signals ? 4 * DBL_EPSILON * s->signals->magnitude[place] : 0;
    return fabs(value) <= rounding ? 0 : value;
}

static void fill_known(routh_operating_point *p, const rt_search *s, bool is_static)
{
    const routh_model *model = s->m->model;
    const int n_x = model->n_control_states, n_v = model->n_variables;
    const double *signal = s->state->signal;
    for (int k = 0; k < n_x; k++) {
        const rt_control_state *x = &model->control_states[k];
        p->signals[p->n_signals++] = (routh_signal){
            .kind = ROUTH_SIGNAL_STATE,
            .name = x->name,
            .unit = x->unit,
            .value = point_signals_told(s, k),
            .rate = rt_signals_rate_part(s, k) <= 4 * DBL_EPSILON ? 0 : signal[n_x + k],
            .placed = is_static || (s->signals && s->signals->placed[k])};
    }
    for (int k = 0; k < n_v; k++)
        p->signals[p->n_signals++] = (routh_signal){.kind = ROUTH_SIGNAL_VARIABLE,
                                                    .name = model->variables[k].name,
                                                    .unit = model->variables[k].unit,
                                                    .value = point_signals_told(s, 2 * n_x + k)};
    for (int k = 0; k < model->n_inputs; k++)
        p->signals[p->n_signals++] = (routh_signal){.kind = ROUTH_SIGNAL_INPUT,
                                                    .name = model->inputs[k].name,
                                                    .unit = model->inputs[k].unit,
                                                    .value = signal[2 * n_x + n_v + k]};
}

static routh_status point_signals_fill_outputs(routh_operating_point *p, rt_search *s,
                                               routh_error *error)
{
    const routh_model *model = s->m->model;
    for (int k = 0; k < model->n_outputs; k++) {
        rt_sensor_row row = {0};
        const routh_status status =
            rt_sensor_evaluate(s->m, s->w, s->state, RT_SENSOR_OUTPUT, k, false, &row, error);
        if (status) return status;
        p->signals[p->n_signals++] = (routh_signal){.kind = ROUTH_SIGNAL_OUTPUT,
                                                    .name = model->outputs[k].name,
                                                    .unit = model->outputs[k].unit,
                                                    .value = row.value};
    }
    return ROUTH_OK;
}

routh_status rt_fill_signals(routh_operating_point *p, rt_search *s, bool is_static,
                             routh_error *error)
{
    p->signals = rt_kept_calloc(s->m->analyses, (size_t)point_signals_count(s->m->model) + 1,
                                sizeof *p->signals);
    if (!p->signals) return rt_fail_memory(error);
    fill_known(p, s, is_static);
    return point_signals_fill_outputs(p, s, error);
}

/* ---- kinks ---------------------------------------------------------------------------------- */

/* Is the state on the kink, and do the sides differ there, to first order? A distance that is not
 * finite (1 - 1/x of min(1, 1/x)) is far from zero. */
static bool is_on_kink(const rt_search *s, int k, double *distance)
{
    static const double on_it = 1e-9;
    if (!rt_sensor_value(s->m, s->w, s->state, RT_SENSOR_KINK, k, distance)) return false;
    if (!(fabs(*distance) <= on_it * s->m->model->kinks[k].scale)) return false;
    return rt_switch_matters(s->m, s->w, s->state, k);
}

static routh_status tell_of_kink(routh_operating_point *p, const rt_search *s, int k, rt_say say,
                                 routh_error *error)
{
    const rt_kink *kink = &s->m->model->kinks[k];
    double distance;
    char text[512];
    if (!is_on_kink(s, k, &distance)) return ROUTH_OK;
    const int side = distance == 0 ? kink->tie : distance > 0;
    const bool one = side >= 0 && kink->sides[side];
    snprintf(text, sizeof text,
             "%s is exactly at %s, where it has no derivative: the linear model %s %s",
             kink->element, kink->what, one ? "is that of one side," : "has",
             one ? kink->sides[side] : kink->between);
    return say(p, text) ? ROUTH_OK : rt_fail_memory(error);
}

/* ---- states that were not placed ------------------------------------------------------------- */

static routh_status tell_of_lost(routh_operating_point *p, const rt_search *s, rt_say say,
                                 routh_error *error)
{
    for (int k = 0; k < s->m->model->n_control_states; k++) {
        char text[512];
        if (!s->signals || !s->signals->lost[k] || p->type != ROUTH_OPERATING_GIVEN) continue;
        snprintf(text, sizeof text,
                 "the state %s has no initial value, and the search for one at which its rate is "
                 "zero did not converge: it is %.6g here, and its rate %.6g; begin with a motion "
                 "nearer to a balance, or give its `initial` where it has one",
                 s->m->model->control_states[k].name, s->state->signal[k],
                 s->state->signal[s->m->model->n_control_states + k]);
        if (!say(p, text)) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

/* ---- inputs that reach nothing -------------------------------------------------------------- */

/* Which signals reach a load, a motion, a state or an output, themselves or through variables. */
static void find_reach(const rt_search *s, rt_sensor_row *const rows[RT_SENSOR_N_KINDS],
                       bool *reaches)
{
    const routh_mechanism *m = s->m;
    const int n_x = m->model->n_control_states, first_input = m->n_signals - m->model->n_inputs;
    for (int k = 0; k < m->n_signals; k++)
        reaches[k] = k < 2 * n_x || m->pattern_R.start[k + 1] > m->pattern_R.start[k];
    for (int k = 0; k < m->n_driven; k++) reaches[first_input + m->driven[k].input] = true;
    static const rt_sensor_kind ends[] = {RT_SENSOR_STATE, RT_SENSOR_OUTPUT};
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < rt_sensor_count(m, ends[e]); k++)
            for (int i = 0; i < rows[ends[e]][k].n_signals; i++)
                reaches[rows[ends[e]][k].signals[i]] = true;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < m->model->n_variables; k++) {
            const rt_sensor_row *row = &rows[RT_SENSOR_VARIABLE][k];
            for (int i = 0; reaches[2 * n_x + k] && i < row->n_signals; i++) {
                more = more || !reaches[row->signals[i]];
                reaches[row->signals[i]] = true;
            }
        }
    }
}

static routh_status tell_of_inputs(routh_operating_point *p, const rt_search *s, rt_say say,
                                   rt_arena *arena, routh_error *error)
{
    const routh_mechanism *m = s->m;
    rt_sensor_row *rows[RT_SENSOR_N_KINDS] = {NULL};
    bool *reaches = RT_TAKE(arena, bool, m->n_signals);
    routh_status status = reaches ? ROUTH_OK : rt_fail_memory(error);
    for (int kind = 0; kind < RT_SENSOR_N_KINDS && !status; kind++)
        status = rt_sensor_rows(m, (rt_sensor_kind)kind, &rows[kind], arena, error);
    if (status) return status;
    find_reach(s, rows, reaches);
    for (int k = 0; k < m->model->n_inputs; k++) {
        char text[512];
        if (reaches[m->n_signals - m->model->n_inputs + k]) continue;
        snprintf(text, sizeof text,
                 "the input %s reaches nothing: no load, motion, state of a controller or output "
                 "depends on it, themselves or through variables, so its columns of B and D are "
                 "zero; use it in an expression, or take it out",
                 m->model->inputs[k].name);
        if (!say(p, text)) return rt_fail_memory(error);
    }
    return ROUTH_OK;
}

/* ---- joint forces that are left open --------------------------------------------------------- */

/* w'lambda is determined by G'lambda where w is in the range of G: y with G y = w on the rows that
 * are kept must give the rows that were dropped too. */
static routh_status point_signals_is_open(rt_search *s, const rt_sensor_row *row, bool *open,
                                          routh_error *error)
{
    const rt_pattern *G = &s->m->pattern_G;
    double size = 0;
    memset(s->x, 0, (size_t)s->m->n_u * sizeof *s->x);
    memset(s->y, 0, (size_t)s->m->n_rows * sizeof *s->y);
    for (int i = 0; i < row->n_lambda; i++) {
        s->y[row->lambda[i]] = row->by_lambda[i];
        size = fmax(size, fabs(row->by_lambda[i]));
    }
    const routh_status status = rt_kkt_solve(s->mass, s->x, s->y, error);
    if (status) return status;
    memset(s->y, 0, (size_t)s->m->n_rows * sizeof *s->y);
    rt_sparse_multiply_add(G, s->w->G, 1, s->x, s->y);
    for (int i = 0; i < row->n_lambda; i++) s->y[row->lambda[i]] -= row->by_lambda[i];
    for (int r = 0; r < s->m->n_rows; r++) *open = *open || fabs(s->y[r]) > 1e-6 * size;
    return ROUTH_OK;
}

static routh_status tell_of_open(routh_operating_point *p, rt_search *s, rt_sensor_kind kind, int k,
                                 rt_say say, rt_sensor_row *row, routh_error *error)
{
    bool open = false;
    char element[192], text[512];
    rt_place place;
    routh_status status = rt_sensor_evaluate(s->m, s->w, s->state, kind, k, true, row, error);
    if (!status) status = point_signals_is_open(s, row, &open, error);
    if (status || !open) return status;
    rt_sensor_describe(s->m, kind, k, element, &place);
    snprintf(text, sizeof text,
             "%s uses joint forces that redundant constraints leave undetermined, so its value "
             "depends on a choice among them; remove the redundant constraints",
             element);
    return say(p, text) ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status tell_of_forces(routh_operating_point *p, rt_search *s, rt_say say,
                                   rt_arena *arena, routh_error *error)
{
    static const rt_sensor_kind kinds[] = {RT_SENSOR_STATE, RT_SENSOR_VARIABLE, RT_SENSOR_OUTPUT};
    bool factored = false;
    if (s->rank->rank == s->m->n_rows) return ROUTH_OK;
    for (int i = 0; i < 3; i++) {
        rt_sensor_row *rows;
        routh_status status = rt_sensor_rows(s->m, kinds[i], &rows, arena, error);
        for (int k = 0; k < rt_sensor_count(s->m, kinds[i]) && !status; k++) {
            if (rows[k].n_lambda == 0) continue;
            if (!factored) status = rt_search_mass(s, error);
            if (!status && !factored)
                status = rt_kkt_factor(s->mass, s->w->M, s->w->G, NULL, 0, error);
            factored = true;
            if (status == ROUTH_SINGULAR) return ROUTH_OK; /* forces cannot be told apart */
            if (!status) status = tell_of_open(p, s, kinds[i], k, say, &rows[k], error);
        }
        if (status) return status;
    }
    return ROUTH_OK;
}

routh_status rt_tell_of_signals(routh_operating_point *p, rt_search *s, rt_say say,
                                routh_error *error)
{
    rt_arena arena = {.kept = s->m->analyses};
    routh_status status = ROUTH_OK;
    for (int k = 0; k < s->m->model->n_kinks && !status; k++)
        status = tell_of_kink(p, s, k, say, error);
    if (!status) status = rt_tell_of_functions(p, s, say, error);
    if (!status) status = tell_of_lost(p, s, say, error);
    if (!status && s->m->model->n_inputs) status = tell_of_inputs(p, s, say, &arena, error);
    if (!status) status = tell_of_forces(p, s, say, &arena, error);
    rt_arena_free(&arena);
    return status;
}
