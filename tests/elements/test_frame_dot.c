/* Dot products of frame vectors: values written out, first partials against the rules of
 * frames.h, jets and curvature against motions in time that know nothing of those rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "elements/frame_dot.h"
#include "support/effort.h"
#include "support/mechanisms.h"

enum { N_FRAMES = 4 };

static const double tolerance = 1e-9;

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

static rt_frame frame_of(const rt_frame *frames, int k)
{
    rt_frame ground;
    ground = rt_ground_frame;
    return k < 0 ? ground : frames[k];
}

/* The vectors of model.h, written out. */
static void plain_vector(const rt_frame *frames, const rt_vector *a, double x[3])
{
    const rt_frame i = frame_of(frames, a->i), j = frame_of(frames, a->j),
                   l = frame_of(frames, a->l);
    double d[3];
    switch (a->kind) {
    case RT_VECTOR_AXIS:
        for (int k = 0; k < 3; k++)
            x[k] = i.A[3 * k] * a->local[0] + i.A[3 * k + 1] * a->local[1] +
                   i.A[3 * k + 2] * a->local[2];
        return;
    case RT_VECTOR_DISPLACEMENT: rt_v3_sub(x, i.r, j.r); return;
    case RT_VECTOR_VELOCITY: rt_v3_sub(x, i.v, j.v); return;
    case RT_VECTOR_ACCELERATION: rt_v3_sub(x, i.a, j.a); return;
    case RT_VECTOR_OMEGA: rt_v3_sub(x, i.w, j.w); return;
    case RT_VECTOR_ALPHA: rt_v3_sub(x, i.al, j.al); return;
    case RT_VECTOR_TRANSPORT:
        rt_v3_sub(d, i.r, j.r);
        x[0] = l.w[1] * d[2] - l.w[2] * d[1];
        x[1] = l.w[2] * d[0] - l.w[0] * d[2];
        x[2] = l.w[0] * d[1] - l.w[1] * d[0];
        return;
    }
}

static double plain_dot(const rt_frame *frames, const rt_vector *a, const rt_vector *b)
{
    double x[3], y[3];
    plain_vector(frames, a, x);
    plain_vector(frames, b, y);
    return rt_v3_dot(x, y);
}

static void check(double found, double expected, const char *what)
{
    if (!(fabs(found - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%s is %.15g and should be %.15g", what, found, expected);
}

/* ---- values and first partials --------------------------------------------------------------- */

typedef struct bend {
    const rt_frame *frames;
    const rt_vector *a, *b;
    double (*xi)[18];
} bend;

static void bent_dot(void *context, double eps, double *value)
{
    const bend *c = context;
    rt_frame moved[N_FRAMES];
    for (int k = 0; k < N_FRAMES; k++) moved[k] = perturbed_frame(&c->frames[k], eps, c->xi[k]);
    *value = plain_dot(moved, c->a, c->b);
}

static double apply(const rt_gradient *g, double (*xi)[18])
{
    double sum = 0;
    for (int k = 0; k < g->n; k++)
        for (int d = 0; d < 3; d++)
            for (int i = 0; i < 6; i++) sum += g->p[d][k][i] * xi[g->frame[k]][6 * d + i];
    return sum;
}

static void values_and_partials(void **state)
{
    random_stream random = {81};
    (void)state;
    for (int kind_a = 0; kind_a <= RT_VECTOR_TRANSPORT; kind_a++)
        for (int kind_b = 0; kind_b <= RT_VECTOR_TRANSPORT; kind_b++)
            for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
                rt_frame frames[N_FRAMES];
                double xi[N_FRAMES][18], value, differenced;
                rt_gradient g;
                for (int f = 0; f < N_FRAMES; f++) {
                    frames[f] = random_frame(&random, k % N_MOTIONS);
                    random_reals(&random, 18, xi[f]);
                }
                const rt_vector a = random_vector(&random, (rt_vector_kind)kind_a);
                const rt_vector b = random_vector(&random, (rt_vector_kind)kind_b);
                check(rt_dot_value((rt_frames){frames}, &a, &b), plain_dot(frames, &a, &b),
                      "value");
                rt_dot_partials((rt_frames){frames}, &a, &b, &value, &g);
                check(value, plain_dot(frames, &a, &b), "value");
                bend c = {frames, &a, &b, xi};
                differentiate(bent_dot, &c, 0.05, 1, &differenced);
                check(apply(&g, xi), differenced, "partial");
            }
}

/* ---- jets and curvature ---------------------------------------------------------------------- */

typedef struct path {
    const joint_motion *motion, *change;
    const rt_vector *a, *b;
    double eps_fixed; /* which member of the family, when time runs */
    bool in_time;
} path;

/* The value and its time derivative by differences, at a member of the family or along time. */
static void frames_on(const path *p, double eps, double t, rt_frame *frames)
{
    for (int k = 0; k < N_FRAMES; k++) {
        const joint_motion m = joint_motion_plus(&p->motion[k], eps, &p->change[k]);
        const joint_motion later = joint_motion_later(&m, t);
        frames[k] = joint_frame(&later);
    }
}

/* (value, value', value'') as rt_dot_jets gives them, along time or along the family. */
static void jets_on(void *context, double x, double *out)
{
    const path *p = context;
    rt_frame frames[N_FRAMES];
    rt_gradient g;
    if (p->in_time)
        frames_on(p, p->eps_fixed, x, frames);
    else
        frames_on(p, x, 0, frames);
    rt_dot_jets((rt_frames){frames}, p->a, p->b, out, &g);
    out[0] = plain_dot(frames, p->a, p->b);
}

static const rt_vector_kind position_kinds[] = {RT_VECTOR_AXIS, RT_VECTOR_DISPLACEMENT};

static void jets_in_time_and_along_families(void **state)
{
    random_stream random = {82};
    (void)state;
    for (int pair = 0; pair < 4; pair++)
        for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
            joint_motion motion[N_FRAMES], change[N_FRAMES];
            rt_frame frames[N_FRAMES];
            double xi[N_FRAMES][18], value[3], differenced[3];
            rt_gradient g;
            for (int f = 0; f < N_FRAMES; f++) {
                motion[f] = random_joint_motion(&random, k % N_MOTIONS);
                change[f] = random_joint_motion(&random, MOTION_BOTH);
                joint_variation(&motion[f], &change[f], xi[f]);
            }
            const rt_vector a = random_vector(&random, position_kinds[pair / 2]);
            const rt_vector b = random_vector(&random, position_kinds[pair % 2]);
            path p = {motion, change, &a, &b, 0, true};
            frames_on(&p, 0, 0, frames);
            rt_dot_jets((rt_frames){frames}, &a, &b, value, &g);
            differentiate(jets_on, &p, 0.02, 3, differenced);
            check(value[0], plain_dot(frames, &a, &b), "value");
            check(value[1], differenced[0], "rate");
            check(value[2], differenced[1], "acceleration");
            p.in_time = false;
            differentiate(jets_on, &p, 0.02, 3, differenced);
            /* dPhi = phi xi, dPhi' = phi xi' + phi' xi, dPhi'' = phi xi'' + 2 phi' xi' + phi''
             * xi */
            for (int level = 0; level < 3; level++) {
                static const double binomial[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};
                double sum = 0;
                for (int d = 0; d <= level; d++)
                    for (int f = 0; f < g.n; f++)
                        for (int i = 0; i < 6; i++)
                            sum += binomial[level][d] * g.p[d][f][i] *
                                   xi[g.frame[f]][6 * (level - d) + i];
                check(sum, differenced[level], "jets of phi");
            }
        }
}

typedef struct gradient_bend {
    bend bend;
    double (*eta)[18];
} gradient_bend;

/* phi eta for the bent frames, eta held: a number whose derivative is eta' H xi. */
static void bent_gradient(void *context, double eps, double *value)
{
    const gradient_bend *c = context;
    rt_frame moved[N_FRAMES];
    rt_gradient g;
    double jets[3];
    for (int k = 0; k < N_FRAMES; k++)
        moved[k] = perturbed_frame(&c->bend.frames[k], eps, c->bend.xi[k]);
    rt_dot_jets((rt_frames){moved}, c->bend.a, c->bend.b, jets, &g);
    *value = 0;
    for (int k = 0; k < g.n; k++)
        for (int i = 0; i < 6; i++) *value += g.p[0][k][i] * c->eta[g.frame[k]][i];
}

static void curvature(void **state)
{
    random_stream random = {83};
    (void)state;
    for (int pair = 0; pair < 4; pair++)
        for (int k = 0; k < with_effort(N_RANDOM_STATES); k++) {
            rt_frame frames[N_FRAMES];
            double xi[N_FRAMES][18], eta[N_FRAMES][18], H[36 * N_FRAMES * N_FRAMES] = {0},
                                                                          differenced, sum = 0;
            const int list[N_FRAMES] = {2, 0, 3, 1};
            for (int f = 0; f < N_FRAMES; f++) {
                frames[f] = random_frame(&random, MOTION_REST);
                random_reals(&random, 18, xi[f]);
                random_reals(&random, 18, eta[f]);
            }
            const rt_vector a = random_vector(&random, position_kinds[pair / 2]);
            const rt_vector b = random_vector(&random, position_kinds[pair % 2]);
            rt_dot_curvature((rt_frames){frames}, &a, &b, 1.7, list, N_FRAMES, H);
            for (int f = 0; f < N_FRAMES; f++)
                for (int e = 0; e < N_FRAMES; e++)
                    for (int i = 0; i < 6; i++)
                        for (int j = 0; j < 6; j++)
                            sum += eta[list[f]][i] * H[(6 * f + i) * 6 * N_FRAMES + 6 * e + j] *
                                   xi[list[e]][j];
            gradient_bend c = {{frames, &a, &b, xi}, eta};
            differentiate(bent_gradient, &c, 0.05, 1, &differenced);
            check(sum, 1.7 * differenced, "curvature");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_partials),
        cmocka_unit_test(jets_in_time_and_along_families),
        cmocka_unit_test(curvature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
