/* Units in texts: which words belong to a unit, and which texts have two readings. */
#include "expression/scan.h"
#include "expression/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "expression/builtin.h"

enum { LARGEST_POWER = 20, UNIT_SHOWN = 60 };

typedef struct unit_reader {
    const rt_unit_text *from;
    routh_error *error;
    routh_status status;
    rt_token token; /* the one to be read next */
    int end;        /* after the last token of the unit */
    int slash;      /* of the first solidus, -1 */
} unit_reader;

static bool unit_fail(unit_reader *r, int at, const char *message)
{
    if (r->status == ROUTH_OK)
        r->status = rt_fail_at(r->error, ROUTH_SYNTAX_ERROR, NULL, rt_place_at(0, at + 1), NULL,
                               "%s", message);
    return false;
}

/* What cannot be scanned ends the unit: whoever reads on reports it. */
static rt_token unit_token(unit_reader *r, int at)
{
    rt_token token;
    const routh_status status = rt_scan(r->from->text, at, r->from->names, &token, NULL);
    if (status) token = (rt_token){.kind = RT_TOKEN_END, .start = at, .end = at};
    if (status == ROUTH_OUT_OF_MEMORY && r->status == ROUTH_OK)
        r->status = rt_fail_memory(r->error);
    return token;
}

static bool is_sign(const rt_token *token, char sign)
{
    return token->kind == RT_TOKEN_SIGN && token->sign == sign;
}

/* A name that is a unit, and not the function min(. */
static bool is_unit(unit_reader *r, const rt_token *token)
{
    rt_unit unit;
    if (token->kind != RT_TOKEN_NAME || !rt_unit_find(token->name, &unit)) return false;
    const rt_token next = unit_token(r, token->end);
    return !(is_sign(&next, '(') && rt_builtin_find(token->name));
}

static const char *piece(const unit_reader *r, int from, int to, char text[UNIT_SHOWN + 4])
{
    const int n = to - from;
    snprintf(text, UNIT_SHOWN + 4, "%.*s%s", n < UNIT_SHOWN ? n : UNIT_SHOWN, r->from->text + from,
             n > UNIT_SHOWN ? "..." : "");
    return text;
}

/* ---- texts with two readings ----------------------------------------------------------------- */

/* The reading with the quantity: 2*g, (5 kg)*g, (40 N)/m, (40 N)/(.. m). */
static void with_quantity(const unit_reader *r, const rt_token *name, char *text, size_t size)
{
    char before[UNIT_SHOWN + 4];
    const bool first = r->end < 0, below = r->slash >= 0;
    int to = first ? name->start : below ? r->slash : r->end;
    while (to > r->from->start && strchr(" \t\n\r", r->from->text[to - 1])) to--;
    piece(r, r->from->start, to, before);
    if (first)
        snprintf(text, size, "%s*%.40s", before, name->name);
    else if (below && r->end > r->slash + 1)
        snprintf(text, size, "(%s)/(.. %.40s)", before, name->name);
    else
        snprintf(text, size, "(%s)%c%.40s", before, below ? '/' : '*', name->name);
}

/* `2 g` and `40 N/m` where the model has a quantity g, m. */
static bool fail_taken(unit_reader *r, const rt_token *name)
{
    char whole[UNIT_SHOWN + 4], quantity[2 * UNIT_SHOWN], message[512];
    with_quantity(r, name, quantity, sizeof quantity);
    snprintf(
        message, sizeof message,
        "'%s' has two readings, as '%.40s' is a unit and the name of a quantity of the model: "
        "the unit, or the quantity, %s; write the latter for the quantity; for the unit rename "
        "the quantity or take another unit",
        piece(r, r->from->start, name->end, whole), name->name, quantity);
    return unit_fail(r, name->start, message);
}

/* `N/m/s`, `N/m s`: another unit after the solidus. */
static bool fail_solidus(unit_reader *r, const rt_token *rest)
{
    char whole[UNIT_SHOWN + 4], upper[UNIT_SHOWN + 4], lower[UNIT_SHOWN + 4], message[512];
    piece(r, r->from->start, rest->end, whole);
    piece(r, r->from->start, r->slash, upper);
    piece(r, r->slash + 1, r->end, lower);
    snprintf(message, sizeof message,
             "'%s' has two readings: %s/(%s %.40s) and %s %.40s/%s; write one of them", whole,
             upper, lower, rest->name, upper, rest->name, lower);
    return unit_fail(r, rest->start, message);
}

/* ---- the grammar ----------------------------------------------------------------------------- */

static void take(unit_reader *r)
{
    r->end = r->token.end;
    r->token = unit_token(r, r->token.end);
}

static bool signed_number(unit_reader *r, double *value)
{
    double sign = 1;
    if (is_sign(&r->token, '-') || is_sign(&r->token, '+')) {
        if (r->token.sign == '-') sign = -1;
        take(r);
    }
    if (r->token.kind != RT_TOKEN_NUMBER) return false;
    *value = sign * r->token.number;
    take(r);
    return true;
}

/* number, or "(" number [ / number ] ")" */
static bool unit_exponent(unit_reader *r, double *value)
{
    double divisor = 1;
    if (!is_sign(&r->token, '(')) return signed_number(r, value);
    take(r);
    if (!signed_number(r, value)) return false;
    if (is_sign(&r->token, '/')) {
        take(r);
        if (!signed_number(r, &divisor) || divisor == 0) return false;
    }
    if (!is_sign(&r->token, ')')) return false;
    take(r);
    *value /= divisor;
    return true;
}

/* `m s-2`: a digit close behind a unit, which may be its power or subtracted. */
static bool digit_close(unit_reader *r)
{
    char whole[UNIT_SHOWN + 4], before[UNIT_SHOWN + 4], message[400];
    const char *text = r->from->text;
    const rt_token sign = r->token;
    if (!is_sign(&sign, '-') && !is_sign(&sign, '+')) return true;
    if (sign.start != r->end || strchr(" \t\n\r", text[sign.end])) return true;
    const rt_token number = unit_token(r, sign.end);
    if (number.kind != RT_TOKEN_NUMBER || number.end != number.start + 1) return true;
    const rt_token next = unit_token(r, number.end);
    if (is_unit(r, &next)) return true;
    piece(r, r->from->start, number.end, whole);
    piece(r, r->from->start, r->end, before);
    snprintf(message, sizeof message,
             "'%s' has two readings: %s^%c%c and %s %c %c; write one of them", whole, before,
             sign.sign, text[number.start], before, sign.sign, text[number.start]);
    return unit_fail(r, sign.start, message);
}

static bool fail_second_power(unit_reader *r)
{
    return unit_fail(r, r->token.start,
                     "a unit has one power; to raise number and unit together, put them in "
                     "parentheses");
}

/* Not with a power of its own, as mm² has. */
static bool is_symbol(const char *name)
{
    for (int k = 0; rt_unit_names[k]; k++)
        if (!strcmp(rt_unit_names[k], name)) return true;
    return false;
}

static bool unit_power(unit_reader *r, rt_unit *out, const rt_unit *unit, double power)
{
    double exponent = 1;
    take(r);
    const int at = r->token.start;
    if (!unit_exponent(r, &exponent))
        return unit_fail(r, at,
                         "the power of a unit is a number, as in mm^2, s^-1; to raise number and "
                         "unit together, put them in parentheses");
    if (fabs(exponent) > LARGEST_POWER)
        return unit_fail(r, at, "the power of a unit is at most 20");
    if (r->token.kind == RT_TOKEN_POWER) return fail_second_power(r);
    rt_unit_times(out, unit, power * exponent);
    return true;
}

/* symbol [ ^ number ] */
static bool unit_factor(unit_reader *r, rt_unit *out, double power)
{
    const rt_token name = r->token;
    rt_unit unit;
    if (r->from->taken && r->from->taken(r->from->context, name.name)) return fail_taken(r, &name);
    rt_unit_find(name.name, &unit);
    take(r);
    if (r->token.kind == RT_TOKEN_POWER)
        return is_symbol(name.name) ? unit_power(r, out, &unit, power) : fail_second_power(r);
    rt_unit_times(out, &unit, power);
    return digit_close(r);
}

/* factor { [*] factor } */
static bool unit_product(unit_reader *r, rt_unit *out, double power)
{
    if (!unit_factor(r, out, power)) return false;
    for (;;) {
        rt_token next = r->token;
        if (is_sign(&next, '*')) next = unit_token(r, next.end);
        if (!is_unit(r, &next)) return true;
        r->token = next;
        if (!unit_factor(r, out, power)) return false;
    }
}

/* "(" product [ / factor ] ")" where all that is in there are units and their powers: where not, an
 * expression that the unit is divided by. */
static bool is_group(unit_reader *r, int at)
{
    int n = 0;
    for (rt_token t = unit_token(r, at);; t = unit_token(r, t.end)) {
        if (is_sign(&t, ')')) return n > 0;
        if (is_unit(r, &t)) {
            n++;
            continue;
        }
        const bool joins =
            t.kind == RT_TOKEN_POWER || (t.kind == RT_TOKEN_SIGN && strchr("*/-", t.sign) != NULL);
        if (n == 0 || !(joins || t.kind == RT_TOKEN_NUMBER)) return false;
    }
}

/* What comes after the solidus. */
static bool unit_below(unit_reader *r, rt_unit *out, const rt_token *first)
{
    r->token = *first;
    if (!is_sign(first, '(')) return unit_factor(r, out, -1);
    take(r);
    if (!unit_product(r, out, -1)) return false;
    if (is_sign(&r->token, '/')) {
        r->token = unit_token(r, r->token.end);
        if (!is_unit(r, &r->token)) return unit_fail(r, r->token.start, "a unit is missing here");
        if (!unit_factor(r, out, 1)) return false;
    }
    if (!is_sign(&r->token, ')'))
        return unit_fail(r, r->token.start, "the parenthesis of a unit is not closed; add ')'");
    take(r);
    return true;
}

static bool begins_below(unit_reader *r, const rt_token *first)
{
    return is_unit(r, first) || (is_sign(first, '(') && is_group(r, first->end));
}

/* A unit that follows the whole, with or without a sign between. */
static bool refuse_rest(unit_reader *r)
{
    rt_token next = r->token;
    if (r->slash < 0) return true;
    if (is_sign(&next, '*') || is_sign(&next, '/')) next = unit_token(r, next.end);
    return is_unit(r, &next) ? fail_solidus(r, &next) : true;
}

static bool unit_whole(unit_reader *r, rt_unit *out)
{
    *out = (rt_unit){1, 0, {0, 0, 0}};
    if (!unit_product(r, out, 1)) return false;
    if (is_sign(&r->token, '/')) {
        const rt_token first = unit_token(r, r->token.end);
        if (!begins_below(r, &first)) return true;
        r->slash = r->token.start;
        if (!unit_below(r, out, &first)) return false;
    }
    return refuse_rest(r);
}

static bool fail_unit(unit_reader *r, const rt_token *name)
{
    char message[512];
    const char *near = rt_suggest(name->name, rt_unit_names);
    snprintf(message, sizeof message,
             "'%.60s%s' is no unit%s%s%s; to multiply, write '*' before it; units are m, kg, s, N "
             "and others, their powers and products (mm^2, kN/m): the reference lists them",
             name->name, strlen(name->name) > 60 ? "..." : "", near ? " (did you mean " : "",
             near ? near : "", near ? "?)" : "");
    return unit_fail(r, name->start, message);
}

routh_status rt_unit_read(const rt_unit_text *from, int at, rt_unit *out, int *end,
                          routh_error *error)
{
    unit_reader r = {.from = from, .error = error, .end = -1, .slash = -1};
    r.token = unit_token(&r, at);
    if (is_unit(&r, &r.token))
        unit_whole(&r, out);
    else if (r.token.kind == RT_TOKEN_NAME)
        fail_unit(&r, &r.token);
    else
        unit_fail(&r, at, "a unit is missing here");
    *end = r.end;
    return r.status;
}

routh_status rt_unit_of(const char *text, rt_unit *out, bool *is_unit)
{
    rt_arena names = {0};
    const rt_unit_text from = {text, 0, NULL, NULL, &names};
    int end;
    const routh_status status = rt_unit_read(&from, 0, out, &end, NULL);
    rt_arena_free(&names);
    *is_unit = !status && text[end] == '\0';
    return status == ROUTH_OUT_OF_MEMORY ? status : ROUTH_OK;
}
