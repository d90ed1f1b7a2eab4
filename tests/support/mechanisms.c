#include "support/mechanisms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

void text_add(growing_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const size_t more = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (text->length + more + 1 > text->room) {
        text->room = 2 * (text->length + more + 1);
        text->bytes = realloc(text->bytes, text->room);
        assert_non_null(text->bytes);
    }
    vsnprintf(text->bytes + text->length, more + 1, format, args);
    va_end(args);
    text->length += more;
}

void text_add_long_table(growing_text *text, const char *parameter)
{
    enum { HALF = 70 };
    for (int k = -HALF; k <= HALF; k++)
        text_add(text, "%s[%d*(2 + %s), %d*(2 + %s)]", k == -HALF ? "[" : ", ", k, parameter, 4 * k,
                 parameter);
    text_add(text, "]");
}

static void require(routh_status status, const routh_error *error, const char *text)
{
    if (status)
        fail_msg("%s (%s, line %d)\n%s", error->message, error->element, error->line,
                 text ? text : "");
}

enum { MOST_SETTINGS = 16 };

static size_t pair_up(const char *const *settings, routh_setting pairs[MOST_SETTINGS])
{
    size_t n = 0;
    for (; settings && settings[2 * n]; n++)
        pairs[n] = (routh_setting){settings[2 * n], settings[2 * n + 1]};
    return n;
}

void mechanism_make_with(test_mechanism *t, const char *yaml, const char *const *parameters)
{
    routh_error error;
    routh_setting pairs[MOST_SETTINGS];
    const size_t n = pair_up(parameters, pairs);
    *t = (test_mechanism){0};
    require(routh_model_parse(&t->model, yaml, strlen(yaml), "test", pairs, n, &error), &error,
            yaml);
    require(routh_mechanism_compile(&t->m, t->model, NULL, &error), &error, yaml);
    require(rt_workspace_create(&t->w, t->m, &error), &error, yaml);
    require(rt_state_create(&t->state, t->m, &error), &error, yaml);
}

void mechanism_make_changed(test_mechanism *t, const char *yaml,
                            void (*change)(routh_model *model, void *context), void *context)
{
    routh_error error;
    *t = (test_mechanism){0};
    require(routh_model_parse(&t->model, yaml, strlen(yaml), "test", NULL, 0, &error), &error,
            yaml);
    change(t->model, context);
    require(routh_mechanism_compile(&t->m, t->model, NULL, &error), &error, yaml);
    require(rt_workspace_create(&t->w, t->m, &error), &error, yaml);
    require(rt_state_create(&t->state, t->m, &error), &error, yaml);
}

void mechanism_make(test_mechanism *t, const char *yaml) { mechanism_make_with(t, yaml, NULL); }

void mechanism_make_template(test_mechanism *t, const char *name, const char *const *settings)
{
    routh_error error;
    routh_text text;
    routh_setting pairs[MOST_SETTINGS];
    const size_t n = pair_up(settings, pairs);
    require(routh_template_write(name, pairs, n, &text, &error), &error, NULL);
    mechanism_make(t, text.bytes);
    routh_text_free(&text);
}

void mechanism_release(test_mechanism *t)
{
    rt_state_free(t->state);
    rt_workspace_free(t->w);
    routh_mechanism_free(t->m);
    routh_model_free(t->model);
}

routh_operating_point *mechanism_point(const test_mechanism *t)
{
    routh_error error;
    routh_operating_point *point;
    require(routh_operating_point_find(&point, t->m, NULL, &error), &error, NULL);
    return point;
}

routh_linear *mechanism_linear(const test_mechanism *t, const routh_operating_point *point,
                               const char *reference)
{
    routh_error error;
    routh_linear *linear;
    routh_linear_options options = routh_linear_defaults();
    options.reference = reference;
    require(routh_linear_compute(&linear, t->m, point, &options, &error), &error, NULL);
    return linear;
}

void to_dense(const rt_pattern *pattern, const double *values, double *out)
{
    const int n = pattern->n_columns;
    memset(out, 0, (size_t)pattern->n_rows * (size_t)n * sizeof *out);
    for (int c = 0; c < n; c++)
        for (int p = pattern->start[c]; p < pattern->start[c + 1]; p++)
            out[pattern->row[p] * n + c] += values[p];
}

double largest_of(const double *x, int n)
{
    double worst = 0;
    for (int k = 0; k < n; k++) worst = fmax(worst, fabs(x[k]));
    return worst;
}
