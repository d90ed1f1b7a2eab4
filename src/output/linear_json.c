/* The linear model's own document, with the warnings of all results in it. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "output/exchange_json.h"
#include "output/exchange_pack.h"
#include "output/matrix_changes.h"
#include "output/results.h"
#include "routh/routh.h"

typedef struct linear_json_list {
    rt_arena arena;
    char **texts;
    int n, room;
    bool failed;
} linear_json_list;

static void linear_json_count(void *context, const char *warning)
{
    (void)warning;
    ((linear_json_list *)context)->room++;
}

static void linear_json_keep(void *context, const char *warning)
{
    linear_json_list *l = context;
    char *text = rt_arena_text(&l->arena, warning, strlen(warning));
    l->failed |= !text;
    l->texts[l->n++] = text;
}

static routh_status take_warnings(linear_json_list *l, const routh_results *results,
                                  routh_error *error)
{
    rt_results_warnings(results, linear_json_count, l);
    l->texts = RT_TAKE(&l->arena, char *, l->room);
    if (!l->texts) return rt_fail_memory(error);
    rt_results_warnings(results, linear_json_keep, l);
    return l->failed ? rt_fail_memory(error) : ROUTH_OK;
}

static routh_status linear_json_write(const routh_linear *linear, const routh_results *results,
                                      rt_json *json, routh_error *error)
{
    rt_record record = {0};
    routh_status status = rt_record_pack(&record, linear, ROUTH_DERIVATIVES_STATES, false, error);
    if (!status) {
        rt_json_record_open(json, &record);
        rt_matrix_changes_json(json, "derivatives", results);
        rt_json_end(json);
        status = rt_json_finish(json, error);
    }
    rt_record_free(&record);
    return status;
}

routh_status routh_linear_json(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    rt_json json = {0};
    linear_json_list warnings = {0};
    routh_status status = rt_results_check(results, RT_NEED_LINEAR, error);
    if (!status) status = take_warnings(&warnings, results, error);
    if (!status) {
        routh_linear linear = *results->linear;
        linear.warnings = warnings.texts;
        linear.n_warnings = warnings.n;
        if (!linear.file) linear.file = (char *)rt_results_file(results);
        if (!linear.version) linear.version = (char *)routh_version();
        status = linear_json_write(&linear, results, &json, error);
    }
    rt_arena_free(&warnings.arena);
    return status ? status : rt_results_hand_over(&json.text, text, error);
}
