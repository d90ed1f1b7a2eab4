/* Tests of model/schema and model/reference: the committed files are what the tables give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/fields.h"
#include "model_text.h"

static void the_committed_schema_is_that_of_the_tables(void **state)
{
    (void)state;
    routh_text text;
    size_t length;
    char *committed = read_source("schema/routh-model.schema.json", &length);
    assert_int_equal(routh_model_schema(&text, NULL), ROUTH_OK);
    assert_int_equal(strlen(text.bytes), text.length);
    assert_string_equal(text.bytes, committed);
    routh_text_free(&text);
    free(committed);
}

static void the_committed_reference_is_that_of_the_tables(void **state)
{
    (void)state;
    routh_text text;
    size_t length;
    char *committed = read_source("docs/reference/model-file.md", &length);
    assert_int_equal(routh_model_reference(&text, NULL), ROUTH_OK);
    assert_string_equal(text.bytes, committed);
    routh_text_free(&text);
    free(committed);
}

static void check_kind(const rt_kind *kind, const char *schema, const char *reference)
{
    char quoted[100];
    assert_in_range(kind->n_fields, 1, 32); /* rt_given has 32 bits */
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        snprintf(quoted, sizeof quoted, "\"%s\"", f->name);
        assert_non_null(strstr(schema, quoted));
        assert_true(f->unit && f->doc && f->doc[0]);
        assert_true(f->required || f->fallback || f->excludes || kind->one_of[0] ||
                    f->type == RT_FIELD_VECTOR || f->type == RT_FIELD_TABLE ||
                    f->type == RT_FIELD_GROUP || f->needs || f->type == RT_FIELD_FUNCTION);
        if (f->type == RT_FIELD_TYPE) continue;
        snprintf(quoted, sizeof quoted, "| `%s` |", f->name);
        assert_non_null(strstr(reference, quoted));
    }
}

static void every_field_is_in_the_schema_and_in_the_reference(void **state)
{
    (void)state;
    routh_text schema, reference;
    const rt_section *sections[] = {&rt_body_section, &rt_marker_section, &rt_joint_section,
                                    &rt_load_section, &rt_input_section, &rt_output_section,
                                    &rt_variable_section, &rt_controller_section,
                                    &rt_general_state_section, &rt_general_output_section,
                                    &rt_coordinate_section};
    assert_int_equal(routh_model_schema(&schema, NULL), ROUTH_OK);
    assert_int_equal(routh_model_reference(&reference, NULL), ROUTH_OK);
    check_kind(&rt_model_kind, schema.bytes, reference.bytes);
    for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++)
        for (int k = 0; k < sections[s]->n_kinds; k++)
            check_kind(rt_section_kind(sections[s], k), schema.bytes, reference.bytes);
    routh_text_free(&schema);
    routh_text_free(&reference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_committed_schema_is_that_of_the_tables),
        cmocka_unit_test(the_committed_reference_is_that_of_the_tables),
        cmocka_unit_test(every_field_is_in_the_schema_and_in_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
