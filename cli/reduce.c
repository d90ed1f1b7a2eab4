/* A flexible body from matrices of finite elements. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "say.h"
#include "write.h"

/* ---- units ---------------------------------------------------------------------------------- */

typedef struct unit {
    const char *name;
    double value;
} unit;

static const unit lengths[] = {{"m", 1},       {"cm", 1e-2},   {"mm", 1e-3},
                               {"in", 0.0254}, {"ft", 0.3048}, {NULL, 0}};
static const unit masses[] = {{"kg", 1}, {"g", 1e-3}, {"t", 1e3}, {NULL, 0}};
static const unit times[] = {{"s", 1}, {"ms", 1e-3}, {NULL, 0}};

static bool take_unit(const char *name, const char *text, const unit *units, double *value)
{
    char *end;
    if (!text) return true;
    for (; units->name; units++)
        if (strcmp(units->name, text) == 0) return *value = units->value, true;
    *value = strtod(text, &end);
    if (end != text && !*end && *value > 0 && isfinite(*value)) return true;
    usage_error("option --%s takes a unit such as m or mm, kg or t, s or ms, or a positive number, "
                "not \"%s\"",
                name, text);
    return false;
}

static bool take_units(routh_reduction_options *o, const options *given)
{
    return take_unit("length-unit", given->length_unit, lengths, &o->length_unit) &&
           take_unit("mass-unit", given->mass_unit, masses, &o->mass_unit) &&
           take_unit("time-unit", given->time_unit, times, &o->time_unit);
}

/* ---- interfaces ----------------------------------------------------------------------------- */

static bool positive(const char *text, char **end, int *value)
{
    errno = 0;
    const long n = strtol(text, end, 10);
    *value = (int)n;
    return *text >= '0' && *text <= '9' && !errno && n > 0 && n <= INT_MAX;
}

/* NODE, NUMBER=NODE,NODE.. or NUMBER=SET. Nodes are taken from *room. */
static bool take_interface(routh_interface *face, const char *text, int **room)
{
    char *at;
    if (!positive(text, &at, &face->number)) return false;
    if (!*at) return true;
    if (*at++ != '=' || !*at) return false;
    if (*at < '0' || *at > '9') return face->set = at, true;
    face->nodes = *room;
    do {
        if (!positive(at, &at, (*room)++)) return false;
        face->n_nodes++;
    } while (*at == ',' && *++at);
    return !*at;
}

static int collect(routh_interface *faces, int *room, const options *given)
{
    for (int k = 0; k < given->n_interfaces; k++)
        if (!take_interface(&faces[k], given->interfaces[k], &room))
            return usage_error("option --interface takes a node, NUMBER=NODE,NODE,.. or "
                               "NUMBER=SET, not \"%s\"",
                               given->interfaces[k]);
    return EXIT_DONE;
}

/* ---- reducing ------------------------------------------------------------------------------- */

/* The body to the file, the report to standard output; without a file the report alone. */
static int write_all(const routh_reduction *reduced, const options *given)
{
    routh_text text;
    routh_error error = {0};
    if (given->output) {
        if (routh_reduction_json(reduced, &text, &error)) return fault(&error);
        const int status = write_text(&text, given->output);
        if (status != EXIT_DONE || strcmp(given->output, "-") == 0 || given->quiet) return status;
    }
    if (routh_reduction_table(reduced, &text, &error)) return fault(&error);
    return write_text(&text, NULL);
}

static int reduce(const options *given, const routh_interface *faces)
{
    routh_reduction *reduced;
    routh_error error = {0};
    routh_reduction_options o = {
        .stiffness = given->positional[0],
        .mass = given->positional[1],
        .nodes = given->nodes,
        .dofs = given->dofs,
        .stiffness_name = given->stiffness_name,
        .mass_name = given->mass_name,
        .n_interfaces = given->n_interfaces,
        .interfaces = faces,
        .modes = given->modes,
        .cut = given->cut,
        .frequencies_below = given->frequencies_below,
        .accuracy = given->accuracy,
        .free_modes = given->free_modes,
        .shapes = given->user_shapes,
        .damping_ratio = given->damping_ratio,
        .draw = given->draw == 0  ? -1
                : given->draw < 0 ? 0
                                  : given->draw,
        .title = given->title,
    };
    if (!take_units(&o, given)) return EXIT_USAGE;
    const bool chosen = o.modes || o.cut > 0 || o.frequencies_below > 0;
    if (!chosen && (!o.shapes || o.n_interfaces)) o.modes = 10;
    if (routh_reduction_compute(&reduced, &o, &error)) return fault(&error);
    const int status = write_all(reduced, given);
    routh_reduction_free(reduced);
    return status;
}

static int check_choice(const options *given)
{
    if (given->frequencies_below > 0 && (given->modes || given->cut > 0))
        return usage_error("option --frequencies-below chooses the number of modes; do not combine "
                           "it with --modes or --cut");
    if (given->accuracy > 0 && !(given->frequencies_below > 0))
        return usage_error("option --accuracy needs --frequencies-below");
    if (given->accuracy >= 1)
        return usage_error("option --accuracy takes a number between 0 and 1, such as 0.001, not "
                           "%g", given->accuracy);
    if (given->free_modes && !given->n_interfaces)
        return usage_error("option --free-modes needs --interface; without one, the modes are "
                           "those of the free body anyway");
    return EXIT_DONE;
}

int run_reduce(const options *given)
{
    if (check_choice(given) != EXIT_DONE) return EXIT_USAGE;
    size_t words = 1;
    for (int k = 0; k < given->n_interfaces; k++) words += strlen(given->interfaces[k]) / 2 + 1;
    routh_interface *faces = calloc((size_t)given->n_interfaces + 1, sizeof *faces);
    int *room = calloc(words, sizeof *room);
    int status = EXIT_FAULT;
    if (!faces || !room)
        complain("out of memory");
    else
        status = collect(faces, room, given);
    if (status == EXIT_DONE) status = reduce(given, faces);
    free(faces);
    free(room);
    return status;
}
