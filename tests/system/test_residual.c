/* The residual r against the principle of virtual power written out: for any virtual velocity eta
 *     r . eta = sum over bodies (m (a - g) . dr + (I al + w x I w) . dtheta) - sum over loads (F
 *     . dr + T . dtheta),
 * with forces, points and axes worked out here from poses and twists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/effort.h"
#include "support/mechanisms.h"

static const char head[] =
    "gravity: [1.3, -2.1, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08], position: [0.1, 0.2, 0.3]}\n"
    "  b: {mass: 0.8, inertia: [0.6, 0.4, 0.3, -0.03, 0.06, 0.02], position: [1.2, -0.5, 0.9]}\n"
    "  c: {mass: 2.1, inertia: [0.9, 1.1, 0.7, 0.1, 0.02, -0.05], position: [-0.9, 0.8, -0.6]}\n"
    "markers:\n"
    "  i: {body: a, position: [0.3, -0.2, 0.4], orientation: {rpy: [0.15, 0.1, -0.1]}}\n"
    "  j: {body: b, position: [-0.2, 0.3, 0.25], orientation: {rpy: [-0.1, 0.2, 0.1]}}\n"
    "  k: {body: c, position: [0.35, 0.15, -0.3], orientation: {rpy: [0.2, -0.1, 0.15]}}\n"
    "  g: {body: ground, position: [-0.6, -0.4, 0.5], orientation: {rpy: [0.1, -0.15, 0.2]}}\n";

enum { I, J, K, G };

/* A marker with its body's motion and the virtual velocity of a point of the body there. */
typedef struct place {
    rt_frame f;
    int body;
    double dr[3], dtheta[3];
} place;

typedef struct scene {
    const test_mechanism *t;
    double eta[18];
    place p[4];
    double t_now;
} scene;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void axis(const place *p, int k, double x[3]) { rt_m3_column(x, p->f.A, k); }

/* Component of x along axis k of the marker. */
static double along(const double x[3], const place *p, int k)
{
    double e[3];
    axis(p, k, e);
    return dot(x, e);
}

static void virtual_motion(const scene *s, int body, const double at[3], double dr[3],
                           double dtheta[3])
{
    rt_v3_set(dr, 0, 0, 0);
    rt_v3_set(dtheta, 0, 0, 0);
    if (body < 0) return;
    const rt_frame *b = &s->t->w->bodies[body];
    double arm[3];
    rt_m3_mul_v(dtheta, b->A, s->eta + 6 * body + 3);
    rt_v3_sub(arm, at, b->r);
    rt_v3_cross(dr, dtheta, arm);
    rt_v3_add(dr, dr, s->eta + 6 * body);
}

static void find_places(scene *s)
{
    static const char *const names[] = {"i", "j", "k", "g"};
    for (int k = 0; k < 4; k++) {
        const int marker = rt_model_find_marker(s->t->model, names[k]);
        s->p[k].f = s->t->w->markers[marker];
        s->p[k].body = s->t->model->markers[marker].body;
        virtual_motion(s, s->p[k].body, s->p[k].f.r, s->p[k].dr, s->p[k].dtheta);
    }
}

/* r_i - r_j and its velocity as seen from l */
static void relative(const scene *s, int i, int j, int l, double d[3], double v[3])
{
    double minus[3];
    rt_v3_sub(d, s->p[i].f.r, s->p[j].f.r);
    rt_v3_sub(v, s->p[i].f.v, s->p[j].f.v);
    rt_v3_scale(minus, -1, s->p[l].f.w);
    rt_v3_cross_add(v, minus, d);
}

/* Power of a force and a torque on marker i, with the opposite on the body of marker j at the
 * same line. */
static double power(const scene *s, int i, int j, const double F[3], const double T[3])
{
    double sum = dot(F, s->p[i].dr) + dot(T, s->p[i].dtheta), dr[3], dtheta[3];
    if (j < 0) return sum;
    virtual_motion(s, s->p[j].body, s->p[i].f.r, dr, dtheta);
    return sum - dot(F, dr) - dot(T, dtheta);
}

static void in_axes(const place *p, const double x[3], double world[3])
{
    rt_m3_mul_v(world, p->f.A, x);
}

static const double none[3] = {0, 0, 0};

/* ---- loads ----------------------------------------------------------------------------------- */

static double force_with_reaction(const scene *s)
{
    double d[3], v[3], w[3], F[3];
    relative(s, I, J, G, d, v);
    rt_v3_sub(w, s->p[I].f.w, s->p[J].f.w);
    const double x[3] = {2 * along(d, &s->p[K], 0), along(v, &s->p[K], 1) * s->t_now,
                         -3 * along(w, &s->p[J], 2)};
    in_axes(&s->p[K], x, F);
    return power(s, I, J, F, none);
}

static double force_seen_from_a_body(const scene *s)
{
    double d[3], v[3], F[3], a[3];
    relative(s, I, J, K, d, v);
    rt_v3_sub(a, s->p[J].f.a, s->p[K].f.a);
    const double x[3] = {along(v, &s->p[J], 0), along(a, &s->p[I], 1), rt_v3_norm(d)};
    in_axes(&s->p[I], x, F); /* follows the body it acts on */
    return power(s, I, -1, F, none);
}

static double force_in_the_world_with_reaction_on_ground(const scene *s)
{
    const double d[3] = {s->p[I].f.r[0], s->p[I].f.r[1], s->p[I].f.r[2]};
    const double F[3] = {d[0] * d[1], -rt_v3_norm(s->p[I].f.w), 4};
    return power(s, I, G, F, none);
}

static double torque_with_reaction(const scene *s)
{
    double T[3], al[3], d[3], v[3];
    relative(s, I, J, J, d, v);
    rt_v3_sub(al, s->p[I].f.al, s->p[J].f.al);
    const double x[3] = {along(al, &s->p[J], 2), rt_v3_norm(v), 2};
    in_axes(&s->p[K], x, T);
    return power(s, I, J, none, T);
}

static double spring(const scene *s)
{
    double d[3], v[3], F[3];
    relative(s, I, J, G, d, v);
    const double length = rt_v3_norm(d), rate = dot(d, v) / length;
    const double push = -40 * (length - 0.7) - 3 * rate + 2 + 5 * length * length * rate;
    rt_v3_scale(F, push / length, d);
    return power(s, I, J, F, none);
}

static double uniform_bushing(const scene *s)
{
    double d[3], v[3], F[3];
    /* against displacement alone, alike in all directions: -k d - c d', the velocity seen from
     * the second marker */
    relative(s, I, J, J, d, v);
    for (int k = 0; k < 3; k++) F[k] = -30 * d[k] - 4 * v[k];
    double dr[3], dtheta[3];
    virtual_motion(s, s->p[J].body, s->p[I].f.r, dr, dtheta);
    return dot(F, s->p[I].dr) - dot(F, dr);
}

static const struct {
    const char *name, *text;
    double (*power)(const scene *);
} cases[] = {
    {"force with reaction",
     "loads: {x: {type: force, on: i, resolved_in: k, reaction_on: j, components: "
     "[\"2*DX(i,j,k)\", \"VY(i,j,k)*time\", \"-3*WZ(i,j,j)\"]}}\n",
     force_with_reaction},
    {"force seen from a body",
     "loads: {x: {type: force, on: i, resolved_in: i, components: "
     "[\"VX(i,j,j,k)\", \"ACCY(j,k,i)\", \"DM(i,j)\"]}}\n",
     force_seen_from_a_body},
    {"force in the world",
     "loads: {x: {type: force, on: i, reaction_on: g, components: [\"DX(i)*DY(i)\", \"-WM(i)\", "
     "4]}}\n",
     force_in_the_world_with_reaction_on_ground},
    {"torque with reaction",
     "loads: {x: {type: torque, on: i, resolved_in: k, reaction_on: j, components: "
     "[\"WDTZ(i,j,j)\", \"VM(i,j,j)\", 2]}}\n",
     torque_with_reaction},
    {"spring",
     "loads: {x: {type: spring, between: [i, j], stiffness: 40, damping: 3, free_length: 0.7, "
     "preload: 2, "
     "force: \"5*DM(i,j)^2*VR(i,j)\"}}\n",
     spring},
    {"uniform bushing",
     "loads: {x: {type: bushing, between: [i, j], translation: {stiffness: 30, damping: 4}}}\n",
     uniform_bushing},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

/* ---- bodies ---------------------------------------------------------------------------------- */

static double inertia_and_weight(const scene *s)
{
    double sum = 0;
    for (int b = 0; b < 3; b++) {
        const rt_body *body = &s->t->model->bodies[b];
        const double *u = s->t->state->u + 6 * b, *udot = s->t->state->udot + 6 * b,
                     *eta = s->eta + 6 * b;
        for (int i = 0; i < 3; i++)
            sum += body->mass.value * (udot[i] - s->t->m->gravity[i]) * eta[i];
        double inertia[9], Iw[3], torque[3];
        for (int i = 0; i < 9; i++) inertia[i] = body->inertia[i].value;
        rt_m3_mul_v(Iw, inertia, u + 3);
        rt_m3_mul_v(torque, inertia, udot + 3);
        rt_v3_cross_add(torque, u + 3, Iw);
        sum += dot(torque, eta + 3);
    }
    return sum;
}

static void virtual_power(void **state)
{
    (void)state;
    for (int k = 0; k < N_CASES; k++) {
        growing_text text = {0};
        test_mechanism t;
        routh_error error;
        random_stream random = {111 + (uint64_t)k};
        text_add(&text, "%s%s", head, cases[k].text);
        mechanism_make(&t, text.bytes);
        for (int n = 0; n < with_effort(N_RANDOM_STATES); n++) {
            scene s = {.t = &t};
            double xi[18], found = 0;
            random_reals(&random, 18, xi);
            for (int c = 0; c < 18; c++)
                xi[c] *= c % 6 < 3 ? 0.3 : 3; /* apart, and turned any way */
            memcpy(t.state->q, t.m->start_q, 21 * sizeof *xi);
            t.m->set->advance(3, t.state->q, xi);
            random_reals(&random, 18, t.state->u);
            random_reals(&random, 18, t.state->udot);
            random_reals(&random, 18, s.eta);
            s.t_now = t.state->t = random_real(&random);
            if (rt_evaluate(t.m, t.w, t.state, RT_EVALUATE_RESIDUAL, &error)) {
                /* a bushing at half a turn */
                assert_int_equal(error.status, ROUTH_NUMERIC_ERROR);
                continue;
            }
            find_places(&s);
            for (int c = 0; c < 18; c++) found += t.w->residual[c] * s.eta[c];
            const double expected = inertia_and_weight(&s) - cases[k].power(&s);
            if (!(fabs(found - expected) < 1e-12 * fmax(100, fabs(expected))))
                fail_msg("%s: r . eta is %.15g and should be %.15g", cases[k].name, found,
                         expected);
        }
        mechanism_release(&t);
        free(text.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(virtual_power)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
