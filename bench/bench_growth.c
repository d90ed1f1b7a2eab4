/* One size of one template: one line of CSV, times in seconds, the peak memory of this process in
 * MB (10^6 bytes).
 *
 *     bench_growth TEMPLATE KEY VALUE     e.g. bench_growth four-bar N 1000
 *     bench_growth                        the heading */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

int main(int argc, char **argv)
{
    if (argc != 4) {
        printf("template,size,bodies,rows,redundant,dof,read_s,compile_s,operating_point_s,"
               "linearize_s,linearize_bare_s,modes_s,all_s,peak_mb\n");
        return 0;
    }
    bench_case c;
    const double start = bench_now();
    bench_open(&c, argv[1], argv[2], argv[3], 1);
    const double once = bench_now() - start;
    const bench_times first = bench_linearize(&c, 0, 1, 1);
    const double peak = bench_peak_megabytes();
    if (once < 20) {
        bench_close(&c);
        bench_open(&c, argv[1], argv[2], argv[3], bench_repeats(4, once, 3));
    }
    const bench_times t =
        once < 20 ? bench_linearize(&c, 4, 5, 1) : first;
    const double all = c.read_s + c.compile_s + c.point_s + t.full_s + t.modes_s;
    printf("%s,%s,%d,%d,%d,%d,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.1f\n", argv[1], argv[3],
           c.n_bodies, c.n_rows, c.n_redundant, c.dof, c.read_s, c.compile_s, c.point_s, t.full_s,
           t.bare_s, t.modes_s, all, peak);
    bench_close(&c);
    return 0;
}
