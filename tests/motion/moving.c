#include "moving.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void require(routh_status status, const routh_error *error, const char *what)
{
    if (status) fail_msg("%s: %s (%s, line %d)", what, error->message, error->element, error->line);
}

void moving_begin(moving *t, const char *yaml, const char *coordinates, const char *integrator,
                  double tolerance, double step)
{
    routh_error error;
    routh_simulation_options options = routh_simulation_defaults();
    options.integrator = integrator;
    options.tolerance = tolerance;
    options.step = step;
    *t = (moving){0};
    require(routh_model_parse(&t->model, yaml, strlen(yaml), "test", NULL, 0, &error), &error,
            "model");
    require(routh_mechanism_compile(&t->m, t->model, coordinates, &error), &error, coordinates);
    require(routh_operating_point_find(&t->point, t->m, NULL, &error), &error, coordinates);
    require(routh_simulation_create(&t->s, t->m, t->point, &options, &error), &error, integrator);
    rt_evaluate_frames(t->m, t->s->run.search.w, rt_simulation_state(t->s));
}

void moving_end(moving *t)
{
    routh_simulation_free(t->s);
    routh_operating_point_free(t->point);
    routh_mechanism_free(t->m);
    routh_model_free(t->model);
}

void moving_to(moving *t, double time)
{
    routh_error error;
    require(routh_simulation_advance(t->s, time, &error), &error, "motion");
    assert_true(fabs(routh_simulation_time(t->s) - time) <= 1e-14 * fabs(time));
}

const rt_frame *moving_body(const moving *t, int body) { return &t->s->run.search.w->bodies[body]; }

double moving_energy(const moving *t)
{
    double sum = 0;
    for (int b = 0; b < t->m->n_bodies; b++) {
        const rt_frame *f = moving_body(t, b);
        const double mass = t->m->bodies[b].mass;
        double w[3], h[3];
        rt_m3_tmul_v(w, f->A, f->w);
        rt_m3_mul_v(h, t->m->bodies[b].inertia, w);
        sum += rt_v3_dot(w, h) / 2 + mass * rt_v3_dot(f->v, f->v) / 2;
        sum -= mass * rt_v3_dot(t->m->gravity, f->r);
    }
    return sum;
}

double moving_distance(const moving *a, const moving *b)
{
    double worst = 0;
    for (int k = 0; k < a->m->n_bodies; k++)
        for (int i = 0; i < 3; i++) {
            const rt_frame *f = moving_body(a, k), *g = moving_body(b, k);
            worst = fmax(worst, fabs(f->r[i] - g->r[i]));
            worst = fmax(worst, fabs(f->w[i] - g->w[i]) * a->m->length);
        }
    return worst;
}

routh_statistics moving_counts(const moving *t)
{
    routh_statistics counts;
    routh_simulation_statistics(t->s, &counts);
    return counts;
}
