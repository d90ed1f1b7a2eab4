#include "entry/call.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static void call_clear(routh_error *error)
{
    if (!error) return;
    error->status = ROUTH_OK;
    error->line = error->column = 0;
    error->file[0] = error->element[0] = error->message[0] = 0;
}

rt_call rt_call_begin(const char *name, routh_error *error)
{
    call_clear(error);
    return (rt_call){.name = name, .error = error};
}

routh_status rt_call_end(const rt_call *call, routh_status status)
{
    if (!status) call_clear(call->error); /* of what failed on the way and was done otherwise */
    return status;
}

routh_status rt_call_stopped(routh_error *error)
{
    return rt_fail(error, ROUTH_STOPPED,
                   "the caller stopped the computation before its end; what is done is given");
}

void rt_call_refuse(rt_call *call, const char *argument, const char *format, ...)
{
    if (call->status) return;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    call->status =
        rt_fail(call->error, ROUTH_BAD_ARGUMENT, "%s of %s %s", argument, call->name, text);
}

bool rt_call_given(rt_call *call, const void *argument, const char *name)
{
    if (!argument) rt_call_refuse(call, name, "is NULL, and is needed");
    return argument;
}

void rt_call_text(rt_call *call, routh_text *text, const char *name)
{
    if (text) *text = (routh_text){0};
    rt_call_given(call, text, name);
}

void rt_call_index(rt_call *call, long long k, long long n, const char *name)
{
    if (k >= 0 && k < n) return;
    rt_call_refuse(call, name, "is %lld, but there are %lld, counted from 0", k, n);
}

void rt_call_choice(rt_call *call, long long value, int n, const char *name)
{
    if (value >= 0 && value < n) return;
    rt_call_refuse(call, name, "is %lld, no value of its enum, which has 0 to %d", value, n - 1);
}

void rt_call_least(rt_call *call, long long value, long long least, const char *name)
{
    if (value >= least) return;
    rt_call_refuse(call, name, "is %lld; it must be at least %lld", value, least);
}

void rt_call_finite(rt_call *call, double value, const char *name)
{
    if (!isfinite(value)) rt_call_refuse(call, name, "is %g; it must be a finite number", value);
}

void rt_call_all_finite(rt_call *call, const double *values, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (!isfinite(values[k])) {
            rt_call_refuse(call, name, "holds %g as number %zu, from 0; all must be finite",
                           values[k], k);
            return;
        }
}

void rt_call_not_negative(rt_call *call, double value, const char *name)
{
    if (!(value >= 0)) rt_call_refuse(call, name, "is %g; it must be 0 or more", value);
}

void rt_call_list(rt_call *call, const void *list, long long n, const char *name,
                  const char *name_of_n)
{
    if (n < 0)
        rt_call_refuse(call, name_of_n, "is %lld; it counts what is at %s", n, name);
    else if (n > 0 && !list)
        rt_call_refuse(call, name, "is NULL, but %s is %lld", name_of_n, n);
}

void rt_call_words(rt_call *call, const char *const *words, long long n, const char *name,
                   const char *name_of_n)
{
    rt_call_list(call, words, n, name, name_of_n);
    for (long long k = 0; k < n && !call->status; k++)
        if (!words[k]) rt_call_refuse(call, name, "holds NULL as text %lld, from 0", k);
}

void rt_call_settings(rt_call *call, const routh_setting *settings, size_t n, const char *name,
                      const char *name_of_n)
{
    if (n > 0 && !settings) rt_call_refuse(call, name, "is NULL, but %s is %zu", name_of_n, n);
    for (size_t k = 0; k < n && !call->status; k++)
        if (!settings[k].name || !settings[k].value)
            rt_call_refuse(call, name, "holds NULL as the %s of setting %zu, from 0",
                           settings[k].name ? "value" : "name", k);
    for (size_t k = 1; k < n && !call->status; k++)
        for (size_t j = 0; j < k && !call->status; j++)
            if (strcmp(settings[j].name, settings[k].name) == 0)
                rt_call_refuse(call, name, "sets '%.60s' twice, to '%.60s' and to '%.60s'",
                               settings[k].name, settings[j].value, settings[k].value);
}
