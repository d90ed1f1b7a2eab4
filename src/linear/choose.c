/* What `--method auto` takes: the fastest of the exact methods. The rule was measured by
 * bench/bench_methods (docs/bench.md, docs/adr/0017-method-auto.md) and stands here alone. */
#include <string.h>

#include "methods/method.h"

/* With more states its full matrices of z x z take longer than the augmented method's two solutions
 * a state. */
enum { MOST_STATES = 40 };

/* X'M X of the minimal method loses as many digits as bodies' masses are decades apart. */
static const double MOST_MASS_RATIO = 1e3;

bool rt_method_is_auto(const char *name) { return name && strcmp(name, "auto") == 0; }

/* The larger of a body's mass and its moments of inertia over the square of a typical length. */
static double choose_size_of(const routh_mechanism *m, int b)
{
    const rt_body_block *body = &m->bodies[b];
    const rt_flexible *shape = m->model->bodies[b].flexible;
    const double length = m->length;
    double size = shape ? shape->mass : body->mass;
    for (int i = 0; i < 3; i++) size = fmax(size, body->inertia[4 * i] / (length * length));
    return size;
}

static bool masses_are_alike(const routh_mechanism *m)
{
    const routh_mechanism *own = m->base ? m->base : m;
    double least = INFINITY, most = 0;
    for (int b = 0; b < own->n_bodies; b++) {
        const double size = choose_size_of(own, b);
        least = fmin(least, size), most = fmax(most, size);
    }
    return most <= MOST_MASS_RATIO * least;
}

void rt_method_choose(const routh_mechanism *m, int z, const rt_method **method,
                      const char **variant)
{
    /* the minimal method has no multipliers to give to loads that use joint reactions */
    const bool reactions = m->pattern_L.start[m->n_rows] > 0;
    const bool minimal = !reactions && z <= MOST_STATES && masses_are_alike(m);
    *method = minimal ? &rt_method_minimal : &rt_method_augmented;
    *variant = minimal ? "sparse" : NULL;
}
