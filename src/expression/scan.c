#include "expression/scan.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 400 };

static bool scan_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Letters of any script: bytes above 127 belong to UTF-8 sequences. */
static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool continues_name(const char *text, int at)
{
    if (starts_name(text[at]) || scan_is_digit(text[at])) return true;
    /* a dot joins two names: wheel.hub */
    return text[at] == '.' && (starts_name(text[at + 1]) || scan_is_digit(text[at + 1]));
}

static routh_status scan_fail(routh_error *error, int at, const char *what)
{
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, NULL, rt_place_at(0, at + 1), NULL, "%s", what);
}

static int skip_digits(const char *text, int at)
{
    while (scan_is_digit(text[at])) at++;
    return at;
}

/* digits [. digits] [e [sign] digits]; an e without digits behind it is not part of the number */
static int number_end(const char *text, int at)
{
    at = skip_digits(text, at);
    if (text[at] == '.') at = skip_digits(text, at + 1);
    if (text[at] == 'e' || text[at] == 'E') {
        const int sign = text[at + 1] == '+' || text[at + 1] == '-';
        if (scan_is_digit(text[at + 1 + sign])) at = skip_digits(text, at + 1 + sign);
    }
    return at;
}

/* strtod reads the decimal point of the program's locale; the text always has a dot. */
static double read_number(const char *text, int start, int end)
{
    char copy[LONGEST_NUMBER + 8];
    const char *point = localeconv()->decimal_point;
    size_t n = 0;
    for (int i = start; i < end; i++) {
        if (text[i] != '.')
            copy[n++] = text[i];
        else
            for (const char *c = point; *c && c < point + 4; c++) copy[n++] = *c;
    }
    copy[n] = '\0';
    return strtod(copy, NULL);
}

static routh_status scan_number(const char *text, rt_token *token, routh_error *error)
{
    token->kind = RT_TOKEN_NUMBER;
    token->end = number_end(text, token->start);
    if (token->end - token->start > LONGEST_NUMBER)
        return scan_fail(error, token->start,
                         "a number has more than 400 characters; 17 digits say all");
    token->number = read_number(text, token->start, token->end);
    if (!isfinite(token->number))
        return scan_fail(error, token->start, "the number is too large; the largest is 1.797e308");
    return ROUTH_OK;
}

static routh_status take_name(const char *text, int from, int to, rt_arena *arena, rt_token *token,
                              routh_error *error)
{
    token->name = rt_arena_text(arena, text + from, (size_t)(to - from));
    return token->name ? ROUTH_OK : rt_fail_memory(error);
}

static routh_status scan_name(const char *text, rt_arena *arena, rt_token *token,
                              routh_error *error)
{
    token->kind = RT_TOKEN_NAME;
    token->end = token->start + 1;
    while (continues_name(text, token->end)) token->end++;
    return take_name(text, token->start, token->end, arena, token, error);
}

static routh_status scan_quoted(const char *text, rt_arena *arena, rt_token *token,
                                routh_error *error)
{
    const char quote = text[token->start];
    int end = token->start + 1;
    while (text[end] && text[end] != quote) end++;
    if (!text[end])
        return scan_fail(error, token->start,
                         "the quoted name that begins here has no closing quote");
    if (end == token->start + 1) return scan_fail(error, token->start, "a name in quotes is empty");
    token->kind = RT_TOKEN_QUOTED;
    token->end = end + 1;
    return take_name(text, token->start + 1, end, arena, token, error);
}

/* inf, Inf, NAN, ..: of YAML's .inf and .nan */
static bool starts_word(const char *text, const char *word)
{
    for (; *word; text++, word++)
        if (tolower((unsigned char)*text) != *word) return false;
    return true;
}

static routh_status scan_other(const char *text, rt_token *token, routh_error *error)
{
    const char c = text[token->start];
    token->end = token->start + 1;
    token->sign = c;
    token->kind = RT_TOKEN_SIGN;
    if (c == '^' || (c == '*' && text[token->end] == '*')) {
        token->kind = RT_TOKEN_POWER;
        token->end += c == '*';
        return ROUTH_OK;
    }
    if (strchr("+-*/(),", c)) return ROUTH_OK;
    if (strchr("<>=!&|?:", c))
        return scan_fail(
            error, token->start,
            "comparisons and conditions are not part of expressions; blend with STEP, HAVSIN, "
            "min or max");
    if (c == '.' && (starts_word(text + token->start + 1, "inf") ||
                     starts_word(text + token->start + 1, "nan")))
        return scan_fail(error, token->start,
                         "infinity and NaN are no values here; give a finite number");
    const bool printable = isprint((unsigned char)c);
    return rt_fail_at(error, ROUTH_SYNTAX_ERROR, NULL, rt_place_at(0, token->start + 1), NULL,
                      printable ? "the character '%c' has no meaning here; expressions are made of "
                                  "numbers, names, + - * / ^ and parentheses"
                                : "an unprintable character (code %d) has no meaning here",
                      c);
}

routh_status rt_scan(const char *text, int at, rt_arena *arena, rt_token *token, routh_error *error)
{
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') at++;
    *token = (rt_token){.kind = RT_TOKEN_END, .start = at, .end = at};
    if (!text[at]) return ROUTH_OK;
    if (scan_is_digit(text[at]) || (text[at] == '.' && scan_is_digit(text[at + 1])))
        return scan_number(text, token, error);
    if (starts_name(text[at])) return scan_name(text, arena, token, error);
    if (text[at] == '\'' || text[at] == '"') return scan_quoted(text, arena, token, error);
    return scan_other(text, token, error);
}
