#include "commands.h"
#include "colour.h"
#include "say.h"

const char exit_statuses[] =
    "Exit status: 0 success; 1 error in the model, the computation or a file; 2 wrong usage.\n";

static void list(FILE *to)
{
    for (const command *c = commands; c->name; c++) {
        char word[64];
        snprintf(word, sizeof word, "%s %s", c->name, c->arguments);
        fprintf(to, "  %-31s %s\n", word, c->about);
    }
}

void help_overview(FILE *to)
{
    fprintf(to, "%srouth: exact linear models of constrained multibody systems%s\n\n",
            colour_begin(to, COLOUR_TITLE), colour_end(to));
    fputs("  routh COMMAND [ARGUMENT...] [OPTION...]\n\n", to);
    list(to);
    fputs("\nMODEL is a model file (YAML); - is standard input. \"routh help COMMAND\" lists the "
          "options of a command.\n",
          to);
    fputs(exit_statuses, to);
}

void help_command(FILE *to, const command *c)
{
    fprintf(to, "%srouth %s%s%s [OPTION...]%s\n\n  %s\n", colour_begin(to, COLOUR_TITLE), c->name,
            *c->arguments ? " " : "", c->arguments, colour_end(to), c->about);
    if (c->more) fprintf(to, "  %s\n", c->more);
    fputs("\n", to);
    options_help(to, c->groups);
    fprintf(to, "\n%s", exit_statuses);
}

int run_help(const options *given)
{
    if (given->n_positional == 0) {
        help_overview(stdout);
        return EXIT_DONE;
    }
    const command *c = command_find(given->positional[0]);
    if (!c) {
        const char *near = command_suggest(given->positional[0]);
        if (near)
            return usage_error("command %s is unknown; did you mean %s?", given->positional[0],
                               near);
        return usage_error("command %s is unknown; \"routh help\" lists the commands",
                           given->positional[0]);
    }
    help_command(stdout, c);
    return EXIT_DONE;
}
