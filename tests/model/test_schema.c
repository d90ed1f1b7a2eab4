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
#include "model/measure_class.h"
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
        assert_true(f->required || f->unless || f->fallback || f->excludes || kind->one_of[0] ||
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
    const rt_section *sections[] = {
        &rt_body_section,           &rt_marker_section,      &rt_joint_section,
        &rt_load_section,           &rt_input_section,       &rt_output_section,
        &rt_variable_section,       &rt_controller_section,  &rt_general_state_section,
        &rt_general_output_section, &rt_coordinate_section,  &rt_part_section,
        &rt_part_variant_section,   &rt_file_variant_section};
    assert_int_equal(routh_model_schema(&schema, NULL), ROUTH_OK);
    assert_int_equal(routh_model_reference(&reference, NULL), ROUTH_OK);
    check_kind(&rt_model_kind, schema.bytes, reference.bytes);
    for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++)
        for (int k = 0; k < sections[s]->n_kinds; k++)
            check_kind(rt_section_kind(sections[s], k), schema.bytes, reference.bytes);
    routh_text_free(&schema);
    routh_text_free(&reference);
}

/* ---- mirrors --------------------------------------------------------------------------------- */

static bool holds_numbers(rt_field_type type)
{
    switch (type) {
    case RT_FIELD_COUNT:
    case RT_FIELD_NUMBER:
    case RT_FIELD_VECTOR:
    case RT_FIELD_VECTOR6:
    case RT_FIELD_MATRIX6:
    case RT_FIELD_RATIOS:
    case RT_FIELD_INERTIA:
    case RT_FIELD_ORIENTATION:
    case RT_FIELD_AXIS:
    case RT_FIELD_TRIPLE:
    case RT_FIELD_FUNCTION:
    case RT_FIELD_FUNCTIONS:
    case RT_FIELD_SOME_FUNCTIONS:
    case RT_FIELD_ANY_FUNCTIONS:
    case RT_FIELD_PROFILE:
    case RT_FIELD_LIST:
    case RT_FIELD_MATRIX:
    case RT_FIELD_TABLE: return true;
    default: return false;
    }
}

/* What the reader makes of a sense must be what is stored: three numbers for a vector. */
static bool fits_type(rt_sense sense, rt_field_type type)
{
    switch (sense) {
    case RT_SENSE_NOT_SAID: return false;
    case RT_SCALAR:
    case RT_READ_LATER: return true;
    case RT_PARTS_POLAR:
    case RT_PARTS_AXIAL: return type == RT_FIELD_FUNCTIONS;
    case RT_PSEUDOSCALAR: return type == RT_FIELD_NUMBER;
    case RT_POINT:
    case RT_POLAR:
    case RT_AXIAL:
    case RT_LOCAL_POLAR: return type == RT_FIELD_VECTOR;
    case RT_ATTITUDE:
    case RT_LOCAL_ATTITUDE: return type == RT_FIELD_ORIENTATION;
    case RT_LOCAL_INERTIA: return type == RT_FIELD_INERTIA;
    case RT_AXIS_POLAR:
    case RT_AXIS_AXIAL: return type == RT_FIELD_AXIS;
    case RT_WRENCH: return type == RT_FIELD_MATRIX6 || type == RT_FIELD_VECTOR6;
    case RT_SECTION_WRENCH: return type == RT_FIELD_MATRIX6;
    }
    return false;
}

static int check_senses(const rt_kind *kind)
{
    int n = 0;
    for (int k = 0; k < kind->n_fields; k++) {
        const rt_field *f = &kind->fields[k];
        for (int i = 0; f->inside && i < f->inside->n_kinds; i++)
            n += check_senses(rt_section_kind(f->inside, i));
        if (!holds_numbers(f->type)) continue;
        n++;
        if (!fits_type(f->sense, f->type))
            fail_msg(
                "%s, field %s: how it follows in a mirror is not said, or does not fit (.sense)",
                kind->name, f->name);
        /* of directions only two that say more themselves may be left alone */
        const bool directed = f->type == RT_FIELD_VECTOR || f->type == RT_FIELD_ORIENTATION ||
                              f->type == RT_FIELD_AXIS || f->type == RT_FIELD_INERTIA ||
                              f->type == RT_FIELD_MATRIX6 || f->type == RT_FIELD_VECTOR6;
        if (directed && f->sense == RT_SCALAR)
            fail_msg("%s, field %s: a direction is no scalar", kind->name, f->name);
    }
    return n;
}

static void every_field_with_numbers_says_how_it_follows_in_a_mirror(void **state)
{
    (void)state;
    assert_in_range(check_senses(&rt_model_kind), 150, 1000);
}

static void every_measure_says_its_parity(void **state)
{
    (void)state;
    for (int k = 0; k < rt_measure_count(); k++) {
        const rt_measure_class *m = rt_measure_at(k);
        if (m->parity == RT_PARITY_NOT_SAID) fail_msg("%s has no parity", m->name);
        /* magnitudes, rates of distances and of states are even, components are not */
        const size_t length = strlen(m->name);
        const bool component = strchr("XYZ", m->name[length - 1]) != NULL;
        assert_int_equal(component, m->parity != RT_PARITY_EVEN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_committed_schema_is_that_of_the_tables),
        cmocka_unit_test(the_committed_reference_is_that_of_the_tables),
        cmocka_unit_test(every_field_is_in_the_schema_and_in_the_reference),
        cmocka_unit_test(every_field_with_numbers_says_how_it_follows_in_a_mirror),
        cmocka_unit_test(every_measure_says_its_parity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
