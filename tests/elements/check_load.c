#include "elements/check_load.h"

/* The difference step, and what the comparison allows: the promise is 1e-8, the differences reach
 * about 1e-11. */
static const double step = 0.02;
static const double tolerance = 1e-9;

double largest_entry(int n, const double *x, double floor)
{
    double largest = floor;
    for (int k = 0; k < n; k++) largest = fmax(largest, fabs(x[k]));
    return largest;
}

void assert_close(const char *text, int n, const double *a, const double *b, double tol,
                  double scale)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(a[k] - b[k]) <= tol * scale))
            fail_msg("%s: entry %d is %.17g and should be %.17g (scale %.3g)", text, k, a[k], b[k],
                     scale);
}

void draw_frames(const load_under_test *load, random_stream *stream, int motion,
                 joint_motion m[N_FRAMES], rt_frame f[N_FRAMES])
{
    do
        for (int k = 0; k < N_FRAMES; k++) {
            m[k] = random_joint_motion(stream, motion);
            f[k] = joint_frame(&m[k]);
        }
    while (!load->fit(load->context, f));
}

/* predicted[level][row][frame, variation], of which frame k has only what the load gives for it */
typedef struct prediction {
    double by[RT_N_LEVELS][12][6 * N_FRAMES];
} prediction;

static void predict(const load_under_test *load, const rt_frame f[N_FRAMES], prediction *p)
{
    rt_load_result result;
    double partial_k[36] = {0};
    memset(p, 0, sizeof *p);
    assert_true(load->evaluate(load->context, f, true, &result, partial_k));
    for (int level = 0; level < RT_N_LEVELS; level++)
        for (int row = 0; row < 12; row++)
            memcpy(p->by[level][row], result.partial[level] + 12 * row, 12 * sizeof(double));
    for (int row = 0; row < 12; row++)
        memcpy(p->by[RT_LEVEL_POSITION][row] + 15, partial_k + 3 * row, 3 * sizeof(double));
}

typedef struct family {
    const load_under_test *load;
    const rt_frame *f;
    double xi[N_FRAMES][18];
    const joint_motion *m;
    joint_motion d[N_FRAMES];
} family;

static void wrench_of(const load_under_test *load, const rt_frame f[N_FRAMES], double *wrench)
{
    rt_load_result result;
    assert_true(load->evaluate(load->context, f, false, &result, NULL));
    memcpy(wrench, result.wrench, sizeof result.wrench);
}

static void perturbed_wrench(void *context, double eps, double *wrench)
{
    const family *s = context;
    rt_frame f[N_FRAMES];
    for (int k = 0; k < N_FRAMES; k++) f[k] = perturbed_frame(&s->f[k], eps, s->xi[k]);
    wrench_of(s->load, f, wrench);
}

static void motion_wrench(void *context, double eps, double *wrench)
{
    const family *s = context;
    rt_frame f[N_FRAMES];
    for (int k = 0; k < N_FRAMES; k++) {
        const joint_motion m = joint_motion_plus(&s->m[k], eps, &s->d[k]);
        f[k] = joint_frame(&m);
    }
    wrench_of(s->load, f, wrench);
}

/* One variation at a time, all 18 of each frame; scale: the largest partial of the level. */
static void check_single_variations(const load_under_test *load, const rt_frame f[N_FRAMES],
                                    const prediction *p)
{
    const int n_frames = load->has_k ? N_FRAMES : 2;
    for (int level = 0; level < RT_N_LEVELS; level++) {
        const double scale = largest_entry(12 * 6 * N_FRAMES, p->by[level][0], 0.01);
        for (int column = 0; column < 6 * n_frames; column++) {
            double difference[12], predicted[12];
            family s = {.load = load, .f = f};
            s.xi[column / 6][6 * level + column % 6] = 1;
            differentiate(perturbed_wrench, &s, step, 12, difference);
            for (int row = 0; row < 12; row++) predicted[row] = p->by[level][row][column];
            assert_close("partial of one variation", 12, predicted, difference, tolerance, scale);
        }
    }
}

static void check_whole_motion(const load_under_test *load, const joint_motion m[N_FRAMES],
                               const rt_frame f[N_FRAMES], const prediction *p,
                               random_stream *stream)
{
    family s = {.load = load, .f = f, .m = m};
    double difference[12], predicted[12] = {0}, scale = 0.01;
    for (int k = 0; k < N_FRAMES; k++) {
        s.d[k] = random_joint_motion(stream, MOTION_BOTH);
        joint_variation(&m[k], &s.d[k], s.xi[k]);
    }
    differentiate(motion_wrench, &s, step / 3, 12, difference);
    for (int level = 0; level < RT_N_LEVELS; level++)
        for (int row = 0; row < 12; row++)
            for (int column = 0; column < 6 * N_FRAMES; column++) {
                const double term =
                    p->by[level][row][column] * s.xi[column / 6][6 * level + column % 6];
                predicted[row] += term;
                scale = fmax(scale, fabs(term));
            }
    assert_close("derivative along a family of motions", 12, predicted, difference, tolerance,
                 scale);
}

void check_partials(const load_under_test *load, uint64_t seed)
{
    random_stream stream = {seed};
    for (int motion = 0; motion < N_MOTIONS; motion++)
        for (int state = 0; state < N_RANDOM_STATES; state++) {
            joint_motion m[N_FRAMES];
            rt_frame f[N_FRAMES];
            prediction p;
            load->draw(load->context, &stream);
            draw_frames(load, &stream, motion, m, f);
            predict(load, f, &p);
            check_single_variations(load, f, &p);
            check_whole_motion(load, m, f, &p, &stream);
        }
}

/* force[3], moment about the world's origin [3] of two wrenches */
static void sum_wrenches(const rt_frame f[2], const double wrench[12], double sum[6])
{
    memset(sum, 0, 6 * sizeof *sum);
    for (int k = 0; k < 2; k++) {
        rt_v3_add(sum, sum, wrench + 6 * k);
        rt_v3_add(sum + 3, sum + 3, wrench + 6 * k + 3);
        rt_v3_cross_add(sum + 3, f[k].r, wrench + 6 * k);
    }
}

/* The moment's variation has dr x f beside the partials. */
static void sum_partials(const rt_frame f[2], const double wrench[12], const prediction *p,
                         int level, int column, double sum[6])
{
    double d[12], unit[3] = {0};
    for (int row = 0; row < 12; row++) d[row] = p->by[level][row][column];
    sum_wrenches(f, d, sum);
    if (level == RT_LEVEL_POSITION && column < 12 && column % 6 < 3) {
        unit[column % 6] = 1;
        rt_v3_cross_add(sum + 3, unit, wrench + 6 * (column / 6));
    }
}

void check_balance(const load_under_test *load, uint64_t seed)
{
    static const double zero[6];
    random_stream stream = {seed};
    for (int state = 0; state < N_RANDOM_STATES; state++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES];
        prediction p;
        double wrench[12], sum[6];
        load->draw(load->context, &stream);
        draw_frames(load, &stream, MOTION_BOTH, m, f);
        wrench_of(load, f, wrench);
        assert_true(largest_entry(12, wrench, 0) > 1e-3);
        sum_wrenches(f, wrench, sum);
        assert_close("sum of the wrenches", 6, sum, zero, 1e-13, largest_entry(12, wrench, 0));
        predict(load, f, &p);
        const double scale = largest_entry(sizeof p.by / sizeof(double), p.by[0][0], 1);
        for (int level = 0; level < RT_N_LEVELS; level++)
            for (int column = 0; column < 6 * N_FRAMES; column++) {
                sum_partials(f, wrench, &p, level, column, sum);
                assert_close("sum of the partials", 6, sum, zero, 1e-13, scale);
            }
    }
}

void check_objectivity(const load_under_test *load, uint64_t seed)
{
    random_stream stream = {seed};
    for (int state = 0; state < N_RANDOM_STATES; state++) {
        joint_motion m[N_FRAMES];
        rt_frame f[N_FRAMES], moved[N_FRAMES];
        double Q[9], shift[3], V[3], W[3], wrench[12], turned[12], there[12];
        load->draw(load->context, &stream);
        draw_frames(load, &stream, MOTION_BOTH, m, f);
        random_rotation(&stream, 2, Q);
        random_reals(&stream, 3, shift);
        random_reals(&stream, 3, V);
        random_reals(&stream, 3, W);
        for (int k = 0; k < N_FRAMES; k++) {
            const rt_frame turned_frame = moved_frame(&f[k], Q, shift);
            moved[k] = carried_frame(&turned_frame, V, W);
        }
        wrench_of(load, f, wrench);
        wrench_of(load, moved, there);
        for (int k = 0; k < 12; k += 3) rt_m3_mul_v(turned + k, Q, wrench + k);
        assert_close("wrench in a moved world", 12, there, turned, 1e-12,
                     largest_entry(12, wrench, 1));
    }
}
