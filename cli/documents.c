/* Texts made from the library's own tables. */
#include <string.h>

#include "commands.h"
#include "say.h"
#include "write.h"

static int write_document(routh_status (*make)(routh_text *, routh_error *), const options *given)
{
    routh_text text;
    routh_error error = {0};
    if (make(&text, &error)) return fault(&error);
    return write_text(&text, given->output);
}

int run_schema(const options *given)
{
    routh_text text;
    routh_error error = {0};
    if (given->n_positional == 0) return write_document(routh_model_schema, given);
    if (routh_results_schema(given->positional[0], &text, &error)) return fault(&error);
    return write_text(&text, given->output);
}

int run_reference(const options *given)
{
    if (given->n_positional == 0) return write_document(routh_model_reference, given);
    if (strcmp(given->positional[0], "results") != 0)
        return usage_error("there is no reference page \"%s\"; there is \"results\"",
                           given->positional[0]);
    return write_document(routh_results_reference, given);
}
