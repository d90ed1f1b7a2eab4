/* What must not change the linear model: where the world's axes are, in which order bodies and
 * joints are written and which joints close the loops, a body written as two halves, the units.
 * In every coordinate set and by every exact method, A in states and from an observer that mean the
 * same, and the eigenvalues; those also at rest in states that the program chooses itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "coordinates/relative_chain.h"
#include "routh/answers.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

/* Ten tests of so many mechanisms, in every set and by every method, take some four seconds. */
enum { N_MECHANISMS = 8 };

/* Of A's largest entry, and of the spectral radius times the condition number of the eigenvalue.
 * Where nothing restores, radii are rounding: then the rates of these motions count, in 1/s. */
static const double tolerance = 1e-8, usual_rate = 1;

/* Rounding moves a double zero by its square root, 1e-7 or so. */
static const double zero = 1e-6;

static const char *const methods[] = {"augmented", "minimal", "redundant"};
enum { N_METHODS = sizeof methods / sizeof methods[0], MOST_STATES = 12 * MOST_BODIES };

/* ---- models --------------------------------------------------------------------------------- */

/* A model file read, compiled in one coordinate set, at its operating point. */
typedef struct cell {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
} cell;

/* false where the search for an equilibrium fails. */
static bool cell_try(cell *c, const char *text, const char *set)
{
    routh_error error;
    *c = (cell){0};
    routh_status status = routh_model_parse(&c->model, text, strlen(text), "test", NULL, 0, &error);
    if (!status) status = routh_mechanism_compile(&c->mechanism, c->model, set, &error);
    if (!status) status = routh_operating_point_find(&c->point, c->mechanism, NULL, &error);
    if (status && status != ROUTH_NO_EQUILIBRIUM)
        fail_msg("%s: %s in\n%s", set, error.message, text);
    return !status;
}

static void cell_release(cell *c)
{
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->mechanism);
    routh_model_free(c->model);
}

/* states NULL: those that the program chooses. */
static routh_linear *linear_by(const cell *c, const char *method, const char *const *states)
{
    routh_linear_options options = routh_linear_defaults();
    routh_linear *linear;
    routh_error error;
    options.method = method;
    options.states = states;
    if (routh_linear_compute(&linear, c->mechanism, c->point, &options, &error))
        fail_msg("%s: %s", method, error.message);
    return linear;
}

/* ---- comparison ----------------------------------------------------------------------------- */

/* How many metres (or radians) one unit of the state is. */
static double unit_of(const routh_linear *linear, int state, double length)
{
    return linear->states[state].unit[0] == 'm' ? length : 1;
}

static void compare_matrices(const routh_linear *a, const routh_linear *b, double length,
                             const char *how)
{
    const int n = a->n_states;
    assert_int_equal(b->n_states, n);
    assert_int_equal(a->at_rest, b->at_rest);
    for (int k = 0; k < n; k++) assert_string_equal(a->states[k].name, b->states[k].name);
    const double size = largest_of(a->A, n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double x = b->A[i * n + j] * unit_of(b, i, length) / unit_of(b, j, length);
            if (!(fabs(x - a->A[i * n + j]) <= tolerance * size))
                fail_msg("%s: A(%s, %s) becomes %.15g and was %.15g", how, a->states[i].name,
                         a->states[j].name, x, a->A[i * n + j]);
        }
}

static bool is_zero(const routh_mode *x, double radius)
{
    return hypot(x->eigenvalue[0], x->eigenvalue[1]) <= zero * radius;
}

static double distance(const routh_mode *a, const routh_mode *b)
{
    return hypot(a->eigenvalue[0] - b->eigenvalue[0], a->eigenvalue[1] - b->eigenvalue[1]);
}

/* The best conditioned first, each takes its nearest. */
static void compare_spectra(const routh_modes *a, const routh_linear *linear, const char *how)
{
    routh_modes *b;
    routh_error error;
    bool done[MOST_STATES] = {false}, taken[MOST_STATES] = {false};
    double radius = usual_rate;
    if (routh_modes_compute(&b, linear, &error)) fail_msg("%s: %s", how, error.message);
    assert_true(a->n <= MOST_STATES);
    assert_int_equal(a->n, b->n);
    for (int k = 0; k < a->n; k++)
        radius = fmax(radius, hypot(a->modes[k].eigenvalue[0], a->modes[k].eigenvalue[1]));
    for (int k = 0; k < a->n; k++) {
        int next = -1, nearest = -1;
        for (int i = 0; i < a->n; i++)
            if (!done[i] && (next < 0 || a->modes[i].condition < a->modes[next].condition))
                next = i;
        const routh_mode *x = &a->modes[next];
        for (int i = 0; i < b->n; i++)
            if (!taken[i] &&
                (nearest < 0 || distance(x, &b->modes[i]) < distance(x, &b->modes[nearest])))
                nearest = i;
        done[next] = taken[nearest] = true;
        const routh_mode *y = &b->modes[nearest];
        /* one of them may have split off defective zeros exactly, and know no condition */
        const double condition = fmax(x->condition, y->condition);
        if (is_zero(x, radius) && is_zero(y, radius)) continue;
        if (!(distance(x, y) <= tolerance * radius * condition))
            fail_msg("%s: the eigenvalue %.15g%+.15gi becomes %.15g%+.15gi, condition %.3g, "
                     "largest %.3g",
                     how, x->eigenvalue[0], x->eigenvalue[1], y->eigenvalue[0], y->eigenvalue[1],
                     condition, radius);
    }
    routh_modes_free(b);
}

/* ---- one mechanism -------------------------------------------------------------------------- */

/* As it is, in one coordinate set by the augmented method. */
typedef struct original {
    cell cell;
    routh_linear *linear;
    routh_modes *modes;
    const char *states[MOST_STATES + 1]; /* names of the positions, NULL at the end */
} original;

/* states NULL: those that the program chooses. false where there is no equilibrium. */
static bool original_make(original *o, const random_mechanism *mechanism, const char *set,
                          const char *const *states)
{
    growing_text text = {0};
    routh_error error;
    *o = (original){0};
    random_mechanism_write(mechanism, &no_disguise, &text);
    const bool found = cell_try(&o->cell, text.bytes, set);
    free(text.bytes);
    if (!found) return false;
    o->linear = linear_by(&o->cell, "augmented", states);
    if (routh_modes_compute(&o->modes, o->linear, &error)) fail_msg("%s", error.message);
    for (int k = 0; k < o->linear->n_position; k++) o->states[k] = o->linear->states[k].name;
    return true;
}

static void original_release(original *o)
{
    routh_modes_free(o->modes);
    routh_linear_free(o->linear);
    cell_release(&o->cell);
}

static void check_cell(const original *o, const cell *c, int method, double length, const char *how)
{
    routh_linear *same = linear_by(c, methods[method], o->states);
    compare_matrices(o->linear, same, length, how);
    compare_spectra(o->modes, same, how);
    routh_linear_free(same);
    if (!o->linear->at_rest) return; /* other states, another spectrum */
    routh_linear *own = linear_by(c, methods[method], NULL);
    compare_spectra(o->modes, own, how);
    routh_linear_free(own);
}

/* The search for an equilibrium steps otherwise in other coordinates, and may come to another
 * equilibrium where there are several: each set is compared with itself (all with each other in
 * test_methods.c). */
static void check_set(const random_mechanism *mechanism, const char *const *states,
                      const disguise *as, const char *set, const char *how)
{
    growing_text text = {0};
    original o;
    cell c;
    random_mechanism_write(mechanism, as, &text);
    if (!original_make(&o, mechanism, set, states)) fail_msg("%s: no equilibrium", set);
    if (!cell_try(&c, text.bytes, set)) fail_msg("%s, %s: no equilibrium", how, set);
    assert_int_equal(c.point->degrees_of_freedom, o.cell.point->degrees_of_freedom);
    for (int method = 0; method < N_METHODS; method++) {
        char what[128];
        snprintf(what, sizeof what, "%s, %s, %s", how, set, methods[method]);
        check_cell(&o, &c, method, as->length, what);
    }
    cell_release(&c);
    original_release(&o);
    free(text.bytes);
}

/* The halves' own displacements are not the whole body's, so mechanisms are taken where they are no
 * states: the halves turn as the whole does. */
static bool usable(const original *o, const disguise *as)
{
    char body[16];
    snprintf(body, sizeof body, "b%d.", as->split);
    for (int k = 0; k < o->linear->n_position; k++)
        if (strncmp(o->states[k], body, strlen(body)) == 0 && o->linear->states[k].unit[0] == 'm')
            return false;
    return o->linear->n_states > 0 && o->cell.point->smallest_pivot > 1e-3;
}

/* make_disguise changes one thing. */
typedef void make_disguise(random_stream *, const random_mechanism *, const routh_model *,
                           disguise *);

static void check(int what, uint64_t seed, make_disguise *make, const char *how)
{
    random_stream random = {seed};
    for (int done = 0; done < with_effort(N_MECHANISMS);) {
        random_mechanism mechanism;
        original o;
        disguise as = no_disguise;
        random_mechanism_make(&mechanism, &random, what);
        /* at rest from the world, which does not turn; moving, from a body */
        mechanism.reference = what & RANDOM_MOVING ? "b1" : "world";
        const bool found = original_make(&o, &mechanism, "absolute", NULL);
        make(&random, &mechanism, o.cell.model, &as);
        if (found && usable(&o, &as)) {
            done++;
            for (int k = 0; rt_coordinate_set_name(k); k++)
                check_set(&mechanism, o.states, &as, rt_coordinate_set_name(k), how);
        }
        original_release(&o);
    }
}

/* ---- disguises ------------------------------------------------------------------------------ */

static void turn_world(random_stream *random, const random_mechanism *m, const routh_model *model,
                       disguise *as)
{
    (void)m, (void)model;
    random_rotation(random, 3 * random_real(random), as->Q);
    random_reals(random, 3, as->c);
}

static void reverse_bodies(random_stream *random, const random_mechanism *m,
                           const routh_model *model, disguise *as)
{
    (void)m, (void)model;
    const int shift = (int)(random_bits(random) % MOST_BODIES);
    for (int k = 0; k < MOST_BODIES; k++)
        as->order[k] = (MOST_BODIES - 1 - k + shift) % MOST_BODIES;
}

/* Joints in reverse, and some of them cut: the tree of relative coordinates has another shape and
 * other roots. */
static void change_tree(random_stream *random, const random_mechanism *m, const routh_model *model,
                        disguise *as)
{
    const int shift = (int)(random_bits(random) % MOST_JOINTS);
    for (int k = 0; k < MOST_JOINTS; k++)
        as->joint_order[k] = (MOST_JOINTS - 1 - k + shift) % MOST_JOINTS;
    for (int k = 0; k < m->n_joints; k++)
        if (rt_chain_of(&model->joints[k]) && random_bits(random) % 3 == 0) as->cut |= 1u << k;
    reverse_bodies(random, m, model, as);
}

static void change_units(random_stream *random, const random_mechanism *m, const routh_model *model,
                         disguise *as)
{
    (void)random, (void)m, (void)model;
    as->length = 1e-3;
    as->mass = 1e3;
}

static void split_body(random_stream *random, const random_mechanism *m, const routh_model *model,
                       disguise *as)
{
    (void)model;
    as->split = (int)(random_bits(random) % (uint64_t)m->n_bodies);
    random_reals(random, 3, as->offset);
    for (int i = 0; i < 3; i++) as->offset[i] *= 0.05;
}

static void turned_world_at_rest(void **state)
{
    (void)state;
    check(RANDOM_STATIC, 21, turn_world, "world turned");
}
static void turned_world_moving(void **state)
{
    (void)state;
    check(RANDOM_MOVING, 22, turn_world, "world turned");
}
static void other_order_at_rest(void **state)
{
    (void)state;
    check(RANDOM_STATIC, 23, reverse_bodies, "bodies in another order");
}
static void other_order_moving(void **state)
{
    (void)state;
    check(RANDOM_MOVING, 24, reverse_bodies, "bodies in another order");
}
static void other_units_at_rest(void **state)
{
    (void)state;
    check(RANDOM_STATIC, 25, change_units, "millimetres and tonnes");
}
static void other_units_moving(void **state)
{
    (void)state;
    check(RANDOM_MOVING, 26, change_units, "millimetres and tonnes");
}
static void halves_at_rest(void **state)
{
    (void)state;
    check(RANDOM_STATIC, 27, split_body, "a body in two halves");
}
static void halves_moving(void **state)
{
    (void)state;
    check(RANDOM_MOVING, 28, split_body, "a body in two halves");
}
static void other_tree_at_rest(void **state)
{
    (void)state;
    check(RANDOM_STATIC, 29, change_tree, "another tree");
}
static void other_tree_moving(void **state)
{
    (void)state;
    check(RANDOM_MOVING, 30, change_tree, "another tree");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_world_at_rest), cmocka_unit_test(turned_world_moving),
        cmocka_unit_test(other_order_at_rest),  cmocka_unit_test(other_order_moving),
        cmocka_unit_test(other_units_at_rest),  cmocka_unit_test(other_units_moving),
        cmocka_unit_test(halves_at_rest),       cmocka_unit_test(halves_moving),
        cmocka_unit_test(other_tree_at_rest),   cmocka_unit_test(other_tree_moving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
