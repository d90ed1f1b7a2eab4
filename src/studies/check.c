/* The public check: its parts in order, and the object that is given back. */
#include "studies/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FINDINGS = 16 };

routh_check_options routh_check_defaults(void)
{
    return (routh_check_options){.operating = routh_operating_point_defaults(),
                                 .tolerance = 1e-8,
                                 .most_degrees = 60,
                                 .most_columns = 400,
                                 .most_eigenvalues = 1000,
                                 .most_exact_bodies = 16};
}

void routh_check_free(routh_check_result *check)
{
    if (!check) return;
    rt_check_holder *h = (rt_check_holder *)(void *)check;
    routh_modes_free(check->modes);
    routh_linear_free(check->linear);
    routh_operating_point_free(check->point);
    routh_mechanism_free(h->mechanism);
    rt_arena_free(&h->arena);
    free(h);
}

static bool check_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Numbers with a point, whatever the decimal sign of the locale is. */
static void set_points(char *text)
{
    char half[16];
    snprintf(half, sizeof half, "%.1f", 0.5);
    const size_t length = strlen(half) - 2;
    half[length + 1] = '\0'; /* what stands between 0 and 5 */
    if (length == 0 || strcmp(half + 1, ".") == 0) return;
    for (char *at = strstr(text, half + 1); at; at = strstr(at + 1, half + 1)) {
        if (at == text || !check_is_digit(at[-1]) || !check_is_digit(at[length])) continue;
        *at = '.';
        memmove(at + 1, at + length, strlen(at + length) + 1);
    }
}

static char *check_text_of(rt_check_holder *h, const char *format, va_list args)
{
    char text[1400];
    const int length = vsnprintf(text, sizeof text, format, args);
    const size_t kept = length < 0                     ? 0
                        : (size_t)length < sizeof text ? (size_t)length
                                                       : sizeof text - 1;
    text[kept] = '\0';
    set_points(text);
    return rt_arena_text(&h->arena, text, strlen(text));
}

char *rt_check_text(rt_check_holder *h, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = check_text_of(h, format, args);
    va_end(args);
    return text;
}

routh_status rt_check_find(rt_check_holder *h, const char *name, routh_verdict verdict,
                           double margin, routh_error *error, const char *format, ...)
{
    routh_check_result *c = &h->check;
    va_list args;
    va_start(args, format);
    char *text = check_text_of(h, format, args);
    va_end(args);
    if (!c->findings) c->findings = RT_TAKE(&h->arena, routh_finding, MOST_FINDINGS);
    if (!text || !c->findings || c->n_findings == MOST_FINDINGS) return rt_fail_memory(error);
    c->findings[c->n_findings++] = (routh_finding){name, verdict, margin, text};
    return ROUTH_OK;
}

static routh_status check_check_options(const routh_check_options *o, routh_error *error)
{
    if (o->tolerance > 0 && o->tolerance < 1 && o->most_degrees >= 0 && o->most_columns >= 0 &&
        o->most_eigenvalues >= 0 && o->most_exact_bodies >= 0)
        return ROUTH_OK;
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "the tolerance of a check must lie between 0 and 1, and its limits must not be "
                   "negative");
}

static routh_status check_run(rt_check_holder *h, routh_error *error)
{
    routh_status status = check_check_options(&h->options, error);
    if (!status) status = routh_mechanism_compile(&h->mechanism, h->model, NULL, error);
    if (!status)
        status =
            routh_operating_point_find(&h->check.point, h->mechanism, &h->options.operating, error);
    if (!status) status = rt_watch_ask(&h->watch, 0, error);
    if (!status) status = rt_check_structure(h, error);
    if (!status) status = rt_watch_ask(&h->watch, 0, error);
    if (!status) status = rt_check_cells(h, error);
    if (!status) status = rt_watch_ask(&h->watch, 0, error);
    if (!status) status = rt_check_modes(h, error);
    return status ? status : rt_check_answers(h, error);
}

/* What is within the check asks for all of it. */
static void watch(rt_check_holder *h)
{
    h->watch.on_progress = h->options.on_progress;
    h->watch.data = h->options.data;
    h->options.operating.on_progress = rt_watch_within;
    h->options.operating.data = &h->watch;
}

routh_status routh_check_run(routh_check_result **check, const routh_model *model,
                             const routh_check_options *options, routh_error *error)
{
    *check = NULL;
    rt_check_holder *h = calloc(1, sizeof *h);
    if (!h) return rt_fail_memory(error);
    h->model = model;
    h->options = options ? *options : routh_check_defaults();
    watch(h);
    const routh_status status = rt_watch_end(&h->watch, check_run(h, error), error);
    if (status) {
        routh_check_free(&h->check);
        return status;
    }
    *check = &h->check;
    return ROUTH_OK;
}
