/* Motions that meet in a singular configuration, and joint forces that it leaves open. Values of
 * the four-bar linkage in line from its closed form: with y_i the heights of B_i, T_i and t_j the
 * tensions of cranks and couplers at mid-length,
 *     M = tridiagonal of rods of mass 1,   K = sum T_i y_i^2 + sum t_j (y_j - y_(j-1))^2,
 *     loop j closes to second order where y_(j-1) (y_(j-1) - y_j) = 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "operating/second_order.h"
#include "routh/answers.h"
#include "support/mechanisms.h"
#include "support/record.h"

static const char *const sets[] = {"absolute", "euler-parameters", "euler-angles", "relative",
                                   "natural"};
/* OWN_SETS: those with the multipliers of all joints */
enum { N_SETS = sizeof sets / sizeof sets[0], OWN_SETS = 3, MOST = 16 };
static const char gonzalez[] = "Gonzalez, Masarati, Cuadrado, Naya 2017";
static const double g = 9.81, tolerance = 1e-10;

/* ---- a model in one coordinate set ----------------------------------------------------------- */

typedef struct cell {
    routh_model *model;
    routh_mechanism *m;
    routh_operating_point *point;
} cell;

static void cell_make(cell *c, const char *yaml, const char *set)
{
    routh_error e;
    *c = (cell){0};
    if (routh_model_parse(&c->model, yaml, strlen(yaml), "test", NULL, 0, &e) ||
        routh_mechanism_compile(&c->m, c->model, set, &e) ||
        routh_operating_point_find(&c->point, c->m, NULL, &e))
        fail_msg("%s: %s\n%s", set, e.message, yaml);
}

static void cell_release(cell *c)
{
    routh_operating_point_free(c->point);
    routh_mechanism_free(c->m);
    routh_model_free(c->model);
}

/* N loops in line, as the template has them, with length and mass in other units; more is added
 * to the loads. */
static char *loops_in_line(int n, double length, double mass, const char *loads)
{
    growing_text t = {0};
    text_add(&t, "gravity: [%.17g, 0, 0]\nbodies:\n", g * length);
    const double J = mass * length * length / 12;
    for (int i = 0; i <= n; i++)
        text_add(&t,
                 "  crank_%d: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, 0, "
                 "0]}\n",
                 i, mass, J / 100, J, J, (i + 0.5) * length);
    for (int i = 1; i <= n; i++)
        text_add(&t,
                 "  coupler_%d: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, "
                 "0, 0]}\n",
                 i, mass, J / 100, J, J, (i + 0.5) * length);
    text_add(&t, "joints:\n");
    for (int i = 0; i <= n; i++)
        text_add(&t,
                 "  foot_%d: {type: revolute, between: [crank_%d, ground], at: [%.17g, 0, 0]}\n", i,
                 i, i * length);
    for (int i = 1; i <= n; i++)
        text_add(&t,
                 "  left_%d: {type: revolute, between: [crank_%d, coupler_%d], at: [%.17g, 0, 0]}\n"
                 "  right_%d: {type: revolute, between: [crank_%d, coupler_%d], at: [%.17g, 0, "
                 "0]}\n",
                 i, i - 1, i, i * length, i, i, i, (i + 1) * length);
    text_add(&t, "%s", loads);
    return t.bytes;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void check_numbers(double *found, const double *expected, int n, const char *what)
{
    qsort(found, (size_t)n, sizeof *found, by_size);
    for (int k = 0; k < n; k++)
        if (!(fabs(found[k] - expected[k]) <= tolerance * expected[k]))
            fail_msg("%s: %.15g should be %.15g", what, found[k], expected[k]);
}

/* Undamped frequencies, rad/s; how many. */
static int frequencies(const cell *c, const char *method, double found[MOST])
{
    routh_error e;
    routh_linear *linear;
    routh_modes *modes = NULL;
    routh_linear_options options = routh_linear_defaults();
    options.method = method;
    if (routh_linear_compute(&linear, c->m, c->point, &options, &e) ||
        routh_modes_compute(&modes, linear, &e))
        fail_msg("%s: %s", method, e.message);
    int n = 0;
    assert_true(modes->n <= MOST);
    for (int i = 0; i < modes->n; i++)
        if (modes->modes[i].eigenvalue[1] > 0) found[n++] = modes->modes[i].eigenvalue[1];
    assert_int_equal(modes->n, 2 * n);
    routh_modes_free(modes);
    routh_linear_free(linear);
    return n;
}

static void compare_frequencies(const cell *c, const char *method, const double *expected, int n,
                                const char *const *printed)
{
    double found[MOST];
    assert_int_equal(frequencies(c, method, found), n);
    check_numbers(found, expected, n, method);
    for (int i = 0; i < n && printed; i++) {
        assert_true(fabs(atof(printed[i]) - found[i]) <= 5.1e-5);
        record_value(gonzalez, "Section 5.1", i ? "s2, smallest multipliers" : "s1", printed[i],
                     expected[i], found[i]);
    }
}

static void check_frequencies(const cell *c, const char *method, const double *expected, int n)
{
    compare_frequencies(c, method, expected, n, NULL);
}

static routh_branches *branches_of(const cell *c)
{
    routh_error e;
    routh_branches *b;
    if (routh_branches_find(&b, c->m, c->point, &e)) fail_msg("%s", e.message);
    return b;
}

static void check_branches(const cell *c, const double *expected, int n)
{
    routh_branches *b = branches_of(c);
    double found[MOST];
    assert_int_equal(b->n, n);
    assert_true(b->singular);
    for (int k = 0; k < n; k++) {
        assert_int_equal(b->branches[k].n_eigenvalues, 2);
        assert_true(b->branches[k].eigenvalues[1][0] == 0);
        found[k] = b->branches[k].eigenvalues[1][1];
    }
    check_numbers(found, expected, n, "branch");
    routh_branches_free(b);
}

/* ---- joint forces ---------------------------------------------------------------------------- */

/* Any method, any coordinates, any units: the forces in line that the balance leaves open are
 * shared alike, and the published pair comes out. */
static void the_published_pair_comes_out_of_every_route(void **unused)
{
    (void)unused;
    static const char *const methods[] = {
        "augmented",   "minimal:partition",       "minimal:qr",          "redundant",
        "minimal:svd", "minimal:zero-eigenvalue", "minimal:gram-schmidt"};
    static const double units[][2] = {{1, 1}, {1000, 1}, {1, 1000}, {0.0254, 0.4536}};
    static const char *const printed[] = {"3.4310", "4.4294"};
    const double expected[] = {3.431034829319, 4.429446918070};
    for (int u = 0; u < 4; u++) {
        char *yaml = loops_in_line(1, units[u][0], units[u][1], "");
        for (int s = 0; s < N_SETS; s++) {
            cell c;
            cell_make(&c, yaml, sets[s]);
            for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
                compare_frequencies(&c, methods[k], expected, 2,
                                    u == 0 && s == 0 && k == 0 ? printed : NULL);
            cell_release(&c);
        }
        free(yaml);
    }
}

/* To 3e-6, as the paper has it for its penalties. */
static void penalties_give_the_published_pair_too(void **unused)
{
    (void)unused;
    const double expected[] = {3.431034829319, 4.429446918070};
    char *yaml = loops_in_line(1, 1, 1, "");
    for (int s = 0; s < N_SETS; s++) {
        cell c;
        double found[MOST];
        cell_make(&c, yaml, sets[s]);
        assert_int_equal(frequencies(&c, "penalty", found), 2);
        qsort(found, 2, sizeof *found, by_size);
        for (int k = 0; k < 2; k++) assert_true(fabs(found[k] - expected[k]) < 3e-6);
        cell_release(&c);
    }
    free(yaml);
}

static void differences_say_why_they_cannot(void **unused)
{
    (void)unused;
    char *yaml = loops_in_line(1, 1, 1, "");
    for (int s = 0; s < N_SETS; s++) {
        cell c;
        routh_error e;
        routh_linear *linear;
        routh_linear_options options = routh_linear_defaults();
        options.method = "difference";
        cell_make(&c, yaml, sets[s]);
        assert_int_equal(routh_linear_compute(&linear, c.m, c.point, &options, &e),
                         ROUTH_NOT_SUPPORTED);
        assert_non_null(strstr(e.message, "singular configuration"));
        cell_release(&c);
    }
    free(yaml);
}

/* Two loops: sum |F|^2 over the joints is least at t_1 = -t_2 = g/10, which no symmetry gives. */
static void smallest_joint_forces_do_not_depend_on_coordinates_or_units(void **unused)
{
    (void)unused;
    static const double units[][2] = {{1, 1}, {1000, 1}, {1, 1000}};
    const double t = g / 10;
    const double expected[] = {3.28674957906803, 3.88428980517605, 4.67615585179377};
    for (int u = 0; u < 3; u++) {
        char *yaml = loops_in_line(2, units[u][0], units[u][1], "");
        for (int s = 0; s < N_SETS; s++) {
            cell c;
            cell_make(&c, yaml, sets[s]);
            const double unit = units[u][0] * units[u][1];
            for (int k = 0; k < c.point->n_reactions; k++) {
                const routh_reaction *r = &c.point->reactions[k];
                if (strcmp(r->name, "left_1") == 0)
                    assert_true(fabs(r->force[0] - (g / 2 + t) * unit) <= 1e-9 * unit);
                if (strcmp(r->name, "left_2") == 0)
                    assert_true(fabs(r->force[0] - (g / 2 - t) * unit) <= 1e-9 * unit);
            }
            check_frequencies(&c, NULL, expected, 3);
            cell_release(&c);
        }
        free(yaml);
    }
}

/* Two cranks of masses 1 and 2, a massless rod between their ends: (g + t)^2 + (2 g - t)^2 + t^2 is
 * least at t = g/3, and
 *     M = [1/3 0; 0 2/3],   K = [g/2 + 2t  -t; -t  g],
 * however the rod is written: here s (d - l) = 0 with any s. */
static void smallest_joint_forces_do_not_depend_on_how_rows_are_written(void **unused)
{
    (void)unused;
    static const double factors[] = {1, 100, 0.01}, units[] = {1, 1000};
    const double t = g / 3, a = 1.5 * (g / 2 + 2 * t), b = 0.75 * g, d = t * t * 4.5;
    const double root = sqrt((a - b) * (a - b) + d);
    const double expected[] = {sqrt(a + b - root), sqrt(a + b + root)};
    for (int u = 0; u < 2; u++)
        for (int k = 0; k < 3; k++) {
            growing_text text = {0};
            cell c;
            text_add(&text,
                     "parameters: {l: %.17g, s: %.17g}\n"
                     "gravity: [9.81*l, 0, 0]\n"
                     "bodies:\n"
                     "  a: {mass: 1, inertia: [l*l/12, l*l/12, l*l/12], position: [l/2, 0, 0]}\n"
                     "  b: {mass: 2, inertia: [l*l/6, l*l/6, l*l/6], position: [1.5*l, 0, 0]}\n"
                     "markers:\n"
                     "  end_a: {body: a, at: [l, 0, 0]}\n"
                     "  end_b: {body: b, at: [2*l, 0, 0]}\n"
                     "joints:\n"
                     "  foot_a: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"
                     "  foot_b: {type: revolute, between: [b, ground], at: [l, 0, 0]}\n"
                     "  rod: {type: expression, expression: 's*(DM(end_a, end_b) - l)'}\n",
                     units[u], factors[k]);
            for (int set = 0; set < N_SETS; set++) {
                cell_make(&c, text.bytes, sets[set]);
                check_frequencies(&c, NULL, expected, 2);
                cell_release(&c);
            }
            free(text.bytes);
        }
}

/* The multipliers of the forms, n_rows x n_forms. Free with the arena. */
static rt_second_order second_order_of(const cell *c, rt_arena *arena)
{
    routh_error e;
    rt_search s;
    rt_second_order second = {0};
    if (rt_search_create(&s, c->m, 1e-12, 10, &e)) fail_msg("%s", e.message);
    rt_state_copy(c->m, s.state, c->point->state);
    if (rt_evaluate(c->m, s.w, s.state, RT_EVALUATE_JACOBIAN, &e) || rt_find_rank(&s, &e) ||
        rt_second_order_find(&second, &s, arena, &e))
        fail_msg("%s", e.message);
    rt_state_free(s.state);
    rt_search_release(&s);
    return second;
}

/* Tensions t and -t of the coupler: a unit of the form's multipliers is 1/2 N in each of four
 * joints. What the pair becomes is in VALUES of the closed form. The branches stay. */
static void other_multipliers_change_the_pair_and_leave_the_branches(void **unused)
{
    (void)unused;
    const double plus[] = {3.401879458711, 4.880493432881};
    const double minus[] = {3.350495885452, 4.020718508124};
    const double branch[] = {3.431034829319, 3.836013555763};
    char *yaml = loops_in_line(1, 1, 1, "");
    for (int s = 0; s < OWN_SETS; s++) {
        cell c;
        rt_arena arena = {0};
        cell_make(&c, yaml, sets[s]);
        const rt_second_order second = second_order_of(&c, &arena);
        assert_int_equal(second.n_forms, 1);
        double *lambda = c.point->state->lambda;
        for (int r = 0; r < c.m->n_rows; r++) lambda[r] += 2 * second.y[r];
        rt_workspace *w;
        double wrench[6];
        assert_int_equal(rt_workspace_create(&w, c.m, NULL), ROUTH_OK);
        rt_evaluate_frames(c.m, w, c.point->state);
        rt_joint_reaction(c.m, w, c.point->state, 2, wrench);
        const bool is_plus = wrench[0] > g / 2;
        rt_workspace_free(w);
        check_frequencies(&c, NULL, is_plus ? plus : minus, 2);
        check_branches(&c, branch, 2);
        for (int r = 0; r < c.m->n_rows; r++) lambda[r] -= 4 * second.y[r];
        check_frequencies(&c, NULL, is_plus ? minus : plus, 2);
        check_branches(&c, branch, 2);
        rt_arena_free(&arena);
        cell_release(&c);
    }
    free(yaml);
}

/* The paper's choice with two loops is the smallest norm of the rods' tensions, t_1 = -t_2 = g/8:
 * another sharing than that of joint forces. With these multipliers its frequencies come out. */
static void the_multipliers_of_the_paper_give_its_frequencies(void **unused)
{
    (void)unused;
    const double expected[] = {3.238462961808, 3.871635831684, 4.744866651541};
    char *yaml = loops_in_line(2, 1, 1, "");
    cell c;
    rt_arena arena = {0};
    rt_workspace *w;
    rt_state *state;
    cell_make(&c, yaml, NULL);
    const rt_second_order second = second_order_of(&c, &arena);
    assert_int_equal(second.n_forms, 2);
    assert_int_equal(rt_workspace_create(&w, c.m, NULL), ROUTH_OK);
    assert_int_equal(rt_state_create(&state, c.m, NULL), ROUTH_OK);
    double force[3][2], wrench[6]; /* of left_1 and left_2: constraints 3 and 5 */
    for (int k = 0; k < 3; k++) {
        rt_state_copy(c.m, state, c.point->state);
        for (int r = 0; r < c.m->n_rows && k < 2; r++)
            state->lambda[r] = second.y[r + (size_t)c.m->n_rows * (size_t)k];
        rt_evaluate_frames(c.m, w, state);
        for (int j = 0; j < 2; j++) {
            rt_joint_reaction(c.m, w, state, 3 + 2 * j, wrench);
            force[k][j] = wrench[0];
        }
    }
    const double b0 = g / 2 + g / 8 - force[2][0], b1 = g / 2 - g / 8 - force[2][1];
    const double det = force[0][0] * force[1][1] - force[1][0] * force[0][1];
    assert_true(fabs(det) > 1e-3);
    const double a0 = (b0 * force[1][1] - b1 * force[1][0]) / det;
    const double a1 = (b1 * force[0][0] - b0 * force[0][1]) / det;
    for (int r = 0; r < c.m->n_rows; r++)
        c.point->state->lambda[r] += a0 * second.y[r] + a1 * second.y[r + c.m->n_rows];
    check_frequencies(&c, NULL, expected, 3);
    rt_state_free(state);
    rt_workspace_free(w);
    rt_arena_free(&arena);
    cell_release(&c);
    free(yaml);
}

/* ---- branches -------------------------------------------------------------------------------- */

static void the_four_bar_in_line_has_two_branches(void **unused)
{
    (void)unused;
    const double expected[] = {sqrt(1.2 * g), sqrt(1.5 * g)};
    assert_true(fabs(expected[0] - 3.431034829319) < 1e-12);
    assert_true(fabs(expected[1] - 3.836013555763) < 1e-12);
    char *yaml = loops_in_line(1, 1, 1, "");
    for (int s = 0; s < N_SETS; s++) {
        cell c;
        cell_make(&c, yaml, sets[s]);
        check_branches(&c, expected, 2);
        routh_branches *b = branches_of(&c);
        assert_true(b->all);
        assert_int_equal(b->degrees_of_freedom, 2);
        assert_int_equal(b->nearby, 1);
        assert_int_equal(b->n_undetermined, 4);
        for (int k = 0; k < 2; k++) assert_true(b->branches[k].certain);
        /* on the second the first crank stands still, and the others turn together */
        const double *motion = b->branches[1].motion;
        for (int i = 0; i < 6; i++) assert_true(fabs(motion[i]) < 1e-9);
        assert_true(fabs(fabs(motion[6 + 5]) - 1) < 1e-9);
        assert_true(fabs(motion[6 + 5] - motion[12 + 5]) < 1e-9);
        for (int k = 0; k < 2 && s == 0; k++)
            record_value(gonzalez, "Section 5.1", k ? "branch 2" : "branch 1", k ? NULL : "3.4310",
                         expected[k], b->branches[k].eigenvalues[1][1]);
        routh_branches_free(b);
        cell_release(&c);
    }
    free(yaml);
}

/* Directions (0 .. 0, 1 .. 1): those with two zeros and more are double zeros. */
static void more_loops_have_one_branch_more_each(void **unused)
{
    (void)unused;
    for (int n = 2; n <= 4; n++) {
        double expected[MOST];
        /* cranks n - k .. n turn: K = (k + 1) g + k g/2 .. in all, see the closed form */
        for (int k = 0; k <= n; k++) {
            const double stiffness = k < n ? (1 + 1.5 * k) * g : (2 + 1.5 * (n - 1)) * g;
            const double mass = (k + 1) / 3.0 + k + (k < n ? 1 / 3.0 : 0);
            expected[k] = sqrt(stiffness / mass);
        }
        qsort(expected, (size_t)n + 1, sizeof *expected, by_size);
        char *yaml = loops_in_line(n, 1, 1, "");
        cell c;
        cell_make(&c, yaml, NULL);
        check_branches(&c, expected, n + 1);
        routh_branches *b = branches_of(&c);
        int certain = 0;
        for (int k = 0; k <= n; k++) certain += b->branches[k].certain;
        assert_int_equal(certain, 2);
        assert_false(b->all);
        routh_branches_free(b);
        cell_release(&c);
        free(yaml);
    }
}

/* 5/3 s^2 + c s + 2 g = 0 and 2/3 s^2 + c s + g = 0 with a damper on the second crank */
static void a_damper_damps_each_branch(void **unused)
{
    (void)unused;
    const double c_damper = 0.4, m[] = {5 / 3.0, 2 / 3.0}, k[] = {2 * g, g};
    char *yaml = loops_in_line(1, 1, 1,
                               "loads: {damper: {type: torsion_spring, between: [crank_1, ground], "
                               "stiffness: 0, damping: 0.4, axis: z}}\n");
    cell c;
    cell_make(&c, yaml, NULL);
    routh_branches *b = branches_of(&c);
    assert_int_equal(b->n, 2);
    for (int i = 0; i < 2; i++) {
        const double *s = b->branches[i].eigenvalues[1];
        assert_true(fabs(s[0] + c_damper / (2 * m[i])) < 1e-10);
        assert_true(fabs(s[1] - sqrt(k[i] / m[i] - s[0] * s[0])) < 1e-10);
    }
    routh_branches_free(b);
    cell_release(&c);
    free(yaml);
}

/* A pendulum besides: every branch has its freedom too. */
static void freedoms_that_all_branches_share_go_with_each(void **unused)
{
    (void)unused;
    growing_text t = {0};
    char *yaml = loops_in_line(1, 1, 1, "");
    char *joints = strstr(yaml, "joints:\n");
    assert_non_null(joints);
    *joints = '\0';
    text_add(&t,
             "%s  bob: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 5, 0]}\n"
             "joints:\n"
             "  pin: {type: revolute, between: [bob, ground], at: [0, 5, 0]}\n%s",
             yaml, joints + strlen("joints:\n"));
    const double pendulum = sqrt(2 * g * 0.5 / (0.1 + 2 * 0.25));
    const double own[] = {sqrt(1.2 * g), sqrt(1.5 * g)};
    cell c;
    cell_make(&c, t.bytes, NULL);
    routh_branches *b = branches_of(&c);
    assert_int_equal(b->n, 2);
    assert_int_equal(b->n_undetermined, 4);
    for (int k = 0; k < 2; k++) {
        double found[2], expected[] = {own[k], pendulum};
        int n = 0;
        assert_int_equal(b->branches[k].n_eigenvalues, 4);
        for (int i = 0; i < 4; i++)
            if (b->branches[k].eigenvalues[i][1] > 0 && n < 2)
                found[n++] = b->branches[k].eigenvalues[i][1];
        assert_int_equal(n, 2);
        check_numbers(found, expected, 2, "branch with a pendulum");
    }
    routh_branches_free(b);
    cell_release(&c);
    free(yaml);
    free(t.bytes);
}

/* Feet as far apart as three links reach: to first order they sag, to second they do not. */
static void links_stretched_to_the_full_have_no_branch(void **unused)
{
    (void)unused;
    cell c;
    cell_make(&c,
              "bodies:\n"
              "  a: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}\n"
              "  b: {mass: 1, inertia: [1, 1, 1], position: [1.5, 0, 0]}\n"
              "  c: {mass: 1, inertia: [1, 1, 1], position: [2.5, 0, 0]}\n"
              "joints:\n"
              "  j1: {type: revolute, between: [a, ground], at: [0, 0, 0]}\n"
              "  j2: {type: revolute, between: [a, b], at: [1, 0, 0]}\n"
              "  j3: {type: revolute, between: [b, c], at: [2, 0, 0]}\n"
              "  j4: {type: revolute, between: [c, ground], at: [3, 0, 0]}\n",
              NULL);
    routh_branches *b = branches_of(&c);
    assert_true(b->singular);
    assert_true(b->all);
    assert_int_equal(b->n, 0);
    routh_branches_free(b);
    cell_release(&c);
}

/* Crank and rod of equal length, folded on each other and upright, the piston on the crank's foot
 * and held by a spring. Either both fall together and the piston stands still, or the piston moves:
 *     2 (0.1 + 0.25) a'' - g a = 0,     (0.1 + 0.25 + 0.1 + 2.25 + 4) a'' + (400 - g) a = 0 */
static void a_folded_crank_falls_or_drives_its_piston(void **unused)
{
    (void)unused;
    static const char text[] =
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0]}\n"
        "  rod: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0.5, 0]}\n"
        "  piston: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}\n"
        "joints:\n"
        "  j1: {type: revolute, between: [crank, ground], at: [0, 0, 0]}\n"
        "  j2: {type: revolute, between: [crank, rod], at: [0, 1, 0]}\n"
        "  j3: {type: revolute, between: [rod, piston], at: [0, 0, 0]}\n"
        "  j4: {type: translational, between: [piston, ground], at: [0, 0, 0], axis: x}\n"
        "loads:\n"
        "  hold: {type: bushing, between: [piston, ground], translation: {stiffness: [100, 0, "
        "0]}}\n";
    const double fall = sqrt(g / 0.7), drive = sqrt((400 - g) / 6.7);
    for (int s = 0; s < N_SETS; s++) {
        cell c;
        cell_make(&c, text, sets[s]);
        routh_branches *b = branches_of(&c);
        assert_int_equal(b->n, 2);
        double(*falls)[2] = b->branches[0].eigenvalues, (*drives)[2] = b->branches[1].eigenvalues;
        assert_true(fabs(falls[0][0] + fall) < tolerance * fall && falls[0][1] == 0);
        assert_true(fabs(falls[1][0] - fall) < tolerance * fall && falls[1][1] == 0);
        assert_true(fabs(drives[1][1] - drive) < tolerance * drive && drives[1][0] == 0);
        routh_branches_free(b);
        cell_release(&c);
    }
}

/* Two loops in line that have nothing to do with each other: any pair of their motions. */
static void branches_that_are_surfaces_are_refused(void **unused)
{
    (void)unused;
    growing_text t = {0};
    routh_branches *b;
    routh_error e;
    cell c;
    text_add(&t, "gravity: [9.81, 0, 0]\nbodies:\n");
    for (int k = 0; k < 2; k++)
        text_add(&t,
                 "  a%d: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, %d, 0]}\n"
                 "  b%d: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, %d, 0]}\n"
                 "  c%d: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1.5, %d, 0]}\n",
                 k, 5 * k, k, 5 * k, k, 5 * k);
    text_add(&t, "joints:\n");
    for (int k = 0; k < 2; k++)
        text_add(&t,
                 "  i%d: {type: revolute, between: [a%d, ground], at: [0, %d, 0]}\n"
                 "  j%d: {type: revolute, between: [b%d, ground], at: [1, %d, 0]}\n"
                 "  k%d: {type: revolute, between: [a%d, c%d], at: [1, %d, 0]}\n"
                 "  l%d: {type: revolute, between: [b%d, c%d], at: [2, %d, 0]}\n",
                 k, k, 5 * k, k, k, 5 * k, k, k, k, 5 * k, k, k, k, 5 * k);
    cell_make(&c, t.bytes, NULL);
    assert_int_equal(routh_branches_find(&b, c.m, c.point, &e), ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(e.message, "they are surfaces"));
    cell_release(&c);
    free(t.bytes);
}

static void a_moving_mechanism_is_refused(void **unused)
{
    (void)unused;
    cell c;
    routh_branches *b;
    routh_error e;
    cell_make(&c,
              "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
              "gravity: [0, -1, 0]\n"
              "joints: {j: {type: revolute, between: [a, ground], at: [0, 0, 0]}}\n",
              NULL);
    assert_int_equal(routh_branches_find(&b, c.m, c.point, &e), ROUTH_BAD_ARGUMENT);
    assert_null(b);
    assert_non_null(strstr(e.message, "not in equilibrium"));
    cell_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_pair_comes_out_of_every_route),
        cmocka_unit_test(penalties_give_the_published_pair_too),
        cmocka_unit_test(differences_say_why_they_cannot),
        cmocka_unit_test(smallest_joint_forces_do_not_depend_on_coordinates_or_units),
        cmocka_unit_test(smallest_joint_forces_do_not_depend_on_how_rows_are_written),
        cmocka_unit_test(other_multipliers_change_the_pair_and_leave_the_branches),
        cmocka_unit_test(the_multipliers_of_the_paper_give_its_frequencies),
        cmocka_unit_test(the_four_bar_in_line_has_two_branches),
        cmocka_unit_test(more_loops_have_one_branch_more_each),
        cmocka_unit_test(a_damper_damps_each_branch),
        cmocka_unit_test(freedoms_that_all_branches_share_go_with_each),
        cmocka_unit_test(links_stretched_to_the_full_have_no_branch),
        cmocka_unit_test(a_folded_crank_falls_or_drives_its_piston),
        cmocka_unit_test(branches_that_are_surfaces_are_refused),
        cmocka_unit_test(a_moving_mechanism_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
