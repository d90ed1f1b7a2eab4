/* Tests of the report: the data of the page, and where they stand in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "output/report_data.h"
#include "output/report_page.h"
#include "output/sample.h"
#include "support/packed_text.h"

static json_t *data_of(const sample *s)
{
    rt_json json = {0};
    routh_error error = {0};
    if (rt_report_data(&s->results, &json, &error)) fail_msg("%s", error.message);
    json_t *data = sample_json(&(routh_text){json.text.bytes, json.text.length});
    rt_text_free(&json.text);
    return data;
}

static void the_data_hold_the_model(void **state)
{
    (void)state;
    sample s;
    sample_start(&s);
    json_t *data = data_of(&s);
    assert_string_equal(json_string_value(sample_at(data, "description")),
                        "<!-- not a comment -->");
    assert_true(sample_number(data, "gravity 2") == -9.81);
    assert_string_equal(json_string_value(sample_at(data, "bodies 0 name")), "ground");
    assert_true(sample_number(data, "bodies 1 mass") == 0.1);
    assert_true(sample_number(data, "bodies 1 inertia 8") == 1);
    assert_string_equal(json_string_value(sample_at(data, "parameters 0 name")), "k");
    assert_true(sample_number(data, "parameters 0 value") == 1.0 / 3);
    assert_string_equal(json_string_value(sample_at(data, "markers 1 body")), "weight");
    assert_true(json_is_false(sample_at(data, "markers 1 implicit")));
    json_decref(data);
    sample_end(&s);
}

/* The operating point turns the weight a quarter turn about z, so the axis of the guide stays where
 * it is. */
static void connections_name_their_markers_and_axes(void **state)
{
    (void)state;
    sample s;
    sample_start(&s);
    json_t *data = data_of(&s);
    assert_string_equal(json_string_value(sample_at(data, "connections 0 kind")), "joint");
    assert_string_equal(json_string_value(sample_at(data, "connections 0 type")), "translational");
    assert_string_equal(json_string_value(sample_at(data, "connections 0 markers 0")), "ground");
    assert_true(sample_number(data, "connections 0 axis 2") == 1);
    assert_string_equal(json_string_value(sample_at(data, "connections 1 kind")), "load");
    assert_string_equal(json_string_value(sample_at(data, "connections 1 markers 1")), "weight");
    assert_null(json_object_get(sample_at(data, "connections 1"), "axis"));
    json_decref(data);
    sample_end(&s);
}

static void one_of_a_pair_carries_the_motion(void **state)
{
    (void)state;
    sample s;
    sample_start(&s);
    json_t *data = data_of(&s);
    assert_int_equal(json_array_size(sample_at(data, "modes")), 3);
    assert_null(json_object_get(sample_at(data, "modes 1"), "motion"));
    const char *motion = json_string_value(sample_at(data, "modes 2 motion re"));
    assert_int_equal(json_array_size(sample_at(data, "moved")), 2);
    assert_true(sample_number(data, "moved 1") == 1);
    assert_int_equal(packed_size(motion), 2 * 2 * 6);
    /* seven digits of the unit */
    assert_true(fabs(packed_number(motion, 6 + 2) * sample_number(data, "modes 2 motion unit 0") -
                     1) < 1e-6);
    assert_string_equal(json_string_value(sample_at(data, "share_names 1")), "load spring");
    assert_int_equal(json_array_size(sample_at(data, "modes 2 shares strain")), 2);
    assert_true(sample_number(data, "modes 2 shares strain 0") == 1);
    assert_true(sample_number(data, "modes 2 shares strain 1") == 100000);
    assert_null(json_object_get(sample_at(data, "modes 1"), "shares"));
    assert_true(sample_number(data, "modes 2 conjugate") == 1);
    json_decref(data);
    sample_end(&s);
}

/* 60 000 markers: only one mode may carry its motion. */
static void rounding_is_not_shown_as_damping(void **state)
{
    (void)state;
    sample s;
    sample_start(&s);
    for (int i = 1; i < 3; i++) {
        s.mode[i].eigenvalue[0] = 0.9e-15;
        s.mode[i].damping_ratio = -0.45e-15;
    }
    json_t *data = data_of(&s);
    assert_true(sample_number(data, "modes 1 eigenvalue 0") == 0);
    assert_true(sample_number(data, "modes 1 eigenvalue 1") == -2);
    assert_true(sample_number(data, "modes 1 damping_ratio") == 0);
    json_decref(data);
    sample_end(&s);
}

static void a_large_model_animates_some_modes_and_warns(void **state)
{
    (void)state;
    enum { N = 60000 };
    sample s;
    sample_start(&s);
    routh_marker_motion *many = calloc(N, sizeof *many);
    for (int i = 0; i < N; i++) many[i] = s.markers[1];
    s.linear.markers = many;
    s.linear.n_markers = N;
    json_t *data = data_of(&s);
    assert_non_null(json_object_get(sample_at(data, "modes 0"), "motion"));
    assert_null(json_object_get(sample_at(data, "modes 2"), "motion"));
    const json_t *warnings = sample_at(data, "warnings");
    const char *last = json_string_value(json_array_get(warnings, json_array_size(warnings) - 1));
    assert_non_null(strstr(last, "the motion of 1 of the 2 modes"));
    json_decref(data);
    free(many);
    sample_end(&s);
}

static void the_page_holds_the_data_and_nothing_that_ends_them_early(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    routh_error error = {0};
    sample_start(&s);
    const routh_status status = routh_report_html(&s.results, &text, &error);
    if (rt_report_page_size == 0) {
        assert_int_equal(status, ROUTH_NOT_SUPPORTED);
        assert_null(text.bytes);
    } else {
        static const char before[] = "<script type=\"application/json\" id=\"routh-data\">";
        assert_int_equal(status, ROUTH_OK);
        assert_int_equal(strlen(text.bytes), text.length);
        assert_null(strstr(text.bytes, "<!--ROUTH-DATA-->"));
        const char *start = strstr(text.bytes, before);
        assert_non_null(start);
        start += sizeof before - 1;
        const char *end = strpbrk(start, "<>&");
        assert_int_equal(strncmp(end, "</script>", 9), 0);
        json_t *data = json_loadb(start, (size_t)(end - start), JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(data);
        assert_string_equal(json_string_value(sample_at(data, "title")), s.linear.title);
        json_decref(data);
        routh_text_free(&text);
    }
    sample_end(&s);
}

static void a_report_needs_all_parts(void **state)
{
    (void)state;
    sample s;
    routh_text text;
    routh_error error = {0};
    sample_start(&s);
    s.results.model = NULL;
    assert_int_equal(routh_report_html(&s.results, &text, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "results->model"));
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_data_hold_the_model),
        cmocka_unit_test(connections_name_their_markers_and_axes),
        cmocka_unit_test(one_of_a_pair_carries_the_motion),
        cmocka_unit_test(rounding_is_not_shown_as_damping),
        cmocka_unit_test(a_large_model_animates_some_modes_and_warns),
        cmocka_unit_test(the_page_holds_the_data_and_nothing_that_ends_them_early),
        cmocka_unit_test(a_report_needs_all_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
