/* Where the program around the library has set a locale with a decimal comma, every template, what
 * is read of it and what is written about it are the same to the byte. Skipped where there is no
 * such locale; ./dev test makes one where Debian's package locales is installed. */
#include "routh/routh.h"

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

typedef routh_status (*writer)(const routh_results *results, routh_text *text, routh_error *error);

static const writer writers[] = {
    routh_modes_table,           routh_modes_json,           routh_modes_csv,
    routh_linear_table,          routh_linear_json,          routh_linear_csv,
    routh_operating_point_table, routh_operating_point_json, routh_operating_point_csv,
    routh_check_table,           routh_check_json,
};

enum { N_WRITERS = sizeof writers / sizeof *writers };

typedef struct products {
    routh_text model;
    routh_text results[N_WRITERS];
} products;

/* Of few cells, and without their times, which are never the same. */
static routh_status make_check(routh_check **check, const routh_model *model, routh_error *error)
{
    routh_check_options options = routh_check_defaults();
    options.most_degrees = 0;
    const routh_status status = routh_check_run(check, model, &options, error);
    for (int k = 0; !status && k < (*check)->n_cells; k++) (*check)->cells[k].seconds = 0;
    return status;
}

static void make(products *p, const char *name)
{
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    routh_check *check = NULL;
    routh_error e = {0};
    routh_status status = routh_template_write(name, NULL, 0, &p->model, &e);
    if (!status)
        status = routh_model_parse(&model, p->model.bytes, p->model.length, name, NULL, 0, &e);
    if (!status) status = routh_mechanism_compile(&mechanism, model, NULL, &e);
    if (!status) status = routh_operating_point_find(&point, mechanism, NULL, &e);
    if (!status) status = routh_linear_compute(&linear, mechanism, point, NULL, &e);
    if (!status) status = routh_modes_compute(&modes, linear, &e);
    if (!status) status = make_check(&check, model, &e);
    const routh_results results = {.model = model, .point = point, .linear = linear,
                                   .modes = modes, .check = check, .shapes = 1};
    for (int i = 0; i < N_WRITERS && !status; i++)
        status = writers[i](&results, &p->results[i], &e);
    if (status) fail_msg("%s: %s", name, e.message);
    routh_check_free(check);
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
}

static void release(products *p)
{
    routh_text_free(&p->model);
    for (int i = 0; i < N_WRITERS; i++) routh_text_free(&p->results[i]);
}

static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
    assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
    size_t n = 0;
    for (const char *name; (name = routh_template_name(n)); n++) {
        products point = {0}, comma = {0};
        make(&point, name);
        setlocale(LC_ALL, "de_DE.UTF-8");
        make(&comma, name);
        setlocale(LC_ALL, "C");
        assert_string_equal(comma.model.bytes, point.model.bytes);
        for (int i = 0; i < N_WRITERS; i++)
            assert_string_equal(comma.results[i].bytes, point.results[i].bytes);
        release(&point);
        release(&comma);
    }
    assert_true(n > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
