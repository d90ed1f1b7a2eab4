#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "names.h"
#include "run.h"
#include "say.h"
#include "write.h"

/* "none" is a list without names. */
static int take_symbols(name_list *list, const char *text)
{
    const int status = names_take(list, text);
    if (status == EXIT_DONE && text && strcmp(text, "none") == 0) list->names[0] = NULL;
    return status;
}

static int notation_of(const options *given, routh_notation *notation)
{
    static const char *const names[] = {"text", "latex", "c", "python", "matlab", "modelica", NULL};
    static const routh_notation notations[] = {ROUTH_NOTATION_TEXT,   ROUTH_NOTATION_LATEX,
                                               ROUTH_NOTATION_C,      ROUTH_NOTATION_PYTHON,
                                               ROUTH_NOTATION_MATLAB, ROUTH_NOTATION_MODELICA};
    *notation = given->json ? ROUTH_NOTATION_JSON : ROUTH_NOTATION_TEXT;
    if (!given->format) return EXIT_DONE;
    if (given->json)
        return usage_error("options --json and --format exclude each other; leave out "
                           "one");
    for (int k = 0; names[k]; k++)
        if (strcmp(names[k], given->format) == 0) {
            *notation = notations[k];
            return EXIT_DONE;
        }
    return usage_error(
        "option --format takes text, latex, c, python, matlab or modelica, not \"%s\"",
        given->format);
}

typedef routh_status writer(const routh_symbolic *symbolic, routh_notation notation,
                            routh_text *text, routh_error *error);

static int form_of(const options *given, writer **write)
{
    *write = routh_symbolic_write;
    if (!given->form) return EXIT_DONE;
    if (given->json) return usage_error("option --json writes both forms; leave out --form");
    if (strcmp(given->form, "second-order") == 0) return EXIT_DONE;
    if (strcmp(given->form, "state-space") != 0)
        return usage_error("option --form takes second-order or state-space, not \"%s\"",
                           given->form);
    if (given->stability) return usage_error("option --stability needs --form second-order");
    *write = routh_symbolic_write_state_space;
    return EXIT_DONE;
}

static int compute(const options *given, const run *r, routh_symbolic **symbolic)
{
    routh_error error = {0};
    name_list symbols = {0}, coordinates = {0}, unknowns = {0};
    int status = take_symbols(&symbols, given->symbols);
    if (status == EXIT_DONE) status = names_take(&coordinates, given->independent);
    if (status == EXIT_DONE) status = names_take(&unknowns, given->unknown);
    const routh_symbolic_options o = {.symbols = symbols.names,
                                      .coordinates = coordinates.names,
                                      .unknowns = unknowns.names,
                                      .stability = given->stability};
    if (status == EXIT_DONE && routh_symbolic_compute(symbolic, r->model, &o, &error))
        status = fault(&error);
    names_free(&symbols);
    names_free(&coordinates);
    names_free(&unknowns);
    return status;
}

/* "NAME=A:B"; the name is copied. */
static int take_axis(const run *r, const char *text, routh_chart_axis *axis, char *name,
                     size_t size)
{
    routh_error error = {0};
    const char *equals = strchr(text, '='), *colon = equals ? strchr(equals, ':') : NULL;
    char from[200], to[200];
    if (!colon || (size_t)(equals - text) >= size || (size_t)(colon - equals) > sizeof from ||
        strlen(colon) > sizeof to)
        return usage_error("option --over of a chart takes NAME=A:B, not \"%s\"", text);
    snprintf(name, size, "%.*s", (int)(equals - text), text);
    snprintf(from, sizeof from, "%.*s", (int)(colon - equals - 1), equals + 1);
    snprintf(to, sizeof to, "%s", colon + 1);
    axis->name = name;
    if (routh_model_evaluate_for(r->model, name, from, &axis->from, &error) ||
        routh_model_evaluate_for(r->model, name, to, &axis->to, &error)) {
        snprintf(error.element, sizeof error.element, "option --over of a chart");
        return fault(&error);
    }
    return EXIT_DONE;
}

/* Formulas in the two parameters alone, and their picture. */
static int draw(const options *given, const run *r)
{
    enum { CELLS = 120 };
    routh_error error = {0};
    routh_chart_axis axes[2];
    char names[2][200];
    routh_symbolic *symbolic = NULL;
    routh_stability_chart *chart = NULL;
    routh_text text = {0};
    name_list coordinates = {0};
    if (given->n_along != 2)
        return usage_error("option --chart needs --over NAME=A:B twice, for its two parameters");
    int status = EXIT_DONE;
    for (int k = 0; k < 2 && status == EXIT_DONE; k++)
        status = take_axis(r, given->along[k], &axes[k], names[k], sizeof names[k]);
    if (status == EXIT_DONE) status = names_take(&coordinates, given->independent);
    const char *const symbols[] = {names[0], names[1], NULL};
    const routh_symbolic_options o = {
        .symbols = symbols, .coordinates = coordinates.names, .stability = 1};
    if (status == EXIT_DONE && (routh_symbolic_compute(&symbolic, r->model, &o, &error) ||
                                routh_stability_chart_find(&chart, symbolic, axes, CELLS, &error) ||
                                routh_stability_chart_svg(chart, &text, &error)))
        status = fault(&error);
    if (status == EXIT_DONE) status = write_text(&text, given->chart);
    routh_stability_chart_free(chart);
    routh_symbolic_free(symbolic);
    names_free(&coordinates);
    return status;
}

static int certify(const options *given, const run *r, routh_text *text)
{
    routh_error error = {0};
    routh_certificate *certificate = NULL;
    name_list unknowns = {0};
    if (given->symbols || given->independent || given->stability || given->format || given->form ||
        given->chart)
        return usage_error("option --certify uses the parameter values of the model and prints a "
                           "table or --json; of the other options only --unknown and --digits are "
                           "allowed");
    int status = names_take(&unknowns, given->unknown);
    if (status == EXIT_DONE &&
        (routh_certificate_compute(&certificate, r->model, unknowns.names,
                                   given->digits ? given->digits : 20, &error) ||
         (given->json ? routh_certificate_json : routh_certificate_table)(certificate, text,
                                                                          &error)))
        status = fault(&error);
    routh_certificate_free(certificate);
    names_free(&unknowns);
    return status;
}

static int run_certify(const options *given)
{
    run r = {0};
    routh_text text = {0};
    int status = run_to_model(&r, given);
    if (status == EXIT_DONE) status = certify(given, &r, &text);
    if (status == EXIT_DONE) status = write_result(&text, given);
    run_free(&r);
    return status;
}

int run_symbolic(const options *given)
{
    if (given->certify) return run_certify(given);
    if (given->digits) return usage_error("option --digits needs --certify");
    run r = {0};
    routh_symbolic *symbolic = NULL;
    routh_notation notation;
    writer *write;
    routh_text text = {0};
    routh_error error = {0};
    int status = notation_of(given, &notation);
    if (status == EXIT_DONE) status = form_of(given, &write);
    if (status == EXIT_DONE) status = run_to_model(&r, given);
    if (status == EXIT_DONE && given->n_along && !given->chart)
        status = usage_error("option --over needs --chart");
    if (status == EXIT_DONE && given->chart) status = draw(given, &r);
    if (status == EXIT_DONE) status = compute(given, &r, &symbolic);
    if (status == EXIT_DONE && write(symbolic, notation, &text, &error)) status = fault(&error);
    if (status == EXIT_DONE)
        status = notation == ROUTH_NOTATION_TEXT ? write_result(&text, given)
                                                 : write_text(&text, given->output);
    routh_symbolic_free(symbolic);
    run_free(&r);
    return status;
}
