/* Which values may stand without quotes: those that no reader of YAML takes for a number, a date,
 * a truth, nothing, or a sign of its own. Strict, so that some keep quotes that need none. */
#include <string.h>
#include <strings.h>

#include "model/format.h"

static bool format_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool format_is_digit(char c) { return c >= '0' && c <= '9'; }

/* Words of YAML 1.1 and 1.2 that are no text. */
static bool is_word(const char *value, size_t length)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no",
                                        "on",   "off",  "y",     "n"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == length && !strncasecmp(words[k], value, length)) return true;
    return false;
}

/* Numbers in all their forms, dates and times: made of these letters, with a digit or .inf. */
static bool may_be_number(const char *value, size_t length)
{
    static const char letters[] = "0123456789+-.:_eExXoOabcdfABCDFtTzZ ";
    const char first = value[0];
    if (!format_is_digit(first) && first != '+' && first != '-' && first != '.') return false;
    size_t k = 0;
    while (k < length && strchr(letters, value[k])) k++;
    const bool sign = first == '+' || first == '-';
    return k == length || value[sign] == '.';
}

static bool begins_well(const char *value, size_t length)
{
    const char first = value[0];
    if (format_is_letter(first) || format_is_digit(first) || strchr("_(/", first)) return true;
    return (first == '-' || first == '+' || first == '.') && length > 1 &&
           (format_is_letter(value[1]) || format_is_digit(value[1]) || value[1] == '(');
}

bool rt_format_is_plain(const char *value, size_t length, bool flow)
{
    static const char in_block[] = "_.+-*/^()=<>,;'";
    int open = 0;
    if (length == 0 || !begins_well(value, length) || is_word(value, length) ||
        may_be_number(value, length) || value[length - 1] == ' ')
        return false;
    for (size_t k = 0; k < length; k++) {
        const char c = value[k];
        if (c == '(') open++;
        if (c == ')' && --open < 0) return false;
        if (format_is_letter(c) || format_is_digit(c) || (c == ' ' && value[k - 1] != ' '))
            continue;
        if (c == '\0' || !strchr(in_block, c) || (flow && c == ',')) return false;
    }
    return open == 0;
}
