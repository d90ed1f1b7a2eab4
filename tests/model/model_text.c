#include "model_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g was found, %.17g was expected", found, expected);
}

routh_model *read_model_with(const char *text, const char *name, const char *value)
{
    routh_model *model = NULL;
    routh_error error;
    char message[2000];
    const routh_setting setting = {name, value};
    if (routh_model_parse(&model, text, strlen(text), "test", &setting, name ? 1 : 0, &error)) {
        routh_error_text(&error, message, sizeof message);
        fail_msg("%s", message);
    }
    return model;
}

routh_model *read_model(const char *text)
{
    return read_model_with(text, NULL, NULL);
}

void refuse_model(const char *text, const char *expected)
{
    routh_model *model = NULL;
    routh_error error;
    assert_int_not_equal(routh_model_parse(&model, text, strlen(text), "test", NULL, 0, &error),
                         ROUTH_OK);
    assert_null(model);
    if (!strstr(error.message, expected))
        fail_msg("'%s' was expected, the message is '%s'", expected, error.message);
}

double evaluate(const routh_model *model, rt_expr e, const double *slots)
{
    rt_arena arena = {0};
    double out = 0;
    const int n = model->n_quantities;
    int *all = RT_TAKE(&arena, int, n);
    for (int k = 0; k < n; k++) all[k] = k;
    const rt_tape *tape = rt_tape_compile(model->graph, &e, 1, all, n, &arena);
    assert_non_null(tape);
    double *work = RT_TAKE(&arena, double, rt_tape_work(tape));
    rt_tape_evaluate(tape, slots, &out, work);
    rt_arena_free(&arena);
    return out;
}

char *read_source(const char *path, size_t *length)
{
    char whole[1024];
    const char *root = getenv("ROUTH_SOURCE");
    snprintf(whole, sizeof whole, "%s/%s", root ? root : ".", path);
    FILE *file = fopen(whole, "rb");
    if (!file) fail_msg("%s cannot be read", whole);
    size_t room = 1 << 16, n = 0;
    char *bytes = malloc(room);
    for (size_t more = 1; bytes && more; n += more) {
        if (n + 1 >= room) bytes = realloc(bytes, room *= 2);
        more = fread(bytes + n, 1, room - n - 1, file);
    }
    fclose(file);
    assert_non_null(bytes);
    bytes[n] = '\0';
    *length = n;
    return bytes;
}
