/* Is a computed number the published one? */
#include "benchmark/judge.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/number.h"

enum { MOST_DIGITS = 15 };

/* Leading digits that agree: 3 where they differ by less than a thousandth. */
static int agreed_digits(double computed, double right)
{
    const double error = fabs(computed - right), size = fabs(right);
    if (!isfinite(error)) return 0;
    if (error == 0) return MOST_DIGITS;
    const double digits = -log10(error / (size > 0 ? size : 1));
    return digits <= 0 ? 0 : digits >= MOST_DIGITS ? MOST_DIGITS : (int)digits;
}

static double printed_number(const char *printed)
{
    double x;
    return rt_number_read(printed, strlen(printed), &x) ? x : NAN;
}

/* Half a unit of the last digit of a printed number: of "1.50e3" 5. */
static double half_a_unit(const char *printed)
{
    const char *exponent = strpbrk(printed, "eE"), *point = strchr(printed, '.');
    const char *end = exponent ? exponent : printed + strlen(printed);
    double power = 0;
    if (exponent) rt_number_read(exponent + 1, strlen(exponent + 1), &power);
    return 0.5 * pow(10, power - (point ? (double)(end - point - 1) : 0));
}

/* Does the number, rounded to the printed digits, read as printed? */
static bool reads_as(const char *printed, double computed)
{
    const double x = printed_number(printed);
    return fabs(computed - x) <= half_a_unit(printed) * (1 + 1e-9) + 1e-14 * fabs(x);
}

/* As printed; of a number that is printed with more digits than arithmetic has, so many of them. */
static bool is_printed(const routh_benchmark_value *v)
{
    if (reads_as(v->published, v->computed)) return true;
    return v->digits_wanted && !v->misprint &&
           agreed_digits(v->computed, printed_number(v->published)) >= v->digits_wanted;
}

void rt_benchmark_judge(routh_benchmark_value *v)
{
    if (isnan(v->computed)) {
        v->verdict = ROUTH_CANNOT_TELL;
        return;
    }
    v->digits = agreed_digits(v->computed, v->reference);
    bool right = v->digits >= v->digits_wanted;
    if (v->published) right = right && is_printed(v) != (v->misprint != 0);
    v->verdict = right ? ROUTH_YES : ROUTH_NO;
}
