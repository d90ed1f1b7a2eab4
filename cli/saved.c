#include "saved.h"

#include <string.h>

#include "say.h"
#include "write.h"

bool saved_is_given(const options *given)
{
    const char *path = given->positional[0];
    return strcmp(path, "-") != 0 && routh_exchange_format_of_file(path) != NULL;
}

int saved_refuse(const options *given)
{
    return usage_error("file %s is a linear model, and this command needs a model file; give the "
                       "model file; routh modes and routh linearize take linear models",
                       given->positional[0]);
}

static int check_options(const options *given)
{
    const char *needs_mechanism = option_of_mechanism(given);
    if (!needs_mechanism && given->wanted) needs_mechanism = "wanted";
    if (!needs_mechanism && given->between_given) needs_mechanism = "between";
    if (needs_mechanism)
        return usage_error("option --%s needs a model file, and %s is a linear model; give the "
                           "model file, or leave out --%s",
                           needs_mechanism, given->positional[0], needs_mechanism);
    return EXIT_DONE;
}

int saved_load(run *r, const options *given)
{
    routh_error error = {0};
    const int status = check_options(given);
    if (status) return status;
    if (given->output && same_file(given->output, given->positional[0]))
        return usage_error("option --output would overwrite the model %s; give another file",
                           given->output);
    if (routh_linear_load(&r->linear, given->positional[0], NULL, &error)) return fault(&error);
    return EXIT_DONE;
}

static int check_derivatives(const options *given, const char *format)
{
    const char *word = given->derivatives;
    if (!word) return EXIT_DONE;
    if (strcmp(word, "states") != 0 && strcmp(word, "inputs") != 0)
        return usage_error("option --derivatives is '%s'; it may be states or inputs", word);
    return format ? EXIT_DONE
                  : usage_error("option --derivatives needs a linear model saved by --output FILE");
}

int saved_format(const char **format, const options *given)
{
    *format = given->format;
    if (given->format && (given->json || given->csv))
        return usage_error("option --format excludes --%s; leave out one",
                           given->json ? "json" : "csv");
    if (given->format && (!given->output || strcmp(given->output, "-") == 0))
        return usage_error("option --format needs --output FILE");
    if (!given->format && given->output && !given->json && !given->csv)
        *format = routh_exchange_format_of_name(given->output);
    return check_derivatives(given, *format);
}

static bool wants_inputs(const options *given)
{
    return given->derivatives && strcmp(given->derivatives, "inputs") == 0;
}

/* That the file has no D is in it, and told here. */
static void tell_improper(const routh_linear *linear, const options *given)
{
    int output, input;
    if (given->quiet || wants_inputs(given) || !routh_linear_improper(linear, &output, &input))
        return;
    warn("%s has no matrix D: the output %s is given by a rate of the input %s, which no "
         "state-space model has; save with --derivatives inputs, or leave the output out",
         given->output, linear->outputs[output].name, linear->inputs[input].name);
}

int saved_write(const run *r, const options *given, const char *format)
{
    routh_error error = {0};
    run_warn(r, given);
    if (routh_linear_save_by(
            r->linear, given->output, format,
            wants_inputs(given) ? ROUTH_DERIVATIVES_INPUTS : ROUTH_DERIVATIVES_STATES, &error))
        return fault(&error);
    tell_improper(r->linear, given);
    return EXIT_DONE;
}
