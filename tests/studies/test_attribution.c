/* What elements do in a mode: the sums against the eigenvalue itself, closed forms, and the same
 * parts in every coordinate set. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "routh/attribution.h"
#include "support/effort.h"
#include "support/random_mechanism.h"

static const double rounding = 1e-11;

typedef struct found {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
    routh_linear *linear;
    routh_modes *modes;
    routh_attribution *a;
} found;

/* false where there is no equilibrium */
static bool try_to_find(found *f, const char *text, const char *set, const char *method)
{
    routh_error error = {0};
    routh_linear_options o = routh_linear_defaults();
    o.method = method;
    *f = (found){0};
    routh_status status = routh_model_parse(&f->model, text, strlen(text), "test", NULL, 0, &error);
    if (!status) status = routh_mechanism_compile(&f->m, f->model, set, &error);
    if (!status) status = routh_operating_point_find(&f->point, f->m, NULL, &error);
    if (status == ROUTH_NO_EQUILIBRIUM) return false;
    if (!status) status = routh_linear_compute(&f->linear, f->m, f->point, &o, &error);
    if (!status) status = routh_modes_compute(&f->modes, f->linear, &error);
    if (!status)
        status = routh_attribution_compute(&f->a, f->m, f->point, f->linear, f->modes, &error);
    if (status) fail_msg("%s: %s in\n%s", set, error.message, text);
    return true;
}

static void find(found *f, const char *text, const char *set)
{
    if (!try_to_find(f, text, set, "augmented")) fail_msg("%s: no equilibrium", set);
}

static void drop(found *f)
{
    routh_attribution_free(f->a);
    routh_modes_free(f->modes);
    routh_linear_free(f->linear);
    routh_operating_point_free(f->point);
    routh_mechanism_free(f->m);
    routh_model_free(f->model);
}

static const routh_attributed *part(const found *f, int mode, const char *element)
{
    for (int e = 0; e < f->a->n_elements; e++)
        if (strcmp(f->a->elements[e], element) == 0)
            return &f->a->parts[mode * f->a->n_elements + e];
    fail_msg("there is no %s", element);
    return NULL;
}

static double sum(const double x[ROUTH_N_WAYS]) { return x[0] + x[1] + x[2] + x[3]; }

static void assert_near(double got, double wanted, const char *what)
{
    if (!(fabs(got - wanted) <= rounding * fmax(1, fabs(wanted))))
        fail_msg("%s: %.15g is not %.15g", what, got, wanted);
}

/* Modes from slow to fast: number k of those with im >= 0. */
static int mode_number(const found *f, int k)
{
    for (int i = 0; i < f->modes->n; i++)
        if (f->modes->modes[i].eigenvalue[1] >= 0 && k-- == 0) return i;
    fail_msg("there is no such mode");
    return -1;
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* What rounding of A leaves of the forces of mode i: that of the largest m s^2 of any mode, 1e-12
 * of it where masses differ by a factor of a thousand, beside its own m s^2; never more than half
 * of the digits. */
static double closure_allowed(const found *f, int i)
{
    double fastest = 0;
    for (int k = 0; k < f->modes->n; k++) {
        const double *s = f->modes->modes[k].eigenvalue;
        fastest = fmax(fastest, hypot(s[0], s[1]));
    }
    const double *s = f->modes->modes[i].eigenvalue, ratio = fastest / hypot(s[0], s[1]);
    return fmin(1e-12 * ratio * ratio, 1e-8);
}

/* How much each sum of parts is larger than its result, which rounding goes with. */
static void check_sums(const found *f, const char *how)
{
    for (int i = 0; i < f->modes->n; i++) {
        const routh_mode *mode = &f->modes->modes[i];
        double kinetic = 0, frequency = 0, damping = 0, size = 1;
        if (mode->rigid) {
            assert_true(isnan(f->a->closure[i]));
            continue;
        }
        if (!(f->a->closure[i] <= closure_allowed(f, i)))
            fail_msg("%s: mode %d closes to %.1e", how, i, f->a->closure[i]);
        for (int e = 0; e < f->a->n_elements; e++) {
            const routh_attributed *p = &f->a->parts[i * f->a->n_elements + e];
            kinetic += p->kinetic, frequency += sum(p->frequency), damping += sum(p->damping);
            for (int w = 0; w < ROUTH_N_WAYS; w++) {
                if (mode->eigenvalue[1] != 0) size += fabs(p->frequency[w]);
                if (!isnan(damping)) size += fabs(p->damping[w]);
            }
        }
        const bool oscillates = mode->eigenvalue[1] != 0;
        if (!(fabs(kinetic - 1) <= 1e-12 * size))
            fail_msg("%s: mode %d: kinetic %.15g", how, i, kinetic);
        if (oscillates && !(fabs(frequency - 1) <= rounding * size))
            fail_msg("%s: mode %d: frequency %.15g", how, i, frequency);
        if (oscillates && !(fabs(damping - mode->damping_ratio) <= rounding * size))
            fail_msg("%s: mode %d: damping %.15g of %.15g", how, i, damping, mode->damping_ratio);
    }
}

/* ---- closed forms --------------------------------------------------------------------------- */

/* Two masses between three springs, damped: shares by the matrices and the shape. */
static void chain(void **unused)
{
    (void)unused;
    found f;
    find(&f,
         "bodies:\n"
         "  a: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
         "  b: {mass: 3, inertia: [1, 1, 1], position: [2, 0, 0]}\n"
         "markers: {end: {body: ground, position: [3, 0, 0]}}\n"
         "joints:\n"
         "  ga: {type: translational, between: [a, ground], axis: x}\n"
         "  gb: {type: translational, between: [b, ground], axis: x}\n"
         "loads:\n"
         "  k1: {type: spring, between: [a, ground], stiffness: 50, damping: 1}\n"
         "  k2: {type: spring, between: [a, b], stiffness: 30, damping: 0.2}\n"
         "  k3: {type: spring, between: [b, end], stiffness: 90, damping: 0.7}\n",
         "absolute");
    for (int n = 0; n < 2; n++) {
        const int i = mode_number(&f, n);
        const routh_mode *mode = &f.modes->modes[i];
        const double _Complex s = mode->eigenvalue[0] + I * mode->eigenvalue[1];
        const double _Complex x = mode->shape[0] + I * mode->shape[4],
                              y = mode->shape[1] + I * mode->shape[5];
        assert_string_equal(f.linear->states[0].name, "a.x");
        const double s2 = creal(s * conj(s));
        const double xx = creal(x * conj(x)), yy = creal(y * conj(y)),
                     xy = creal((x - y) * conj(x - y));
        const double mass = 2 * xx + 3 * yy, stiffness = 50 * xx + 30 * xy + 90 * yy;
        const double energy = s2 * mass + stiffness, size = sqrt(s2);
        assert_near(part(&f, i, "body a")->kinetic, 2 * xx / mass, "a");
        assert_near(part(&f, i, "body a")->rotation, 0, "rotation of a");
        assert_near(sum(part(&f, i, "load k1")->frequency), 50 * xx / (s2 * mass), "k1");
        assert_near(sum(part(&f, i, "load k2")->frequency), 30 * xy / (s2 * mass), "k2");
        assert_near(part(&f, i, "load k1")->damping[ROUTH_BY_RATE], s2 * 1 * xx / (size * energy),
                    "loss in k1");
        assert_near(sum(part(&f, i, "load k2")->damping), s2 * 0.2 * xy / (size * energy),
                    "loss in k2");
    }
    check_sums(&f, "chain");
    drop(&f);
}

/* s^2 + 2 d w s + w^2 = (s - s1)(s - s2): w^H = (-s2, 1), v = (1, s1) */
static void participation(void **unused)
{
    (void)unused;
    found f;
    find(&f,
         "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
         "joints: {j: {type: translational, between: [b, ground], axis: x}}\n"
         "loads: {s: {type: bushing, between: [b, ground], translation: {stiffness: 50, damping: "
         "3}}}\n",
         "absolute");
    const int i = mode_number(&f, 0);
    const double _Complex s = f.modes->modes[i].eigenvalue[0] + I * f.modes->modes[i].eigenvalue[1];
    const double _Complex by_x = -conj(s) / (s - conj(s)), by_v = s / (s - conj(s));
    assert_near(f.a->participation[2 * i][0], creal(by_x), "x, real");
    assert_near(f.a->participation[2 * i][1], cimag(by_x), "x, imaginary");
    assert_near(f.a->participation[2 * i + 1][0], creal(by_v), "x', real");
    assert_near(f.a->participation[2 * i + 1][1], cimag(by_v), "x', imaginary");
    const int other = f.modes->modes[i].conjugate;
    assert_near(f.a->participation[2 * other + 1][1], -cimag(by_v), "x' of the conjugate");
    drop(&f);
}

/* A top hangs and spins, Jt thx'' + Jp W thy' + m g l thx = 0 about the ball: whirling forward,
 * w^2 = m g l/Jt + Jp W w/Jt, and backward with minus: the gyroscopic part is +-Jp W/(Jt w). */
static void gyroscope(void **unused)
{
    (void)unused;
    found f;
    const double Jt = 0.3 + 2 * 0.5 * 0.5, Jp = 0.5, W = 20, k = 2 * 9.81 * 0.5;
    find(&f,
         "gravity: [0, 0, -9.81]\n"
         "bodies:\n"
         "  r: {mass: 2, inertia: [0.3, 0.3, 0.5], position: [0, 0, -0.5], velocity: [0, 0, 0],\n"
         "      angular_velocity: [0, 0, 20]}\n"
         "joints: {ball: {type: spherical, between: [r, ground], at: [0, 0, 0]}}\n"
         "linearize: {states: [r.rx, r.ry, r.rz]}\n",
         "absolute");
    check_sums(&f, "gyroscope");
    int seen = 0;
    for (int i = 0; i < f.modes->n; i++) {
        const double w = f.modes->modes[i].eigenvalue[1];
        if (f.modes->modes[i].rigid || w <= 0) continue;
        const double forward = w * w > k / Jt ? 1 : -1;
        assert_near(sum(part(&f, i, "body r")->frequency), forward * Jp * W / (Jt * w),
                    "gyroscope");
        assert_near(sum(part(&f, i, "joint ball")->frequency), k / (Jt * w * w), "weight");
        assert_near(part(&f, i, "body r")->rotation, 0.3 / Jt, "rotation");
        seen++;
    }
    assert_int_equal(seen, 2);
    drop(&f);
}

/* m s^2 + k = +-i h: what turns with the displacement feeds one mode and takes from the other, and
 * all of the damping ratio is its doing. */
static void swirl(void **unused)
{
    (void)unused;
    found f;
    find(&f,
         "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
         "joints: {plane: {type: planar, between: [b, ground], axis: z}}\n"
         "loads:\n"
         "  hold: {type: bushing, between: [b, ground], translation: {stiffness: 80},\n"
         "         rotation: {stiffness: 5}}\n"
         "  seal: {type: force, on: b, components: [-9*DY(b), 9*DX(b), 0]}\n",
         "absolute");
    check_sums(&f, "swirl");
    int seen = 0;
    for (int i = 0; i < f.modes->n; i++) {
        const routh_mode *mode = &f.modes->modes[i];
        if (mode->eigenvalue[1] <= 0 || fabs(mode->eigenvalue[0]) < 1e-3) continue;
        assert_near(part(&f, i, "load seal")->damping[ROUTH_BY_POSITION], mode->damping_ratio,
                    "seal");
        assert_near(sum(part(&f, i, "load hold")->damping), 0, "hold");
        seen += mode->eigenvalue[0] > 0 ? 1 : 2;
    }
    assert_int_equal(seen, 3);
    drop(&f);
}

/* A rod that hangs: its weight acts through the hinge. A load reads a state of a controller. */
static void signals(void **unused)
{
    (void)unused;
    found f;
    find(&f,
         "gravity: [0, 0, -9.81]\n"
         "bodies: {rod: {mass: 1, inertia: [0.4, 0.4, 0.1], position: [0, 0, -1]}}\n"
         "joints: {hinge: {type: revolute, between: [rod, ground], at: [0, 0, 0], axis: y}}\n"
         "loads: {motor: {type: torque, on: rod, components: [0, -3*slow, 0]}}\n"
         "controllers:\n  slow: {type: transfer_function, input: AY(rod), numerator: [2], "
         "denominator: "
         "[1, 2]}\n",
         "absolute");
    check_sums(&f, "signals");
    const int i = mode_number(&f, f.modes->n == 3 ? 1 : 0);
    const double _Complex s = f.modes->modes[i].eigenvalue[0] + I * f.modes->modes[i].eigenvalue[1];
    const double _Complex g = 3 * 2 / (s + 2); /* the stiffness that the motor is */
    const double mass = creal(s * conj(s)) * 1.4;
    const double energy = mass + 9.81 + creal(g);
    assert_near(part(&f, i, "load motor")->damping[ROUTH_BY_SIGNAL],
                cimag(s) * cimag(g) / (cabs(s) * energy), "motor");
    assert_near(part(&f, i, "joint hinge")->frequency[ROUTH_BY_POSITION], 9.81 / mass, "hinge");
    drop(&f);
}

/* ---- every coordinate set and method -------------------------------------------------------- */

/* Parts move with the eigenvalue's own sensitivity to rounding. */
static double slack(const found *f, int mode) { return 1e-9 * f->modes->modes[mode].condition; }

static double size_of(const found *f, int i)
{
    double size = 1;
    for (int e = 0; e < f->a->n_elements; e++)
        for (int w = 0; w < ROUTH_N_WAYS; w++) {
            const routh_attributed *p = &f->a->parts[i * f->a->n_elements + e];
            size = fmax(size, fmax(fabs(p->frequency[w]), fabs(p->damping[w])));
        }
    return size;
}

static bool alone(const routh_modes *modes, int i)
{
    const double *x = modes->modes[i].eigenvalue;
    for (int k = 0; k < modes->n; k++)
        if (k != i && hypot(modes->modes[k].eigenvalue[0] - x[0],
                            modes->modes[k].eigenvalue[1] - x[1]) < 1e-3 * hypot(x[0], x[1]))
            return false;
    return x[1] != 0 && !modes->modes[i].rigid && modes->modes[i].condition < 1e4;
}

static int compare(const found *a, const found *b, const char *how)
{
    int n = 0;
    assert_int_equal(a->modes->n, b->modes->n);
    for (int i = 0; i < a->modes->n; i++) {
        if (!alone(a->modes, i)) continue;
        const double off = slack(a, i) * size_of(a, i);
        const double *x = a->modes->modes[i].eigenvalue, *y = b->modes->modes[i].eigenvalue;
        if (hypot(x[0] - y[0], x[1] - y[1]) > 1e-6 * hypot(x[0], x[1]))
            continue; /* in other order */
        for (int e = 0; e < a->a->n_elements; e++) {
            const routh_attributed *p = &a->a->parts[i * a->a->n_elements + e],
                                   *q = &b->a->parts[i * b->a->n_elements + e];
            assert_string_equal(a->a->elements[e], b->a->elements[e]);
            bool same =
                fabs(p->kinetic - q->kinetic) <= off && fabs(p->rotation - q->rotation) <= off;
            for (int w = 0; w < ROUTH_N_WAYS; w++)
                same = same && fabs(p->frequency[w] - q->frequency[w]) <= off &&
                       fabs(p->damping[w] - q->damping[w]) <= off;
            if (!same)
                fail_msg("%s: mode %d, %s: frequency %.12g and %.12g, damping %.12g and %.12g", how,
                         i, a->a->elements[e], sum(p->frequency), sum(q->frequency),
                         sum(p->damping), sum(q->damping));
        }
        n++;
    }
    return n;
}

static void in_every_set(int what)
{
    int compared = 0;
    random_stream random = {what ? 7u : 3u};
    for (int k = 0; k < with_effort(8); k++) {
        random_mechanism mechanism;
        growing_text text = {0};
        found first = {0};
        random_mechanism_make(&mechanism, &random, what);
        random_mechanism_write(&mechanism, &no_disguise, &text);
        const char *set;
        for (int c = 0; (set = routh_coordinate_name(c)); c++) {
            found f;
            const bool there = try_to_find(&f, text.bytes, set, c % 2 ? "minimal" : "augmented");
            if (there) check_sums(&f, set);
            if (there && c > 0 && first.a) compared += compare(&first, &f, set);
            if (c == 0)
                first = f;
            else
                drop(&f);
        }
        drop(&first);
        free(text.bytes);
    }
    assert_true(compared > 20);
}

static void at_rest(void **unused)
{
    (void)unused;
    in_every_set(RANDOM_STATIC);
}

static void moving(void **unused)
{
    (void)unused;
    in_every_set(RANDOM_MOVING);
}

/* ---- flexible bodies ------------------------------------------------------------------------ */

#define BEAM                                                                                       \
    "type: beam, density: 900, youngs_modulus: 2e7, poissons_ratio: 0.3, "                         \
    "section: {rectangle: {height: 0.05, width: 0.08}}, elements: 2"

/* Two beams bent by weight, joined off their nodes; a spring, a bushing and a torsion spring
 * between nodes; a rigid bob. The root turns about z where it is free to. */
static const char beams[] =
    "gravity: [0.4, -0.3, -9.81]\n"
    "bodies:\n"
    "  arm: {" BEAM ", to: [1.2, 0, 0], stiffening: %s,\n"
    "        damping: {mass: 0.2, stiffness: 0.01}}\n"
    "  tip: {" BEAM ", position: [1.25, 0.02, -0.03], to: [0.3, 0.1, -0.9], frame: %s}\n"
    "  bob: {mass: 0.7, inertia: [0.02, 0.03, 0.04], position: [1.5, 0.15, -1.0]}\n"
    "markers:\n"
    "  root: {body: arm, node: first}\n"
    "  end: {body: arm, node: last, position: [0.05, 0.02, -0.03]}\n"
    "  middle: {body: arm, node: 2, position: [0, 0.04, 0.01]}\n"
    "  top: {body: tip, node: 1}\n"
    "  low: {body: tip, node: last, position: [0.02, 0, 0.1]}\n"
    "  waist: {body: tip, node: 2}\n"
    "joints:\n"
    "  wall: {type: revolute, between: [root, ground], axis: [0.3, 1, 0.2]}\n"
    "  link: {type: spherical, between: [top, end]}\n"
    "  hold: {type: spherical, between: [bob, low]}\n"
    "loads:\n"
    "  turn: {type: torsion_spring, between: [root, ground], axis: [0.3, 1, 0.2], stiffness: 60,\n"
    "         damping: 2}\n"
    "  stay: {type: spring, between: [middle, waist], stiffness: 40, damping: 3, free_length: "
    "0.6}\n"
    "  pad: {type: bushing, between: [end, top], translation: {stiffness: [50, 60, 70],\n"
    "        damping: 1}, rotation: {stiffness: [3, 4, 5], damping: 0.1}}\n"
    "operating_point: {type: %s}\n";

static void flexible(const char *stiffening, const char *frame, const char *type)
{
    growing_text text = {0};
    found first, other;
    text_add(&text, beams, stiffening, frame, type);
    find(&first, text.bytes, "absolute");
    check_sums(&first, "absolute");
    find(&other, text.bytes, "relative");
    check_sums(&other, "relative");
    assert_true(compare(&first, &other, "relative") > 10);
    drop(&other);
    drop(&first);
    free(text.bytes);
}

static void beams_at_rest(void **unused)
{
    (void)unused;
    flexible("false", "tangent", "static");
    flexible("true", "mean-axis", "static");
}

/* Released: forces are not in balance with the bodies at rest. */
static void beams_released(void **unused)
{
    (void)unused;
    flexible("true", "tangent", "given");
}

/* ---- refusals ------------------------------------------------------------------------------- */

static const char oscillator[] =
    "bodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: translational, between: [b, ground], axis: x}}\n"
    "loads: {s: {type: bushing, between: [b, ground], translation: {stiffness: 50}}}\n";

static void refusals(void **unused)
{
    (void)unused;
    found f, other;
    routh_error error = {0};
    routh_attribution *a;
    find(&f, oscillator, "absolute");
    find(&other,
         "bodies: {c: {mass: 2, inertia: [1, 1, 1]}}\n"
         "joints: {j: {type: translational, between: [c, ground], axis: y}}\n",
         "absolute");
    assert_int_equal(routh_attribution_compute(&a, f.m, f.point, other.linear, other.modes, &error),
                     ROUTH_BAD_ARGUMENT);
    assert_null(a);
    /* each name of a state counts, the last one too */
    for (int k = 0; k < f.linear->n_states; k++) {
        char *const name = f.linear->states[k].name;
        char another[] = "another";
        f.linear->states[k].name = another;
        assert_int_equal(routh_attribution_compute(&a, f.m, f.point, f.linear, f.modes, &error),
                         ROUTH_BAD_ARGUMENT);
        f.linear->states[k].name = name;
    }
    f.modes->wanted.n_regions = 1;
    assert_int_equal(routh_attribution_compute(&a, f.m, f.point, f.linear, f.modes, &error),
                     ROUTH_NOT_SUPPORTED);
    f.modes->wanted.n_regions = 0;
    assert_non_null(routh_way_name(ROUTH_BY_SIGNAL));
    assert_null(routh_way_name(ROUTH_N_WAYS));
    drop(&other);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain),         cmocka_unit_test(participation),
        cmocka_unit_test(gyroscope),     cmocka_unit_test(swirl),
        cmocka_unit_test(signals),       cmocka_unit_test(at_rest),
        cmocka_unit_test(moving),        cmocka_unit_test(refusals),
        cmocka_unit_test(beams_at_rest), cmocka_unit_test(beams_released),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
