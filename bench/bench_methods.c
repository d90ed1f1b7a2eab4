/* Every coordinate set by every method on one size of one template: a line of CSV per cell, times
 * in microseconds.
 *
 *     bench_methods LIMIT TEMPLATE KEY=VALUE.. [-CELL..]
 *     bench_methods                                        the heading
 *
 * e.g. bench_methods 2 four-bar N=20 -absolute/penalty
 *
 * The first setting is the size. A cell after a dash is left out. LIMIT: seconds; a cell that takes
 * longer once is measured once. The cells take turns, so that all see the same machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "system/system.h"

enum { ROUNDS = 7, MOST_CELLS = 256, MOST_SETS = 16, MOST_SETTINGS = 4, MOST_REPEATS = 256 };

/* What a cell may take of all rounds together, seconds. */
static const double SHARE = 0.15;

typedef struct set {
    const char *name;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_error error;
    routh_status status;
} set;

typedef struct cell {
    const set *set;
    const char *method;
    routh_error error;
    routh_status status;
    int repeats; /* in one round */
    int n;       /* times so far */
    int n_states;
    double linearize[ROUNDS * MOST_REPEATS], modes[ROUNDS * MOST_REPEATS];
} cell;

static cell cells[MOST_CELLS];

static void open_set(set *s, const char *name, const routh_model *model)
{
    s->name = name;
    s->status = routh_mechanism_compile(&s->mechanism, model, name, &s->error);
    if (!s->status)
        s->status = routh_operating_point_find(&s->point, s->mechanism, NULL, &s->error);
}

/* Linear model without energy shares and markers, and its modes; false where the cell refuses. */
static bool once(cell *c, double *linearize, double *modes)
{
    routh_linear_options options = routh_linear_defaults();
    routh_linear *linear;
    routh_modes *found = NULL;
    options.method = c->method;
    options.shares = options.markers = 0;
    options.threads = 1;
    const double start = bench_now();
    c->status =
        routh_linear_compute(&linear, c->set->mechanism, c->set->point, &options, &c->error);
    const double middle = bench_now();
    if (c->status) return false;
    c->n_states = linear->n_states;
    c->status = routh_modes_compute(&found, linear, &c->error);
    *linearize = middle - start;
    *modes = bench_now() - middle;
    routh_modes_free(found);
    routh_linear_free(linear);
    return !c->status;
}

static void begin(cell *c, const set *s, const char *method, double limit)
{
    double linearize, modes;
    *c = (cell){.set = s, .method = method, .status = s->status, .error = s->error};
    if (c->status || !once(c, &linearize, &modes)) return;
    const double all = linearize + modes;
    if (all > limit) {
        c->linearize[0] = linearize, c->modes[0] = modes, c->n = 1;
        return;
    }
    c->repeats = bench_repeats(SHARE / ROUNDS, all, 1);
    if (c->repeats > MOST_REPEATS) c->repeats = MOST_REPEATS;
}

static void write(const cell *c, const char *template, const char *size, const char *settings)
{
    static double both[ROUNDS * MOST_REPEATS], linearize[ROUNDS * MOST_REPEATS];
    const routh_mechanism *m = c->set->mechanism;
    printf("%s,%s,%s,%s,%s,", template, size, settings, c->set->name, c->method);
    printf("%d,%d,%d,%d,", m ? m->n_bodies : 0, m ? m->n_u : 0, m ? m->n_rows : 0, c->n_states);
    if (c->status) {
        printf(",,\"%s\"\n", c->error.message);
        return;
    }
    for (int k = 0; k < c->n; k++)
        linearize[k] = c->linearize[k], both[k] = c->linearize[k] + c->modes[k];
    printf("%.2f,", 1e6 * bench_median(linearize, c->n));
    printf("%.2f,\n", 1e6 * bench_median(both, c->n));
}

static bool left_out(const char *set_name, const char *method, int n, char **words)
{
    char name[128];
    snprintf(name, sizeof name, "-%s/%s", set_name, method);
    for (int k = 0; k < n; k++)
        if (strcmp(words[k], name) == 0) return true;
    return false;
}

/* KEY=VALUE words before the first with a dash; the rest of the settings in `others`. */
static int take_settings(int n, char **words, routh_setting *settings, char *others, size_t room)
{
    int found = 0;
    others[0] = '\0';
    for (; found < n && found < MOST_SETTINGS && words[found][0] != '-'; found++) {
        char *equals = strchr(words[found], '=');
        if (!equals) exit(2);
        if (found) snprintf(others, room, "%s", words[found]);
        *equals = '\0';
        settings[found] = (routh_setting){words[found], equals + 1};
    }
    return found;
}

int main(int argc, char **argv)
{
    static set sets[MOST_SETS];
    routh_setting settings[MOST_SETTINGS];
    char others[64];
    routh_text text = {0};
    routh_model *model = NULL;
    routh_error error = {0};
    int n = 0;
    if (argc < 4) {
        puts("template,size,settings,coordinates,method,bodies,columns,rows,states,linearize_us,"
             "linearize_and_modes_us,refused");
        return 0;
    }
    const double limit = strtod(argv[1], NULL);
    const int n_settings = take_settings(argc - 3, argv + 3, settings, others, sizeof others);
    if (n_settings == 0) return 2;
    bench_check(routh_template_write(argv[2], settings, (size_t)n_settings, &text, &error), &error);
    bench_check(routh_model_parse(&model, text.bytes, text.length, argv[2], NULL, 0, &error),
                &error);
    for (int s = 0; routh_coordinate_name(s) && s < MOST_SETS; s++) {
        const char *set_name = routh_coordinate_name(s);
        open_set(&sets[s], set_name, model);
        for (int k = 0; routh_method_name(k) && n < MOST_CELLS; k++)
            if (!left_out(set_name, routh_method_name(k), argc - 3, argv + 3))
                begin(&cells[n++], &sets[s], routh_method_name(k), limit);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < n; k++)
            for (int r = 0; r < cells[k].repeats && !cells[k].status; r++) {
                cell *c = &cells[k];
                if (once(c, &c->linearize[c->n], &c->modes[c->n])) c->n++;
            }
    for (int k = 0; k < n; k++) write(&cells[k], argv[2], settings[0].value, others);
    for (int s = 0; s < MOST_SETS; s++) {
        routh_operating_point_free(sets[s].point);
        routh_mechanism_free(sets[s].mechanism);
    }
    routh_model_free(model);
    routh_text_free(&text);
    return 0;
}
