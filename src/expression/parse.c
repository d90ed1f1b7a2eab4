/* Text to expression, by recursive descent:
 *     sum     = product { (+ | -) product }
 *     product = signed { (* | /) signed }
 *     signed  = { + | - } united
 *     united  = power [ unit ]      where the power is of, and ends with, a number or a parenthesis
 *     power   = atom [ ^ { + | - } power ]
 *     atom    = number | name | name ( sum { , sum } ) | ( sum )
 * Every function gives RT_NO_EXPR when it failed; the error is then filled and the status set. */
#include "expression/builtin.h"
#include "expression/scan.h"
#include "expression/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

enum { LONGEST_TEXT = 10000, DEEPEST = 100, SHOWN = 60 };

typedef struct parser {
    rt_graph *graph;
    const char *text;
    const rt_resolver *resolver;
    routh_error *error;
    routh_status status;
    rt_arena names;
    rt_token token; /* the one to be read next */
    int depth;
    int unit;               /* where the operand just read has its unit, -1: it has none */
    rt_dimension dimension; /* of the expression just read */
} parser;

/* ---- failing --------------------------------------------------------------------------------- */

static rt_expr parse_fail(parser *p, routh_status status, int at, const char *message)
{
    if (p->status != ROUTH_OK) return RT_NO_EXPR;
    p->status = rt_fail_at(p->error, status, NULL, rt_place_at(0, at + 1), NULL, "%s", message);
    return RT_NO_EXPR;
}

static rt_expr fail_syntax(parser *p, int at, const char *message)
{
    return parse_fail(p, ROUTH_SYNTAX_ERROR, at, message);
}

/* A message with a name in it, cut to a readable length. */
static rt_expr parse_fail_name(parser *p, routh_status status, int at, const char *format,
                               const char *name)
{
    char shown[SHOWN + 4], message[512];
    size_t n = strlen(name);
    snprintf(shown, sizeof shown, "%.*s%s", SHOWN, name, n > SHOWN ? "..." : "");
    /* the formats are those written out in this file; each has one %s */
    const char *mark = strstr(format, "%s");
    n = (size_t)(mark - format);
    snprintf(message, sizeof message, "%.*s%s%s", (int)n, format, shown, mark + 2);
    return parse_fail(p, status, at, message);
}

/* An expression just made: memory and finiteness are checked here. */
static rt_expr checked(parser *p, rt_expr e, int at)
{
    double value;
    if (p->status != ROUTH_OK) return RT_NO_EXPR;
    if (e < 0) {
        p->status = rt_fail_memory(p->error);
        return RT_NO_EXPR;
    }
    if (rt_is_constant(p->graph, e, &value) && !isfinite(value))
        return parse_fail(p, ROUTH_MODEL_ERROR, at,
                          "the value of this part is not a finite number");
    return e;
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static bool parse_advance(parser *p)
{
    if (p->status == ROUTH_OK)
        p->status = rt_scan(p->text, p->token.end, &p->names, &p->token, p->error);
    return p->status == ROUTH_OK;
}

static bool at_sign(const parser *p, char sign)
{
    return p->token.kind == RT_TOKEN_SIGN && p->token.sign == sign;
}

static bool at_name(const parser *p)
{
    return p->token.kind == RT_TOKEN_NAME || p->token.kind == RT_TOKEN_QUOTED;
}

static char next_character(const parser *p)
{
    int at = p->token.end;
    while (p->text[at] == ' ' || p->text[at] == '\t' || p->text[at] == '\n' || p->text[at] == '\r')
        at++;
    return p->text[at];
}

/* ---- names ----------------------------------------------------------------------------------- */

static rt_expr parse_number(parser *p, double value, int at)
{
    p->dimension = (rt_dimension){0};
    return checked(p, rt_constant(p->graph, value), at);
}

static bool same_letters(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if ((*a | 32) != (*b | 32)) return false;
    return *a == *b;
}

/* The quantity of this name; RT_NO_EXPR where it is not known, with the resolver's words if it has
 * any. */
static rt_expr known_quantity(parser *p, const rt_token *name, char problem[RT_PROBLEM_SIZE])
{
    const rt_resolver *r = p->resolver;
    rt_expr out = RT_NO_EXPR;
    problem[0] = '\0';
    if (r && r->quantity && r->quantity(r->context, name->name, &out, problem))
        return checked(p, out, name->start);
    if (problem[0] || name->kind == RT_TOKEN_QUOTED) return RT_NO_EXPR;
    if (same_letters(name->name, "pi")) return parse_number(p, 3.14159265358979323846, name->start);
    if (strcmp(name->name, "e") == 0) return parse_number(p, 2.71828182845904523536, name->start);
    return RT_NO_EXPR;
}

/* The nearer of what the resolver suggests and (for calls) the built-in functions. */
static const char *parse_nearest(const parser *p, const char *name, bool call)
{
    const char *list[64];
    int n = 0;
    const char *own = p->resolver ? rt_suggest(name, p->resolver->suggestions) : NULL;
    if (own) list[n++] = own;
    for (const rt_builtin *b = rt_builtins; call && b->name && n < 63; b++) list[n++] = b->name;
    list[n] = NULL;
    return rt_suggest(name, list);
}

static rt_expr fail_unknown(parser *p, const rt_token *name, bool call)
{
    char format[192];
    const char *near = parse_nearest(p, name->name, call);
    const char *kind = call ? "function" : "name";
    if (near)
        snprintf(format, sizeof format, "the %s '%%s' is not known; did you mean '%.*s'?", kind,
                 SHOWN, near);
    else
        snprintf(format, sizeof format, "the %s '%%s' is not known", kind);
    return parse_fail_name(p, ROUTH_MODEL_ERROR, name->start, format, name->name);
}

static rt_expr fail_quantity(parser *p, const rt_token *name, const char *problem)
{
    rt_unit unit;
    if (problem[0]) return parse_fail(p, ROUTH_MODEL_ERROR, name->start, problem);
    if (name->kind == RT_TOKEN_NAME && rt_builtin_find(name->name))
        return parse_fail_name(p, ROUTH_SYNTAX_ERROR, name->start,
                               "'%s' is a function: its arguments follow in parentheses",
                               name->name);
    if (name->kind == RT_TOKEN_NAME && rt_unit_find(name->name, &unit))
        return parse_fail_name(p, ROUTH_SYNTAX_ERROR, name->start,
                               "'%s' is a unit, and no parameter has this name: a unit stands "
                               "right after a number or a "
                               "closed parenthesis, as in 5 N/(1 mm)",
                               name->name);
    return fail_unknown(p, name, false);
}

static rt_expr parse_quantity(parser *p, const rt_token *name)
{
    char problem[RT_PROBLEM_SIZE];
    const rt_expr e = known_quantity(p, name, problem);
    if (e < 0 && p->status == ROUTH_OK) return fail_quantity(p, name, problem);
    return e;
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct arguments {
    rt_call_argument *list;
    rt_token *tokens;         /* of the arguments that are names */
    rt_dimension *dimensions; /* what is known of each */
    rt_dimension result;      /* and of the value */
    int n, room;
} arguments;

static rt_expr sum(parser *p);

static rt_dimension dimension_of_name(const parser *p, const char *name)
{
    const rt_resolver *r = p->resolver;
    return r && r->dimension ? r->dimension(r->context, name) : (rt_dimension){0};
}

/* Dimensions do not agree: refused where all of them are written, warned of where one is of a
 * measure. */
static bool disagree(parser *p, bool measured, int at, const char *message)
{
    if (!measured) {
        parse_fail(p, ROUTH_MODEL_ERROR, at, message);
        return false;
    }
    const rt_resolver *r = p->resolver;
    if (r && r->warn) r->warn(r->context, message);
    p->dimension = (rt_dimension){0};
    return true;
}

static bool more_arguments(parser *p, arguments *a)
{
    const int room = a->room ? 2 * a->room : 8;
    rt_call_argument *list = realloc(a->list, (size_t)room * sizeof *list);
    if (list) a->list = list;
    rt_token *tokens = realloc(a->tokens, (size_t)room * sizeof *tokens);
    if (tokens) a->tokens = tokens;
    rt_dimension *dimensions = realloc(a->dimensions, (size_t)room * sizeof *dimensions);
    if (dimensions) a->dimensions = dimensions;
    if (list && tokens && dimensions) {
        a->room = room;
        return true;
    }
    p->status = rt_fail_memory(p->error);
    return false;
}

/* One argument: a name that stands alone, or a sum. */
static bool argument(parser *p, arguments *a)
{
    char problem[RT_PROBLEM_SIZE];
    if (a->n == a->room && !more_arguments(p, a)) return false;
    rt_call_argument *to = &a->list[a->n];
    const rt_token first = p->token;
    const char after = next_character(p);
    *to = (rt_call_argument){NULL, RT_NO_EXPR, first.start + 1};
    a->dimensions[a->n] = (rt_dimension){0};
    a->tokens[a->n++] = first;
    if (at_name(p) && (after == ',' || after == ')')) {
        to->name = first.name;
        to->value = known_quantity(p, &first, problem);
        if (to->value >= 0) a->dimensions[a->n - 1] = dimension_of_name(p, first.name);
        return parse_advance(p);
    }
    const rt_expr value = sum(p);
    /* the list may have moved: sum can make calls, but not into this list */
    to->value = value;
    a->dimensions[a->n - 1] = p->dimension;
    return value >= 0;
}

static bool read_arguments(parser *p, arguments *a, const rt_token *name)
{
    if (!parse_advance(p)) return false; /* the opening parenthesis */
    if (at_sign(p, ')')) return parse_advance(p);
    for (;;) {
        if (!argument(p, a)) return false;
        if (at_sign(p, ')')) return parse_advance(p);
        if (p->token.kind == RT_TOKEN_END) {
            parse_fail_name(p, ROUTH_SYNTAX_ERROR, name->start,
                            "the parenthesis of '%s(' is not closed; add ')'", name->name);
            return false;
        }
        if (!at_sign(p, ',')) {
            fail_syntax(p, p->token.start,
                        "an operator, a comma or ')' is missing before this; "
                        "insert it");
            return false;
        }
        if (!parse_advance(p)) return false;
    }
}

static rt_expr fail_count(parser *p, const rt_builtin *b, const rt_token *name, int n)
{
    char message[256];
    snprintf(message, sizeof message, "%s has %d argument%s here; it is written %s", b->name, n,
             n == 1 ? "" : "s", b->usage);
    return fail_syntax(p, name->start, message);
}

/* Of measures among the arguments, which then count as unknown. */
static void warn_of_arguments(parser *p, const rt_builtin *b, arguments *a, const rt_expr *values)
{
    char problem[RT_PROBLEM_SIZE], message[RT_PROBLEM_SIZE + 64];
    int at;
    double power = NAN;
    bool measured = false;
    if (a->n > 1 && !rt_is_constant(p->graph, values[1], &power)) power = NAN;
    for (int k = 0; k < a->n; k++) measured = measured || a->dimensions[k].measured;
    const bool wrong = rt_dimensions_problem(b, a->dimensions, a->n, problem, &at);
    if (!wrong) a->result = rt_builtin_dimension(b, a->dimensions, a->n, power);
    if (measured && wrong) {
        snprintf(message, sizeof message, "%s: %s", b->usage, problem);
        disagree(p, true, 0, message);
    }
    for (int k = 0; k < a->n; k++)
        if (a->dimensions[k].measured) a->dimensions[k] = (rt_dimension){0};
}

static rt_expr parse_build(parser *p, const rt_builtin *b, arguments *a, const rt_expr *values)
{
    char problem[RT_PROBLEM_SIZE] = "", message[RT_PROBLEM_SIZE + 64];
    int at = 0;
    warn_of_arguments(p, b, a, values);
    const bool wrong = rt_dimensions_problem(b, a->dimensions, a->n, problem, &at);
    const rt_expr e =
        wrong ? RT_NO_EXPR : b->build(p->graph, b->detail, values, a->n, problem, &at);
    if (!problem[0]) return checked(p, e, a->list[0].column - 1);
    snprintf(message, sizeof message, "%s: %s", b->usage, problem);
    return parse_fail(p, ROUTH_MODEL_ERROR, a->list[at].column - 1, message);
}

static rt_expr call_builtin(parser *p, const rt_builtin *b, arguments *a, const rt_token *name)
{
    rt_expr e = RT_NO_EXPR;
    if (a->n < b->least || (b->most >= 0 && a->n > b->most)) return fail_count(p, b, name, a->n);
    rt_expr *values = malloc((size_t)a->n * sizeof *values);
    if (!values) return checked(p, RT_NO_EXPR, name->start);
    for (int i = 0; i < a->n && p->status == ROUTH_OK; i++) {
        values[i] = a->list[i].value;
        /* asked again, now for the words of the refusal */
        if (values[i] < 0) parse_quantity(p, &a->tokens[i]);
    }
    if (p->status == ROUTH_OK) e = parse_build(p, b, a, values);
    free(values);
    return e;
}

static rt_expr call_resolver(parser *p, const arguments *a, const rt_token *name)
{
    const rt_resolver *r = p->resolver;
    char problem[RT_PROBLEM_SIZE] = "";
    rt_expr e = RT_NO_EXPR;
    if (r && r->call && r->call(r->context, name->name, a->list, a->n, &e, problem))
        return checked(p, e, name->start);
    if (problem[0]) return parse_fail(p, ROUTH_MODEL_ERROR, name->start, problem);
    if (same_letters(name->name, "if"))
        return parse_fail(
            p, ROUTH_MODEL_ERROR, name->start,
            "IF makes a jump, which has no derivative; blend with STEP, HAVSIN, min or max");
    if (known_quantity(p, name, problem) >= 0)
        return parse_fail_name(
            p, ROUTH_SYNTAX_ERROR, name->start,
            "'%s' is a quantity, not a function; to multiply, write '*' before the parenthesis",
            name->name);
    return fail_unknown(p, name, true);
}

static rt_expr parse_call(parser *p, const rt_token *name)
{
    arguments a = {0};
    rt_expr e = RT_NO_EXPR;
    const rt_builtin *b = rt_builtin_find(name->name);
    if (read_arguments(p, &a, name))
        e = b ? call_builtin(p, b, &a, name) : call_resolver(p, &a, name);
    p->dimension = a.result;
    free(a.list);
    free(a.tokens);
    free(a.dimensions);
    return e;
}

/* ---- the grammar ----------------------------------------------------------------------------- */

static rt_expr fail_operand(parser *p)
{
    if (p->token.kind == RT_TOKEN_END)
        return fail_syntax(p, p->token.start,
                           p->token.start == 0
                               ? "the expression is empty; write a number or a name"
                               : "the expression ends too early; write a number or a name here");
    return fail_syntax(p, p->token.start,
                       "a number, a name or '(' is missing before this; insert "
                       "it");
}

static rt_expr parse_bracket(parser *p)
{
    const int start = p->token.start;
    if (!parse_advance(p)) return RT_NO_EXPR;
    const rt_expr e = sum(p);
    if (e < 0) return e;
    if (!at_sign(p, ')')) {
        if (p->token.kind == RT_TOKEN_END)
            return fail_syntax(p, start, "the parenthesis that opens here is not closed; add ')'");
        return fail_syntax(p, p->token.start,
                           "an operator or ')' is missing before this; insert "
                           "it");
    }
    return parse_advance(p) ? e : RT_NO_EXPR;
}

/* *bare: the atom is a name, which takes no unit. */
static rt_expr atom(parser *p, bool *bare)
{
    const rt_token token = p->token;
    *bare = false;
    p->dimension = (rt_dimension){0};
    if (token.kind == RT_TOKEN_NUMBER) {
        const rt_expr e = parse_number(p, token.number, token.start);
        return parse_advance(p) ? e : RT_NO_EXPR;
    }
    if (at_sign(p, '(')) return parse_bracket(p);
    if (!at_name(p)) return fail_operand(p);
    if (!parse_advance(p)) return RT_NO_EXPR;
    if (token.kind == RT_TOKEN_NAME && at_sign(p, '(')) {
        const rt_expr e = parse_call(p, &token);
        const rt_resolver *r = p->resolver;
        if (e >= 0 && r && r->measured && !rt_builtin_find(token.name))
            p->dimension = r->measured(r->context, token.name);
        return e;
    }
    *bare = true;
    const rt_expr e = parse_quantity(p, &token);
    if (e >= 0) p->dimension = dimension_of_name(p, token.name);
    return e;
}

/* What a power is made of: whether its base and its end are names, and where its base ends. */
typedef struct power_shape {
    bool base_bare, end_bare;
    int base_end;
} power_shape;

static rt_expr parse_power(parser *p, power_shape *shape);

static bool parse_signs(parser *p, bool *negative)
{
    *negative = false;
    while (at_sign(p, '-') || at_sign(p, '+')) {
        if (at_sign(p, '-')) *negative = !*negative;
        if (!parse_advance(p)) return false;
    }
    return true;
}

/* All recursion of the grammar passes through here. */
static bool deeper(parser *p)
{
    if (p->depth < DEEPEST) {
        p->depth++;
        return true;
    }
    parse_fail(p, ROUTH_LIMIT_EXCEEDED, p->token.start,
               "parentheses, calls and powers are nested more than 100 deep");
    return false;
}

/* A unit after it belongs to the whole power. */
static rt_expr parse_exponent(parser *p, bool *end_bare)
{
    bool negative;
    power_shape shape;
    if (!deeper(p) || !parse_signs(p, &negative)) return RT_NO_EXPR;
    const rt_expr e = parse_power(p, &shape);
    p->depth--;
    *end_bare = shape.end_bare;
    return negative && e >= 0 ? checked(p, rt_negate(p->graph, e), p->token.start) : e;
}

static rt_dimension dimension_of_power(const parser *p, rt_dimension base, rt_expr exponent)
{
    const rt_dimension none = {.known = true};
    double power;
    return rt_is_constant(p->graph, exponent, &power) ? rt_dimension_times(none, base, power)
                                                      : (rt_dimension){0};
}

/* `2^(3 m)` */
static bool is_plain_exponent(parser *p, int at)
{
    static const rt_unit none = {.mantissa = 1};
    char found[RT_DIMENSION_SIZE], message[RT_PROBLEM_SIZE];
    if (!p->dimension.known || rt_unit_same_dimension(&p->dimension.unit, &none)) return true;
    snprintf(message, sizeof message, "the exponent behind this is %s; a plain number is needed",
             rt_dimension_describe(&p->dimension.unit, found));
    return disagree(p, p->dimension.measured, at, message);
}

static rt_expr parse_power(parser *p, power_shape *shape)
{
    char problem[RT_PROBLEM_SIZE];
    const rt_expr base = atom(p, &shape->base_bare);
    const int at = p->token.start;
    shape->end_bare = shape->base_bare;
    shape->base_end = at;
    if (base < 0 || p->token.kind != RT_TOKEN_POWER) return base;
    const rt_dimension of_base = p->dimension;
    if (!parse_advance(p)) return RT_NO_EXPR;
    const rt_expr exponent = parse_exponent(p, &shape->end_bare);
    if (exponent < 0 || !is_plain_exponent(p, at)) return RT_NO_EXPR;
    p->dimension = dimension_of_power(p, of_base, exponent);
    if (rt_power_problem(p->graph, base, exponent, problem))
        return parse_fail(p, ROUTH_MODEL_ERROR, at, problem);
    return checked(p, rt_power(p->graph, base, exponent), at);
}

/* ---- units ----------------------------------------------------------------------------------- */

static bool taken(void *context, const char *name)
{
    const parser *p = context;
    const rt_resolver *r = p->resolver;
    char problem[RT_PROBLEM_SIZE] = "";
    rt_expr e;
    if (r && r->taken) return r->taken(r->context, name);
    return r && r->quantity && (r->quantity(r->context, name, &e, problem) || problem[0]);
}

/* A piece of the text without the blanks at its end, cut to a readable length. */
static const char *parse_piece(const parser *p, int from, int to, char text[SHOWN + 4])
{
    while (to > from && strchr(" \t\n\r", p->text[to - 1])) to--;
    snprintf(text, SHOWN + 4, "%.*s%s", to - from < SHOWN ? to - from : SHOWN, p->text + from,
             to - from > SHOWN ? "..." : "");
    return text;
}

/* `x^2 mm` */
static rt_expr fail_exponent(parser *p, int start, int base_end)
{
    char whole[SHOWN + 4], base[SHOWN + 4], rest[SHOWN + 4], message[640];
    const int at = p->token.start;
    parse_piece(p, start, at, whole);
    parse_piece(p, start, base_end, base);
    parse_piece(p, base_end + (p->text[base_end] == '*' ? 2 : 1), at, rest);
    snprintf(message, sizeof message,
             "'%s %.40s' has two readings: (%s) %.40s and %s^(%s %.40s); write one of them", whole,
             p->token.name, whole, p->token.name, base, rest, p->token.name);
    return fail_syntax(p, at, message);
}

/* e is constant or not: a number takes its unit in one rounding. */
rt_expr rt_times_unit(rt_graph *graph, rt_expr e, const rt_unit *unit)
{
    double value;
    if (rt_is_constant(graph, e, &value)) return rt_constant(graph, rt_unit_value(unit, value));
    return rt_multiply(graph, rt_constant(graph, rt_unit_value(unit, 1)), e);
}

static rt_expr united(parser *p)
{
    power_shape shape = {0};
    rt_unit unit;
    const int start = p->token.start;
    const rt_expr e = parse_power(p, &shape);
    const int at = p->token.start;
    p->unit = -1;
    if (e < 0 || shape.end_bare || p->token.kind != RT_TOKEN_NAME) return e;
    if (shape.base_bare)
        return rt_unit_find(p->token.name, &unit) ? fail_exponent(p, start, shape.base_end) : e;
    const rt_unit_text from = {p->text, start, taken, p, &p->names};
    const routh_status status = rt_unit_read(&from, at, &unit, &p->token.end, p->error);
    if (status) p->status = status;
    if (status || !parse_advance(p)) return RT_NO_EXPR;
    p->unit = at;
    const char *unknown = p->resolver ? p->resolver->unknown_units : NULL;
    if (unknown && (unit.powers[0] != 0 || unit.powers[1] != 0)) return fail_syntax(p, at, unknown);
    const rt_dimension of_unit = {.known = true, .unit = unit};
    p->dimension = p->dimension.known ? rt_dimension_times(p->dimension, of_unit, 1) : of_unit;
    const rt_unit_system *units = p->resolver ? p->resolver->units : NULL;
    if (units) {
        const rt_unit consistent = rt_unit_consistent(units, &unit);
        unit = rt_unit_over(&unit, &consistent);
    }
    return checked(p, rt_times_unit(p->graph, e, &unit), at);
}

/* ---- sums and products ----------------------------------------------------------------------- */

static rt_expr signed_power(parser *p)
{
    bool negative;
    if (!deeper(p) || !parse_signs(p, &negative)) return RT_NO_EXPR;
    const rt_expr e = united(p);
    p->depth--;
    return negative && e >= 0 ? checked(p, rt_negate(p->graph, e), p->token.start) : e;
}

/* `1/2 mm`: a unit behind a divisor. */
static rt_expr fail_divisor(parser *p, int start, int divide, int end)
{
    char above[SHOWN + 4], below[SHOWN + 4], unit[SHOWN + 4], message[640];
    parse_piece(p, start, divide, above);
    parse_piece(p, divide + 1, p->unit, below);
    parse_piece(p, p->unit, end, unit);
    const char *from = below;
    while (*from == ' ') from++;
    snprintf(message, sizeof message,
             "'%s/%s %s' has two readings: (%s/%s) %s and %s/(%s %s); write one of them", above,
             from, unit, above, from, unit, above, from, unit);
    return fail_syntax(p, p->unit, message);
}

static rt_expr parse_product(parser *p)
{
    char problem[RT_PROBLEM_SIZE];
    const int start = p->token.start;
    rt_expr e = signed_power(p);
    while (e >= 0 && (at_sign(p, '*') || at_sign(p, '/'))) {
        const bool divide = at_sign(p, '/');
        const int at = p->token.start;
        const rt_dimension left = p->dimension;
        if (!parse_advance(p)) return RT_NO_EXPR;
        const rt_expr right = signed_power(p);
        if (right < 0) return RT_NO_EXPR;
        p->dimension = rt_dimension_times(left, p->dimension, divide ? -1 : 1);
        if (divide && p->unit >= 0) return fail_divisor(p, start, at, p->token.start);
        if (divide && rt_quotient_problem(p->graph, right, problem))
            return parse_fail(p, ROUTH_MODEL_ERROR, at, problem);
        e = checked(p, divide ? rt_divide(p->graph, e, right) : rt_multiply(p->graph, e, right),
                    at);
    }
    return e;
}

/* `3 mm + 2 kg` */
static bool dimensions_agree(parser *p, const rt_dimension *left, int at, bool subtract)
{
    char one[RT_DIMENSION_SIZE], other[RT_DIMENSION_SIZE], message[256];
    const rt_dimension *right = &p->dimension;
    if (!left->known || !right->known || rt_unit_same_dimension(&left->unit, &right->unit))
        return true;
    snprintf(message, sizeof message,
             "before this stands %s, after it %s: they cannot be %s; check the units",
             rt_dimension_describe(&left->unit, one), rt_dimension_describe(&right->unit, other),
             subtract ? "subtracted" : "added");
    if (left->measured || right->measured) return disagree(p, true, at, message);
    fail_syntax(p, at, message);
    return false;
}

/* Of a sum: what its terms agree on. */
static rt_dimension sum_dimension(const rt_dimension *left, const rt_dimension *right)
{
    if (!left->known || !right->known) return left->known ? *left : *right;
    return rt_unit_same_dimension(&left->unit, &right->unit) ? *left : (rt_dimension){0};
}

static rt_expr sum(parser *p)
{
    rt_expr e = parse_product(p);
    while (e >= 0 && (at_sign(p, '+') || at_sign(p, '-'))) {
        const bool subtract = at_sign(p, '-');
        const int at = p->token.start;
        const rt_dimension left = p->dimension;
        if (!parse_advance(p)) return RT_NO_EXPR;
        const rt_expr right = parse_product(p);
        const rt_dimension of_right = p->dimension;
        if (right >= 0 && !dimensions_agree(p, &left, at, subtract)) return RT_NO_EXPR;
        p->dimension = sum_dimension(&left, &of_right);
        e = right < 0
                ? RT_NO_EXPR
                : checked(p,
                          subtract ? rt_subtract(p->graph, e, right) : rt_add(p->graph, e, right),
                          at);
    }
    return e;
}

static rt_expr fail_rest(parser *p)
{
    if (at_sign(p, ')'))
        return fail_syntax(p, p->token.start,
                           "this ')' has no matching '('; remove it, or add "
                           "'('");
    if (at_sign(p, ','))
        return fail_syntax(p, p->token.start,
                           "this comma is outside of a "
                           "function call; use a point for "
                           "decimals");
    return fail_syntax(p, p->token.start, "an operator is missing before this; insert it");
}

routh_status rt_parse(rt_graph *graph, const char *text, const rt_resolver *resolver, rt_expr *out,
                      routh_error *error)
{
    rt_dimension dimension;
    return rt_parse_dimension(graph, text, resolver, out, &dimension, error);
}

routh_status rt_parse_dimension(rt_graph *graph, const char *text, const rt_resolver *resolver,
                                rt_expr *out, rt_dimension *dimension, routh_error *error)
{
    parser p = {.graph = graph, .text = text, .resolver = resolver, .error = error};
    *out = RT_NO_EXPR;
    *dimension = (rt_dimension){0};
    if (memchr(text, 0, LONGEST_TEXT + 1) == NULL)
        return rt_fail_at(error, ROUTH_LIMIT_EXCEEDED, NULL, rt_place_at(0, 1), NULL,
                          "the expression is longer than %d characters, which is the limit; split "
                          "it, for example by variables",
                          LONGEST_TEXT);
    rt_expr e = RT_NO_EXPR;
    if (parse_advance(&p)) e = sum(&p);
    if (e >= 0 && p.token.kind != RT_TOKEN_END) e = fail_rest(&p);
    rt_arena_free(&p.names);
    if (p.status == ROUTH_OK) *out = e, *dimension = p.dimension;
    return p.status;
}
