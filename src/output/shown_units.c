/* Results in units that are asked for. What a unit measures is six powers: of length, mass and
 * time, and of three more that SI counts as nothing but tables tell apart: of angle (rad/s is a
 * rate, 1/s is none), of cycles (Hz) and of energy (J is no torque, N m is no energy). */
#include "output/shown_units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/pi.h"
#include "base/suggest.h"
#include "expression/unit.h"

enum { MOST_FACTORS = 12, MOST_UNITS = 32, KINDS = 6, ANGLE = 3, CYCLES, ENERGY };

/* A symbol in a text, and its power there. */
typedef struct shown_factor {
    int start, length;
    double value; /* of the symbol, in SI: rad, and Hz for cycles per second */
    double kind[KINDS];
    double power;
} shown_factor;

typedef struct shown_unit {
    char text[RT_UNIT_SIZE];
    int n;
    shown_factor factors[MOST_FACTORS];
    double value, kind[KINDS]; /* of the whole */
} shown_unit;

struct routh_units {
    int n;
    shown_unit units[MOST_UNITS];
};

/* ---- a unit's text --------------------------------------------------------------------------- */

typedef struct shown_unit_reader {
    const char *text;
    int at;
    shown_unit *unit;
    int bad, bad_length; /* a word that is no symbol; -1 */
} shown_unit_reader;

static bool shown_unit_skip(shown_unit_reader *r, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(r->text + r->at, word, n) != 0) return false;
    r->at += (int)n;
    return true;
}

/* "²", "⁻¹"; false where there is none. */
static bool shown_unit_raised(shown_unit_reader *r, double *power)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const bool negative = shown_unit_skip(r, "⁻");
    double value = 0;
    int n = 0;
    for (int d = 0; d < 10; d++)
        if (shown_unit_skip(r, digits[d])) value = 10 * value + d, n++, d = -1;
    *power = negative ? -value : value;
    return n > 0;
}

/* "^2", "^-1", "^0.5", "²"; 1 where there is none. */
static bool shown_unit_power(shown_unit_reader *r, double *power)
{
    *power = 1;
    if (r->text[r->at] == '^') {
        const char *number = r->text + r->at + 1;
        char *end;
        if (!isdigit((unsigned char)number[*number == '-'])) return false;
        *power = strtod(number, &end);
        r->at += 1 + (int)(end - number);
    } else if (!shown_unit_raised(r, power))
        *power = 1;
    return *power != 0 && fabs(*power) <= 20;
}

/* Bytes of a word: letters, and what is no sign of its own beyond ASCII. */
static int word_length(const char *text)
{
    static const char *const signs[] = {"·", "⋅", "⁻", "⁰", "¹", "²", "³",
                                        "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    int n = 0;
    for (;; n++) {
        if ((unsigned char)text[n] < 0x80) {
            if (!isalpha((unsigned char)text[n])) return n;
            continue;
        }
        for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
            if (strncmp(text + n, signs[k], strlen(signs[k])) == 0) return n;
    }
}

/* What the symbol measures. */
static void kind_of_symbol(const char *name, const rt_unit *unit, double kind[KINDS])
{
    static const struct {
        const char *name;
        int kind;
    } more[] = {{"rad", ANGLE}, {"mrad", ANGLE}, {"deg", ANGLE}, {"°", ANGLE},
                {"rev", ANGLE}, {"rpm", ANGLE},  {"Hz", CYCLES}, {"kHz", CYCLES},
                {"J", ENERGY},  {"kJ", ENERGY},  {"W", ENERGY},  {"kW", ENERGY}};
    for (int k = 0; k < KINDS; k++) kind[k] = k < 3 ? unit->powers[k] : 0;
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        if (strcmp(more[k].name, name) == 0) kind[more[k].kind] = 1;
}

static void shown_unit_blanks(shown_unit_reader *r)
{
    while (r->text[r->at] == ' ') r->at++;
}

/* A symbol with its power, or 1. */
static bool shown_unit_factor(shown_unit_reader *r, double sign)
{
    char name[16];
    rt_unit symbol;
    const char *next = r->text + r->at;
    if (*next == '1' && !isdigit((unsigned char)next[1]) && next[1] != '.') {
        r->at++;
        return true;
    }
    const int length = word_length(next);
    if (length == 0 || r->unit->n == MOST_FACTORS) return false;
    snprintf(name, sizeof name, "%.*s", length, next);
    if (length >= (int)sizeof name || !rt_unit_find(name, &symbol)) {
        r->bad = r->at, r->bad_length = length;
        return false;
    }
    shown_factor *f = &r->unit->factors[r->unit->n++];
    *f = (shown_factor){.start = r->at, .length = length, .value = rt_unit_value(&symbol, 1)};
    kind_of_symbol(name, &symbol, f->kind);
    r->at += length;
    if (!shown_unit_power(r, &f->power)) return false;
    f->power *= sign;
    return true;
}

static bool shown_unit_product(shown_unit_reader *r, double sign)
{
    do {
        shown_unit_blanks(r);
        if (!shown_unit_factor(r, sign)) return false;
        shown_unit_blanks(r);
        while (shown_unit_skip(r, "*") || shown_unit_skip(r, "·") || shown_unit_skip(r, "⋅"))
            shown_unit_blanks(r);
    } while (r->text[r->at] && !strchr("/)", r->text[r->at]));
    return true;
}

/* product { "/" ( factor | "(" quotient ")" ) }: a/b/c is (a/b)/c. */
static bool shown_unit_quotient(shown_unit_reader *r, double sign)
{
    bool good = shown_unit_product(r, sign);
    while (good && shown_unit_skip(r, "/")) {
        shown_unit_blanks(r);
        good = shown_unit_skip(r, "(") ? shown_unit_quotient(r, -sign) && shown_unit_skip(r, ")")
                                       : shown_unit_factor(r, -sign);
        shown_unit_blanks(r);
    }
    return good;
}

/* *bad: where a word begins that is no symbol, and its length, or -1. */
static bool shown_unit_read(shown_unit *unit, const char *text, int *bad, int *bad_length)
{
    shown_unit_reader r = {.text = text, .unit = unit, .bad = -1};
    unit->n = 0, unit->value = 1;
    memset(unit->kind, 0, sizeof unit->kind);
    const bool good = strlen(text) < sizeof unit->text && shown_unit_quotient(&r, 1) && !text[r.at];
    *bad = r.bad, *bad_length = r.bad_length;
    if (!good || unit->n == 0) return false;
    snprintf(unit->text, sizeof unit->text, "%s", text);
    for (int i = 0; i < unit->n; i++) {
        const shown_factor *f = &unit->factors[i];
        unit->value *= pow(f->value, f->power);
        for (int k = 0; k < KINDS; k++) unit->kind[k] += f->power * f->kind[k];
    }
    return true;
}

/* ---- the list -------------------------------------------------------------------------------- */

static bool same_kind(const double a[KINDS], const double b[KINDS])
{
    for (int k = 0; k < KINDS; k++)
        if (fabs(a[k] - b[k]) > 1e-9) return false;
    return true;
}

static bool is_ratio(const double kind[KINDS])
{
    static const double none[KINDS] = {0};
    return same_kind(kind, none);
}

static routh_status units_refuse(const char *text, int bad, int length, routh_error *error)
{
    char word[40];
    if (bad < 0)
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "'%.60s' is no unit to show results in; units are written like mm, N/mm, "
                       "m/s^2, with commas between them",
                       text);
    snprintf(word, sizeof word, "%.*s", length, text + bad);
    const char *near = rt_suggest(word, rt_unit_names);
    return rt_fail(error, ROUTH_BAD_ARGUMENT,
                   "'%s' is no unit%s%s%s; units are m, kg, s, N and others, their powers and "
                   "products (mm, N/mm, rpm): the reference lists them",
                   word, near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

static routh_status units_add(routh_units *all, const char *text, routh_error *error)
{
    int bad, length;
    if (all->n == MOST_UNITS)
        return rt_fail(error, ROUTH_BAD_ARGUMENT, "these are more than %d units", MOST_UNITS);
    shown_unit *unit = &all->units[all->n];
    if (!shown_unit_read(unit, text, &bad, &length)) return units_refuse(text, bad, length, error);
    if (strchr(text, '/') != strrchr(text, '/'))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "'%s' has more than one '/'; put what is below it in parentheses, as in "
                       "N/(m s)",
                       text);
    if (is_ratio(unit->kind))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "'%s' is a ratio, and no number of the results would change by it", text);
    for (int k = 0; k < all->n; k++)
        if (same_kind(unit->kind, all->units[k].kind))
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "%s and %s are units of one kind, and a number is shown in one of "
                           "them; leave the other out",
                           all->units[k].text, text);
    all->n++;
    return ROUTH_OK;
}

routh_status routh_units_read(routh_units **units, const char *list, routh_error *error)
{
    routh_status status = ROUTH_OK;
    *units = calloc(1, sizeof **units);
    if (!*units) return rt_fail_memory(error);
    for (const char *at = list; at && !status;) {
        char text[RT_UNIT_SIZE];
        int n = (int)strcspn(at, ",");
        const char *next = at[n] ? at + n + 1 : NULL;
        while (n > 0 && *at == ' ') at++, n--;
        while (n > 0 && at[n - 1] == ' ') n--;
        if (n == 0)
            status = rt_fail(error, ROUTH_BAD_ARGUMENT,
                             "a unit is missing in '%.60s'; write units with commas between them, "
                             "such as mm,Hz,deg",
                             list);
        else if (n >= (int)sizeof text)
            status = units_refuse(at, -1, 0, error);
        else {
            snprintf(text, sizeof text, "%.*s", n, at);
            status = units_add(*units, text, error);
        }
        at = next;
    }
    if (status) {
        routh_units_free(*units);
        *units = NULL;
    }
    return status;
}

void routh_units_free(routh_units *units) { free(units); }

/* ---- what is shown --------------------------------------------------------------------------- */

static double take_whole(rt_text *text, int k, double factor, const char **shown,
                         char room[RT_UNIT_SIZE])
{
    const shown_unit *asked = &text->units->units[k];
    text->units_shown |= 1U << k;
    snprintf(room, RT_UNIT_SIZE, "%s", asked->text);
    *shown = room;
    return factor / asked->value;
}

/* The unit of this kind in the list; -1. alone: a symbol, which may be a factor of others. */
static int asked_of_kind(const routh_units *units, const double kind[KINDS], bool alone)
{
    for (int k = 0; k < units->n; k++) {
        const shown_unit *asked = &units->units[k];
        if (alone && (asked->n != 1 || asked->factors[0].power != 1)) continue;
        if (same_kind(asked->kind, kind)) return k;
    }
    return -1;
}

/* Symbols of the unit replaced by those of their kind; 1, and *shown as it is, where there are none
 * or they do not fit. */
static double take_symbols(rt_text *text, const shown_unit *unit, bool circular,
                           const char **shown, char room[RT_UNIT_SIZE])
{
    double factor = 1;
    unsigned taken = 0;
    int from = 0, length = 0;
    for (int i = 0; i < unit->n; i++) {
        const shown_factor *f = &unit->factors[i];
        const int k = asked_of_kind(text->units, f->kind, true);
        if (k < 0 || (circular && f->kind[ANGLE] != 0)) continue;
        const shown_unit *asked = &text->units->units[k];
        length += snprintf(room + length, (size_t)(RT_UNIT_SIZE - length), "%.*s%s",
                           f->start - from, unit->text + from, asked->text);
        if (length >= RT_UNIT_SIZE) return 1;
        factor *= pow(f->value / asked->value, f->power);
        from = f->start + f->length;
        taken |= 1U << k;
    }
    length += snprintf(room + length, (size_t)(RT_UNIT_SIZE - length), "%s", unit->text + from);
    if (!taken || length >= RT_UNIT_SIZE) return 1;
    text->units_shown |= taken;
    *shown = room;
    return factor;
}

double rt_unit_shown(rt_text *text, const char *of, bool circular, const char **shown,
                     char room[RT_UNIT_SIZE])
{
    static const double frequency[KINDS] = {0, 0, -1, 0, 1, 0}, rate[KINDS] = {0, 0, -1, 1, 0, 0};
    shown_unit unit;
    int k, bad, length;
    *shown = of;
    if (!text->units || !of || !shown_unit_read(&unit, of, &bad, &length)) return 1;
    if (!circular && (k = asked_of_kind(text->units, unit.kind, false)) >= 0)
        return take_whole(text, k, unit.value, shown, room);
    if (same_kind(unit.kind, frequency) && (k = asked_of_kind(text->units, rate, false)) >= 0)
        return take_whole(text, k, RT_TWO_PI * unit.value, shown, room);
    return take_symbols(text, &unit, circular, shown, room);
}

const char *rt_frequency_shown(rt_text *text, double hz, int digits, char words[RT_UNIT_SIZE])
{
    char number[RT_NUMBER_SIZE], room[RT_UNIT_SIZE];
    const char *shown;
    rt_number_text(number, rt_unit_shown(text, "Hz", false, &shown, room) * hz, digits);
    snprintf(words, RT_UNIT_SIZE, "%s %.*s", number, RT_UNIT_SIZE - RT_NUMBER_SIZE - 2, shown);
    return words;
}

void rt_units_say_unused(rt_text *text)
{
    const routh_units *units = text->units;
    int n = 0, left = 0;
    for (int k = 0; units && k < units->n; k++) left += !(text->units_shown >> k & 1U);
    for (int k = 0; units && k < units->n; k++) {
        if (text->units_shown >> k & 1U) continue;
        rt_text_append(text, "%s%s",
                       n == 0          ? "\nNo number here can be shown in "
                       : n == left - 1 ? " or "
                                       : ", ",
                       units->units[k].text);
        n++;
    }
    if (n) rt_text_append(text, ".\n");
}
