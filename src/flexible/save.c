/* A reduced body as JSON. */
#include "base/json.h"
#include "flexible/form.h"
#include "flexible/reduced.h"

static void save_coordinates(rt_json *json, const rt_flexible *f)
{
    rt_json_array(json, "coordinates");
    for (int k = 0; k < f->n; k++) {
        rt_json_flat_object(json, NULL);
        rt_json_string(json, "name", f->coordinate[k].name);
        rt_json_real(json, "size", f->coordinate[k].size);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* Of a symmetric quantity with `each` numbers an entry: pairs k <= l, k first. */
static void save_pairs(rt_json *json, const char *key, const rt_flexible *f, const double *values,
                       int each)
{
    rt_json_array(json, key);
    for (int k = 0; k < f->n; k++)
        for (int l = k; l < f->n; l++)
            if (each == 1)
                rt_json_real(json, NULL, values[(size_t)f->n * (size_t)l + (size_t)k]);
            else
                rt_json_reals(json, NULL,
                              values + (size_t)each * ((size_t)f->n * (size_t)l + (size_t)k), each);
    rt_json_end(json);
}

/* Where nothing turns finitely J1 has no rows. */
static void save_turning(rt_json *json, const rt_flexible *f)
{
    rt_json_matrix(json, "J1", f->J1, f->J1 ? f->n : 0, 9);
    if (!f->J1) return;
    save_pairs(json, "J2", f, f->J2, 9);
    save_pairs(json, "H_even", f, f->H_even, 3);
    save_pairs(json, "H_odd", f, f->H_odd, 3);
}

/* What the strain energy at a node needs; parts are in the order of the nodes. */
static void energy(rt_json *json, const rt_flexible *f, const rt_flexible_part *part)
{
    rt_json_real(json, "mass", part->size);
    rt_json_matrix(json, "F", part->rows, part->n_rows, f->n);
}

static void save_nodes(rt_json *json, const rt_flexible *f)
{
    int part = 0;
    rt_json_array(json, "nodes");
    for (int k = 0; k < f->n_nodes; k++) {
        const rt_flexible_node *node = &f->nodes[k];
        rt_json_object(json, NULL);
        rt_json_int(json, "number", node->number);
        rt_json_reals(json, "X", node->X, 3);
        rt_json_matrix(json, "S", node->S, 3, f->n);
        if (!node->point) rt_json_matrix(json, "R", node->R, 3, f->n);
        if (part < f->n_parts && f->parts[part].nodes[0] == k) energy(json, f, &f->parts[part++]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void save_shapes(rt_json *json, const char *key, const int *list, int n, int each)
{
    rt_json_array(json, key);
    for (int k = 0; k < n; k++) {
        rt_json_flat_array(json, NULL);
        for (int j = 0; j < each; j++)
            rt_json_int(json, NULL, list[(size_t)each * (size_t)k + (size_t)j]);
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* What rt_flexible_reduce makes: dense, amplitudes, no bars. */
static bool is_reduced(const rt_flexible *f)
{
    bool is = f->n > 0 && f->n_bars == 0 && f->pattern.start[f->n] == f->n * f->n;
    for (int k = 0; k < f->n && is; k++) is = f->coordinate[k].kind == RT_ELASTIC_AMPLITUDE;
    for (int k = 0; k < f->n_nodes && is; k++) is = f->nodes[k].n == f->n;
    return is;
}

routh_status rt_flexible_json(const rt_flexible *f, const char *title, char **bytes, size_t *length,
                              routh_error *error)
{
    rt_json json = {0};
    *bytes = NULL;
    *length = 0;
    if (!is_reduced(f))
        return rt_fail(error, ROUTH_NOT_SUPPORTED,
                       "only a reduced body with amplitudes of modes is written as a file");
    rt_json_object(&json, NULL);
    rt_json_string(&json, "schema", RT_FLEXIBLE_SCHEMA);
    if (title) rt_json_string(&json, "title", title);
    rt_json_real(&json, "mass", f->mass);
    rt_json_reals(&json, "first", f->first, 3);
    rt_json_matrix(&json, "second", f->second, 3, 3);
    rt_json_matrix(&json, "rotary", f->rotary, 3, 3);
    save_coordinates(&json, f);
    rt_json_matrix(&json, "a", f->a, f->n, 3);
    rt_json_matrix(&json, "B", f->B, f->n, 9);
    rt_json_matrix(&json, "h", f->h, f->n, 3);
    save_pairs(&json, "N", f, f->N, 9);
    save_pairs(&json, "M", f, f->M, 1);
    save_pairs(&json, "K", f, f->K, 1);
    save_pairs(&json, "D", f, f->D, 1);
    if (!f->turning_unknown) save_turning(&json, f);
    save_nodes(&json, f);
    save_shapes(&json, "lines", f->lines, f->n_lines, 2);
    save_shapes(&json, "triangles", f->triangles, f->n_triangles, 3);
    rt_json_end(&json);
    const routh_status status = rt_json_finish(&json, error);
    if (status) return status;
    *length = json.text.length;
    *bytes = rt_text_take(&json.text);
    return *bytes ? ROUTH_OK : rt_fail_memory(error);
}
