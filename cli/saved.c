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
    return EXIT_DONE;
}

int saved_write(const run *r, const options *given, const char *format)
{
    routh_error error = {0};
    run_warn(r, given);
    return routh_linear_save(r->linear, given->output, format, &error) ? fault(&error) : EXIT_DONE;
}
