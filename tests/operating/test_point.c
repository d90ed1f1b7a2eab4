/* The reported reactions: with weight they give every body its acceleration (Newton and Euler),
 * come in opposite pairs, and balance the weight of all at rest. Worked out from the public
 * operating point alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/effort.h"
#include "support/random_mechanism.h"

enum { N_MECHANISMS = 60 };

typedef struct sums {
    double force[MOST_BODIES + 1][3];  /* the last is the ground */
    double torque[MOST_BODIES + 1][3]; /* about the centre of mass; the ground's about the origin */
    double largest;
} sums;

static int slot(const random_mechanism *m, int body) { return body < 0 ? m->n_bodies : body; }

/* Where a place is now. */
static void point_of(const random_mechanism *m, const routh_operating_point *p,
                     const random_place *place, double r[3])
{
    if (place->body < 0) {
        rt_v3_copy(r, place->r);
        return;
    }
    const random_body *b = &m->body[place->body];
    const routh_body_state *now = &p->bodies[place->body];
    double s[3], local[3];
    rt_v3_sub(s, place->r, b->r);
    rt_m3_tmul_v(local, b->A, s);
    rt_m3_mul_v(r, now->orientation, local);
    rt_v3_add(r, r, now->position);
}

static void add(sums *s, const random_mechanism *m, const routh_operating_point *p, int body,
                const double at[3], double sign, const routh_reaction *x)
{
    static const double origin[3] = {0, 0, 0};
    const int k = slot(m, body);
    double arm[3], moment[3];
    rt_v3_sub(arm, at, body < 0 ? origin : p->bodies[body].position);
    rt_v3_cross(moment, arm, x->force);
    rt_v3_add_scaled(s->force[k], sign, x->force);
    rt_v3_add_scaled(s->torque[k], sign, x->torque);
    rt_v3_add_scaled(s->torque[k], sign, moment);
    s->largest = fmax(s->largest, fmax(rt_v3_norm(x->force), rt_v3_norm(x->torque)));
}

/* Force and torque act on the first place; the opposite pair, along the same line, on the
 * second. */
static void add_pair(sums *s, const random_mechanism *m, const routh_operating_point *p,
                     const random_place place[2], bool reaction, const routh_reaction *x)
{
    double r[3];
    point_of(m, p, &place[0], r);
    add(s, m, p, place[0].body, r, 1, x);
    if (reaction) add(s, m, p, place[1].body, r, -1, x);
}

static void check_body(const random_mechanism *m, const routh_operating_point *p, const sums *s,
                       int k)
{
    const random_body *b = &m->body[k];
    const routh_body_state *now = &p->bodies[k];
    const double *udot = p->state->udot + 6 * k;
    double w[3], Iw[3], torque[3], world[3], tolerance = 1e-10 * fmax(1, s->largest);
    rt_m3_tmul_v(w, now->orientation, now->angular_velocity);
    rt_m3_mul_v(Iw, b->inertia, w);
    rt_m3_mul_v(torque, b->inertia, udot + 3);
    rt_v3_cross_add(torque, w, Iw);
    rt_m3_mul_v(world, now->orientation, torque);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(s->force[k][i] + b->mass * m->gravity[i] - b->mass * udot[i]) < tolerance);
        assert_true(fabs(s->torque[k][i] - world[i]) < tolerance);
    }
}

/* The ground carries the weight of all. */
static void check_ground(const random_mechanism *m, const routh_operating_point *p, const sums *s)
{
    double force[3], torque[3];
    rt_v3_copy(force, s->force[m->n_bodies]);
    rt_v3_copy(torque, s->torque[m->n_bodies]);
    for (int k = 0; k < m->n_bodies; k++) {
        double weight[3];
        rt_v3_scale(weight, m->body[k].mass, m->gravity);
        rt_v3_sub(force, force, weight);
        rt_v3_scale(weight, -1, weight);
        rt_v3_cross_add(torque, p->bodies[k].position, weight);
    }
    assert_true(rt_v3_norm(force) < 1e-9 * fmax(1, s->largest));
    assert_true(rt_v3_norm(torque) < 1e-9 * fmax(1, s->largest));
}

static void check(const random_mechanism *m)
{
    growing_text text = {0};
    test_mechanism t;
    sums s = {0};
    random_mechanism_write(m, &no_disguise, &text);
    mechanism_make(&t, text.bytes);
    routh_operating_point *p = mechanism_point(&t);
    assert_int_equal(p->n_reactions, m->n_joints + m->n_loads);
    if (p->smallest_pivot > 1e-3) {
        for (int k = 0; k < m->n_joints; k++)
            add_pair(&s, m, p, m->joint[k].place, true, &p->reactions[k]);
        for (int k = 0; k < m->n_loads; k++)
            add_pair(&s, m, p, m->load[k].place, m->load[k].kind != LOAD_TORQUE,
                     &p->reactions[m->n_joints + k]);
        for (int k = 0; k < m->n_bodies; k++) check_body(m, p, &s, k);
        if (m->is_static) check_ground(m, p, &s);
    }
    routh_operating_point_free(p);
    mechanism_release(&t);
    free(text.bytes);
}

static void reactions_and_weight_accelerate_every_body(void **state)
{
    random_stream random = {71};
    (void)state;
    for (int k = 0; k < with_effort(N_MECHANISMS); k++) {
        random_mechanism m;
        random_mechanism_make(&m, &random, RANDOM_MOVING);
        check(&m);
    }
}

static void reactions_balance_the_weight_at_rest(void **state)
{
    random_stream random = {72};
    (void)state;
    for (int k = 0; k < with_effort(N_MECHANISMS); k++) {
        random_mechanism m;
        random_mechanism_make(&m, &random, RANDOM_STATIC);
        check(&m);
    }
}

/* Nothing outside pushes: momentum and moment of momentum stay, whatever acts inside. */
static void momentum_stays_where_nothing_outside_acts(void **state)
{
    random_stream random = {73};
    (void)state;
    for (int k = 0; k < with_effort(N_MECHANISMS); k++) {
        random_mechanism m;
        growing_text text = {0};
        test_mechanism t;
        random_mechanism_make(&m, &random, RANDOM_MOVING);
        rt_v3_set(m.gravity, 0, 0, 0);
        /* all that holds to the ground is dropped; what drives a joint may have gone with it */
        int joints = 0, loads = 0;
        for (int i = 0; i < m.n_joints; i++)
            if (m.joint[i].place[0].body >= 0 && m.joint[i].place[1].body >= 0 &&
                m.joint[i].driven < 0)
                m.joint[joints++] = m.joint[i];
        for (int i = 0; i < m.n_loads; i++)
            if (m.load[i].place[0].body >= 0 && m.load[i].place[1].body >= 0 &&
                m.load[i].kind != LOAD_TORQUE)
                m.load[loads++] = m.load[i];
        m.n_joints = joints, m.n_loads = loads;
        random_mechanism_write(&m, &no_disguise, &text);
        mechanism_make(&t, text.bytes);
        routh_operating_point *p = mechanism_point(&t);
        double force[3] = {0}, torque[3] = {0}, size = 1;
        for (int b = 0; b < m.n_bodies && p->smallest_pivot > 1e-3; b++) {
            const double *udot = p->state->udot + 6 * b, *A = p->bodies[b].orientation;
            double ma[3], w[3], Iw[3], x[3], world[3];
            rt_v3_scale(ma, m.body[b].mass, udot);
            rt_v3_add(force, force, ma);
            rt_v3_cross_add(torque, p->bodies[b].position, ma);
            rt_m3_tmul_v(w, A, p->bodies[b].angular_velocity);
            rt_m3_mul_v(Iw, m.body[b].inertia, w);
            rt_m3_mul_v(x, m.body[b].inertia, udot + 3);
            rt_v3_cross_add(x, w, Iw);
            rt_m3_mul_v(world, A, x);
            rt_v3_add(torque, torque, world);
            size = fmax(size, rt_v3_norm(ma));
        }
        assert_true(rt_v3_norm(force) < 1e-11 * size);
        assert_true(rt_v3_norm(torque) < 1e-10 * size);
        routh_operating_point_free(p);
        mechanism_release(&t);
        free(text.bytes);
    }
}

/* A clamped beam that begins to sag: only its elastic coordinates accelerate. */
static void inertia_of_elastic_coordinates_counts(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        char yaml[600];
        test_mechanism t;
        snprintf(yaml, sizeof yaml,
                 "gravity: [0, 0, -9.81]\n"
                 "bodies: {rod: {type: beam, to: [1, 0, 0], elements: 2, density: 1, area: 1,"
                 " youngs_modulus: 3e3, shear_modulus: 1e3, iyy: 1, izz: 1, torsion_constant: 1}}\n"
                 "joints: {clamp: {type: fixed, between: [rod, ground], at: [0, 0, 0]}}\n"
                 "operating_point: {type: %s}\n",
                 k ? "static" : "given");
        mechanism_make(&t, yaml);
        routh_operating_point *p = mechanism_point(&t);
        /* on release nothing but inertia holds the weight of the nodes that move */
        if (k)
            assert_true(p->residual < 1e-12);
        else
            assert_true(p->residual > 0.1 && p->residual < 10);
        routh_operating_point_free(p);
        mechanism_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reactions_and_weight_accelerate_every_body),
        cmocka_unit_test(reactions_balance_the_weight_at_rest),
        cmocka_unit_test(momentum_stays_where_nothing_outside_acts),
        cmocka_unit_test(inertia_of_elastic_coordinates_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
