/* How states and their two time derivatives follow from xi, u, u'. */
#include "methods/method.h"
#include "system/state_row.h"

enum { CANDIDATES = 6 };

/* ---- room ----------------------------------------------------------------------------------- */

/* Ascending columns taken into an ascending list without repeats; its new length. */
static int state_rows_merge(int *list, int n, const int *more, int n_more)
{
    for (int k = 0; k < n_more; k++) {
        int at = n;
        while (at > 0 && list[at - 1] > more[k]) at--;
        if (at > 0 && list[at - 1] == more[k]) continue;
        memmove(list + at + 1, list + at, (size_t)(n - at) * sizeof *list);
        list[at] = more[k];
        n++;
    }
    return n;
}

/* The frames that a candidate looks at: its body's, or those of the expression. */
static int frames_of(const rt_search *s, const rt_user_states *user, int candidate,
                     int frames[RT_GRADIENT_FRAMES])
{
    const int j = candidate - rt_first_user_candidate(s->m);
    int n = 0;
    if (candidate >= rt_first_elastic_candidate(s->m) && j < 0) return 0;
    if (j >= 0)
        rt_program_frames(&user->programs[j], frames, &n);
    else
        frames[n++] = candidate / CANDIDATES;
    return n;
}

routh_status rt_state_row_take(const rt_search *s, const rt_user_states *user, int candidate,
                               rt_arena *arena, rt_state_row *row, routh_error *error)
{
    int frames[RT_GRADIENT_FRAMES];
    const int n_frames = frames_of(s, user, candidate, frames);
    size_t room = n_frames ? 0 : 1; /* an elastic coordinate's own column */
    rt_motion map;
    for (int k = 0; k < n_frames; k++) {
        rt_marker_motion(s->m, s->w, s->state, frames[k], &map);
        room += (size_t)map.n;
    }
    *row = (rt_state_row){.columns = RT_TAKE(arena, int, room),
                          .s_x = RT_TAKE(arena, double, 4 * room)};
    if (!row->columns || !row->s_x) return rt_fail_memory(error);
    for (int k = 0; k < n_frames; k++) {
        rt_marker_motion(s->m, s->w, s->state, frames[k], &map);
        row->n = state_rows_merge(row->columns, row->n, map.columns, map.n);
    }
    if (n_frames == 0)
        row->columns[row->n++] = s->m->first_elastic + candidate - rt_first_elastic_candidate(s->m);
    row->w_x = row->s_x + row->n;
    row->a_u = row->w_x + row->n;
    row->a_x = row->a_u + row->n;
    return ROUTH_OK;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* p = e, p', p'' of the observer's axis */
static void fill_component(const rt_search *s, const rt_reference_frame *o, int body, int component,
                           rt_state_row *row)
{
    const int axis = component % 3;
    const rt_covector v = {component / 3 * 3, 3, o->e[0][axis], o->e[1][axis], o->e[2][axis]};
    rt_state_row_add(s->m, s->w, s->state, body, &v, row->columns, row->n, row->s_x);
}

/* p = phi on each frame, and its jets */
static void fill_user(const rt_search *s, const rt_user_states *user, int j, rt_state_row *row)
{
    double value[3];
    rt_gradient phi;
    rt_user_state_jets(s, user, j, value, &phi);
    for (int k = 0; k < phi.n; k++) {
        const rt_covector v = {0, 6, phi.p[0][k], phi.p[1][k], phi.p[2][k]};
        rt_state_row_add(s->m, s->w, s->state, phi.frame[k], &v, row->columns, row->n, row->s_x);
    }
}

void rt_state_row_fill(const rt_search *s, const rt_reference_frame *o, const rt_user_states *user,
                       int candidate, rt_state_row *row)
{
    const int j = candidate - rt_first_user_candidate(s->m);
    memset(row->s_x, 0, 4 * (size_t)row->n * sizeof *row->s_x);
    if (j >= 0)
        fill_user(s, user, j, row);
    else if (candidate >= rt_first_elastic_candidate(s->m))
        row->s_x[0] = 1;
    else
        fill_component(s, o, candidate / CANDIDATES, candidate % CANDIDATES, row);
}

/* ---- of states and of rates ----------------------------------------------------------------- */

static void state_rows_fill(const rt_method_task *task, const int *candidates, int n,
                            rt_state_row *rows)
{
    for (int k = 0; k < n; k++)
        rt_state_row_fill(task->search, task->observer, task->states->user, candidates[k],
                          &rows[k]);
}

static routh_status make_rows(const rt_method_task *task, const int *candidates, int n,
                              rt_arena *arena, rt_state_row **rows, routh_error *error)
{
    *rows = RT_TAKE(arena, rt_state_row, n);
    if (!*rows) return rt_fail_memory(error);
    for (int k = 0; k < n; k++) {
        const routh_status status = rt_state_row_take(task->search, task->states->user,
                                                      candidates[k], arena, &(*rows)[k], error);
        if (status) return status;
    }
    state_rows_fill(task, candidates, n, *rows);
    return ROUTH_OK;
}

routh_status rt_state_rows(const rt_method_task *task, rt_arena *arena, rt_state_row **rows,
                           routh_error *error)
{
    return make_rows(task, task->states->candidate, task->states->z, arena, rows, error);
}

routh_status rt_rate_rows(const rt_method_task *task, rt_arena *arena, rt_state_row **rows,
                          routh_error *error)
{
    return make_rows(task, task->states->rate, task->states->z1, arena, rows, error);
}

void rt_state_rows_fill(const rt_method_task *task, rt_state_row *rows)
{
    state_rows_fill(task, task->states->candidate, task->states->z, rows);
}

void rt_rate_rows_fill(const rt_method_task *task, rt_state_row *rows)
{
    state_rows_fill(task, task->states->rate, task->states->z1, rows);
}

double rt_state_row_times(const rt_state_row *row, const double *entries, const double *x)
{
    double sum = 0;
    for (int c = 0; c < row->n; c++) sum += entries[c] * x[row->columns[c]];
    return sum;
}

routh_status rt_sensitivity_take(rt_sensitivity *x, int n, int z, rt_arena *arena,
                                 routh_error *error)
{
    *x = (rt_sensitivity){.n = n, .z = z, .z1 = z};
    x->X = x->Xw = RT_TAKE(arena, double, (size_t)n *z);
    x->U = RT_TAKE(arena, double, (size_t)n *z);
    x->A_SS = RT_TAKE(arena, double, (size_t)z *z);
    x->A_SW = RT_TAKE(arena, double, (size_t)z *z);
    x->Mhat = RT_TAKE(arena, double, (size_t)z *z);
    return x->X && x->U && x->A_SS && x->A_SW && x->Mhat ? ROUTH_OK : rt_fail_memory(error);
}
