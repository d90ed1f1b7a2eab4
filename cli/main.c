/* The program routh: finds the command, parses its options, runs it. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */

#include <signal.h>
#include <string.h>

#include <cblas.h>

#include "cluster.h"
#include "commands.h"
#include "endings.h"
#include "room.h"
#include "say.h"
#include "write.h"

static int usage(void)
{
    help_overview(stderr);
    return EXIT_USAGE;
}

static int no_such_command(const char *name)
{
    const char *near = command_suggest(name);
    if (name[0] == '-')
        return usage_error("option %s stands before the command; write routh COMMAND %s", name,
                           name);
    if (near) return usage_error("command %s is unknown; did you mean %s?", name, near);
    return usage_error("command %s is unknown; \"routh help\" lists the commands", name);
}

static int check_words(const command *c, const options *given)
{
    if (given->n_positional < c->least)
        return usage_error("command %s needs %s; write routh %s %s", c->name, c->arguments, c->name,
                           c->arguments);
    if (given->n_positional > c->most)
        return usage_error(
            "command %s has no use for argument \"%s\"; \"routh help %s\" shows its arguments",
            c->name, given->positional[c->most], c->name);
    if (given->json && given->csv) return usage_error("options --json and --csv exclude each "
                                                      "other; leave out one");
    const int ending = endings_check(c->name, given);
    if (ending) return ending;
    if (given->json || given->csv) options_say_si(given, given->json ? "JSON is" : "CSV is");
    if (given->shapes && !given->json) return usage_error("option --shapes needs --json");
    if ((given->alpha != 0 || given->xi != 0 || given->omega != 0) &&
        (!given->method || strcmp(given->method, "penalty") != 0))
        return usage_error("option --penalty needs --method penalty");
    return EXIT_DONE;
}

static int run_command(const command *c, int n, char **argv)
{
    options given;
    int status = EXIT_USAGE;
    if (options_parse(&given, n, argv, c->groups, c->name)) {
        if (given.help) {
            help_command(stdout, c);
            status = EXIT_DONE;
        } else {
            status = check_words(c, &given);
            if (status == EXIT_DONE) status = c->run(&given);
        }
    }
    options_free(&given);
    return status;
}

static int dispatch(int n, char **argv)
{
    if (n < 2) return usage();
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (n == 2 && (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)) {
        print_version();
        return EXIT_DONE;
    }
    const command *c = command_find(name);
    return c ? run_command(c, n - 2, argv + 2) : no_such_command(name);
}

int main(int n, char **argv)
{
    room_for_blas(argv);
    /* A pipe that nobody reads and a file that grows too large are errors, not signals. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    /* More threads of OpenBLAS would make small eigenvalue problems slower, and the last digits
     * depend on the machine. */
    openblas_set_num_threads(1);
    const bool distributed = cluster_is_asked(n, argv);
    int status = distributed ? cluster_begin() : EXIT_DONE;
    if (status == EXIT_DONE) status = dispatch(n, argv);
    status = close_output(status);
    return distributed ? cluster_end(status) : status;
}
