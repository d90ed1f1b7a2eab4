#include "run.h"

#include <stdlib.h>

#include "saved.h"
#include "say.h"
#include "write.h"

static int one_text(const run *r, const options *given, run_forms forms, routh_text *text)
{
    routh_error error = {0};
    routh_results results = run_results(r);
    results.shapes = given->shapes;
    results.parts = given->parts;
    results.units = given->units;
    if (given->csv) run_warn(r, given);
    const run_writer writer = given->json ? forms.json : given->csv ? forms.csv : forms.table;
    return writer(&results, text, &error) ? fault(&error) : EXIT_DONE;
}

int run_write(const run *r, const options *given, run_forms forms)
{
    routh_text text;
    const int status = one_text(r, given, forms, &text);
    return status ? status : write_result(&text, given);
}

int run_save_state(const run *r, const options *given)
{
    routh_error error = {0};
    routh_initial_state *state;
    routh_text text;
    if (!given->save_state) return EXIT_DONE;
    if (!r->point)
        return usage_error("option --save-state needs a model file, and %s is a linear model; give "
                           "the model file",
                           given->positional[0]);
    if (routh_initial_state_of_point(&state, r->mechanism, r->point, &error)) return fault(&error);
    const routh_status status = routh_initial_state_json(state, &text, &error);
    routh_initial_state_free(state);
    return status ? fault(&error) : write_text(&text, given->save_state);
}

static int join(const options *given, const at_points *at, const routh_text *texts,
                routh_text *text)
{
    routh_error error = {0};
    const char **labels = calloc(at->n > 0 ? (size_t)at->n : 1, sizeof *labels);
    if (!labels) return complain("out of memory"), EXIT_FAULT;
    for (int k = 0; k < at->n; k++) labels[k] = at->points[k].label;
    const routh_status status =
        given->json  ? routh_operating_points_json(texts, at->n, text, &error)
        : given->csv ? routh_operating_points_csv(texts, labels, at->n, text, &error)
                     : routh_operating_points_table(texts, labels, at->n, text, &error);
    free(labels);
    return status ? fault(&error) : EXIT_DONE;
}

static int one_of_many(run *r, const options *given, run_step step, run_forms forms,
                       const at_point *at, routh_text *text)
{
    run_forget(r);
    r->at = at;
    const int status = step(r, given);
    return status ? status : one_text(r, given, forms, text);
}

static int many(run *r, const options *given, run_step step, run_forms forms, const at_points *at,
                routh_text *text)
{
    routh_text *texts = calloc((size_t)at->n, sizeof *texts);
    int status = texts ? EXIT_DONE : (complain("out of memory"), EXIT_FAULT);
    if (given->save_state)
        status = usage_error("option --save-state writes one state, but --at gives %d operating "
                             "points; give one",
                             at->n);
    for (int k = 0; k < at->n && !status; k++)
        status = one_of_many(r, given, step, forms, &at->points[k], &texts[k]);
    if (!status) status = join(given, at, texts, text);
    for (int k = 0; texts && k < at->n; k++) routh_text_free(&texts[k]);
    free(texts);
    return status;
}

int run_to_text(const options *given, run_step step, run_forms forms, routh_text *text)
{
    run r = {0};
    at_points at = {0};
    int status = at_read(&at, given);
    if (!status && at.n > 1 && !saved_is_given(given)) {
        status = many(&r, given, step, forms, &at, text);
    } else if (!status) {
        status = step(&r, given);
        if (!status) status = run_save_state(&r, given);
        if (!status) status = one_text(&r, given, forms, text);
    }
    run_free(&r);
    at_free(&at);
    return status;
}

int run_each(const options *given, run_step step, run_forms forms)
{
    routh_text text;
    const int status = run_to_text(given, step, forms, &text);
    return status ? status : write_result(&text, given);
}
