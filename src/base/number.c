#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rt_number_text(char text[RT_NUMBER_SIZE], double x, int digits)
{
    if (digits > RT_NUMBER_EXACT) digits = RT_NUMBER_EXACT;
    int length = snprintf(text, RT_NUMBER_SIZE, "%.*g", digits, x);
    /* the locale's decimal point is the only thing that is not a digit, a sign or a letter */
    const size_t whole = strspn(text, "+-0123456789");
    const size_t point = strcspn(text + whole, "0123456789einfa");
    if (point) {
        text[whole] = '.';
        memmove(text + whole + 1, text + whole + point, strlen(text + whole + point) + 1);
        length -= (int)point - 1;
    }
    return length;
}

enum { LONGEST = 300, ROOM_FOR_POINT = 8 };

static size_t digits_at(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] >= '0' && text[at] <= '9') at++;
    return at;
}

static size_t number_sign_at(const char *text, size_t length, size_t at)
{
    return at < length && (text[at] == '+' || text[at] == '-') ? at + 1 : at;
}

/* Is all of it a number in digits? *point: where its point is, or length. */
static bool in_digits(const char *text, size_t length, size_t *point)
{
    const size_t start = number_sign_at(text, length, 0);
    size_t end = digits_at(text, length, start), digits = end - start;
    *point = length;
    if (end < length && text[end] == '.') {
        *point = end;
        const size_t after = digits_at(text, length, end + 1);
        digits += after - end - 1, end = after;
    }
    if (digits == 0) return false;
    if (end < length && (text[end] == 'e' || text[end] == 'E')) {
        const size_t power = number_sign_at(text, length, end + 1);
        end = digits_at(text, length, power);
        if (end == power) return false;
    }
    return end == length;
}

static bool in_words(const char *text, size_t length, double *x)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (length == strlen(words[k].word) && memcmp(text, words[k].word, length) == 0)
            return *x = words[k].value, true;
    return false;
}

bool rt_number_read(const char *text, size_t length, double *x)
{
    char copy[LONGEST + ROOM_FOR_POINT];
    size_t point, n = 0;
    if (length == 0 || length >= LONGEST) return false;
    if (in_words(text, length, x)) return true;
    if (!in_digits(text, length, &point)) return false;
    /* strtod reads the decimal point of the program's locale */
    const char *local = localeconv()->decimal_point;
    for (size_t i = 0; i < length; i++) {
        if (i != point)
            copy[n++] = text[i];
        else
            for (size_t k = 0; local[k] && k < ROOM_FOR_POINT - 1; k++) copy[n++] = local[k];
    }
    copy[n] = '\0';
    *x = strtod(copy, NULL);
    return true;
}
