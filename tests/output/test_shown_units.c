/* Tests of output/shown_units: what is read, what is refused, and which unit stands in for which by
 * what factor; the factors are written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "output/shown_units.h"

static const double PI = 3.14159265358979323846;

static routh_units *read_units(const char *list)
{
    routh_units *units;
    routh_error error = {0};
    if (routh_units_read(&units, list, &error)) fail_msg("%s: %s", list, error.message);
    return units;
}

static void shows(const char *list, const char *unit, bool circular, const char *as, double factor)
{
    routh_units *units = read_units(list);
    rt_text text = {.units = units};
    char room[RT_UNIT_SIZE];
    const char *shown;
    const double found = rt_unit_shown(&text, unit, circular, &shown, room);
    if (strcmp(shown, as) != 0 || fabs(found - factor) > 4e-16 * fabs(factor))
        fail_msg("%s with %s: %.17g %s, not %.17g %s", unit, list, found, shown, factor, as);
    routh_units_free(units);
}

static void a_unit_of_the_whole_stands_in(void **state)
{
    (void)state;
    shows("mm", "m", false, "mm", 1e3);
    shows("N/mm", "N/m", false, "N/mm", 1e-3);
    shows("km/h", "m/s", false, "km/h", 3.6);
    shows("rpm", "rad/s", false, "rpm", 30 / PI);
    shows("kN,mm", "N", false, "kN", 1e-3);
    shows("Nmm,mm", "N m", false, "Nmm", 1e3);
    shows("deg", "rad", false, "deg", 180 / PI);
    shows("rad", "deg", false, "rad", PI / 180);
    shows("MPa", "N/m^2", false, "MPa", 1e-6);
    shows("N/mm^2", "Pa", false, "N/mm^2", 1e-6);
    shows("1/min", "1/s", false, "1/min", 60);
    shows("kJ", "J", false, "kJ", 1e-3);
}

static void a_symbol_stands_in_for_its_kind_within_others(void **state)
{
    (void)state;
    shows("mm", "m/s", false, "mm/s", 1e3);
    shows("mm", "m/s^2", false, "mm/s^2", 1e3);
    shows("mm", "m s⁻²", false, "mm s⁻²", 1e3);
    shows("mm", "N/m", false, "N/mm", 1e-3);
    shows("mm", "N m", false, "N mm", 1e3);
    shows("mm,kN", "N m", false, "kN mm", 1);
    shows("mm", "kg m^2", false, "kg mm^2", 1e6);
    shows("mm,t", "kg m^2", false, "t mm^2", 1e3);
    shows("mm", "m²", false, "mm²", 1e6);
    shows("deg", "rad/s", false, "deg/s", 180 / PI);
    shows("deg", "N m s/rad", false, "N m s/deg", PI / 180);
    shows("ms", "rad/s", false, "rad/ms", 1e-3);
    shows("mm", "m/(N m)", false, "mm/(N mm)", 1);
    shows("mm", "m/s/N", false, "mm/s/N", 1e3);
    shows("mm", "1/(N/m)", false, "1/(N/mm)", 1e3);
    shows("mm", "m^2/Hz", false, "mm^2/Hz", 1e6);
    shows("in,lbf", "N m", false, "lbf in", 1 / (4.4482216152605 * 0.0254));
    shows("mm", "mm", false, "mm", 1);
    shows("mm", "km", false, "mm", 1e6);
}

static void the_whole_wins_over_its_symbols(void **state)
{
    (void)state;
    shows("deg,rpm", "rad/s", false, "rpm", 30 / PI);
    shows("mm,N/m", "N/m", false, "N/m", 1);
    shows("mm,kN/m", "N/m", false, "kN/m", 1e-3);
}

static void frequencies_are_no_rates_and_torques_no_energies(void **state)
{
    (void)state;
    shows("Hz", "1/s", false, "1/s", 1);
    shows("Hz", "rad/s", false, "rad/s", 1);
    shows("kHz", "Hz", false, "kHz", 1e-3);
    shows("rad/s", "Hz", false, "rad/s", 2 * PI);
    shows("rpm", "Hz", false, "rpm", 60);
    shows("rpm,Hz", "Hz", false, "Hz", 1);
    shows("deg", "Hz", false, "Hz", 1);
    shows("rpm", "1/s", false, "1/s", 1);
    shows("J", "N m", false, "N m", 1);
    shows("kNm", "J", false, "J", 1);
}

/* The imaginary part of an eigenvalue: nothing rotates. */
static void what_is_circular_stays_in_radians(void **state)
{
    (void)state;
    shows("deg", "rad/s", true, "rad/s", 1);
    shows("rpm", "rad/s", true, "rad/s", 1);
    shows("ms", "rad/s", true, "rad/ms", 1e-3);
}

static void what_is_no_unit_stays(void **state)
{
    (void)state;
    shows("mm", "", false, "", 1);
    shows("mm", "of 1 allowed", false, "of 1 allowed", 1);
    shows("mm", "m or rad", false, "m or rad", 1);
    shows("mm", "%", false, "%", 1);
    shows("mm", "1/1", false, "1/1", 1);
    shows("mm", "m/(N", false, "m/(N", 1);
    shows("mm", "m^", false, "m^", 1);
    shows("mm", "m)", false, "m)", 1);
}

static void is_refused(const char *list, routh_status status, const char *words)
{
    routh_units *units = (routh_units *)&status;
    routh_error error = {0};
    assert_int_equal(routh_units_read(&units, list, &error), status);
    assert_null(units);
    if (!strstr(error.message, words)) fail_msg("%s: %s", list, error.message);
}

static void what_cannot_be_shown_is_refused_by_name(void **state)
{
    (void)state;
    is_refused("mm,in", ROUTH_BAD_ARGUMENT, "mm and in are units of one kind");
    is_refused("kN/m,N/mm", ROUTH_BAD_ARGUMENT, "kN/m and N/mm are units of one kind");
    is_refused("Hz,kHz", ROUTH_BAD_ARGUMENT, "Hz and kHz are");
    is_refused("rpm,rad/s", ROUTH_BAD_ARGUMENT, "rpm and rad/s are");
    is_refused("mm,mm", ROUTH_BAD_ARGUMENT, "mm and mm are");
    is_refused("m/m", ROUTH_BAD_ARGUMENT, "'m/m' is a ratio");
    is_refused("kilometre", ROUTH_BAD_ARGUMENT, "'kilometre' is no unit");
    is_refused("hz", ROUTH_BAD_ARGUMENT, "did you mean Hz?");
    is_refused("N/mn", ROUTH_BAD_ARGUMENT, "'mn' is no unit (did you mean");
    is_refused("N/m/s", ROUTH_BAD_ARGUMENT, "more than one '/'");
    is_refused("mm,,Hz", ROUTH_BAD_ARGUMENT, "a unit is missing in 'mm,,Hz'");
    is_refused("", ROUTH_BAD_ARGUMENT, "a unit is missing");
    is_refused("5 mm", ROUTH_BAD_ARGUMENT, "'5 mm' is no unit to show results in");
    is_refused("1", ROUTH_BAD_ARGUMENT, "'1' is no unit");
    is_refused("m^99", ROUTH_BAD_ARGUMENT, "'m^99' is no unit");
}

static void blanks_around_units_do_not_count(void **state)
{
    (void)state;
    shows(" mm , kN / m,N·s", "m", false, "mm", 1e3);
    shows("N·s", "N s", false, "N·s", 1);
    shows("N*s", "N s", false, "N*s", 1);
}

/* The longest list, and units too long for what shows them. */
static void room_is_never_left(void **state)
{
    (void)state;
    char list[600] = "m", longest[200] = "";
    routh_units *units;
    routh_error error = {0};
    for (int k = 2; k <= 20; k++) sprintf(list + strlen(list), ",m^%d,m^-%d", k, k);
    assert_int_equal(routh_units_read(&units, list, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "more than 32 units"));
    for (int k = 0; k < 90; k++) strcat(longest, k % 2 ? " " : "m");
    is_refused(longest, ROUTH_BAD_ARGUMENT, "is no unit to show results in");
    shows("mm", longest, false, longest, 1);
    shows("mm", "m m m m m m m m m m m m m m", false, "m m m m m m m m m m m m m m", 1);
}

static void units_that_no_number_has_are_named(void **state)
{
    (void)state;
    routh_units *units = read_units("mm,Hz,deg,t");
    rt_text text = {.units = units};
    char room[RT_UNIT_SIZE];
    const char *shown;
    rt_unit_shown(&text, "m/s", false, &shown, room);
    rt_units_say_unused(&text);
    assert_string_equal(rt_text_string(&text),
                        "\nNo number here can be shown in Hz, deg or t.\n");
    rt_text_free(&text);
    text.units = units;
    rt_unit_shown(&text, "kg m/s", false, &shown, room);
    rt_unit_shown(&text, "Hz", false, &shown, room);
    rt_unit_shown(&text, "rad", false, &shown, room);
    rt_units_say_unused(&text);
    assert_string_equal(rt_text_string(&text), "");
    routh_units_free(units);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_unit_of_the_whole_stands_in),
        cmocka_unit_test(a_symbol_stands_in_for_its_kind_within_others),
        cmocka_unit_test(the_whole_wins_over_its_symbols),
        cmocka_unit_test(frequencies_are_no_rates_and_torques_no_energies),
        cmocka_unit_test(what_is_circular_stays_in_radians),
        cmocka_unit_test(what_is_no_unit_stays),
        cmocka_unit_test(what_cannot_be_shown_is_refused_by_name),
        cmocka_unit_test(blanks_around_units_do_not_count),
        cmocka_unit_test(room_is_never_left),
        cmocka_unit_test(units_that_no_number_has_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
