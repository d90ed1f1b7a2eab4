/* Dimensions of texts with units. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expression/builtin.h"
#include "expression/unit.h"

rt_dimension rt_dimension_times(rt_dimension a, rt_dimension b, double power)
{
    if (!a.known || !b.known) return (rt_dimension){0};
    for (int k = 0; k < 3; k++) a.unit.powers[k] += b.unit.powers[k] * power;
    a.measured = a.measured || b.measured;
    return a;
}

const char *rt_dimension_describe(const rt_unit *unit, char text[RT_DIMENSION_SIZE])
{
    static const struct {
        double powers[3]; /* m, kg, s */
        const char *words;
    } named[] = {
        {{0, 0, 0}, "an angle or a ratio"},
        {{1, 0, 0}, "a length"},
        {{0, 1, 0}, "a mass"},
        {{0, 0, 1}, "a time"},
        {{1, 1, -2}, "a force"},
        {{1, 0, -1}, "a velocity"},
        {{0, 0, -1}, "a rate or frequency"},
        {{1, 0, -2}, "an acceleration"},
        {{2, 0, 0}, "an area"},
        {{-1, 1, -2}, "a pressure"},
    };
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        rt_unit like = {.mantissa = 1};
        memcpy(like.powers, named[k].powers, sizeof like.powers);
        if (!rt_unit_same_dimension(&like, unit)) continue;
        snprintf(text, RT_DIMENSION_SIZE, "%s", named[k].words);
        return text;
    }
    char powers[64];
    snprintf(text, RT_DIMENSION_SIZE, "a value in %s", rt_unit_dimension(unit, powers));
    return text;
}

/* The letter of argument k. */
static char dimension_letter(const rt_builtin *b, int k)
{
    const int n = (int)strlen(b->dimensions);
    if (k < n) return b->dimensions[k];
    return b->repeat ? b->dimensions[n - b->repeat + (k - n) % b->repeat] : '.';
}

/* sin(time), exp(-time): by custom the time over 1 s. */
static bool is_time(const rt_dimension *dimension)
{
    static const rt_unit second = {.mantissa = 1, .powers = {0, 0, 1}};
    return dimension->measured && rt_unit_same_dimension(&dimension->unit, &second);
}

bool rt_dimensions_problem(const rt_builtin *b, const rt_dimension *of, int n, char *problem,
                           int *at)
{
    static const rt_unit none = {.mantissa = 1};
    char one[RT_DIMENSION_SIZE], other[RT_DIMENSION_SIZE];
    for (int k = 0; b->dimensions && k < n; k++) {
        const char letter = dimension_letter(b, k);
        *at = k;
        if (!of[k].known || letter == '.') continue;
        if (letter == '1' && !rt_unit_same_dimension(&of[k].unit, &none) && !is_time(&of[k])) {
            snprintf(problem, RT_PROBLEM_SIZE, "argument %d is %s; a plain number is needed", k + 1,
                     rt_dimension_describe(&of[k].unit, one));
            return true;
        }
        for (int j = 0; j < k && letter != '1'; j++) {
            if (!of[j].known || dimension_letter(b, j) != letter ||
                rt_unit_same_dimension(&of[j].unit, &of[k].unit))
                continue;
            snprintf(problem, RT_PROBLEM_SIZE,
                     "argument %d is %s and argument %d is %s; the two must be of one dimension",
                     j + 1, rt_dimension_describe(&of[j].unit, one), k + 1,
                     rt_dimension_describe(&of[k].unit, other));
            return true;
        }
    }
    return false;
}

/* Of the arguments with this letter: what is known of one of them, by a measure if one has it. */
static rt_dimension dimension_of_letter(const rt_builtin *b, const rt_dimension *of, int n,
                                        char letter)
{
    rt_dimension found = {0};
    for (int k = 0; k < n; k++) {
        if (!of[k].known || dimension_letter(b, k) != letter) continue;
        const bool measured = found.measured || of[k].measured;
        found = of[k];
        found.measured = measured;
    }
    return found;
}

rt_dimension rt_builtin_dimension(const rt_builtin *b, const rt_dimension *of, int n, double power)
{
    const rt_dimension none = {.known = true};
    switch (b->result) {
    case 0: return (rt_dimension){0};
    case 'r': return rt_dimension_times(none, of[0], 0.5);
    case 'p': return isfinite(power) ? rt_dimension_times(none, of[0], power) : (rt_dimension){0};
    default: return dimension_of_letter(b, of, n, b->result);
    }
}

routh_status rt_unit_listed(const char *text, rt_unit *unit, bool *is_unit)
{
    *unit = (rt_unit){.mantissa = 1};
    if (text[0] != '1') return rt_unit_of(text, unit, is_unit);
    *is_unit = !text[1];
    if (text[1] != '/') return ROUTH_OK;
    rt_unit below;
    const routh_status status = rt_unit_of(text + 2, &below, is_unit);
    if (!status && *is_unit) rt_unit_times(unit, &below, -1);
    return status;
}

/* The next of a list's units into one; false: there is no room for it. */
static bool next_listed(const char **units, char *one, size_t room)
{
    const char *comma = strstr(*units, ", "), * or = strstr(*units, " or ");
    const char *end = comma && (! or || comma < or) ? comma : or ;
    const size_t n = end ? (size_t)(end - *units) : strlen(*units);
    if (n >= room) return false;
    memcpy(one, *units, n);
    one[n] = '\0';
    *units = !end ? *units + n : end + (end == comma ? 2 : 4);
    return true;
}

routh_status rt_unit_of_field_in(const rt_unit_system *system, const char *text, rt_unit *unit,
                                 bool *one)
{
    char listed_text[32];
    bool first = true;
    *unit = (rt_unit){.mantissa = 1};
    *one = !strstr(text, " or ");
    for (rt_unit listed; *text && *one; first = false) {
        *one = next_listed(&text, listed_text, sizeof listed_text);
        const routh_status status = *one ? rt_unit_listed(listed_text, &listed, one) : ROUTH_OK;
        if (status || !*one) return status;
        listed = rt_unit_consistent(system, &listed);
        if (first) *unit = listed;
        *one = rt_unit_value(&listed, 1) == rt_unit_value(unit, 1);
    }
    return ROUTH_OK;
}

routh_status rt_unit_among(const char *units, const rt_unit *unit, bool *among)
{
    char one[32];
    *among = false;
    for (rt_unit listed; *units && !*among;) {
        bool is_unit = false;
        const bool short_enough = next_listed(&units, one, sizeof one);
        const routh_status status =
            short_enough ? rt_unit_listed(one, &listed, &is_unit) : ROUTH_OK;
        if (status) return status;
        *among = !is_unit || rt_unit_same_dimension(&listed, unit);
        if (!short_enough) return ROUTH_OK;
    }
    return ROUTH_OK;
}
