/* Tests of flexible bodies in the report: thinned out, and as the page reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "output/report_data.h"
#include "output/sample.h"
#include "output/thin.h"
#include "support/packed_text.h"

enum { SIDE = 60, NODES = SIDE * SIDE };

/* A sheet of SIDE x SIDE nodes that bends in one coordinate: z = x^2 at unit amplitude. */
typedef struct sheet {
    routh_flexible_node nodes[NODES];
    double motion[NODES][6], elastic[3];
    int column[1], triangles[6 * (SIDE - 1) * (SIDE - 1)];
    double stiffness[2];
    routh_flexible_part parts[2];
    routh_flexible_body body;
} sheet;

static sheet *make_sheet(void)
{
    sheet *s = calloc(1, sizeof *s);
    int *t = s->triangles;
    for (int k = 0; k < NODES; k++) {
        const double x = k % SIDE / (SIDE - 1.0), y = k / SIDE / (SIDE - 1.0);
        routh_flexible_node *node = &s->nodes[k];
        *node = (routh_flexible_node){k + 1, {x, y, 0}, {x, y, 0.5}, {[0] = 1},
                                      1,     s->column, s->motion[k]};
        s->motion[k][2] = x * x;
        if (k % SIDE == SIDE - 1 || k / SIDE == SIDE - 1) continue;
        const int corners[] = {k, k + 1, k + SIDE, k + 1, k + SIDE + 1, k + SIDE};
        memcpy(t, corners, sizeof corners);
        t += 6;
    }
    s->elastic[1] = 1;
    s->stiffness[0] = 3, s->stiffness[1] = 1;
    s->parts[0] = (routh_flexible_part){.n = 1,
                                        .column = s->column,
                                        .stiffness = &s->stiffness[0],
                                        .n_nodes = 3,
                                        .nodes = {0, 1, SIDE}};
    s->parts[1] = (routh_flexible_part){.n = 1,
                                        .column = s->column,
                                        .stiffness = &s->stiffness[1],
                                        .n_nodes = 3,
                                        .nodes = {NODES - 1, NODES - 2, NODES - 1 - SIDE}};
    s->body = (routh_flexible_body){.name = "sheet",
                                    .n = 1,
                                    .elastic = s->elastic,
                                    .n_nodes = NODES,
                                    .nodes = s->nodes,
                                    .n_triangles = 2 * (SIDE - 1) * (SIDE - 1),
                                    .triangles = s->triangles,
                                    .n_parts = 2,
                                    .parts = s->parts};
    return s;
}

static void a_small_body_stays_as_it_is(void **state)
{
    (void)state;
    sheet *s = make_sheet();
    rt_thin_body thin;
    assert_int_equal(rt_thin(&thin, &s->body, NODES, NULL), ROUTH_OK);
    assert_int_equal(thin.n_nodes, NODES);
    assert_int_equal(thin.n_triangles, s->body.n_triangles);
    assert_memory_equal(thin.triangles, s->triangles, sizeof s->triangles);
    rt_thin_free(&thin);
    free(s);
}

/* The area of the sheet is kept, but for a row of cells, and triangles do not overlap. */
static void a_large_one_keeps_its_surface(void **state)
{
    (void)state;
    sheet *s = make_sheet();
    rt_thin_body thin;
    assert_int_equal(rt_thin(&thin, &s->body, 400, NULL), ROUTH_OK);
    assert_true(thin.n_nodes <= 400 && thin.n_nodes > 200);
    double area = 0;
    for (int k = 0; k < thin.n_triangles; k++) {
        const double *p[3];
        for (int i = 0; i < 3; i++) {
            assert_in_range(thin.triangles[3 * k + i], 0, thin.n_nodes - 1);
            p[i] = s->nodes[thin.node[thin.triangles[3 * k + i]]].undeformed;
        }
        area += ((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) -
                 (p[2][0] - p[0][0]) * (p[1][1] - p[0][1])) /
                2;
    }
    assert_true(area > 0.85 && area < 1.0001);
    for (int k = 0; k < NODES; k++) {
        const double *a = s->nodes[k].undeformed,
                     *b = s->nodes[thin.node[thin.drawn[k]]].undeformed;
        assert_true(hypot(a[0] - b[0], a[1] - b[1]) < 1.5 / sqrt(thin.n_nodes));
    }
    rt_thin_free(&thin);
    free(s);
}

static void the_page_has_the_motion_and_the_strain_of_nodes(void **state)
{
    (void)state;
    sample s;
    sheet *bent = make_sheet();
    sample_start(&s);
    s.linear.n_flexible = 1;
    s.linear.flexible = &bent->body;
    memset(s.motion, 0, sizeof s.motion);
    rt_json json = {0};
    routh_error error = {0};
    if (rt_report_data(&s.results, &json, &error)) fail_msg("%s", error.message);
    json_t *data = sample_json(&(routh_text){json.text.bytes, json.text.length});
    rt_text_free(&json.text);
    const size_t n = json_array_size(sample_at(data, "flexible 0 nodes"));
    assert_true(n <= 600 && n > 300);
    assert_true(sample_number(data, "flexible 0 nodes 0 2") == 0.5);
    assert_true(sample_number(data, "flexible 0 undeformed 0 2") == 0);
    assert_null(json_object_get(sample_at(data, "flexible 0"), "along"));

    const double re = s.shapes[2][1], im = s.shapes[2][4],
                 unit = sample_number(data, "modes 2 flexible 0 unit 0");
    const char *numbers = json_string_value(sample_at(data, "modes 2 flexible 0 re"));
    assert_int_equal(packed_size(numbers), 2 * 3 * n);
    for (size_t k = 0; k < n; k++) {
        const double x = json_real_value(
            json_array_get(json_array_get(sample_at(data, "flexible 0 nodes"), k), 0));
        assert_int_equal(packed_number(numbers, 3 * k), 0);
        assert_true(fabs(packed_number(numbers, 3 * k + 2) * unit - x * x * re) <= 0.51 * unit);
    }
    assert_true((json_object_get(sample_at(data, "modes 2 flexible 0"), "im") != NULL) ==
                (im != 0));
    const char *strain = json_string_value(sample_at(data, "modes 2 flexible 0 strain"));
    assert_int_equal(packed_size(strain), n);
    assert_int_equal(packed_byte(strain, 0), 255);
    json_decref(data);
    s.linear.n_flexible = 0;
    free(bent);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_body_stays_as_it_is),
        cmocka_unit_test(a_large_one_keeps_its_surface),
        cmocka_unit_test(the_page_has_the_motion_and_the_strain_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
