/* Every template as it comes: one line of CSV each. Times in microseconds. */
#include <stdio.h>

#include "harness.h"

int main(void)
{
    printf("template,bodies,rows,redundant,dof,read_us,compile_us,operating_point_us,"
           "linearize_us,linearize_bare_us,modes_us,linearize_and_modes_us\n");
    for (size_t k = 0; routh_template_name(k); k++) {
        bench_case c;
        bench_open(&c, routh_template_name(k), NULL, NULL, 21);
        const bench_times t = bench_linearize(&c, 0.5, 21, 1);
        printf("%s,%d,%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f\n", routh_template_name(k),
               c.n_bodies, c.n_rows, c.n_redundant, c.dof, 1e6 * c.read_s, 1e6 * c.compile_s,
               1e6 * c.point_s, 1e6 * t.full_s, 1e6 * t.bare_s, 1e6 * t.modes_s,
               1e6 * (t.full_s + t.modes_s));
        fflush(stdout);
        bench_close(&c);
    }
    return 0;
}
