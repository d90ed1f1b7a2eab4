/* What shells need to complete a command line, made from the tables of commands and options. */
#include <string.h>

#include "commands.h"
#include "say.h"
#include "write.h"

/* The values of an option between blanks; those with a colon are left to the user, as shells take
 * it for a break. */
static void put_values(FILE *to, const char *(*names)(int k))
{
    for (int k = 0, n = 0; names(k); k++)
        if (!strchr(names(k), ':')) fprintf(to, "%s%s", n++ ? " " : "", names(k));
}

static bool takes_file(const option_shown *o)
{
    return o->argument && strcmp(o->argument, "FILE") == 0;
}

static void put_commands(FILE *to)
{
    for (const command *c = commands; c->name; c++)
        fprintf(to, "%s%s", c == commands ? "" : " ", c->name);
}

static void put_templates(FILE *to)
{
    for (size_t i = 0; routh_template_name(i); i++)
        fprintf(to, "%s%s", i ? " " : "", routh_template_name(i));
}

static void put_problems(FILE *to)
{
    routh_benchmark *b = NULL;
    if (routh_benchmark_run(&b, &(routh_benchmark_options){.list = 1}, NULL)) return;
    for (int k = 0; k < b->n; k++) fprintf(to, "%s%s", k ? " " : "", b->problems[k].name);
    routh_benchmark_free(b);
}

/* A text between single quotes, as bash, zsh and fish read it (fish takes '\'' as \' too). */
static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text && *text != '\n'; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else
            fputc(*text, to);
    fputc('\'', to);
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_command(FILE *to, const command *c)
{
    option_shown o;
    fprintf(to, "        %s)\n            options='", c->name);
    for (size_t at = 0; option_show(&o, &at, c->groups);) fprintf(to, "--%s ", o.name);
    fputs("'\n            case $before in\n", to);
    for (size_t at = 0; option_show(&o, &at, c->groups);) {
        if (!o.argument) continue;
        fprintf(to, "                --%s", o.name);
        if (o.letter) fprintf(to, "|-%c", o.letter);
        fputs(") kind=", to);
        if (o.names) {
            fputs("words words='", to);
            put_values(to, o.names);
            fputs("'", to);
        } else {
            fputs(takes_file(&o) ? "file" : "free", to);
        }
        fputs(" ;;\n", to);
    }
    fputs("            esac\n            ;;\n", to);
}

static void bash(FILE *to)
{
    fputs("# Completion of routh for bash: source <(routh completion bash)\n"
          "_routh()\n"
          "{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options='' kind='' words=''\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          to);
    put_commands(to);
    fputs(" --help --version' -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    if [ \"$word\" = = ]; then word=''; fi # --option=, which bash has taken apart\n"
          "    if [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          to);
    for (const command *c = commands; c->name; c++) bash_command(to, c);
    fputs("    esac\n"
          "    case ${COMP_WORDS[1]}:$kind in\n"
          "        *:words) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return ;;\n"
          "        *:free) compopt +o default 2>/dev/null; return ;; # no names of files\n"
          "        *:file) return ;; # bash's own\n"
          "        help:*) COMPREPLY=($(compgen -W '",
          to);
    put_commands(to);
    fputs("' -- \"$word\")) ;;\n"
          "        completion:*) COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\")) ;;\n"
          "        template:*) [ \"$COMP_CWORD\" = 2 ] && COMPREPLY=($(compgen -W '",
          to);
    put_templates(to);
    fputs("' -- \"$word\")) ;;\n"
          "        benchmark:*) COMPREPLY=($(compgen -W '",
          to);
    put_problems(to);
    fputs("' -- \"$word\")) ;;\n"
          "    esac\n"
          "    case $word in -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return ;; "
          "esac\n"
          "}\n"
          "complete -o default -F _routh routh\n",
          to);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Inside a specification of _arguments: no bracket, no colon. */
static void zsh_about(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", to);
        else {
            if (strchr("[]:\\", *text)) fputc('\\', to);
            fputc(*text, to);
        }
    }
}

static void zsh_option(FILE *to, const option_shown *o)
{
    fprintf(to, "                '*--%s%s[", o->name, o->argument ? "=" : "");
    zsh_about(to, o->help);
    fputs("]", to);
    if (o->argument) {
        fputs(":", to);
        zsh_about(to, o->argument);
        if (o->names) {
            fputs(":(", to);
            put_values(to, o->names);
            fputs(")", to);
        } else {
            fputs(takes_file(o) ? ":_files" : ": ", to);
        }
    }
    fputs("' \\\n", to);
}

static void zsh_command(FILE *to, const command *c)
{
    option_shown o;
    fprintf(to, "        %s)\n            _arguments \\\n", c->name);
    for (size_t at = 0; option_show(&o, &at, c->groups);) zsh_option(to, &o);
    fputs("                '*::", to);
    if (strcmp(c->name, "help") == 0) {
        fputs("command:(", to);
        put_commands(to);
        fputs(")'\n", to);
    } else if (strcmp(c->name, "completion") == 0) {
        fputs("shell:(bash zsh fish)'\n", to);
    } else if (strcmp(c->name, "template") == 0) {
        fputs("name:(", to);
        put_templates(to);
        fputs(")'\n", to);
    } else if (strcmp(c->name, "benchmark") == 0) {
        fputs("problem:(", to);
        put_problems(to);
        fputs(")'\n", to);
    } else {
        fputs("file:_files'\n", to);
    }
    fputs("            ;;\n", to);
}

static void zsh(FILE *to)
{
    fputs("#compdef routh\n"
          "# Completion of routh for zsh: a file called _routh in a folder of $fpath.\n"
          "_routh()\n"
          "{\n"
          "    local -a known\n"
          "    known=(\n",
          to);
    for (const command *c = commands; c->name; c++) {
        fprintf(to, "        '%s:", c->name);
        zsh_about(to, c->about);
        fputs("'\n", to);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command known\n"
          "        return\n"
          "    fi\n"
          "    local asked=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $asked in\n",
          to);
    for (const command *c = commands; c->name; c++) zsh_command(to, c);
    fputs("    esac\n"
          "}\n"
          "if [ \"$funcstack[1]\" = _routh ]; then _routh \"$@\"; else compdef _routh routh; fi\n",
          to);
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void fish_command(FILE *to, const command *c)
{
    option_shown o;
    fprintf(to, "complete -c routh -n __fish_use_subcommand -f -a %s -d ", c->name);
    put_quoted(to, c->about);
    fputs("\n", to);
    for (size_t at = 0; option_show(&o, &at, c->groups);) {
        fprintf(to, "complete -c routh -n '__fish_seen_subcommand_from %s' -l %s", c->name, o.name);
        if (o.letter) fprintf(to, " -s %c", o.letter);
        if (o.names) {
            fputs(" -x -a '", to);
            put_values(to, o.names);
            fputs("'", to);
        } else if (o.argument) {
            fputs(takes_file(&o) ? " -r" : " -x", to);
        }
        fputs(" -d ", to);
        put_quoted(to, o.help);
        fputs("\n", to);
    }
}

static void fish(FILE *to)
{
    fputs("# Completion of routh for fish: routh completion fish > "
          "~/.config/fish/completions/routh.fish\n",
          to);
    for (const command *c = commands; c->name; c++) fish_command(to, c);
    fputs("complete -c routh -n '__fish_seen_subcommand_from help' -f -a '", to);
    put_commands(to);
    fputs("'\ncomplete -c routh -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n"
          "complete -c routh -n '__fish_seen_subcommand_from template' -f -a '",
          to);
    put_templates(to);
    fputs("'\ncomplete -c routh -n '__fish_seen_subcommand_from benchmark' -f -a '", to);
    put_problems(to);
    fputs("'\n", to);
}

int run_completion(const options *given)
{
    const char *shell = given->positional[0];
    if (strcmp(shell, "bash") == 0) return write_made(bash, given);
    if (strcmp(shell, "zsh") == 0) return write_made(zsh, given);
    if (strcmp(shell, "fish") == 0) return write_made(fish, given);
    return usage_error("routh completion knows bash, zsh and fish, not \"%s\"", shell);
}
