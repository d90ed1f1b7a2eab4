/* The numbers of --near. */
#include <math.h>
#include <stdlib.h>

#include "options.h"
#include "say.h"

/* "5i", "-0.1+5i", "3", "1e3-2e2i"; *end where it ends */
static bool parse_complex(double out[2], const char *text, char **end)
{
    const double first = strtod(text, end);
    out[0] = first, out[1] = 0;
    if (*end == text) return false;
    if (**end == 'i' || **end == 'j') {
        out[0] = 0, out[1] = first;
        ++*end;
    } else if (**end == '+' || **end == '-') {
        const char *second = *end;
        out[1] = strtod(second, end);
        if (*end == second || (**end != 'i' && **end != 'j')) return false;
        ++*end;
    }
    return isfinite(out[0]) && isfinite(out[1]);
}

bool near_parse(options *given, const char *text)
{
    size_t n = 1;
    for (const char *c = text; *c; c++) n += *c == ',';
    double *all = realloc(given->near, 2 * ((size_t)given->n_near + n) * sizeof *all);
    if (!all) {
        usage_error("out of memory");
        return false;
    }
    given->near = all;
    for (const char *at = text;; at++) {
        char *end;
        if (!parse_complex(all + 2 * given->n_near, at, &end) || (*end && *end != ',')) break;
        given->n_near++;
        if (!*end) return true;
        at = end;
    }
    usage_error("option --near takes a number such as 3, 5i or -0.1+5i, or several between commas, "
                "not \"%s\"",
                text);
    return false;
}
