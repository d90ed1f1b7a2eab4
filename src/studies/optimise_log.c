#define _POSIX_C_SOURCE 200809L /* truncate */
#include "studies/optimise_log.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"

#define RT_LOG_FORM "routh-optimise-log-1"

/* ---- records --------------------------------------------------------------------------------- */

routh_status rt_evaluation_make(rt_evaluation *r, const rt_members *m, routh_error *error)
{
    const size_t n = (size_t)m->n, n_x = (size_t)m->n_x, n_e = 2 * (size_t)m->n_branches;
    *r = (rt_evaluation){.x = calloc(n_x + 2 * n + n * n_x + n_e + 1, sizeof(double))};
    if (!r->x) return rt_fail_memory(error);
    r->value = r->x + n_x;
    r->hz = r->value + n;
    r->by = r->hz + n;
    r->eigenvalues = r->by + n * n_x;
    return ROUTH_OK;
}

void rt_evaluation_free(rt_evaluation *r)
{
    free(r->x);
    free(r->message);
    *r = (rt_evaluation){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

static routh_status optimise_log_fail_file(const char *path, const char *doing, int code,
                                           routh_error *error)
{
    char reason[128] = "";
    if (strerror_r(code, reason, sizeof reason)) snprintf(reason, sizeof reason, "error %d", code);
    return rt_fail_at(error, ROUTH_FILE_ERROR, path, (rt_place){0}, NULL,
                      "the log cannot be %s: %s", doing, reason);
}

static routh_status put_line(rt_logbook *log, rt_json *json, routh_error *error)
{
    const routh_status status = rt_json_finish(json, error);
    if (status) return status;
    size_t length = json->text.length;
    while (length > 0 && json->text.bytes[length - 1] == '\n') length--;
    const bool whole = fwrite(json->text.bytes, 1, length, log->file) == length &&
                       fputc('\n', log->file) != EOF && fflush(log->file) == 0;
    const int code = errno;
    rt_text_free(&json->text);
    return whole ? ROUTH_OK : optimise_log_fail_file(log->path, "written", code, error);
}

static routh_status optimise_log_write_head(rt_logbook *log, const rt_optimise_task *t,
                                            const char *algorithm, routh_error *error)
{
    rt_json json = {0};
    rt_json_flat_object(&json, NULL);
    rt_json_string(&json, "log", RT_LOG_FORM);
    rt_json_string(&json, "program", "routh " ROUTH_VERSION);
    rt_json_string(&json, "model", t->model->file);
    rt_json_string(&json, "study", t->study->file);
    rt_json_string(&json, "algorithm", algorithm);
    rt_json_flat_array(&json, "variables");
    for (int k = 0; k < t->study->n_variables; k++)
        rt_json_string(&json, NULL, t->study->variables[k].name);
    rt_json_end(&json);
    rt_json_flat_array(&json, "goals");
    for (int k = 0; k < t->study->n_goals; k++)
        rt_json_string(&json, NULL, t->study->goals[k].name);
    rt_json_end(&json);
    rt_json_end(&json);
    return put_line(log, &json, error);
}

routh_status rt_log_begin(rt_logbook *log, const char *path, const rt_optimise_task *t,
                          const char *algorithm, routh_error *error)
{
    *log = (rt_logbook){.path = path};
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST)
        return rt_fail_at(error, ROUTH_FILE_ERROR, path, (rt_place){0}, NULL,
                          "the log file exists already; continue it (--resume), or give another "
                          "name");
    if (file < 0) return optimise_log_fail_file(path, "written", errno, error);
    log->file = fdopen(file, "w");
    if (!log->file) {
        close(file);
        return rt_fail_memory(error);
    }
    return optimise_log_write_head(log, t, algorithm, error);
}

routh_status rt_log_write(rt_logbook *log, const rt_members *m, const rt_evaluation *r, int number,
                          double objective, double violation, routh_error *error)
{
    rt_json json = {0};
    if (!log->file) return ROUTH_OK;
    rt_json_flat_object(&json, NULL);
    rt_json_int(&json, "evaluation", number);
    rt_json_reals(&json, "variables", r->x, m->n_x);
    if (r->message) {
        rt_json_string(&json, "message", r->message);
    } else {
        rt_json_real(&json, "objective", objective);
        rt_json_real(&json, "violation", violation);
        rt_json_reals(&json, "values", r->value, m->n);
        rt_json_flat_array(&json, "hz");
        for (int k = 0; k < m->n; k++) rt_json_real_or_null(&json, NULL, r->hz[k]);
        rt_json_end(&json);
        rt_json_reals(&json, "by", r->by, m->n * m->n_x);
        rt_json_reals(&json, "eigenvalues", r->eigenvalues, 2 * m->n_branches);
        rt_json_bool(&json, "uncertain", r->uncertain);
    }
    rt_json_end(&json);
    return put_line(log, &json, error);
}

void rt_log_end(rt_logbook *log)
{
    if (log->file) fclose(log->file); /* every line was flushed */
    *log = (rt_logbook){0};
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct optimise_log_reading {
    const char *path;
    int line;
    const rt_members *members;
    routh_error *error;
} optimise_log_reading;

static routh_status optimise_log_wrong(const optimise_log_reading *r, const char *what)
{
    return rt_fail_at(r->error, ROUTH_BAD_ARGUMENT, r->path, rt_place_at(r->line, 1), NULL, "%s",
                      what);
}

/* null: NAN */
static bool optimise_log_take_numbers(const json_t *object, const char *name, int n, bool nulls,
                                      double *to)
{
    const json_t *list = json_object_get(object, name);
    if (!json_is_array(list) || json_array_size(list) != (size_t)n) return false;
    for (int k = 0; k < n; k++) {
        const json_t *x = json_array_get(list, (size_t)k);
        if (!json_is_number(x) && !(nulls && json_is_null(x))) return false;
        to[k] = json_is_number(x) ? json_number_value(x) : NAN;
    }
    return true;
}

static bool is_list_of(const json_t *list, const char *(*name)(const rt_study *s, int k),
                       const rt_study *s, int n)
{
    if (!json_is_array(list) || json_array_size(list) != (size_t)n) return false;
    for (int k = 0; k < n; k++) {
        const char *text = json_string_value(json_array_get(list, (size_t)k));
        if (!text || strcmp(text, name(s, k)) != 0) return false;
    }
    return true;
}

static const char *optimise_log_variable_name(const rt_study *s, int k)
{
    return s->variables[k].name;
}
static const char *goal_name(const rt_study *s, int k) { return s->goals[k].name; }

static routh_status optimise_log_read_head(const optimise_log_reading *r, const json_t *head,
                                           const rt_optimise_task *t, const char *algorithm)
{
    const char *form = json_string_value(json_object_get(head, "log")),
               *by = json_string_value(json_object_get(head, "algorithm"));
    const rt_study *s = t->study;
    if (!form || strcmp(form, RT_LOG_FORM) != 0)
        return optimise_log_wrong(r, "this is not the log of an optimisation by this version; "
                                     "start again with a new log");
    if (!by || strcmp(by, algorithm) != 0)
        return optimise_log_wrong(
            r, "the log belongs to another algorithm; use the same algorithm, or start again with "
               "a new log");
    if (!is_list_of(json_object_get(head, "variables"), optimise_log_variable_name, s,
                    s->n_variables) ||
        !is_list_of(json_object_get(head, "goals"), goal_name, s, s->n_goals))
        return optimise_log_wrong(
            r, "the log belongs to another study, whose variables or goals differ; use the same "
               "study, or start again with a new log");
    return ROUTH_OK;
}

static routh_status read_record(const optimise_log_reading *r, const json_t *json,
                                rt_evaluation *record)
{
    const rt_members *m = r->members;
    const routh_status status = rt_evaluation_make(record, m, r->error);
    if (status) return status;
    const char *message = json_string_value(json_object_get(json, "message"));
    bool good = optimise_log_take_numbers(json, "variables", m->n_x, false, record->x);
    if (good && message) {
        record->message = malloc(strlen(message) + 1);
        if (!record->message) return rt_fail_memory(r->error);
        strcpy(record->message, message);
        return ROUTH_OK;
    }
    good = good && optimise_log_take_numbers(json, "values", m->n, false, record->value) &&
           optimise_log_take_numbers(json, "hz", m->n, true, record->hz) &&
           optimise_log_take_numbers(json, "by", m->n * m->n_x, false, record->by) &&
           optimise_log_take_numbers(json, "eigenvalues", 2 * m->n_branches, false,
                                     record->eigenvalues);
    record->uncertain = json_is_true(json_object_get(json, "uncertain"));
    return good ? ROUTH_OK
                : optimise_log_wrong(
                      r, "this line is not an evaluation of this study, because the log is damaged "
                         "or belongs to another study or model; start again with a new log");
}

static routh_status optimise_log_read_line(const optimise_log_reading *r, const char *line,
                                           size_t length, const rt_optimise_task *t,
                                           const char *algorithm, rt_evaluation *record)
{
    json_error_t why;
    json_t *json = json_loadb(line, length, JSON_DECODE_INT_AS_REAL, &why);
    if (!json && (json_error_code(&why) == json_error_out_of_memory || !why.text[0]))
        return rt_fail_memory(r->error);
    if (!json)
        return optimise_log_wrong(r, "this line is not JSON, because the log is damaged; "
                                     "start again with a new log");
    const routh_status status =
        r->line == 1 ? optimise_log_read_head(r, json, t, algorithm) : read_record(r, json, record);
    json_decref(json);
    return status;
}

/* As far as there are whole lines: *length. */
static routh_status optimise_log_read_lines(optimise_log_reading *r, const rt_file *file,
                                            const rt_optimise_task *t, const char *algorithm,
                                            rt_evaluation **records, int *n, size_t *length)
{
    int lines = 0;
    for (size_t k = 0; k < file->length; k++) lines += file->bytes[k] == '\n';
    *length = 0;
    *records = calloc((size_t)lines + 1, sizeof **records);
    if (!*records) return rt_fail_memory(r->error);
    if (lines == 0)
        return r->line = 1, optimise_log_wrong(r, "this is not the log of an optimisation; give "
                                                  "the right file");
    for (r->line = 1; r->line <= lines; r->line++) {
        const char *line = file->bytes + *length, *end = memchr(line, '\n', file->length - *length);
        if (r->line > 1) ++*n; /* what is half read is freed too */
        const routh_status status = optimise_log_read_line(
            r, line, (size_t)(end - line), t, algorithm, r->line > 1 ? &(*records)[*n - 1] : NULL);
        if (status) return status;
        *length += (size_t)(end - line) + 1;
    }
    return ROUTH_OK;
}

routh_status rt_log_resume(rt_logbook *log, const char *path, const rt_optimise_task *t,
                           const char *algorithm, const rt_members *m, rt_evaluation **records,
                           int *n, routh_error *error)
{
    rt_file file = {0};
    size_t length;
    optimise_log_reading r = {.path = path, .members = m, .error = error};
    *log = (rt_logbook){.path = path};
    routh_status status = rt_file_read(path, &file, error);
    if (status) return status;
    status = optimise_log_read_lines(&r, &file, t, algorithm, records, n, &length);
    if (!status && length < file.length && truncate(path, (off_t)length))
        status = optimise_log_fail_file(path, "written", errno, error);
    free(file.bytes);
    if (status) return status;
    log->file = fopen(path, "a");
    return log->file ? ROUTH_OK : optimise_log_fail_file(path, "written", errno, error);
}
