/* Formulas as JSON (docs/reference/json.md). */
#include "base/json.h"
#include "symbolic/write.h"

typedef struct write_json_writer {
    const routh_symbolic *s;
    rt_json json;
    bool failed;
} write_json_writer;

static void formula(write_json_writer *w, const char *key, const rt_exact *x)
{
    rt_text text = {0};
    rt_exact_write(w->s->field, x, RT_NOTATION_PLAIN, NULL, &text);
    rt_json_string(&w->json, key, rt_text_string(&text));
    w->failed = w->failed || text.failed;
    rt_text_free(&text);
}

static void write_json_matrix(write_json_writer *w, const char *key, const rt_exact *x, int rows,
                              int columns)
{
    rt_json_array(&w->json, key);
    for (int i = 0; i < rows; i++) {
        rt_json_flat_array(&w->json, NULL);
        for (int j = 0; j < columns; j++) formula(w, NULL, x + (size_t)i * columns + j);
        rt_json_end(&w->json);
    }
    rt_json_end(&w->json);
}

static void write_json_list(write_json_writer *w, const char *key, const rt_exact *x, int n)
{
    rt_json_array(&w->json, key);
    for (int k = 0; k < n; k++) formula(w, NULL, x + k);
    rt_json_end(&w->json);
}

static void symbols(write_json_writer *w)
{
    const rt_symbol *all;
    char units[RT_UNITS_TEXT];
    const int n = rt_exact_field_symbols(w->s->field, &all);
    rt_json_array(&w->json, "symbols");
    for (int k = 0; k < n; k++) {
        if (all[k].kind != RT_SYMBOL_PARAMETER) continue;
        rt_json_flat_object(&w->json, NULL);
        rt_json_string(&w->json, "name", all[k].name);
        rt_json_real(&w->json, "value", all[k].value);
        rt_json_string(&w->json, "units",
                       rt_units_text(w->s->model->parameters[all[k].parameter].units, units));
        rt_json_bool(&w->json, "used", rt_symbolic_uses(w->s, all + k, RT_SECOND_ORDER));
        rt_json_end(&w->json);
    }
    rt_json_end(&w->json);
    const rt_exact *const *positive;
    const int m = rt_exact_field_assumptions(w->s->field, &positive);
    rt_json_array(&w->json, "assumed_positive");
    for (int k = 0; k < m; k++)
        if (!rt_exact_is_number(w->s->field, positive[k])) formula(w, NULL, positive[k]);
    rt_json_end(&w->json);
}

static void write_json_state_space(write_json_writer *w)
{
    const int n = w->s->reduction.n;
    if (!w->s->A) {
        rt_json_null(&w->json, "A");
        return;
    }
    write_json_matrix(w, "A", w->s->A, 2 * n, 2 * n);
}

routh_status rt_symbolic_write_json(const routh_symbolic *s, rt_text *text, routh_error *error)
{
    write_json_writer w = {.s = s};
    const rt_symbolic_reduction *r = &s->reduction;
    rt_json_object(&w.json, NULL);
    rt_json_string(&w.json, "title", s->title);
    rt_json_flat_array(&w.json, "coordinates");
    for (int k = 0; k < r->n; k++) rt_json_string(&w.json, NULL, r->names[k]);
    rt_json_end(&w.json);
    symbols(&w);
    write_json_matrix(&w, "M", r->M, r->n, r->n);
    write_json_matrix(&w, "C", r->C, r->n, r->n);
    write_json_matrix(&w, "K", r->K, r->n, r->n);
    write_json_state_space(&w);
    write_json_list(&w, "equations", r->forces, r->n_forces);
    if (s->characteristic)
        write_json_list(&w, "characteristic_polynomial", s->characteristic, 2 * r->n + 1);
    if (s->has_stability) {
        rt_json_object(&w.json, "stability");
        rt_json_string(&w.json, "meaning", rt_stability_words(&s->stability));
        rt_json_bool(&w.json, "marginal", s->stability.marginal);
        rt_json_bool(&w.json, "never", s->stability.never);
        write_json_list(&w, "positive", s->stability.positive, s->stability.n);
        write_json_list(&w, "nonzero", s->stability.nonzero, s->stability.n_nonzero);
        rt_json_end(&w.json);
    }
    rt_json_end(&w.json);
    routh_status status = rt_json_finish(&w.json, error);
    if (!status && w.failed) status = rt_fail_memory(error);
    if (status) {
        rt_text_free(&w.json.text);
        return status;
    }
    *text = w.json.text;
    return ROUTH_OK;
}
