/* The symbols of units, and their products. Values: BIPM, The International System of Units (SI
 * Brochure), 9th edition, tables 4, 5 and 8; inch, pound and pound-force: NIST SP 811, appendix
 * B. */
#include "expression/unit.h"

#include "base/pi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INCH 2.54
#define POUND 0.45359237
#define POUND_FORCE 4.4482216152605

static const struct {
    const char *name;
    rt_unit unit;
} symbols[] = {
    {"rad", {1, 0, {0, 0, 0}}},
    {"mrad", {1, -3, {0, 0, 0}}},
    {"deg", {RT_PI / 180, 0, {0, 0, 0}}},
    {"°", {RT_PI / 180, 0, {0, 0, 0}}},
    {"rev", {2 * RT_PI, 0, {0, 0, 0}}},
    {"um", {1, -6, {1, 0, 0}}},
    {"µm", {1, -6, {1, 0, 0}}},
    {"μm", {1, -6, {1, 0, 0}}},
    {"mm", {1, -3, {1, 0, 0}}},
    {"cm", {1, -2, {1, 0, 0}}},
    {"dm", {1, -1, {1, 0, 0}}},
    {"m", {1, 0, {1, 0, 0}}},
    {"km", {1, 3, {1, 0, 0}}},
    {"in", {INCH, -2, {1, 0, 0}}},
    {"ft", {12 * INCH, -2, {1, 0, 0}}},
    {"mg", {1, -6, {0, 1, 0}}},
    {"g", {1, -3, {0, 1, 0}}},
    {"kg", {1, 0, {0, 1, 0}}},
    {"t", {1, 3, {0, 1, 0}}},
    {"lb", {POUND, 0, {0, 1, 0}}},
    {"us", {1, -6, {0, 0, 1}}},
    {"µs", {1, -6, {0, 0, 1}}},
    {"μs", {1, -6, {0, 0, 1}}},
    {"ms", {1, -3, {0, 0, 1}}},
    {"s", {1, 0, {0, 0, 1}}},
    {"min", {60, 0, {0, 0, 1}}},
    {"h", {3600, 0, {0, 0, 1}}},
    {"Hz", {1, 0, {0, 0, -1}}},
    {"kHz", {1, 3, {0, 0, -1}}},
    {"rpm", {RT_PI / 30, 0, {0, 0, -1}}},
    {"mN", {1, -3, {1, 1, -2}}},
    {"N", {1, 0, {1, 1, -2}}},
    {"kN", {1, 3, {1, 1, -2}}},
    {"MN", {1, 6, {1, 1, -2}}},
    {"lbf", {POUND_FORCE, 0, {1, 1, -2}}},
    {"Nm", {1, 0, {2, 1, -2}}},
    {"kNm", {1, 3, {2, 1, -2}}},
    {"Nmm", {1, -3, {2, 1, -2}}},
    {"J", {1, 0, {2, 1, -2}}},
    {"kJ", {1, 3, {2, 1, -2}}},
    {"W", {1, 0, {2, 1, -3}}},
    {"kW", {1, 3, {2, 1, -3}}},
    {"Pa", {1, 0, {-1, 1, -2}}},
    {"kPa", {1, 3, {-1, 1, -2}}},
    {"MPa", {1, 6, {-1, 1, -2}}},
    {"GPa", {1, 9, {-1, 1, -2}}},
    {"bar", {1, 5, {-1, 1, -2}}},
    {"psi", {POUND_FORCE / (INCH * INCH), 4, {-1, 1, -2}}},
};

enum { SYMBOLS = sizeof symbols / sizeof *symbols };

const char *const rt_unit_names[] = {
    "rad", "mrad", "deg", "°",   "rev", "um",  "µm", "μm", "mm",  "cm",  "dm",  "m",   "km",
    "in",  "ft",   "mg",  "g",   "kg",  "t",   "lb", "us", "µs",  "μs",  "ms",  "s",   "min",
    "h",   "Hz",   "kHz", "rpm", "mN",  "N",   "kN", "MN", "lbf", "Nm",  "kNm", "Nmm", "J",
    "kJ",  "W",    "kW",  "Pa",  "kPa", "MPa", "GPa", "bar", "psi", NULL};

_Static_assert(sizeof rt_unit_names / sizeof *rt_unit_names == SYMBOLS + 1, "a name for each unit");

static bool find_unit_symbol(const char *name, size_t length, rt_unit *out)
{
    for (int k = 0; k < SYMBOLS; k++)
        if (strlen(symbols[k].name) == length && !memcmp(symbols[k].name, name, length)) {
            *out = symbols[k].unit;
            return true;
        }
    return false;
}

/* ---- raised digits and dots ------------------------------------------------------------------ */

static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

static bool skip_word(const char **text, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(*text, word, n) != 0) return false;
    *text += n;
    return true;
}

static int raised_digit(const char **text)
{
    for (int digit = 0; digit < 10; digit++)
        if (skip_word(text, raised[digit])) return digit;
    return -1;
}

/* The raised number that the text begins with; 0 where it begins with none. */
static double raised_number(const char **text)
{
    const bool negative = skip_word(text, "⁻");
    double value = 0;
    for (int digit; value < 100 && (digit = raised_digit(text)) >= 0;) value = 10 * value + digit;
    return negative ? -value : value;
}

static bool begins_raised(const char *text)
{
    const char *at = text;
    return skip_word(&at, "⁻") || raised_number(&at) != 0;
}

static bool begins_dot(const char *text)
{
    return skip_word(&text, "·") || skip_word(&text, "⋅");
}

bool rt_unit_find(const char *name, rt_unit *out)
{
    *out = (rt_unit){1, 0, {0, 0, 0}};
    for (;;) {
        rt_unit symbol;
        size_t n = 0;
        while (name[n] && !begins_raised(name + n) && !begins_dot(name + n)) n++;
        if (!find_unit_symbol(name, n, &symbol)) return false;
        name += n;
        const double power = *name && !begins_dot(name) ? raised_number(&name) : 1;
        if (power == 0 || fabs(power) > 20) return false;
        rt_unit_times(out, &symbol, power);
        if (!*name) return true;
        if (!skip_word(&name, "·") && !skip_word(&name, "⋅")) return false;
    }
}

/* ---- products -------------------------------------------------------------------------------- */

void rt_unit_times(rt_unit *to, const rt_unit *by, double power)
{
    to->mantissa *= pow(by->mantissa, power);
    to->decimal += by->decimal * power;
    for (int k = 0; k < 3; k++) to->powers[k] += by->powers[k] * power;
}

rt_unit rt_unit_over(const rt_unit *a, const rt_unit *b)
{
    rt_unit quotient = *a;
    rt_unit_times(&quotient, b, -1);
    return quotient;
}

rt_unit rt_unit_consistent(const rt_unit_system *system, const rt_unit *of)
{
    rt_unit unit = {1, 0, {0, 0, 0}};
    for (int k = 0; k < 3; k++)
        if (of->powers[k] != 0) rt_unit_times(&unit, &system->base[k], of->powers[k]);
    return unit;
}

double rt_unit_value(const rt_unit *unit, double number)
{
    const double value = number * unit->mantissa;
    /* 10^22 is the last power of ten that a double has exactly */
    if (unit->decimal < 0 && unit->decimal >= -22) return value / pow(10, -unit->decimal);
    return value * pow(10, unit->decimal);
}

bool rt_unit_same_dimension(const rt_unit *a, const rt_unit *b)
{
    for (int k = 0; k < 3; k++)
        if (fabs(a->powers[k] - b->powers[k]) > 1e-9) return false;
    return true;
}

const char *rt_unit_dimension(const rt_unit *unit, char text[64])
{
    static const char *const bases[] = {"kg", "m", "s"};
    const double powers[] = {unit->powers[1], unit->powers[0], unit->powers[2]};
    int n = 0;
    text[0] = '\0';
    for (int k = 0; k < 3; k++) {
        if (powers[k] == 0 || n >= 64) continue;
        n += snprintf(text + n, (size_t)(64 - n), "%s%s", n ? " " : "", bases[k]);
        if (powers[k] != 1 && n < 64) n += snprintf(text + n, (size_t)(64 - n), "^%g", powers[k]);
    }
    if (!n) snprintf(text, 64, "no dimension");
    return text;
}
