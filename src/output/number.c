#include "output/number.h"

#include <stdio.h>
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
