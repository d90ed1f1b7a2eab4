#include "base/number_form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_POWER = -4, MOST_POWER = 6 };

/* Of another locale than C. */
static void point_where_there_is_none(char *text)
{
    char *point = text + strspn(text, "-0123456789");
    if (*point && *point != 'e') *point = '.';
}

void rt_number_form_find(rt_number_form *form, double x, int digits)
{
    char *const text = form->digits;
    const int kept = digits < 1 ? 1 : digits > RT_NUMBER_EXACT ? RT_NUMBER_EXACT : digits;
    form->power = 0;
    if (x == 0) {
        strcpy(text, "0");
        return;
    }
    snprintf(text, RT_NUMBER_SIZE, "%.*e", kept - 1, x);
    char *const e = strchr(text, 'e');
    const int power = e ? atoi(e + 1) : 0;
    if (power < LEAST_POWER || power >= MOST_POWER) {
        *e = '\0';
        form->power = power;
    } else
        snprintf(text, RT_NUMBER_SIZE, "%.*f", kept > power + 1 ? kept - 1 - power : 0, x);
    point_where_there_is_none(text);
}

void rt_number_form_short(rt_number_form *form, double x, int digits)
{
    rt_number_form_find(form, x, digits);
    char *end = form->digits + strlen(form->digits);
    if (!strchr(form->digits, '.')) return;
    while (end[-1] == '0') *--end = '\0';
    if (end[-1] == '.') end[-1] = '\0';
}

int rt_number_tick_digits(double value, double step)
{
    enum { FEW = 4, LEAST = 3, MOST = 12 };
    if (!(step > 0) || value == 0) return FEW;
    return (int)fmin(MOST, fmax(LEAST, ceil(log10(fabs(value) / step)) + 2));
}
