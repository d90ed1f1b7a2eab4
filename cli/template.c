#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "say.h"
#include "write.h"

static int list(void)
{
    for (size_t i = 0; routh_template_name(i); i++)
        printf("%-25s %s\n", routh_template_name(i), routh_template_about(i));
    return EXIT_DONE;
}

/* All KEY=VALUE words, then what --set gave. */
static int collect(routh_setting *settings, size_t *n, const options *given, char *room)
{
    *n = 0;
    for (int i = 1; i < given->n_positional; i++)
        if (!setting_parse(&settings[(*n)++], given->positional[i], &room))
            return usage_error("command template takes KEY=VALUE after the name, not \"%s\"",
                               given->positional[i]);
    for (int i = 0; i < given->n_settings; i++) settings[(*n)++] = given->settings[i];
    return EXIT_DONE;
}

static int write_template(const options *given, const routh_setting *settings, size_t n)
{
    routh_text text;
    routh_error error = {0};
    if (routh_template_write(given->positional[0], settings, n, &text, &error))
        return fault(&error);
    return write_text(&text, given->output);
}

int run_template(const options *given)
{
    if (given->n_positional == 0) return list();
    size_t bytes = 1, n;
    for (int i = 1; i < given->n_positional; i++) bytes += strlen(given->positional[i]) + 1;
    routh_setting *settings =
        calloc((size_t)(given->n_positional + given->n_settings), sizeof *settings);
    char *room = malloc(bytes);
    int status = EXIT_FAULT;
    if (!settings || !room)
        complain("out of memory");
    else
        status = collect(settings, &n, given, room);
    if (status == EXIT_DONE) status = write_template(given, settings, n);
    free(settings);
    free(room);
    return status;
}
