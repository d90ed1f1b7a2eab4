/* The user's own states s(q): expressions of position-level measures, time and parameters.
 *
 *     S = s(q, t),    dS = phi xi,    phi on the frames that the expression looks at
 * and phi along the motion is a jet, as it is for a joint that is an expression. */
#include <stdio.h>

#include "expression/graph.h"
#include "methods/method.h"

static const char *const not_finite =
    "its value or its derivative is not finite at the operating point; give an expression that is "
    "smooth there";

static routh_status fail_state(const routh_model *model, int j, routh_status status,
                               const char *message, routh_error *error)
{
    char element[192];
    snprintf(element, sizeof element, "coordinate %s", model->user_states[j].name);
    return rt_fail_at(error, status, model->file, model->user_states[j].place, element, "%s",
                      message);
}

static routh_status fail_state_here(const rt_search *s, const rt_user_states *user, int j,
                                    routh_error *error)
{
    char text[512];
    double value[3];
    rt_gradient phi;
    rt_user_state_jets(s, user, j, value, &phi);
    const rt_program_input in = rt_input_at(s->m, s->w, s->state, user->work);
    const bool of_caller = rt_program_blame(&user->programs[j], &in, 3, text);
    return fail_state(s->m->model, j, ROUTH_NUMERIC_ERROR, of_caller ? text : not_finite, error);
}

/* With second derivatives, which tell a gradient that is nothing but rounding. */
static routh_status user_states_compile(const routh_model *model, rt_graph *graph, rt_arena *arena,
                                        rt_user_states *user, routh_error *error)
{
    size_t work = 0;
    for (int j = 0; j < user->n; j++) {
        const routh_status status = rt_program_compile(
            &user->programs[j], graph, model, model->user_states[j].value.expr, true, arena, error);
        if (status == ROUTH_OUT_OF_MEMORY) return status;
        if (status) {
            const routh_error inner = *error;
            return fail_state(model, j, status, inner.message, error);
        }
        const size_t needed = rt_program_work(&user->programs[j]);
        if (needed > work) work = needed;
    }
    user->work = RT_TAKE(arena, double, work);
    return user->work ? ROUTH_OK : rt_fail_memory(error);
}

routh_status rt_user_states_compile(const routh_model *model, rt_arena *arena,
                                    rt_user_states **user, routh_error *error)
{
    *user = NULL;
    if (model->n_user_states == 0) return ROUTH_OK;
    *user = RT_TAKE(arena, rt_user_states, 1);
    if (!*user) return rt_fail_memory(error);
    (*user)->n = model->n_user_states;
    (*user)->programs = RT_TAKE(arena, rt_program, (*user)->n);
    (*user)->size = RT_TAKE(arena, double, (*user)->n);
    rt_graph *graph = rt_graph_clone_kept(model->graph, arena->kept);
    const bool ok = (*user)->programs && (*user)->size && graph;
    const routh_status status =
        ok ? user_states_compile(model, graph, arena, *user, error) : rt_fail_memory(error);
    rt_graph_free(graph);
    return status;
}

/* In coordinates that bodies share only the frames that elements look at are evaluated. */
static void evaluate_markers(const rt_search *s, const rt_program *program)
{
    int frames[RT_GRADIENT_FRAMES], n = 0;
    if (!s->m->joined) return;
    rt_program_frames(program, frames, &n);
    for (int k = 0; k < n; k++) rt_evaluate_marker(s->m, s->w, frames[k]);
}

void rt_user_state_jets(const rt_search *s, const rt_user_states *user, int j, double value[3],
                        rt_gradient *phi)
{
    evaluate_markers(s, &user->programs[j]);
    const rt_program_input in = rt_input_at(s->m, s->w, s->state, user->work);
    rt_program_jets(&user->programs[j], &in, value, phi);
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/* The size of terms that phi on all columns is the sum of, for motions of unit length. */
static double size_of_terms(const rt_search *s, const rt_gradient *phi)
{
    double sum = 0;
    for (int k = 0; k < phi->n; k++) {
        rt_motion map;
        rt_marker_motion(s->m, s->w, s->state, phi->frame[k], &map);
        for (int i = 0; i < 6; i++)
            for (int c = 0; c < map.n; c++)
                sum += fabs(phi->p[0][k][i] * map.J[i * map.n + c]) * s->unit[map.columns[c]];
    }
    return sum;
}

/* The largest second derivative, for motions of the frames of unit length. */
static double largest_curvature(const rt_search *s, const rt_user_states *user, int j,
                                const rt_gradient *phi)
{
    double H[36 * RT_GRADIENT_FRAMES * RT_GRADIENT_FRAMES] = {0}, largest = 0;
    const rt_program_input in = rt_input_at(s->m, s->w, s->state, user->work);
    const int n = 6 * phi->n;
    rt_program_curvature(&user->programs[j], &in, 1, phi->frame, phi->n, H);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double unit_i = i % 6 < 3 ? 1 : 1 / s->m->length;
            const double unit_k = k % 6 < 3 ? 1 : 1 / s->m->length;
            largest = fmax(largest, fabs(H[i * n + k]) * unit_i * unit_k);
        }
    return largest;
}

static double user_states_norm_of(const rt_search *s, const rt_state_row *row)
{
    double sum = 0;
    for (int c = 0; c < row->n; c++) {
        const double entry = row->s_x[c] * s->unit[row->columns[c]];
        sum += entry * entry;
    }
    return sqrt(sum);
}

/* Of one state; a gradient that is small against its terms, or against what the typical length
 * makes of the curvature, is rounding: cos(angle) at angle = 0. */
static routh_status user_states_measure(const rt_search *s, rt_user_states *user, int j,
                                        rt_arena *arena, routh_error *error)
{
    static const double rounding = 1e-12;
    static const rt_reference_frame ground = {.marker = -1};
    double value[3];
    rt_gradient phi;
    rt_state_row row;
    const int candidate = rt_first_user_candidate(s->m) + j;
    const routh_status status = rt_state_row_take(s, user, candidate, arena, &row, error);
    if (status) return status;
    rt_state_row_fill(s, &ground, user, candidate, &row);
    rt_user_state_jets(s, user, j, value, &phi);
    const double norm = user_states_norm_of(s, &row), terms = size_of_terms(s, &phi);
    const double curved = largest_curvature(s, user, j, &phi) * s->m->length;
    if (!isfinite(value[0]) || !isfinite(norm) || !isfinite(terms))
        return fail_state_here(s, user, j, error);
    user->size[j] = norm <= rounding * fmax(terms, curved) ? 0 : norm * s->m->length;
    return ROUTH_OK;
}

routh_status rt_user_states_measure(const rt_search *s, rt_user_states *user, routh_error *error)
{
    rt_arena arena = {.kept = s->m->analyses};
    routh_status status = ROUTH_OK;
    for (int j = 0; j < user->n && !status; j++)
        status = user_states_measure(s, user, j, &arena, error);
    rt_arena_free(&arena);
    return status;
}

double rt_candidate_size(const routh_mechanism *m, const rt_user_states *user, int candidate)
{
    const int j = candidate - rt_first_user_candidate(m),
              e = candidate - rt_first_elastic_candidate(m);
    if (j >= 0) return user->size[j];
    if (e >= 0) return rt_column_unit(m, m->first_elastic + e) * m->length;
    return candidate % 6 < 3 ? m->length : 1;
}
