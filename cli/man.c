/* The manual page, made from the tables of commands and options: roff with the macros of man(7). */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "say.h"
#include "write.h"

/* Text as roff: no command at the start of a line, no escape, plain hyphens. */
static void put(FILE *to, const char *text)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\'')) fputs("\\&", to);
        start = *text == '\n';
        switch (*text) {
        case '\\': fputs("\\e", to); break;
        case '-': fputs("\\-", to); break;
        case '~': fputs("\\(ti", to); break;
        case '^': fputs("\\(ha", to); break;
        case '`': fputs("\\(ga", to); break;
        default: fputc(*text, to);
        }
    }
}

/* Lines of the help, whose breaks and margins the page makes itself. */
static void put_flowing(FILE *to, const char *text)
{
    char line[1024];
    bool first = true;
    while (*text) {
        const size_t n = strcspn(text, "\n");
        if (first || (*text >= 'A' && *text <= 'Z')) fputs(".br\n", to); /* a new sentence */
        snprintf(line, sizeof line, "%.*s\n", (int)n, text);
        put(to, line);
        first = false;
        text += n + (text[n] == '\n');
        text += strspn(text, " ");
    }
}

static void section(FILE *to, const char *name) { fprintf(to, ".SH %s\n", name); }

static void put_option(FILE *to, const option_shown *o)
{
    char *help = NULL;
    size_t size = 0;
    fputs(".TP\n", to);
    if (o->letter) fprintf(to, "\\fB\\-%c\\fR, ", o->letter);
    fputs("\\fB\\-\\-", to);
    put(to, o->name);
    fputs("\\fR", to);
    if (o->argument) {
        fputs(" \\fI", to);
        put(to, o->argument);
        fputs("\\fR", to);
    }
    fputs("\n", to);
    FILE *words = open_memstream(&help, &size);
    if (words) option_write_help(words, o);
    if (words && fclose(words) == 0) put(to, help);
    free(help);
    fputs("\n", to);
}

static void put_command(FILE *to, const command *c)
{
    fputs(".SS \"routh ", to);
    put(to, c->name);
    if (*c->arguments) fputs(" ", to);
    put(to, c->arguments);
    fputs("\"\n", to);
    put(to, c->about);
    fputs(".\n", to);
    if (c->more) put_flowing(to, c->more);
    option_shown o;
    for (size_t at = 0; option_show(&o, &at, c->groups);)
        if (!option_is_common(&o)) put_option(to, &o);
}

static void common_options(FILE *to)
{
    option_shown o;
    section(to, "OPTIONS OF ALL COMMANDS");
    for (size_t at = 0; option_show(&o, &at, 0);) put_option(to, &o);
}

static void environment(FILE *to)
{
    static const char *const names[][2] = {
        {"NO_COLOR", "set and not empty: no colour on a terminal, unless --color asks for it."},
        {"TERM", "dumb or unset: likewise."},
        {"OMP_NUM_THREADS", "threads, where --threads does not say."},
    };
    section(to, "ENVIRONMENT");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        fprintf(to, ".TP\n.B %s\n", names[k][0]);
        put(to, names[k][1]);
        fputs("\n", to);
    }
}

static void page(FILE *to)
{
    fprintf(to, ".TH ROUTH 1 \"\" \"routh %s\" \"User commands\"\n", routh_version());
    section(to, "NAME");
    fputs("routh \\- exact linear models of constrained multibody systems\n", to);
    section(to, "SYNOPSIS");
    fputs(".B routh\n.I COMMAND\n[\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n", to);
    section(to, "DESCRIPTION");
    put(to, "Routh takes a mechanism (bodies, joints, springs, forces, controllers), finds an "
            "operating point, and gives its exact linear model there: matrices, eigenvalues, modes, "
            "and what follows from them. MODEL is a file in YAML; - is standard input. routh "
            "reference writes all that it may hold.\n");
    section(to, "COMMANDS");
    for (const command *c = commands; c->name; c++) put_command(to, c);
    common_options(to);
    section(to, "EXIT STATUS");
    fputs(".TP\n.B 0\nsuccess\n.TP\n.B 1\nerror in the model, the computation or a file\n"
          ".TP\n.B 2\nwrong usage\n",
          to);
    environment(to);
    section(to, "EXAMPLES");
    fputs(".nf\nrouth template rotor\\-stator \\-\\-output rotor.yaml\n"
          "routh modes rotor.yaml\n"
          "routh report rotor.yaml \\-\\-output rotor.html\n.fi\n",
          to);
}

int run_man(const options *given) { return write_made(page, given); }
