/* Dot products with a vector of velocity level: covectors and their rates against motions in time
 * that know nothing of the rules of frames.h, and the curvature of phi. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "elements/frame_rates.h"
#include "support/effort.h"
#include "support/mechanisms.h"

enum { N_FRAMES = 4, N_COVECTOR = 6 * N_FRAMES };

static const double tolerance = 1e-9;

static const rt_vector_kind rate_kinds[] = {RT_VECTOR_VELOCITY, RT_VECTOR_OMEGA,
                                            RT_VECTOR_TRANSPORT, RT_VECTOR_AXIS,
                                            RT_VECTOR_DISPLACEMENT};
static const rt_vector_kind position_kinds[] = {RT_VECTOR_AXIS, RT_VECTOR_DISPLACEMENT};

enum { N_PAIRS = 10 };

static rt_vector random_vector(random_stream *random, rt_vector_kind kind)
{
    rt_vector a = {.kind = kind};
    /* the ground among them */
    a.i = (int)(random_bits(random) % (N_FRAMES + 1)) - 1;
    a.j = (int)(random_bits(random) % (N_FRAMES + 1)) - 1;
    a.l = (int)(random_bits(random) % (N_FRAMES + 1)) - 1;
    random_reals(random, 3, a.local);
    if (kind == RT_VECTOR_AXIS) a.j = a.l = -1;
    return a;
}

/* A pair of each kind, in either order. */
static void random_pair(random_stream *random, int pair, rt_vector *a, rt_vector *b)
{
    *a = random_vector(random, rate_kinds[pair / 2]);
    *b = random_vector(random, position_kinds[pair % 2]);
    if (!(random_bits(random) & 1)) return;
    const rt_vector x = *a;
    *a = *b;
    *b = x;
}

static void check(double found, double expected, const char *what, int pair)
{
    if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%s of pair %d is %.15g and should be %.15g", what, pair, found, expected);
}

/* ---- along motions --------------------------------------------------------------------------- */

typedef struct path {
    const joint_motion *motion, *change;
    const rt_vector *a, *b;
    bool in_time;
} path;

static void frames_on(const path *p, double x, rt_frame *frames)
{
    for (int k = 0; k < N_FRAMES; k++) {
        const joint_motion m = p->in_time ? joint_motion_later(&p->motion[k], x)
                                          : joint_motion_plus(&p->motion[k], x, &p->change[k]);
        frames[k] = joint_frame(&m);
    }
}

/* (x, x') and, by frame, the levels phi and rho. */
static void dot_on(void *context, double x, double *out)
{
    const path *p = context;
    rt_frame frames[N_FRAMES];
    rt_gradient g;
    double value[3];
    frames_on(p, x, frames);
    rt_dot_rates((rt_frames){frames}, p->a, p->b, value, &g);
    out[0] = rt_dot_value((rt_frames){frames}, p->a, p->b);
    out[1] = value[1];
    memset(out + 2, 0, 2 * N_COVECTOR * sizeof *out);
    for (int k = 0; k < g.n; k++)
        for (int i = 0; i < 6; i++) {
            out[2 + 6 * g.frame[k] + i] = g.p[0][k][i];
            out[2 + N_COVECTOR + 6 * g.frame[k] + i] = g.p[1][k][i];
        }
}

/* d x = phi xi' + rho xi,   d x' = phi xi'' + (phi' + rho) xi' + rho' xi */
static void exact_variations(const rt_gradient *g, const rt_gradient *turn, double (*xi)[18],
                             double by[2])
{
    by[0] = by[1] = 0;
    for (int k = 0; k < g->n; k++)
        for (int i = 0; i < 6; i++) {
            const double *x = xi[g->frame[k]] + i;
            by[0] += g->p[0][k][i] * x[6] + g->p[1][k][i] * x[0];
            by[1] += g->p[0][k][i] * x[12] + g->p[1][k][i] * x[6] + g->p[2][k][i] * x[0];
        }
    for (int k = 0; k < turn->n; k++)
        for (int i = 0; i < 6; i++) by[1] += turn->p[0][k][i] * xi[turn->frame[k]][6 + i];
}

/* A level of the gradient by frame. */
static void spread(const rt_gradient *g, int level, double covector[N_COVECTOR])
{
    memset(covector, 0, N_COVECTOR * sizeof *covector);
    for (int k = 0; k < g->n; k++)
        memcpy(covector + 6 * g->frame[k], g->p[level][k], 6 * sizeof *covector);
}

static void check_motion(random_stream *random, int pair, int motions)
{
    joint_motion motion[N_FRAMES], change[N_FRAMES];
    rt_frame frames[N_FRAMES];
    double xi[N_FRAMES][18], value[3], differenced[2 + 2 * N_COVECTOR], by[2];
    double phi_rate[N_COVECTOR], rho_rate[N_COVECTOR];
    rt_gradient g, turn = {0};
    rt_vector a, b;
    for (int f = 0; f < N_FRAMES; f++) {
        motion[f] = random_joint_motion(random, motions);
        change[f] = random_joint_motion(random, MOTION_BOTH);
        joint_variation(&motion[f], &change[f], xi[f]);
    }
    random_pair(random, pair, &a, &b);
    path p = {motion, change, &a, &b, true};
    frames_on(&p, 0, frames);
    rt_dot_rates((rt_frames){frames}, &a, &b, value, &g);
    rt_dot_rates_turn((rt_frames){frames}, &a, &b, 1, &turn);
    spread(&turn, 0, phi_rate);
    spread(&g, 2, rho_rate);
    check(value[0], rt_dot_value((rt_frames){frames}, &a, &b), "value", pair);
    differentiate(dot_on, &p, 0.02, 2 + 2 * N_COVECTOR, differenced);
    check(value[1], differenced[0], "rate", pair);
    for (int i = 0; i < N_COVECTOR; i++) {
        check(phi_rate[i], differenced[2 + i], "phi'", pair);
        check(rho_rate[i], differenced[2 + N_COVECTOR + i], "rho'", pair);
    }
    p.in_time = false;
    differentiate(dot_on, &p, 0.02, 2, differenced);
    exact_variations(&g, &turn, xi, by);
    check(by[0], differenced[0], "variation", pair);
    check(by[1], differenced[1], "variation of the rate", pair);
}

static void covectors_and_their_rates(void **state)
{
    random_stream random = {84};
    (void)state;
    for (int pair = 0; pair < N_PAIRS; pair++)
        for (int k = 0; k < with_effort(N_RANDOM_STATES); k++)
            check_motion(&random, pair, k % N_MOTIONS);
}

/* ---- curvature ------------------------------------------------------------------------------- */

typedef struct bend {
    const rt_frame *frames;
    const rt_vector *a, *b;
    double (*xi)[18], (*eta)[18];
} bend;

/* phi eta for the bent frames, eta held: a number whose derivative is eta' H xi. */
static void bent_phi(void *context, double eps, double *value)
{
    const bend *c = context;
    rt_frame moved[N_FRAMES];
    rt_gradient g;
    double jet[3];
    for (int k = 0; k < N_FRAMES; k++) moved[k] = perturbed_frame(&c->frames[k], eps, c->xi[k]);
    rt_dot_rates((rt_frames){moved}, c->a, c->b, jet, &g);
    *value = 0;
    for (int k = 0; k < g.n; k++)
        for (int i = 0; i < 6; i++) *value += g.p[0][k][i] * c->eta[g.frame[k]][i];
}

static void curvature_of_phi(void **state)
{
    random_stream random = {85};
    (void)state;
    for (int pair = 0; pair < N_PAIRS; pair++)
        for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
            rt_frame frames[N_FRAMES];
            rt_vector a, b;
            double xi[N_FRAMES][18], eta[N_FRAMES][18], H[36 * N_FRAMES * N_FRAMES] = {0};
            double differenced, sum = 0;
            const int list[N_FRAMES] = {2, 0, 3, 1};
            for (int f = 0; f < N_FRAMES; f++) {
                frames[f] = random_frame(&random, MOTION_VELOCITY);
                random_reals(&random, 18, xi[f]);
                random_reals(&random, 18, eta[f]);
            }
            random_pair(&random, pair, &a, &b);
            rt_dot_rates_curvature((rt_frames){frames}, &a, &b, 1.7, list, N_FRAMES, H);
            for (int f = 0; f < N_FRAMES; f++)
                for (int e = 0; e < N_FRAMES; e++)
                    for (int i = 0; i < 6; i++)
                        for (int j = 0; j < 6; j++)
                            sum += eta[list[f]][i] * H[(6 * f + i) * N_COVECTOR + 6 * e + j] *
                                   xi[list[e]][j];
            bend c = {frames, &a, &b, xi, eta};
            differentiate(bent_phi, &c, 0.05, 1, &differenced);
            check(sum, 1.7 * differenced, "curvature", pair);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covectors_and_their_rates),
        cmocka_unit_test(curvature_of_phi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
