/* Numbers as charts show them, over 100 000 around every power of ten: what is shown is what printf
 * rounds to, in the form that the rounded number asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number_form.h"

static int figures_of(const char *digits)
{
    int n = 0;
    for (; *digits; digits++)
        if (*digits >= '0' && *digits <= '9') n += n > 0 || *digits != '0';
    return n;
}

static double read_back(const rt_number_form *form)
{
    char text[80];
    snprintf(text, sizeof text, "%se%d", form->digits, form->power);
    return strtod(text, NULL);
}

static void is_shown(double x, int digits)
{
    rt_number_form form;
    char text[80];
    rt_number_form_find(&form, x, digits);
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    const double rounded = strtod(text, NULL), size = fabs(rounded);
    const int plain = size >= 1e-4 && size < 1e6;
    const double wanted = plain && size >= pow(10, digits) ? rint(x) : rounded;
    if (read_back(&form) != wanted || (form.power == 0) != plain ||
        (size < pow(10, digits) && figures_of(form.digits) != digits) ||
        (!plain && form.digits[x < 0 ? 2 : 1] != (digits > 1 ? '.' : '\0')))
        fail_msg("%.17g to %d digits is %s, power %d", x, digits, form.digits, form.power);
}

static void numbers_around_powers_of_ten_are_shown(void **state)
{
    (void)state;
    static const double parts[] = {0, 1, 2, 3, 4, 4.99, 5, 5.01, 6, 7, 9.7};
    static const int digits[] = {1, 2, 3, 4, 6, 7, 12, 17};
    long seen = 0;
    for (int power = -300; power <= 300; power++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", power);
        const double at = strtod(text, NULL);
        const int near = power >= -8 && power <= 9;
        for (int digit = 1; digit <= 17; digit++)
            for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
                for (int sign = -1; sign <= 1; sign += 2)
                    for (size_t d = near ? 0 : 3; d < (near ? 8U : 4U); d++) {
                        const double x = at * (1 + sign * parts[k] * pow(10, -digit));
                        if (x == 0) continue;
                        is_shown(x, digits[d]);
                        is_shown(-x, digits[d]);
                        seen += 2;
                    }
    }
    assert_true(seen > 100000);
}

static void shown_as(double x, double step, const char *digits, int power)
{
    rt_number_form form;
    rt_number_form_short(&form, x, rt_number_tick_digits(x, step));
    assert_string_equal(form.digits, digits);
    assert_int_equal(form.power, power);
}

static void ticks_have_no_zeros_at_their_end(void **state)
{
    (void)state;
    shown_as(99999.7, 0, "100000", 0);
    shown_as(-0.000099999, 0, "-0.0001", 0);
    shown_as(-9.9999e6, 0, "-1", 7);
    shown_as(0, 1, "0", 0);
    shown_as(2.5e-7, 0, "2.5", -7);
    shown_as(1000.25, 0.25, "1000.25", 0);
    shown_as(120, 20, "120", 0);
    shown_as(1e6, 2e5, "1", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_around_powers_of_ten_are_shown),
        cmocka_unit_test(ticks_have_no_zeros_at_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
