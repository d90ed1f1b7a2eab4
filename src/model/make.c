/* Numbers that are made (made.h), while the model is read. */
#include <math.h>
#include <string.h>

#include "model/made.h"
#include "model/reader.h"

void *rt_reader_grow(rt_reader *r, void *array, size_t size, int n, int *room)
{
    if (n < *room) return array;
    const int more = 2 * *room + 8;
    void *wider = rt_arena_take(&r->model->arena, (size_t)more, size);
    if (!wider) return NULL;
    if (n) memcpy(wider, array, (size_t)n * size);
    *room = more;
    return wider;
}

rt_expr rt_add_made(rt_reader *r, double value, int *index)
{
    routh_model *m = r->model;
    double *values = rt_reader_grow(r, m->made, sizeof *values, m->n_made, &r->made_room);
    if (!values) return RT_NO_EXPR;
    m->made = values;
    const rt_quantity quantity = {.kind = RT_QUANTITY_MADE, .index = m->n_parameters + m->n_made};
    const int slot = rt_quantity_slot(r, &quantity);
    if (slot < 0) return RT_NO_EXPR;
    *index = m->n_made;
    m->made[m->n_made++] = value;
    return rt_input(m->graph, slot);
}

/* What depends on the parameters that go in: along a direction that no number is likely to be
 * blind to, which has a slope. */
static routh_status make_find_slopes(rt_reader *r, const rt_making *making, double *slopes)
{
    double *along = RT_TAKE(&r->scratch, double, making->n_in);
    char *work = RT_TAKE(&r->scratch, char, rt_make_slopes_work(making));
    double turn = 0.5;
    if (!along || !work) return rt_fail_memory(r->error);
    for (int k = 0; k < making->n_in; k++) {
        const double value = making->in[k].value;
        turn = fmod(turn + 0.61803398874989485, 1);
        along[k] = making->in[k].expr < 0 ? 0 : 1e-40 * (value != 0 ? value : 1) * (1 + turn);
    }
    rt_make_slopes(making, along, slopes, work);
    return ROUTH_OK;
}

static bool make_depends(const rt_making *making)
{
    for (int k = 0; k < making->n_in; k++)
        if (making->in[k].expr >= 0) return true;
    return false;
}

/* The making in the model's arena. */
static routh_status make_keep(rt_reader *r, const rt_making *making, const int *made)
{
    routh_model *m = r->model;
    rt_making *all = rt_reader_grow(r, m->makings, sizeof *all, m->n_makings, &r->making_room);
    rt_number *in = RT_TAKE(&m->arena, rt_number, making->n_in);
    if (!all || !in) return rt_fail_memory(r->error);
    memcpy(in, making->in, (size_t)making->n_in * sizeof *in);
    m->makings = all;
    all[m->n_makings] = *making;
    all[m->n_makings].in = in;
    all[m->n_makings++].made = made;
    return ROUTH_OK;
}

static routh_status make_graph_inputs(rt_reader *r, const rt_making *making, rt_number *out)
{
    double *slopes = RT_TAKE(&r->scratch, double, making->n_out);
    int *made = RT_TAKE(&r->model->arena, int, making->n_out);
    routh_status status = slopes && made ? ROUTH_OK : rt_fail_memory(r->error);
    if (!status) status = make_find_slopes(r, making, slopes);
    for (int k = 0; k < making->n_out && !status; k++) {
        made[k] = -1;
        if (slopes[k] == 0) continue;
        out[k].expr = rt_add_made(r, out[k].value, &made[k]);
        if (out[k].expr < 0) status = rt_fail_memory(r->error);
    }
    return status ? status : make_keep(r, making, made);
}

routh_status rt_make_numbers(rt_reader *r, const rt_making *making, rt_number **made, int *problem)
{
    const size_t n = (size_t)making->n_out;
    double *in = RT_TAKE(&r->scratch, double, making->n_in), *out = RT_TAKE(&r->scratch, double, n);
    double *work = RT_TAKE(&r->scratch, double, rt_make_work(making));
    *made = RT_TAKE(&r->scratch, rt_number, n);
    if (!in || !out || !work || !*made) return rt_fail_memory(r->error);
    rt_numbers_values(in, making->in, making->n_in);
    *problem = rt_make(making, in, out, work);
    if (*problem) return ROUTH_OK;
    for (size_t k = 0; k < n; k++) (*made)[k] = rt_plain(out[k]);
    return make_depends(making) ? make_graph_inputs(r, making, *made) : ROUTH_OK;
}
