/* Entries of the multi-blade transformation. Its columns are orthogonal: sums over the blades of
 * cos^2 and sin^2 are N/2, of 1 and (-1)^2k N. */
#include "linear/multiblade.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/pi.h"

static int is_alternating(int n_blades, int coordinate)
{
    return n_blades % 2 == 0 && coordinate == n_blades - 1;
}

void rt_multiblade_entry(int n_blades, double psi, int blade, int coordinate, double t[3])
{
    const int n = (coordinate + 1) / 2;
    const double psi_k = psi + RT_TWO_PI * blade / n_blades;
    t[0] = 1, t[1] = t[2] = 0;
    if (coordinate == 0) return;
    if (is_alternating(n_blades, coordinate)) {
        t[0] = blade % 2 ? 1 : -1;
        return;
    }
    const double c = cos(n * psi_k), s = sin(n * psi_k);
    const int cosine = coordinate % 2;
    t[0] = cosine ? c : s;
    t[1] = n * (cosine ? -s : c);
    t[2] = -n * n * t[0];
}

void rt_multiblade_inverse(int n_blades, double psi, int blade, int coordinate, double t[3])
{
    const int whole = coordinate == 0 || is_alternating(n_blades, coordinate);
    rt_multiblade_entry(n_blades, psi, blade, coordinate, t);
    for (int d = 0; d < 3; d++) t[d] *= (whole ? 1.0 : 2.0) / n_blades;
}

const char *rt_multiblade_name(int n_blades, int coordinate, char text[RT_MULTIBLADE_NAME])
{
    if (coordinate == 0 || is_alternating(n_blades, coordinate))
        snprintf(text, RT_MULTIBLADE_NAME, "%s", coordinate ? "d" : "0");
    else
        snprintf(text, RT_MULTIBLADE_NAME, "%d%c", (coordinate + 1) / 2,
                 coordinate % 2 ? 'c' : 's');
    return text;
}

const char *rt_multiblade_rest(const char *name, const char *blade)
{
    const size_t length = strlen(blade);
    if (strncmp(name, blade, length) != 0) return NULL;
    const char *rest = name + length;
    return *rest == '\0' || *rest == '.' || *rest == '_' ? rest : NULL;
}
