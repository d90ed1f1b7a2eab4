/* Every partial of neck 2 against differences of what it is the partial of, element by element:
 *     K, D, M, G' + L    differences of r along xi, u, u', lambda
 *     G, V_x, A_u, A_x   differences of Phi, Phi', Phi'' along xi, u, u'
 *     Phi', Phi''        differences of Phi, Phi' along a motion q(t)
 * at random states that need not satisfy the constraints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/mechanisms.h"

static const double tolerance = 1e-8;

enum { MOST_U = 18, MOST_ROWS = 15 };

typedef struct element_case {
    const char *name;
    bool near;   /* the bodies stay near their places: the element has angles, or a branch at pi */
    bool ground; /* the element holds to the ground, so the world is not turned as a whole */
    const char *text;
} element_case;

static const char head[] =
    "gravity: [1.3, -2.1, -9.81]\n"
    "parameters: {p: 0.7}\n"
    "operating_point: {time: 0.4}\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.5, 0.7, 0.9, 0.05, -0.04, 0.08], position: [0.1, 0.2, 0.3]}\n"
    "  b: {mass: 0.8, inertia: [0.6, 0.4, 0.3, -0.03, 0.06, 0.02], position: [1.2, -0.5, 0.9],\n"
    "      orientation: {rpy: [0.1, -0.2, 0.15]}}\n"
    "  c: {mass: 2.1, inertia: [0.9, 1.1, 0.7, 0.1, 0.02, -0.05], position: [-0.9, 0.8, -0.6],\n"
    "      orientation: {rpy: [-0.2, 0.1, 0.1]}}\n"
    "markers:\n"
    "  i: {body: a, position: [0.3, -0.2, 0.4], orientation: {rpy: [0.15, 0.1, -0.1]}}\n"
    "  j: {body: b, position: [-0.2, 0.3, 0.25], orientation: {rpy: [-0.1, 0.2, 0.1]}}\n"
    "  k: {body: c, position: [0.35, 0.15, -0.3], orientation: {rpy: [0.2, -0.1, 0.15]}}\n"
    "  g: {body: ground, position: [-0.6, -0.4, 0.5], orientation: {rpy: [0.1, -0.15, 0.2]}}\n";

#define JOINT(type, more) "joints: {x: {type: " type ", between: [i, j]" more "}}\n"
#define MOTION(along, between)                                                                     \
    "joints: {x: {type: motion, between: " between ", along: " along                               \
    ", function: sin(2*time) + p*time^2}}\n"
#define VECTOR(type, a, b, c, more)                                                                \
    "loads: {x: {type: " type ", on: i, components: [\"" a "\", \"" b "\", \"" c "\"]" more "}}\n"
#define FORCE(a, b, c, more) VECTOR("force", a, b, c, more)
#define TORQUE(a, b, c, more) VECTOR("torque", a, b, c, more)
#define BUSHING                                                                                    \
    "stiffness: [[30,2,1,0.5,0,1],[2,25,3,0,0.4,0],[1,4,20,0,0,0.3],[0.5,0,0,9,1,0],"              \
    "[0,0.4,0,2,8,0],[1,0,0.3,0,1,7]], damping: "                                                  \
    "[[3,0.2,0,0.1,0,0],[0.3,2,0,0,0.1,0],[0,0,4,0,0,0],"                                          \
    "[0.1,0,0,1,0.2,0],[0,0.1,0,0.3,0.9,0],[0,0,0,0,0,0.8]], preload: [1,-2,3,0.5,-0.4,0.3]"

static const element_case cases[] = {
    {"inertia and gravity", false, false, ""},
    {"fixed", false, false, JOINT("fixed", "")},
    {"revolute", false, false, JOINT("revolute", ", axis: [0.2, 0.4, 1]")},
    {"translational", false, false, JOINT("translational", ", axis: y")},
    {"cylindrical", false, false, JOINT("cylindrical", "")},
    {"universal", false, false, JOINT("universal", ", axis: x")},
    {"constant velocity", false, false, JOINT("constant_velocity", "")},
    {"spherical", false, false, JOINT("spherical", "")},
    {"planar", false, false, JOINT("planar", ", axis: -y")},
    {"screw", true, false, JOINT("screw", ", pitch: 0.3")},
    {"inline", false, false, JOINT("inline", "")},
    {"inplane", false, false, JOINT("inplane", "")},
    {"parallel axes", false, false, JOINT("parallel_axes", "")},
    {"perpendicular axes", false, false, JOINT("perpendicular_axes", ", axis: x")},
    {"orientation", false, false, JOINT("orientation", "")},
    {"rod", false, false, JOINT("rod", ", length: 0.8")},
    {"fixed to ground", false, true, "joints: {x: {type: fixed, between: [i, g]}}\n"},
    {"ground fixed to body", false, true, "joints: {x: {type: translational, between: [g, i]}}\n"},
    {"cv from ground", false, true, "joints: {x: {type: constant_velocity, between: [g, i]}}\n"},
    {"motion x", false, false, MOTION("x", "[i, j]")},
    {"motion y", false, false, MOTION("y", "[i, j]")},
    {"motion z to ground", false, true, MOTION("z", "[i, g]")},
    {"motion rx", true, false, MOTION("rx", "[i, j]")},
    {"motion ry", true, false, MOTION("ry", "[i, j]")},
    {"motion rz", true, false, MOTION("rz", "[i, j]")},
    {"motion rz of ground", true, true, MOTION("rz", "[g, j]")},
    {"motion on a joint", true, false,
     "joints: {h: {type: cylindrical, between: [i, j], axis: [1, 0.1, 0.2]}, \n"
     "  x: {type: motion, joint: h, along: rz, function: cos(time)}, \n"
     "  y: {type: motion, joint: h, along: z, function: 0.3*time^3}}\n"},
    {"gear", true, false,
     "joints: {h: {type: revolute, between: [i, j]}, l: {type: revolute, between: [j, k], axis: "
     "x}, \n"
     "  x: {type: gear, joints: [h, l], ratios: [20, -31]}}\n"},
    {"coupler of three", true, false,
     "joints: {h: {type: cylindrical, between: [i, j]}, l: {type: planar, between: [k, i], axis: "
     "y}, \n"
     "  n: {type: cylindrical, between: [k, j]}, \n"
     "  x: {type: coupler, joints: [h, n, l], coordinates: [z, rz, x], ratios: [1, 0.4, -2], "
     "offset: 0.1}}\n"},
    {"rack and pinion", true, false,
     "joints: {h: {type: translational, between: [i, k], axis: x}, l: {type: revolute, between: "
     "[j, k]}, \n"
     "  x: {type: rack_and_pinion, joints: [h, l], radius: 0.3}}\n"},
    {"constraint by expression", true, false,
     "joints: {x: {type: expression, expression: \"DX(i, j, k)^2*DY(j) - p*DM(i, k) + "
     "sin(AZ(i, j))*DZ(k, i, j)*time - exp(-AX(j, k))\"}}\n"},
    {"constraint on one body", false, true,
     "joints: {x: {type: expression, expression: \"DZ(i) - DX(i)^2/2 + 0.1*DY(i)*sin(time)\"}}\n"},
    {"spring", true, false,
     "loads: {x: {type: spring, between: [i, j], stiffness: 40, damping: 3, free_length: 0.7, "
     "preload: 2}}\n"},
    {"spring to ground", true, true,
     "loads: {x: {type: spring, between: [g, j], stiffness: 40, damping: 3, preload: 2}}\n"},
    {"spring with a law", true, false,
     "loads: {x: {type: spring, between: [i, j], stiffness: 7, damping: 2, force: "
     "\"-20*DM(i,j)^3*(1+VR(i,j)) + VX(k,j,i,j) - "
     "0.4*ACCX(i,j,k) + time\"}}\n"},
    {"spring with a table", true, false,
     "loads: {x: {type: spring, between: [i, j], free_length: 1, damping: 2, "
     "table: [[-5, -90], [-3, -20], [3, 50], [6, 160]]}}\n"},
    {"torsion spring", true, false,
     "loads: {x: {type: torsion_spring, between: [i, j], axis: [0.1, 0.3, 1], stiffness: 9, "
     "damping: 2, "
     "free_angle: 0.3, preload: 0.6}}\n"},
    {"torsion spring with a law", true, true,
     "loads: {x: {type: torsion_spring, between: [g, j], stiffness: 3, damping: 0.5, torque: "
     "\"sin(3*AZ(g, j)) + WZ(j, g, k)*DX(i, j, k) "
     "+ 0.2*WDTY(j, g, i)\"}}\n"},
    {"bushing", true, false, "loads: {x: {type: bushing, between: [i, j], " BUSHING "}}\n"},
    {"bushing to ground", true, true,
     "loads: {x: {type: bushing, between: [g, j], " BUSHING "}}\n"},
    {"beam", true, false,
     "loads: {x: {type: beam, between: [j, i], length: 0.9, youngs_modulus: 100, shear_modulus: "
     "40, area: 0.3, "
     "iyy: 0.02, izz: 0.03, torsion_constant: 0.05, shear_factor_y: 1.2, damping_ratio: 0.1}}\n"},
    {"force in the world", true, false, FORCE("DX(i,j)*VY(i,k)", "-VZ(i)", "time*DM(i,j)", "")},
    {"force in its own axes", true, false, FORCE("2", "p*DY(i,j,k)", "-3", ", resolved_in: i")},
    {"force in others' axes, reaction", true, false,
     FORCE("2 + VX(i,j,k,k)", "-3*WX(i,j,k)", "ACCZ(i,j,k)", ", resolved_in: k, reaction_on: j")},
    {"force with reaction on ground", true, true,
     FORCE("VM(i,j)", "-DX(i,g,g)", "WM(i)", ", resolved_in: g, reaction_on: g")},
    {"force by accelerations", true, false,
     FORCE("ACCM(i,j) + WDTX(i,j,k)", "WDTM(k)*DX(i)", "ACCX(k,i,j)*VY(j)", ", reaction_on: k")},
    {"velocities seen from a body", true, false,
     FORCE("VX(i,j,k,k)", "VY(j,k,i,j)*DZ(i,j,k)", "VZ(k,i,j,k)", ", resolved_in: j")},
    {"torque in others' axes, reaction", true, false,
     TORQUE("WZ(i,j,j) + AZ(i,j)", "2*DX(i,j)", "-VX(i,k)*p", ", resolved_in: k, reaction_on: j")},
    {"torque in its own axes", true, true,
     TORQUE("1", "-2*WX(i,g,i)", "WDTZ(i,g,i)", ", resolved_in: i")},
    {"several of them", true, false,
     "joints: {h: {type: universal, between: [i, j]}, l: {type: screw, between: [k, j], pitch: "
     "0.2}}\n"
     "loads: {x: {type: bushing, between: [k, i], " BUSHING "}, \n"
     "  y: {type: spring, between: [i, k], force: \"-9*DM(i,k) - VR(i,k)*DX(j,k,i)\"}}\n"},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

/* ---- random states --------------------------------------------------------------------------- */

/* Turned as a whole by Q about the origin. */
static void turn_world(const routh_mechanism *m, random_stream *random, double *q)
{
    double Q[9], A[9], QA[9], r[3];
    random_rotation(random, 3 * random_real(random), Q);
    for (int b = 0; b < m->n_bodies; b++, q += 7) {
        rt_m3_mul_v(r, Q, q);
        rt_v3_copy(q, r);
        rt_rotation_from_quaternion(A, q + 3);
        rt_m3_mul(QA, Q, A);
        rt_rotation_to_quaternion(q + 3, QA);
    }
}

static void random_state(const test_mechanism *t, const element_case *c, int motion,
                         random_stream *random, rt_state *s)
{
    const routh_mechanism *m = t->m;
    double xi[MOST_U];
    memcpy(s->q, m->start_q, (size_t)m->n_q * sizeof *s->q);
    for (int b = 0; b < m->n_bodies; b++) {
        double turn[3], n;
        do {
            random_reals(random, 3, turn);
            n = rt_v3_norm(turn);
        } while (n > 1);
        for (int i = 0; i < 3; i++) {
            xi[6 * b + i] = (c->near ? 0.25 : 1) * random_real(random);
            xi[6 * b + 3 + i] = (c->near ? 0.3 : 3) * turn[i];
        }
    }
    m->set->advance(m->n_bodies, s->q, xi);
    if (!c->ground) turn_world(m, random, s->q);
    memset(s->u, 0, (size_t)m->n_u * sizeof *s->u);
    memset(s->udot, 0, (size_t)m->n_u * sizeof *s->u);
    if (motion == MOTION_VELOCITY || motion == MOTION_BOTH) random_reals(random, m->n_u, s->u);
    if (motion == MOTION_ACCELERATION || motion == MOTION_BOTH)
        random_reals(random, m->n_u, s->udot);
    random_reals(random, m->n_rows, s->lambda);
    s->t = 0.4 + 0.3 * random_real(random);
}

/* ---- differences ----------------------------------------------------------------------------- */

typedef enum direction { ALONG_XI, ALONG_U, ALONG_UDOT, ALONG_LAMBDA } direction;

typedef struct family {
    const test_mechanism *t;
    const rt_state *at;
    rt_state *moved;
    direction along;
    const double *d;
} family;

/* (r, Phi, Phi', Phi'') at the moved state. */
static void values_of(const test_mechanism *t, const rt_state *s, double *value)
{
    routh_error error;
    if (rt_evaluate(t->m, t->w, s, RT_EVALUATE_RESIDUAL | RT_EVALUATE_PHI, &error))
        fail_msg("%s", error.message);
    memcpy(value, t->w->residual, (size_t)t->m->n_u * sizeof *value);
    value += t->m->n_u;
    for (int level = 0; level < 3; level++, value += t->m->n_rows)
        memcpy(value, t->w->phi[level], (size_t)t->m->n_rows * sizeof *value);
}

static void state_family(void *context, double eps, double *value)
{
    const family *f = context;
    const routh_mechanism *m = f->t->m;
    rt_state *s = f->moved;
    double xi[MOST_U];
    rt_state_copy(m, s, f->at);
    if (f->along == ALONG_XI) {
        for (int k = 0; k < m->n_u; k++) xi[k] = eps * f->d[k];
        m->set->advance(m->n_bodies, s->q, xi);
    }
    for (int k = 0; k < m->n_u && f->along == ALONG_U; k++) s->u[k] += eps * f->d[k];
    for (int k = 0; k < m->n_u && f->along == ALONG_UDOT; k++) s->udot[k] += eps * f->d[k];
    for (int k = 0; k < m->n_rows && f->along == ALONG_LAMBDA; k++) s->lambda[k] += eps * f->d[k];
    values_of(f->t, s, value);
}

/* w = Jr(theta) theta' = theta' - theta x theta'/2! + theta x (theta x theta')/3! - ..., for
 * small theta */
static void body_rates(const double theta[3], const double rate[3], double w[3])
{
    double term[3], next[3];
    rt_v3_copy(term, rate);
    rt_v3_copy(w, rate);
    for (int k = 2; k < 12; k++) {
        rt_v3_cross(next, theta, term);
        rt_v3_scale(term, -1.0 / k, next);
        rt_v3_add(w, w, term);
    }
}

/* (Phi, Phi') at the time t + eps of a motion with the state's u and u': the rotation vector w
 * eps + al eps^2/2 has the body rates w and their derivative al at eps = 0. */
static void motion_family(void *context, double eps, double *phi)
{
    const family *f = context;
    const routh_mechanism *m = f->t->m;
    const double *u = f->at->u, *udot = f->at->udot;
    rt_state *s = f->moved;
    double xi[MOST_U], value[MOST_U + 3 * MOST_ROWS];
    rt_state_copy(m, s, f->at);
    for (int k = 0; k < m->n_u; k++) {
        xi[k] = eps * (u[k] + eps / 2 * udot[k]);
        s->u[k] = u[k] + eps * udot[k];
    }
    for (int b = 0; b < m->n_bodies; b++) {
        double rate[3];
        rt_v3_copy(rate, s->u + 6 * b + 3);
        body_rates(xi + 6 * b + 3, rate, s->u + 6 * b + 3);
    }
    m->set->advance(m->n_bodies, s->q, xi);
    s->t += eps;
    values_of(f->t, s, value);
    memcpy(phi, value + m->n_u, 2 * (size_t)m->n_rows * sizeof *phi);
}

/* ---- comparison ------------------------------------------------------------------------------ */

typedef struct record {
    double worst;
    const char *what;
} record;

/* |difference| relative to the derivative, or to a thousandth of the value where that is more: a
 * derivative cannot be differenced better than the value is rounded. */
static double error_of(const double *exact, const double *differenced, const double *value, int n)
{
    double size = fmax(largest_of(exact, n), largest_of(differenced, n)), error = 0;
    size = fmax(size, fmax(1e-3 * largest_of(value, n), 1e-3));
    for (int k = 0; k < n; k++) {
        if (!isfinite(exact[k])) return INFINITY; /* fmax would pass over a NaN */
        error = fmax(error, fabs(exact[k] - differenced[k]));
    }
    return error / size;
}

static void compare(record *worst, const element_case *c, const char *what, const double *exact,
                    const double *differenced, const double *value, int n)
{
    const double error = error_of(exact, differenced, value, n);
    if (!(error <= tolerance)) fail_msg("%s: %s is off by %.3g", c->name, what, error);
    if (error > worst->worst) *worst = (record){error, what};
}

typedef struct exact {
    double r[4][MOST_U];         /* by direction */
    double phi[3][4][MOST_ROWS]; /* level, direction */
    double value[MOST_U + 3 * MOST_ROWS];
} exact;

static void exact_derivatives(const test_mechanism *t, const rt_state *s, double d[4][MOST_U],
                              exact *x)
{
    const routh_mechanism *m = t->m;
    const rt_workspace *w = t->w;
    routh_error error;
    memset(x, 0, sizeof *x);
    values_of(t, s, x->value);
    if (rt_evaluate(m, t->w, s, RT_EVALUATE_ALL, &error)) fail_msg("%s", error.message);
    rt_sparse_multiply_add(&m->pattern_K, w->K, 1, d[ALONG_XI], x->r[ALONG_XI]);
    rt_sparse_multiply_add(&m->pattern_K, w->D, 1, d[ALONG_U], x->r[ALONG_U]);
    rt_sparse_multiply_add(&m->pattern_M, w->M, 1, d[ALONG_UDOT], x->r[ALONG_UDOT]);
    rt_sparse_transpose_multiply_add(&m->pattern_G, w->G, 1, d[ALONG_LAMBDA], x->r[ALONG_LAMBDA]);
    rt_sparse_multiply_add(&m->pattern_G, w->G, 1, d[ALONG_XI], x->phi[0][ALONG_XI]);
    rt_sparse_multiply_add(&m->pattern_G, w->Vx, 1, d[ALONG_XI], x->phi[1][ALONG_XI]);
    rt_sparse_multiply_add(&m->pattern_G, w->G, 1, d[ALONG_U], x->phi[1][ALONG_U]);
    rt_sparse_multiply_add(&m->pattern_G, w->Ax, 1, d[ALONG_XI], x->phi[2][ALONG_XI]);
    rt_sparse_multiply_add(&m->pattern_G, w->Au, 1, d[ALONG_U], x->phi[2][ALONG_U]);
    rt_sparse_multiply_add(&m->pattern_G, w->G, 1, d[ALONG_UDOT], x->phi[2][ALONG_UDOT]);
}

static const char *const names_r[] = {"K", "D", "M", "G'"};
static const char *const names_phi[3][4] = {
    {"G", "dPhi/du = 0", "dPhi/du' = 0", "dPhi/dlambda = 0"},
    {"V_x", "dPhi'/du = G", "dPhi'/du' = 0", "dPhi'/dlambda = 0"},
    {"A_x", "A_u", "dPhi''/du' = G", "dPhi''/dlambda = 0"}};

static void check_state(const test_mechanism *t, const element_case *c, rt_state *s,
                        rt_state *moved, random_stream *random, record *worst)
{
    const routh_mechanism *m = t->m;
    const int n = m->n_u, rows = m->n_rows, all = n + 3 * rows;
    double d[4][MOST_U], differenced[MAX_DIFFERENCED];
    exact x;
    for (int k = 0; k < 4; k++) random_reals(random, k == ALONG_LAMBDA ? rows : n, d[k]);
    exact_derivatives(t, s, d, &x);
    for (int along = 0; along < 4; along++) {
        family f = {t, s, moved, (direction)along, d[along]};
        /* near a point where a distance or a speed vanishes the steps must be short */
        for (double h = 0.02; h > 1e-4; h /= 4) {
            differentiate(state_family, &f, h, all, differenced);
            if (error_of(x.r[along], differenced, x.value, n) < 1e-9) break;
        }
        compare(worst, c, names_r[along], x.r[along], differenced, x.value, n);
        for (int level = 0; level < 3; level++)
            compare(worst, c, names_phi[level][along], x.phi[level][along],
                    differenced + n + level * rows, x.value + n + level * rows, rows);
    }
    family f = {t, s, moved, ALONG_XI, NULL};
    differentiate(motion_family, &f, 0.02, 2 * rows, differenced);
    compare(worst, c, "Phi'", x.value + n + rows, differenced, x.value + n, rows);
    compare(worst, c, "Phi''", x.value + n + 2 * rows, differenced + rows, x.value + n + rows,
            rows);
}

static void test_case(void **state)
{
    const element_case *c = *state;
    growing_text text = {0};
    test_mechanism t;
    rt_state *moved;
    routh_error error;
    record worst = {0, "nothing"};
    random_stream random = {(uint64_t)(c - cases) + 1};
    text_add(&text, "%s%s", head, c->text);
    mechanism_make(&t, text.bytes);
    assert_true(t.m->n_u <= MOST_U && t.m->n_rows <= MOST_ROWS);
    assert_int_equal(rt_state_create(&moved, t.m, &error), ROUTH_OK);
    for (int motion = 0; motion < N_MOTIONS; motion++)
        for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
            random_state(&t, c, motion, &random, t.state);
            check_state(&t, c, t.state, moved, &random, &worst);
        }
    print_message("    worst %.1e, of %s\n", worst.worst, worst.what);
    rt_state_free(moved);
    mechanism_release(&t);
    free(text.bytes);
}

int main(void)
{
    struct CMUnitTest tests[N_CASES];
    for (int k = 0; k < N_CASES; k++)
        tests[k] = (struct CMUnitTest){cases[k].name, test_case, NULL, NULL, (void *)&cases[k]};
    return _cmocka_run_group_tests("system.derivatives", tests, N_CASES, NULL, NULL);
}
