/* The benchmark: problems are chosen, computed one after another, and judged. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "routh/benchmark.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "benchmark/judge.h"
#include "benchmark/session.h"

/* What a routh_benchmark's texts and numbers lie in. */
typedef struct storage {
    rt_benchmark_entries entries;
    rt_arena arena;
} storage;

static double benchmark_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static routh_status read_problems(rt_benchmark_entries *entries, routh_error *error)
{
    return rt_benchmark_read(entries, (const char *)rt_benchmark_problems,
                             rt_benchmark_problems_size, "problems.yaml", error);
}

/* ---- which ----------------------------------------------------------------------------------- */

/* * stands for any letters, ? for one. */
static bool benchmark_fits(const char *pattern, const char *name)
{
    if (*pattern == '\0') return *name == '\0';
    if (*pattern == '*')
        return benchmark_fits(pattern + 1, name) || (*name && benchmark_fits(pattern, name + 1));
    return *name && (*pattern == '?' || *pattern == *name) && benchmark_fits(pattern + 1, name + 1);
}

static bool benchmark_is_named(const char *word, const char *name)
{
    return strpbrk(word, "*?") ? benchmark_fits(word, name) : strstr(name, word) != NULL;
}

static bool is_chosen(const routh_benchmark_options *o, const char *name)
{
    bool chosen = !o || o->n_names == 0;
    for (int k = 0; !chosen && k < o->n_names; k++) chosen = benchmark_is_named(o->names[k], name);
    return chosen;
}

static routh_status check_names(const rt_benchmark_entries *entries,
                                const routh_benchmark_options *o, routh_error *error)
{
    for (int k = 0; o && k < o->n_names; k++) {
        int found = 0;
        for (int e = 0; e < entries->n; e++)
            found += benchmark_is_named(o->names[k], entries->entries[e].name);
        if (!found)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "no benchmark problem is named \"%.80s\"; routh benchmark --list shows "
                           "the names",
                           o->names[k]);
    }
    return ROUTH_OK;
}

/* ---- computing ------------------------------------------------------------------------------- */

static routh_status evaluate(const routh_model *model, const rt_benchmark_quantity *q,
                             double *reference, routh_error *error)
{
    if (q->reference) return routh_model_evaluate(model, q->reference, reference, error);
    if (rt_number_read(q->published, strlen(q->published), reference)) return ROUTH_OK;
    return rt_fail_at(error, ROUTH_MODEL_ERROR, "problems.yaml", q->place, NULL,
                      "`published` is no number: %s", q->published);
}

/* Memory that ran out ends the whole; any other error is the problem's fault. */
static routh_status keep_fault(storage *s, routh_benchmark_problem *problem,
                               const routh_error *problem_error, routh_error *error)
{
    char text[1600];
    if (problem_error->status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(error);
    if (problem->fault) return ROUTH_OK;
    routh_error_text(problem_error, text, sizeof text);
    problem->fault = rt_arena_text(&s->arena, text, strlen(text));
    return problem->fault ? ROUTH_OK : rt_fail_memory(error);
}

/* The numbers of one case; where one fails the others are computed all the same. */
static routh_status run_case(storage *s, routh_benchmark_problem *problem,
                             const rt_benchmark_entry *entry, const rt_benchmark_case *of,
                             routh_benchmark_value *values, routh_error *error)
{
    rt_benchmark_session session;
    routh_error wrong = {0};
    routh_status status = ROUTH_OK;
    const routh_status begun = rt_benchmark_begin(&session, entry, of, &wrong);
    if (begun) status = keep_fault(s, problem, &wrong, error);
    for (int k = 0; k < of->n_quantities && !begun && !status; k++) {
        const rt_benchmark_quantity *q = &of->quantities[k];
        routh_benchmark_value *v = &values[k];
        if (evaluate(session.model, q, &v->reference, &wrong) ||
            rt_benchmark_compute(&session, q, &v->computed, &wrong))
            status = keep_fault(s, problem, &wrong, error);
        rt_benchmark_judge(v);
    }
    rt_benchmark_end(&session);
    return status;
}

static routh_status run_problem(storage *s, routh_benchmark_problem *problem,
                                const rt_benchmark_entry *entry, routh_error *error)
{
    const double start = benchmark_now();
    int first = 0, unknown = 0, wrong = 0;
    for (int k = 0; k < entry->n_cases; k++) {
        const routh_status status =
            run_case(s, problem, entry, &entry->cases[k], problem->values + first, error);
        if (status) return status;
        first += entry->cases[k].n_quantities;
    }
    for (int k = 0; k < problem->n_values; k++) {
        unknown += problem->values[k].verdict == ROUTH_CANNOT_TELL;
        wrong += problem->values[k].verdict == ROUTH_NO;
    }
    problem->verdict = wrong ? ROUTH_NO : unknown ? ROUTH_CANNOT_TELL : ROUTH_YES;
    problem->seconds = benchmark_now() - start;
    return ROUTH_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static routh_benchmark_value blank_value(const rt_benchmark_case *of,
                                         const rt_benchmark_quantity *q)
{
    return (routh_benchmark_value){.label = of->label,
                                   .quantity = q->quantity,
                                   .unit = q->unit,
                                   .published = q->published,
                                   .formula = q->is_formula ? q->reference : NULL,
                                   .reference = NAN,
                                   .computed = NAN,
                                   .digits_wanted = q->digits,
                                   .misprint = q->misprint,
                                   .note = q->note,
                                   .verdict = ROUTH_CANNOT_TELL};
}

static routh_status blank_problem(storage *s, routh_benchmark_problem *problem,
                                  const rt_benchmark_entry *entry, routh_error *error)
{
    int n = 0;
    *problem = (routh_benchmark_problem){.name = entry->name,
                                         .title = entry->title,
                                         .source = entry->source,
                                         .where = entry->where,
                                         .model = entry->described,
                                         .n_values = entry->n_quantities,
                                         .verdict = ROUTH_CANNOT_TELL};
    problem->values = RT_TAKE(&s->arena, routh_benchmark_value, entry->n_quantities);
    if (!problem->values) return rt_fail_memory(error);
    for (int c = 0; c < entry->n_cases; c++)
        for (int k = 0; k < entry->cases[c].n_quantities; k++)
            problem->values[n++] = blank_value(&entry->cases[c], &entry->cases[c].quantities[k]);
    return ROUTH_OK;
}

static void count(routh_benchmark *b)
{
    for (int p = 0; p < b->n; p++) {
        const routh_benchmark_problem *problem = &b->problems[p];
        b->n_values += problem->n_values;
        b->seconds += problem->seconds;
        for (int k = 0; k < problem->n_values; k++) {
            b->n_agree += problem->values[k].verdict == ROUTH_YES;
            b->n_wrong += problem->values[k].verdict == ROUTH_NO;
            b->n_unknown += problem->values[k].verdict == ROUTH_CANNOT_TELL;
        }
    }
}

static routh_status run_all(routh_benchmark *b, storage *s, const routh_benchmark_options *o,
                            routh_error *error)
{
    const rt_benchmark_entries *entries = &s->entries;
    int all = 0;
    b->problems = RT_TAKE(&s->arena, routh_benchmark_problem, entries->n + 1);
    if (!b->problems) return rt_fail_memory(error);
    for (int e = 0; e < entries->n; e++) all += is_chosen(o, entries->entries[e].name);
    for (int e = 0; e < entries->n; e++) {
        if (!is_chosen(o, entries->entries[e].name)) continue;
        routh_status status = blank_problem(s, &b->problems[b->n], &entries->entries[e], error);
        if (!status && !(o && o->list))
            status = run_problem(s, &b->problems[b->n], &entries->entries[e], error);
        if (status) return status;
        b->n++;
        if (o && o->on_progress && o->on_progress(o->data, b->n, all))
            return rt_fail(error, ROUTH_STOPPED, "stopped after %d of %d problems", b->n, all);
    }
    count(b);
    return ROUTH_OK;
}

routh_status routh_benchmark_run(routh_benchmark **benchmark, const routh_benchmark_options *o,
                                 routh_error *error)
{
    *benchmark = NULL;
    routh_benchmark *b = calloc(1, sizeof *b);
    storage *s = calloc(1, sizeof *s);
    if (!b || !s) {
        free(b);
        free(s);
        return rt_fail_memory(error);
    }
    b->storage = s;
    routh_status status = read_problems(&s->entries, error);
    if (!status) status = check_names(&s->entries, o, error);
    if (!status) status = run_all(b, s, o, error);
    if (status)
        routh_benchmark_free(b);
    else
        *benchmark = b;
    return status;
}

void routh_benchmark_free(routh_benchmark *b)
{
    if (!b) return;
    storage *s = b->storage;
    rt_benchmark_entries_free(&s->entries);
    rt_arena_free(&s->arena);
    free(s);
    free(b);
}

routh_status routh_benchmark_model(const char *name, routh_text *text, routh_error *error)
{
    rt_benchmark_entries entries;
    const rt_benchmark_entry *found = NULL;
    *text = (routh_text){0};
    routh_status status = read_problems(&entries, error);
    for (int e = 0; !status && e < entries.n && !found; e++)
        if (strcmp(entries.entries[e].name, name) == 0) found = &entries.entries[e];
    if (!status && !found)
        status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                         "no benchmark problem is named \"%.80s\"; routh benchmark --list shows "
                         "the names",
                         name);
    if (!status) status = rt_benchmark_text(found, &found->cases[0], text, error);
    rt_benchmark_entries_free(&entries);
    return status;
}
