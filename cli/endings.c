#define _POSIX_C_SOURCE 200809L /* strcasecmp */
#include "endings.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "say.h"
#include "write.h"

#define TEXT ".txt", ".out", ".log", ".md"

/* The endings of what a command writes as it is asked; the first ones are named in messages. */
typedef struct ending_list {
    const char *command;
    int named;
    const char *endings[12]; /* until NULL */
} ending_list;

/* Of commands that are not here, and of these without an ending here, those of tables hold. */
static const ending_list own[] = {
    {"simulate", 3, {".h5", ".hdf5", ".csv"}},
    {"report", 1, {".html", ".htm"}},
    {"template", 1, {".yaml", ".yml", ".txt"}},
    {"format", 1, {".yaml", ".yml", ".txt"}},
    {"schema", 1, {".json", ".txt"}},
    {"reference", 1, {".md", ".txt"}},
    {"reduce", 1, {".json", ".txt"}},
    {"linearize",
     6,
     {".json", ".mat", ".h5", ".npz", ".csv", ".txt", ".hdf5", ".out", ".log", ".md"}},
    {"response",
     6,
     {".json", ".mat", ".h5", ".npz", ".csv", ".txt", ".hdf5", ".out", ".log", ".md"}},
};

static const ending_list tables[] = {{"", 1, {TEXT}}}, json[] = {{"", 1, {".json", TEXT}}},
                         csv[] = {{"", 1, {".csv", TEXT}}}, models[] = {{"", 1, {".yaml", ".yml"}}},
                         formulas[] = {{"latex", 1, {".tex", TEXT}},
                                       {"c", 1, {".c", ".h", TEXT}},
                                       {"python", 1, {".py", TEXT}},
                                       {"matlab", 1, {".m", TEXT}},
                                       {"modelica", 1, {".mo", TEXT}}};

static const ending_list *find_list(const ending_list *lists, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(lists[k].command, name) == 0) return &lists[k];
    return NULL;
}

static const ending_list *list_of(const char *command, const options *given)
{
    const ending_list *list = find_list(own, sizeof own / sizeof *own, command);
    if (strcmp(command, "symbolic") == 0 && given->format)
        list = find_list(formulas, sizeof formulas / sizeof *formulas, given->format);
    if (list && !given->json && !given->csv) return list;
    if (given->model_text) return models;
    return given->json ? json : given->csv ? csv : tables;
}

/* ".txt" of "a.b/modes.txt"; NULL: none that begins with a letter. */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name && isalpha((unsigned char)dot[1]) ? dot : NULL;
}

static bool is_known(const ending_list *list, const char *ending)
{
    for (size_t k = 0; k < sizeof list->endings / sizeof *list->endings && list->endings[k]; k++)
        if (strcasecmp(list->endings[k], ending) == 0) return true;
    return false;
}

/* ".json, .mat or .csv" */
static const char *name_endings(const ending_list *list, char *text, size_t size)
{
    size_t at = 0;
    *text = '\0';
    for (int k = 0; k < list->named && at < size; k++)
        at += (size_t)snprintf(text + at, size - at, "%s%s",
                               k == 0                 ? ""
                               : k == list->named - 1 ? " or "
                                                      : ", ",
                               list->endings[k]);
    return text;
}

static bool is_table(const ending_list *list)
{
    return list == tables || list == json || list == csv;
}

static int endings_refuse(const ending_list *list, const options *given, const char *ending)
{
    char names[128];
    const bool takes_json = strcasecmp(ending, ".json") == 0;
    if (is_table(list) && (takes_json || strcasecmp(ending, ".csv") == 0))
        return usage_error("option --output: %s would hold %s, not %s; %s --%s, or give a name "
                           "that ends in .txt",
                           given->output,
                           list == json  ? "JSON"
                           : list == csv ? "comma-separated values"
                                         : "a table",
                           takes_json ? "JSON" : "comma-separated values",
                           list == tables ? "add" : "ask for", takes_json ? "json" : "csv");
    if (is_table(list))
        return usage_error("option --output: the ending of %s is not known; give a name that ends "
                           "in .txt, .json (with --json) or .csv (with --csv), or one without an "
                           "ending",
                           given->output);
    return usage_error("option --output: the ending of %s is not known; give a name that ends in "
                       "%s",
                       given->output, name_endings(list, names, sizeof names));
}

/* Then what is wrong is that it would be overwritten, which the commands say. */
static bool is_read(const char *path, const options *given)
{
    const char *const files[] = {given->mass, given->stiffness, given->damping, given->study};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (files[k] && same_file(path, files[k])) return true;
    for (int k = 0; k < given->n_positional; k++)
        if (same_file(path, given->positional[k])) return true;
    return false;
}

/* ---- files beside the output ----------------------------------------------------------------- */

/* --at reads states from .json alone; pictures are SVG whatever they are called. */
static int check_beside(const options *given)
{
    const struct {
        const char *option, *path, *ending, *other;
    } files[] = {{"save-state", given->save_state, ".json", ".json"},
                 {"write-model", given->write_model, ".yaml", ".yml"},
                 {"svg", given->svg, ".svg", ".svg"},
                 {"sparsity", given->sparsity, ".svg", ".svg"},
                 {"chart", given->chart, ".svg", ".svg"}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct stat there;
        const char *path = files[k].path, *ending = path ? ending_of(path) : NULL;
        if (!ending || !strcmp(ending, files[k].ending) || !strcmp(ending, files[k].other) ||
            is_read(path, given) || (stat(path, &there) == 0 && !S_ISREG(there.st_mode)))
            continue;
        return usage_error("option --%s: the ending of %s is not known; give a name that ends in "
                           "%s, or one without an ending",
                           files[k].option, path, files[k].ending);
    }
    return EXIT_DONE;
}

static int check_output(const char *command, const options *given)
{
    struct stat there;
    if (!given->output || strcmp(given->output, "-") == 0) return EXIT_DONE;
    const char *ending = ending_of(given->output);
    if (!ending || strcmp(command, "completion") == 0 || strcmp(command, "man") == 0)
        return EXIT_DONE;
    if (strcmp(command, "linearize") == 0 && (given->format || given->sensitivity_by))
        return EXIT_DONE; /* the format is given, or looked at there */
    if (stat(given->output, &there) == 0 && !S_ISREG(there.st_mode)) return EXIT_DONE;
    const ending_list *list = list_of(command, given);
    return is_known(list, ending) || is_read(given->output, given)
               ? EXIT_DONE
               : endings_refuse(list, given, ending);
}

int endings_check(const char *command, const options *given)
{
    const int status = check_beside(given);
    return status ? status : check_output(command, given);
}
