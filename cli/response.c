#include <string.h>

#include "commands.h"
#include "run.h"
#include "saved.h"
#include "say.h"
#include "write.h"

/* The name's place in the list, -1: none. */
static int find(const char *name, const char *const *names, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(name, names[k]) == 0) return k;
    return -1;
}

int run_response_options(routh_response_options *o, const options *given)
{
    static const char *const axes[] = {"x", "y", "z"};
    static const char *const motions[] = {"displacement", "velocity", "acceleration"};
    *o = routh_response_defaults();
    o->inputs = given->input;
    o->outputs = given->of;
    o->low = given->over[0], o->high = given->over[1];
    o->n_points = given->over_points;
    o->modal_high = given->modes_to;
    if (given->error != 0) o->error = given->error;
    if (given->base) {
        const int axis = find(given->base, axes, 3);
        if (axis < 0) return usage_error("option --base takes x, y or z, not \"%s\"", given->base);
        o->base = (routh_base_axis)(ROUTH_BASE_X + axis);
    }
    if (given->as) {
        const int motion = find(given->as, motions, 3);
        if (motion < 0)
            return usage_error("option --as takes displacement, velocity or acceleration, not "
                               "\"%s\"",
                               given->as);
        o->reference = (routh_motion_reference)motion;
    }
    return EXIT_DONE;
}

/* A file, or "road=.." */
static int read_spectrum(routh_spectrum **spectrum, const char *text)
{
    routh_error error = {0};
    *spectrum = NULL;
    if (!text) return EXIT_DONE;
    const routh_status status = strchr(text, '=') ? routh_spectrum_parse(spectrum, text, &error)
                                                  : routh_spectrum_read(spectrum, text, &error);
    return status ? fault(&error) : EXIT_DONE;
}

static int compute(run *r, const routh_response_options *o)
{
    routh_error error = {0};
    const routh_status status =
        r->descriptor
            ? routh_response_compute_sparse(&r->response, r->descriptor, r->modes, o, &error)
            : routh_response_compute(&r->response, r->linear, r->modes, o, &error);
    return status ? fault(&error) : EXIT_DONE;
}

int run_to_response(run *r, const options *given, int parts)
{
    routh_response_options o;
    routh_spectrum *spectrum = NULL;
    int status = run_response_options(&o, given);
    if (!status) status = read_spectrum(&spectrum, given->psd);
    o.spectrum = spectrum;
    if (!status && !r->modes) status = run_to_modes(r, given, parts | (o.base ? WITH_SHARES : 0));
    if (!status) status = compute(r, &o);
    routh_spectrum_free(spectrum);
    return status;
}

static int draw(const run *r, const options *given)
{
    routh_error error = {0};
    routh_text text;
    const routh_results results = run_results(r);
    if (!given->svg) return EXIT_DONE;
    return routh_response_svg(&results, &text, &error) ? fault(&error)
                                                       : write_text(&text, given->svg);
}

/* The form that the name of the file asks for: .json, .csv as the options, .mat, .h5, .npz. */
static bool takes_matrices(const options *given, options *named)
{
    *named = *given;
    const char *form = NULL;
    if (given->output && strcmp(given->output, "-") != 0 && !given->json && !given->csv)
        form = routh_exchange_format_of_name(given->output);
    if (!form) return false;
    named->json = strcmp(form, "json") == 0;
    named->csv = strcmp(form, "csv") == 0;
    return !named->json && !named->csv;
}

static int save(const run *r, const options *given)
{
    routh_error error = {0};
    run_warn(r, given);
    options_say_si(given, "the file is");
    const routh_results results = run_results(r);
    return routh_response_save(r->response, results.linear, given->output, NULL, &error)
               ? fault(&error)
               : EXIT_DONE;
}

int run_response(const options *given)
{
    run r = {0};
    options named;
    const bool matrices = takes_matrices(given, &named);
    if (given->svg && same_file(given->svg, given->positional[0]))
        return usage_error("option --svg would overwrite the model %s; give another file",
                           given->svg);
    int status = run_to_response(&r, given, 0);
    if (status == EXIT_DONE) status = run_save_state(&r, given);
    if (status == EXIT_DONE) status = draw(&r, given);
    if (status == EXIT_DONE && matrices)
        status = save(&r, given);
    else if (status == EXIT_DONE)
        status = run_write(&r, &named,
                           (run_forms){.table = routh_response_table,
                                       .json = routh_response_json,
                                       .csv = routh_response_csv});
    run_free(&r);
    return status;
}
