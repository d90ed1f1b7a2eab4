#include "at.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

static const char TIME[] = "time=";

static const struct {
    const char *name;
    at_kind kind;
} words[] = {{"given", AT_GIVEN}, {"static", AT_STATIC}, {"steady", AT_STEADY}};

enum { N_WORDS = sizeof words / sizeof *words };

static bool ends_in(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static int unknown(const char *option, const char *word)
{
    const bool times = strcmp(option, "at") == 0;
    const char *names[N_WORDS + 2] = {NULL};
    for (int k = 0; k < N_WORDS; k++) names[k] = words[k].name;
    if (times) names[N_WORDS] = TIME;
    const char *near = routh_suggest(word, names);
    return usage_error("option --%s takes given, static or steady, a state FILE.json%s, not "
                       "\"%s\"%s%s%s",
                       option, times ? " or time=T" : "", word, near ? "; did you mean " : "",
                       near ? near : "", near ? "?" : "");
}

int at_parse(at_point *point, const char *option, const char *word)
{
    *point = (at_point){0};
    snprintf(point->label, sizeof point->label, "%s", word);
    for (int k = 0; k < N_WORDS; k++)
        if (strcmp(word, words[k].name) == 0) {
            point->kind = words[k].kind;
            return EXIT_DONE;
        }
    if (!ends_in(word, ".json")) return unknown(option, word);
    point->kind = AT_STATE;
    point->file = word;
    return EXIT_DONE;
}

/* ---- times ---------------------------------------------------------------------------------- */

static int bad_time(const char *word)
{
    return usage_error("option --at time= takes times in seconds with commas between them, such as "
                       "time=0,0.5,2, not \"%s\"",
                       word);
}

/* "time=0,1,2.5" */
static int read_times(at_points *at, const char *word)
{
    const char *next = word + strlen(TIME);
    for (;;) {
        char *end;
        errno = 0;
        const double time = strtod(next, &end);
        if (end == next || errno || !isfinite(time) || (*end && *end != ',')) return bad_time(word);
        at_point *p = &at->points[at->n++];
        *p = (at_point){.kind = AT_TIME, .time = time};
        snprintf(p->label, sizeof p->label, "%s%.*s", TIME, (int)(end - next), next);
        if (*end == '\0') return EXIT_DONE;
        next = end + 1;
    }
}

/* Searches begin where --from says; the initial state of the model is not searched for. */
static int check_searches(const at_points *at)
{
    for (int k = 0; k < at->n; k++)
        if (at->points[k].kind == AT_GIVEN || at->points[k].kind == AT_STATE)
            return usage_error("option --from needs --at time=T, static or steady");
    return EXIT_DONE;
}

/* A motion is followed once, from beginning to end. */
static int check_times(const at_points *at, const options *given)
{
    const at_point *last = NULL;
    for (int k = 0; k < at->n; k++) {
        const at_point *p = &at->points[k];
        if (p->kind != AT_TIME) continue;
        if (last && p->time < last->time)
            return usage_error("times of --at must increase, but %s stands after %s; sort them",
                               p->label,
                               last->label);
        last = p;
    }
    return given->from && !last ? check_searches(at) : EXIT_DONE;
}

int at_read(at_points *at, const options *given)
{
    size_t room = 1;
    for (int k = 0; k < given->n_at; k++)
        for (const char *c = given->at[k]; *c; c++) room += *c == ',';
    *at = (at_points){.points = calloc(room + (size_t)given->n_at, sizeof *at->points)};
    if (!at->points) return complain("out of memory"), EXIT_FAULT;
    if (given->n_at == 0) at->n = 1; /* zeroed: as the model says */
    for (int k = 0; k < given->n_at; k++) {
        const char *word = given->at[k];
        const bool time = strncmp(word, TIME, strlen(TIME)) == 0;
        const int status = time ? read_times(at, word) : at_parse(&at->points[at->n++], "at", word);
        if (status) return status;
    }
    return check_times(at, given);
}

void at_free(at_points *at)
{
    free(at->points);
    *at = (at_points){0};
}
