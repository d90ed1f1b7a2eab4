#include "symbolic/polynomial.h"

/* Minors of the first rows, over every choice of as many columns: minor(S) is the sum over j in S
 * of +- entry(|S| - 1, j) minor(S - j). No division, so nothing grows but what is there. */
typedef struct minors {
    rt_exact_field *field;
    int n;
    const rt_exact *part[3]; /* K, C, M: by power of s */
    rt_exact **known;        /* by set of columns */
} minors;

static int polynomial_count(unsigned set)
{
    int n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}

/* p += sign * (entry i, j as a polynomial of s) * q, q of degree d */
static void add_multiple(const minors *m, rt_exact *p, int i, int j, const rt_exact *q, int d,
                         bool minus)
{
    for (int k = 0; k < 3; k++) {
        const rt_exact *entry = m->part[k] + (size_t)i * m->n + j;
        for (int e = 0; e <= d; e++) {
            if (minus)
                rt_exact_subtract_product(m->field, p + e + k, entry, q + e);
            else
                rt_exact_add_product(m->field, p + e + k, entry, q + e);
        }
    }
}

rt_exact *rt_characteristic(rt_exact_field *field, int n, const rt_exact *M, const rt_exact *C,
                            const rt_exact *K)
{
    rt_exact *known[1 << RT_MOST_POLYNOMIAL];
    minors m = {.field = field, .n = n, .part = {K, C, M}, .known = known};
    for (unsigned set = 0; set < 1u << n; set++) {
        const int size = polynomial_count(set);
        known[set] = rt_exact_zeros(field, 2 * size + 1);
        if (!known[set]) return NULL;
        if (!size) rt_exact_set_integer(field, known[set], 1);
        int place = 0; /* of column j among those of the set */
        for (int j = 0; j < n; j++) {
            if (!(set >> j & 1)) continue;
            add_multiple(&m, known[set], size - 1, j, known[set & ~(1u << j)], 2 * (size - 1),
                         (size - 1 + place) % 2 != 0);
            place++;
        }
    }
    return known[(1u << n) - 1];
}
