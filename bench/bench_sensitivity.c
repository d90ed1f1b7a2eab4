/* Derivatives of all eigenvalues by 50 parameters and by 10 of them, beside one linearization with
 * its eigenvalues and vectors, both from the operating point: a chain of links on hinges with
 * springs and dampers, at rest where it hangs in a wind. Ten sets of parameters (mass, moment of
 * inertia, length, stiffness, damping) go round the links. One line of CSV for each number of links
 * and of parameters; times are medians of alternating turns, the ratio that of the medians. */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

enum { MOST = 1 << 18, MOST_TURNS = 41, SETS = 10 };

typedef struct text {
    char bytes[MOST];
    size_t n;
} text;

#define ADD(t, ...) (t)->n += (size_t)snprintf((t)->bytes + (t)->n, MOST - (t)->n, __VA_ARGS__)

/* Where link k begins: -(l1 + .. ) */
static void add_depth(text *t, int k)
{
    ADD(t, "-(0");
    for (int i = 0; i < SETS; i++) ADD(t, " + %d*l%d", (k - 1 - i + SETS - 1) / SETS, i);
}

static void write_chain(text *t, int links)
{
    t->n = 0;
    ADD(t, "gravity: [0, 0, -9.81]\nparameters:\n");
    for (int i = 0; i < SETS; i++)
        ADD(t, "  m%d: %g\n  J%d: %g\n  l%d: %g\n  k%d: %g\n  c%d: %g\n", i, 1 + 0.1 * i, i,
            0.02 + 0.001 * i, i, 0.5 + 0.01 * i, i, 20 + 3.0 * i, i, 0.1 + 0.01 * i);
    ADD(t, "bodies:\n");
    for (int k = 1; k <= links; k++) {
        const int i = (k - 1) % SETS;
        ADD(t, "  b%d: {mass: m%d, inertia: [J%d, J%d, 0.01], position: [0, 0, ", k, i, i, i);
        add_depth(t, k);
        ADD(t, " + l%d/2)]}\n", i);
    }
    ADD(t, "joints:\n");
    for (int k = 1; k <= links; k++) {
        ADD(t, "  h%d: {type: revolute, between: [b%d, ", k, k);
        ADD(t, k > 1 ? "b%d], at: [0, 0, " : "ground], at: [0, 0, ", k - 1);
        add_depth(t, k);
        ADD(t, ")], axis: y}\n");
    }
    ADD(t, "loads:\n");
    for (int k = 1; k <= links; k++) {
        const int i = (k - 1) % SETS;
        ADD(t, "  s%d: {type: torsion_spring, between: [b%d, ", k, k);
        ADD(t, k > 1 ? "b%d]" : "ground]", k - 1);
        ADD(t, ", axis: y, stiffness: k%d, damping: c%d}\n", i, i);
    }
    ADD(t, "  wind: {type: force, on: b%d, components: [3, 0, 0]}\n", links);
    ADD(t, "operating_point: {type: static}\n");
}

typedef struct turn {
    double linearize[MOST_TURNS], modes[MOST_TURNS], sensitivity[MOST_TURNS];
    int parameters, states;
} turn;

/* NULL parameters: all. */
static void measure(const char *coordinates, int links, const char *const *parameters, int turns)
{
    static text t;
    static turn all;
    routh_error error = {0};
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_sensitivity_options options = routh_sensitivity_defaults();
    options.parameters = parameters;
    write_chain(&t, links);
    bench_check(routh_model_parse(&model, t.bytes, t.n, "chain", NULL, 0, &error), &error);
    bench_check(routh_mechanism_compile(&mechanism, model, coordinates, &error), &error);
    bench_check(routh_operating_point_find(&point, mechanism, NULL, &error), &error);
    for (int k = 0; k < turns; k++) {
        routh_linear *linear;
        routh_modes *modes;
        routh_sensitivity *s;
        const double a = bench_processor();
        bench_check(routh_linear_compute(&linear, mechanism, point, NULL, &error), &error);
        const double b = bench_processor();
        bench_check(routh_modes_compute(&modes, linear, &error), &error);
        const double c = bench_processor();
        bench_check(routh_sensitivity_compute(&s, mechanism, point, modes, &options, &error),
                    &error);
        const double d = bench_processor();
        all.linearize[k] = b - a, all.modes[k] = c - b, all.sensitivity[k] = d - c;
        all.parameters = s->n_parameters, all.states = linear->n_states;
        routh_sensitivity_free(s);
        routh_modes_free(modes);
        routh_linear_free(linear);
    }
    const double linearize = bench_median(all.linearize, turns);
    const double modes = bench_median(all.modes, turns), s = bench_median(all.sensitivity, turns);
    printf("%s,%d,%d,%d,%.1f,%.1f,%.1f,%.3f\n", coordinates, links, all.states, all.parameters,
           1e6 * linearize, 1e6 * modes, 1e6 * s, s / (linearize + modes));
    fflush(stdout);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
}

int main(void)
{
    printf("coordinates,links,states,parameters,linearize_us,modes_us,derivatives_us,ratio\n");
    static const char *const ten[] = {"m0", "m5", "J0", "J5", "l0", "l5",
                                      "k0", "k5", "c0", "c5", NULL};
    measure("absolute", 10, NULL, 41);
    measure("natural", 10, NULL, 41);
    measure("relative", 10, NULL, 41);
    measure("absolute", 25, NULL, 11);
    measure("absolute", 50, NULL, 7);
    measure("absolute", 100, NULL, 3);
    measure("absolute", 10, ten, 41);
    measure("absolute", 25, ten, 11);
    measure("absolute", 50, ten, 7);
    measure("absolute", 100, ten, 3);
    return 0;
}
