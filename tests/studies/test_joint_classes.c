/* Every class of joints, in a mechanism around its sample (support/joint_samples.h), in equilibrium
 * and in motion: all coordinate sets and methods agree, the closed form with them where the rows
 * are products; derivatives by a parameter of it are those of differences; the world's axes do not
 * matter. A new class is tested here without a word. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "model/model_text.h"
#include "routh/routh.h"
#include "support/class_answers.h"
#include "support/differences.h"
#include "support/effort.h"
#include "support/joint_samples.h"

typedef struct class_task {
    const rt_joint_class *class;
    bool moving;
    bool one_of_some; /* that all that is dear is done with, at effort 1 */
} class_task;

static char *sample_text(const class_task *task, const sample_mechanism *as)
{
    growing_text text = {0};
    sample_write(task->class, as, &text);
    return text.bytes;
}

static bool made_of_functions(const class_task *task)
{
    return rt_joint_class_of(&task->class->kind)->rows[0].kind == RT_JOINT_ROW_FUNCTIONS;
}

/* ---- what a class must say ------------------------------------------------------------------- */

static void it_is_complete(void **state)
{
    const rt_joint_class *c = ((const class_task *)*state)->class;
    const rt_joint_class *real = rt_joint_class_of(&c->kind);
    assert_true(c->kind.doc && c->kind.doc[0] && c->sample && real->picture);
    assert_int_equal(c->kind.fields[0].type, RT_FIELD_TYPE);
    assert_true(rt_joint_class_count_rows(real) > 0);
    bool cut = false;
    for (int k = 0; k < c->kind.n_fields; k++) cut = cut || !strcmp(c->kind.fields[k].name, "cut");
    assert_int_equal(cut, real->chain.is_joint);
    for (int k = 0; k < rt_joint_class_count_rows(real); k++) {
        const rt_joint_row *row = &real->rows[k];
        assert_true(row->label && row->label[0] && row->p < 3 && row->q < 3);
        if (row->keeps == RT_KEEPS_COSINE) assert_int_equal(row->kind, RT_JOINT_ROW_DOT1);
    }
}

static void it_stands_once_in_the_list(void **state)
{
    const rt_joint_class *c = ((const class_task *)*state)->class;
    int n = 0;
    for (int k = 0; k < RT_JOINT_CLASSES; k++)
        n += strcmp(rt_joint_class_at(k)->kind.name, c->kind.name) == 0;
    assert_int_equal(n, 1);
    assert_true(RT_JOINT_CLASSES <= 32); /* rt_read_type has room for so many names */
}

/* The enum of pictures in the schema of the page's data, which the page draws all of. */
static void the_page_has_its_picture(void **state)
{
    const rt_joint_class *real = rt_joint_class_of(&((const class_task *)*state)->class->kind);
    static const char head[] = "\"picture\": {";
    char quoted[40];
    size_t length;
    char *text = read_source("viewer/data.schema.json", &length);
    char *list = strstr(text, head);
    assert_non_null(list);
    *strchr(list, ']') = 0;
    snprintf(quoted, sizeof quoted, "\"%s\"", real->picture);
    assert_non_null(strstr(list + sizeof head - 1, quoted));
    free(text);
}

/* The parameter p by itself, not a letter of a word. */
static bool names_the_parameter(const char *text)
{
    for (const char *at = text; (at = strchr(at, 'p')) != NULL; at++)
        if (!isalnum((unsigned char)at[1]) && at[1] != '_' && !isalnum((unsigned char)at[-1]) &&
            at[-1] != '_')
            return true;
    return false;
}

static bool has_numbers(const rt_joint_class *c)
{
    const size_t first = offsetof(rt_written_joint, joint.number);
    bool found = false;
    for (int k = 0; k < c->kind.n_fields; k++) {
        const size_t offset = c->kind.fields[k].offset;
        found = found || (offset >= first && offset < first + sizeof(rt_number[RT_JOINT_NUMBERS]));
    }
    return found;
}

/* A number that a joint is given is not left aside: another one is another mechanism. */
static void its_numbers_matter(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(true);
    if (!names_the_parameter(task->class->sample)) {
        assert_false(has_numbers(task->class));
        return;
    }
    char *text = sample_text(task, &as);
    const difference_model model = {.text = text};
    chain c[2];
    routh_error error;
    double off = 0, size = 0;
    for (int k = 0; k < 2; k++)
        if (chain_run(&c[k], &model, "p", 0.7 + 0.07 * k, &error)) fail_msg("%s", error.message);
    assert_int_equal(c[0].linear->n_states, c[1].linear->n_states);
    for (int k = 0; k < c[0].linear->n_states * c[0].linear->n_states; k++) {
        off = fmax(off, fabs(c[0].linear->A[k] - c[1].linear->A[k]));
        size = fmax(size, fabs(c[0].linear->A[k]));
    }
    assert_true(off > 1e-6 * size);
    for (int k = 0; k < 2; k++) chain_free(&c[k]);
    free(text);
}

/* What the class says it leaves is what its rows leave. */
static void its_chain_and_rows_make_six(void **state)
{
    const rt_joint_class *real = rt_joint_class_of(&((const class_task *)*state)->class->kind);
    int n = rt_joint_class_count_rows(real);
    for (int k = 0; k < real->chain.n; k++) n += real->chain.step[k].kind == RT_STEP_BALL ? 3 : 1;
    if (real->chain.is_joint) assert_int_equal(n, 6);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* A closed form is offered where every row is one, and its model stands where it fits. */
static bool is_in_closed_form(const routh_check_cell *x)
{
    return strcmp(x->method, "symbolic") == 0;
}

/* Functions are refused by the penalty method. Both have tests of their own. */
static bool is_spared(const void *context, const routh_check_cell *x)
{
    return is_in_closed_form(x) || (made_of_functions(context) && !strcmp(x->method, "penalty"));
}

static int compare_by_size(const void *x, const void *y)
{
    const routh_mode *a = x, *b = y;
    const double d = a->eigenvalue[1] != b->eigenvalue[1] ? a->eigenvalue[1] - b->eigenvalue[1]
                                                          : a->eigenvalue[0] - b->eigenvalue[0];
    return d < 0 ? -1 : d > 0;
}

static void assert_same_modes(const chain *x, const chain *y, const char *what)
{
    const int n = x->modes->n;
    double radius = 0;
    assert_int_equal(y->modes->n, n);
    qsort(x->modes->modes, (size_t)n, sizeof *x->modes->modes, compare_by_size);
    qsort(y->modes->modes, (size_t)n, sizeof *y->modes->modes, compare_by_size);
    for (int k = 0; k < n; k++) {
        const double *a = x->modes->modes[k].eigenvalue;
        radius = fmax(radius, hypot(a[0], a[1]));
    }
    for (int k = 0; k < n; k++) {
        const double *a = x->modes->modes[k].eigenvalue, *b = y->modes->modes[k].eigenvalue;
        if (!(hypot(a[0] - b[0], a[1] - b[1]) <= 1e-8 * radius))
            fail_msg("%s: mode %d: %.12g%+.12gi becomes %.12g%+.12gi", what, k + 1, a[0], a[1],
                     b[0], b[1]);
    }
}

static void assert_agrees(const chain *reference, const char *coordinates, const char *method,
                          const char *text)
{
    chain c = {0};
    routh_error error;
    routh_linear_options options = routh_linear_defaults();
    options.method = method;
    if (routh_mechanism_compile(&c.mechanism, reference->model, coordinates, &error) ||
        routh_operating_point_find(&c.point, c.mechanism, NULL, &error) ||
        routh_linear_compute(&c.linear, c.mechanism, c.point, &options, &error) ||
        routh_modes_compute(&c.modes, c.linear, &error))
        fail_msg("%s, %s: %s in\n%s", coordinates, method, error.message, text);
    char what[100];
    snprintf(what, sizeof what, "%s, %s", coordinates, method);
    assert_same_modes(reference, &c, what);
    chain_free(&c);
}

/* In all coordinate sets, and by all methods but the oracles, which are the dearest. */
static void eigenvalues_agree(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(task->moving);
    char *text = sample_text(task, &as);
    const difference_model model = {.text = text};
    const char *name;
    chain c;
    routh_error error;
    if (chain_run(&c, &model, NULL, 0, &error)) fail_msg("%s in\n%s", error.message, text);
    for (int k = 0; (name = routh_coordinate_name(k)) != NULL; k++)
        assert_agrees(&c, name, routh_method_name(0), text);
    for (int k = 1; (name = routh_method_name(k)) != NULL; k++)
        if (strcmp(name, "difference") != 0 && strcmp(name, "penalty") != 0)
            assert_agrees(&c, routh_coordinate_name(0), name, text);
    chain_free(&c);
    free(text);
}

/* The oracles too, and shapes. */
static void coordinates_and_methods_agree(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(task->moving);
    char *text = sample_text(task, &as);
    const bool quick = !full_effort();
    assert_cells_agree(text, quick, quick ? 7 : 40, is_spared, task);
    free(text);
}

static void derivatives_are_those_of_differences(void **state)
{
    const class_task *task = *state;
    const sample_mechanism as = sample_usual(task->moving);
    char *text = sample_text(task, &as);
    assert_derivatives_agree(text, 1);
    free(text);
}

static void the_worlds_axes_do_not_matter(void **state)
{
    const class_task *task = *state;
    const double about[3] = {0.7, -1.1, 0.9};
    sample_mechanism as = sample_usual(task->moving);
    as.fits =
        task->moving ||
        made_of_functions(task); /* how far bodies are moved to fit depends on the coordinates */
    chain c[2];
    routh_error error;
    for (int k = 0; k < 2; k++) {
        char *text = sample_text(task, &as);
        const difference_model model = {.text = text};
        if (chain_run(&c[k], &model, NULL, 0, &error)) fail_msg("%s in\n%s", error.message, text);
        rt_rotation_exp(as.turn, about);
        rt_v3_set(as.shift, 3, -5, 2);
        free(text);
    }
    assert_same_modes(&c[0], &c[1], "turned");
    for (int k = 0; k < 2; k++) chain_free(&c[k]);
}

/* Of rows that are products of vectors. */
static bool has_closed_form(const rt_joint_class *c)
{
    bool good = true;
    for (int k = 0; k < rt_joint_class_count_rows(c); k++)
        good = good &&
               (c->rows[k].kind <= RT_JOINT_ROW_DISTANCE || c->rows[k].kind == RT_JOINT_ROW_DRIVEN);
    return good;
}

static void the_closed_form_agrees_where_there_is_one(void **state)
{
    const class_task *task = *state;
    sample_mechanism as = sample_usual(task->moving);
    as.fits = true;
    char *text = sample_text(task, &as);
    routh_model *model;
    routh_check *check = NULL;
    routh_error error;
    routh_check_options options = routh_check_defaults();
    options.most_degrees = -1; /* few of the other cells */
    if (routh_model_parse(&model, text, strlen(text), "sample", NULL, 0, &error) ||
        routh_check_run(&check, model, &options, &error))
        fail_msg("%s in\n%s", error.message, text);
    const routh_check_cell *x = &check->cells[check->n_cells - 1];
    assert_true(is_in_closed_form(x));
    if (!has_closed_form(rt_joint_class_of(&task->class->kind))) {
        assert_int_not_equal(x->state, ROUTH_CELL_COMPARED);
        assert_non_null(x->why);
    } else if (x->state != ROUTH_CELL_COMPARED || x->verdict != ROUTH_YES) {
        fail_msg("state %d, verdict %d, off by %.3g: %s in\n%s", x->state, x->verdict,
                 x->difference, x->why ? x->why : "", text);
    }
    routh_check_free(check);
    routh_model_free(model);
    free(text);
}

/* ---- the list -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    CMUnitTestFunction run;
    bool both; /* at rest and moving */
} what[] = {
    {"it is complete", it_is_complete, false},
    {"it stands once in the list", it_stands_once_in_the_list, false},
    {"the page has its picture", the_page_has_its_picture, false},
    {"its numbers matter", its_numbers_matter, false},
    {"its chain and rows make six", its_chain_and_rows_make_six, false},
    {"eigenvalues agree", eigenvalues_agree, true},
    {"coordinates and methods agree", coordinates_and_methods_agree, true},
    {"derivatives are those of differences", derivatives_are_those_of_differences, true},
    {"the world's axes do not matter", the_worlds_axes_do_not_matter, true},
    {"the closed form agrees where there is one", the_closed_form_agrees_where_there_is_one, false},
};

/* All sets by all methods are done at rest, in motion with some of the classes at effort 1. */
static bool is_left_out(const class_task *task, CMUnitTestFunction test)
{
    if (test == eigenvalues_agree) return !task->moving;
    return test == coordinates_and_methods_agree && task->moving && !task->one_of_some &&
           !full_effort();
}

enum { N_WHAT = sizeof what / sizeof what[0], MOST = 2 * N_WHAT * RT_JOINT_CLASSES };

int main(void)
{
    static struct CMUnitTest tests[MOST];
    static class_task tasks[2 * RT_JOINT_CLASSES];
    static char names[MOST][120];
    size_t n = 0;
    for (int k = 0; k < RT_JOINT_CLASSES; k++)
        for (int moving = 0; moving < 2; moving++) {
            class_task *task = &tasks[2 * k + moving];
            *task = (class_task){rt_joint_class_at(k), moving, k % 4 == 0};
            for (int w = 0; w < N_WHAT; w++) {
                if (moving && !what[w].both) continue;
                if (is_left_out(task, what[w].run)) continue;
                snprintf(names[n], sizeof names[n], "%s: %s%s", task->class->kind.name,
                         what[w].name, moving ? ", in motion" : "");
                tests[n] = (struct CMUnitTest){names[n], what[w].run, NULL, NULL, task};
                n++;
            }
        }
    return _cmocka_run_group_tests("studies.joint_classes", tests, n, NULL, NULL);
}
