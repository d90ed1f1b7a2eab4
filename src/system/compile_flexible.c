/* Flexible bodies: their coordinates and their places in the matrices (of rt_scalar). */
#include "system/compile.h"
#include "system/flexible.h"

static int compile_flexible_count(const routh_mechanism *m)
{
    int n = 0;
    for (int b = 0; b < m->n_bodies; b++) n += m->model->bodies[b].flexible != NULL;
    return n;
}

static int count_markers(const routh_mechanism *m)
{
    int n = 0;
    for (int k = 0; k < m->n_markers; k++) n += rt_marker_node(m->model, k) != NULL;
    return n;
}

static void list_markers(routh_mechanism *m)
{
    int n = 0;
    m->map_columns = RT_MAP_COLUMNS;
    for (int k = 0; k < m->n_markers; k++) {
        const rt_flexible_node *node = rt_marker_node(m->model, k);
        m->flexible_marker[k] = node ? n : -1;
        if (!node) continue;
        const int body = m->marker_body[k];
        m->flexible_markers[n++] = (rt_flexible_marker){
            .marker = k,
            .body = body,
            .index = m->model->markers[k].node,
            .node = node, .first = m->elastic_start[body]};
        if (RT_MAP_COLUMNS + node->n > m->map_columns) m->map_columns = RT_MAP_COLUMNS + node->n;
    }
}

routh_status rt_compile_flexible(routh_mechanism *m, routh_error *error)
{
    m->n_flexible = compile_flexible_count(m);
    m->n_flexible_markers = count_markers(m);
    m->elastic_start = RT_TAKE(&m->arena, int, m->n_bodies + 1);
    m->flexible = RT_TAKE(&m->arena, rt_flexible_block, m->n_flexible);
    m->flexible_markers = RT_TAKE(&m->arena, rt_flexible_marker, m->n_flexible_markers);
    m->flexible_marker = RT_TAKE(&m->arena, int, m->n_markers);
    if (!m->elastic_start || !m->flexible || !m->flexible_markers || !m->flexible_marker)
        return rt_fail_memory(error);
    int n = 0;
    for (int b = 0; b < m->n_bodies; b++) {
        const rt_flexible *shape = m->model->bodies[b].flexible;
        m->elastic_start[b] = m->n_elastic;
        if (!shape) continue;
        m->flexible[n++] = (rt_flexible_block){.body = b, .shape = shape, .first = m->n_elastic};
        m->n_elastic += shape->n;
    }
    m->elastic_start[m->n_bodies] = m->n_elastic;
    list_markers(m);
    return ROUTH_OK;
}

/* ---- patterns ------------------------------------------------------------------------------- */

/* The frame's columns against the elastic ones, both ways, then the elastic ones among
 * themselves. */
static void body_entries(const routh_mechanism *m, const rt_flexible_block *f, rt_entries *e)
{
    const rt_block *frame = &m->bodies[f->body].block;
    const rt_pattern *p = &f->shape->pattern;
    const int first = m->first_elastic + f->first, n = f->shape->n;
    for (int c = 0; c < frame->n_columns; c++)
        for (int k = 0; k < n; k++) rt_entries_add(e, frame->columns[c], first + k);
    for (int k = 0; k < n; k++)
        for (int c = 0; c < frame->n_columns; c++) rt_entries_add(e, first + k, frame->columns[c]);
    for (int l = 0; l < n; l++)
        for (int at = p->start[l]; at < p->start[l + 1]; at++)
            rt_entries_add(e, first + p->row[at], first + l);
}

static int frame_columns(const routh_mechanism *m, int body)
{
    return m->bodies[body].block.n_columns;
}

static void marker_entries(const routh_mechanism *m, const rt_flexible_marker *f, rt_entries *e)
{
    const rt_block *frame = &m->bodies[f->body].block;
    const int n_b = frame->n_columns, n = n_b + f->node->n, first = m->first_elastic + f->first;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            rt_entries_add(e, i < n_b ? frame->columns[i] : first + f->node->column[i - n_b],
                           j < n_b ? frame->columns[j] : first + f->node->column[j - n_b]);
}

void rt_flexible_entries(const routh_mechanism *m, rt_entries *e, bool markers)
{
    for (int k = 0; k < m->n_flexible; k++) body_entries(m, &m->flexible[k], e);
    for (int k = 0; k < m->n_flexible_markers && markers; k++)
        marker_entries(m, &m->flexible_markers[k], e);
}

const int *rt_flexible_positions(routh_mechanism *m, const int *position, bool markers)
{
    for (int k = 0; k < m->n_flexible; k++) {
        rt_flexible_block *f = &m->flexible[k];
        rt_flexible_places *to = markers ? &f->K : &f->M;
        const int n_b = frame_columns(m, f->body), n = f->shape->n;
        to->by_elastic = position;
        to->by_frame = position + (size_t)n_b * (size_t)n;
        to->inner = to->by_frame + (size_t)n_b * (size_t)n;
        position = to->inner + f->shape->pattern.start[n];
    }
    for (int k = 0; k < m->n_flexible_markers && markers; k++) {
        rt_flexible_marker *f = &m->flexible_markers[k];
        f->n_columns = frame_columns(m, f->body) + f->node->n;
        f->position = position;
        position += (size_t)f->n_columns * (size_t)f->n_columns;
    }
    return position;
}

void rt_flexible_map_mass(routh_mechanism *m)
{
    for (int k = 0; k < m->n_flexible; k++) {
        const rt_flexible_block *f = &m->flexible[k];
        const size_t sides = 2 * (size_t)frame_columns(m, f->body) * (size_t)f->shape->n,
                     all = sides + (size_t)f->shape->pattern.start[f->shape->n];
        for (size_t i = 0; i < all; i++) m->mass_in_K[f->M.by_elastic[i]] = f->K.by_elastic[i];
    }
}

/* ---- coordinates ---------------------------------------------------------------------------- */

const rt_elastic *rt_elastic_coordinate(const routh_mechanism *m, int e, int *body)
{
    int low = 0, high = m->n_flexible - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (m->flexible[middle].first <= e)
            low = middle;
        else
            high = middle - 1;
    }
    *body = m->flexible[low].body;
    return &m->flexible[low].shape->coordinate[e - m->flexible[low].first];
}
