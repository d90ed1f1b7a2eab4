/* Ten modes of a square plate of N x N elements, clamped all round or free: processor seconds
 * of the whole search beside those of one symmetric factorization and of solves by it. Medians
 * where it is repeated; each search has its ratio to a factorization just before. A line of CSV.
 * With a folder, the plate's matrices are written to it instead, as M.mtx and K.mtx.
 *
 *   bench_wanted clamped|free N [FOLDER] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ldl.h"
#include "base/symmetric_modes.h"
#include "harness.h"
#include "support/plate.h"

enum { MODES = 10, BLOCK = 4 };

typedef struct reference {
    double analysis_s, factor_s, solve_s; /* a solve: of one right-hand side in a block */
    double megabytes, entries;
} reference;

static void build(plate_matrices *m, int n, bool clamped, rt_arena *arena)
{
    const plate p = {
        .nx = n, .ny = n, .width = 1, .height = 1, .stiffness = 1, .poisson = 0.3, .mass = 1};
    char *fixed = clamped ? calloc((size_t)(n + 1) * (size_t)(n + 1) * 3, 1) : NULL;
    routh_error error;
    for (int k = 0; fixed && k < (n + 1) * (n + 1); k++)
        if (k % (n + 1) == 0 || k % (n + 1) == n || k / (n + 1) == 0 || k / (n + 1) == n)
            memset(fixed + 3 * k, 1, 3);
    bench_check(plate_build(m, &p, fixed, arena, &error), &error);
    free(fixed);
}

static reference measure(const plate_matrices *m, double shift)
{
    reference r = {0};
    rt_ldl *ldl;
    routh_error error;
    const int entries = m->pattern.start[m->n];
    double *values = malloc((size_t)entries * sizeof *values), begin = bench_processor();
    double *b = malloc((size_t)m->n * BLOCK * sizeof *b);
    if (!values || !b) exit(1);
    for (int e = 0; e < entries; e++) values[e] = m->K[e] - shift * m->M[e];
    bench_check(rt_ldl_create(&ldl, &m->pattern, &error), &error);
    r.analysis_s = bench_processor() - begin;
    begin = bench_processor();
    bench_check(rt_ldl_factor(ldl, values, &error), &error);
    r.factor_s = bench_processor() - begin;
    for (int i = 0; i < m->n * BLOCK; i++) b[i] = i % 7 - 3;
    double *work = malloc(rt_ldl_work(ldl, BLOCK) * sizeof *work);
    if (!work) exit(1);
    begin = bench_processor();
    bench_check(rt_ldl_solve(ldl, b, BLOCK, work, &error), &error);
    r.solve_s = (bench_processor() - begin) / BLOCK;
    r.megabytes = 1e-6 * (double)rt_ldl_bytes(ldl);
    r.entries = (double)rt_ldl_entries(ldl);
    rt_ldl_free(ldl);
    free(values), free(b), free(work);
    return r;
}

static void write_matrix(const plate_matrices *m, const double *values, const char *folder,
                         const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.mtx", folder, name);
    FILE *to = fopen(path, "w");
    if (!to) exit(1);
    fprintf(to, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", m->n, m->n,
            m->pattern.start[m->n]);
    for (int c = 0; c < m->n; c++)
        for (int e = m->pattern.start[c]; e < m->pattern.start[c + 1]; e++)
            fprintf(to, "%d %d %.17g\n", m->pattern.row[e] + 1, c + 1, values[e]);
    if (fclose(to)) exit(1);
}

typedef struct search {
    double seconds;
    int n_factors, n_solves;
} search;

static search find(const plate_matrices *m)
{
    rt_arena arena = {0};
    routh_error error;
    const rt_symmetric_pencil pencil = {&m->pattern, &m->pattern, m->K, m->M, 0};
    const rt_symmetric_request request = {.count = MODES};
    rt_symmetric_modes found;
    const double begin = bench_processor();
    bench_check(rt_symmetric_modes_find(&found, &pencil, &request, &arena, &error), &error);
    const search s = {bench_processor() - begin, found.n_factors, found.n_solves};
    rt_arena_free(&arena);
    return s;
}

int main(int n_words, char **words)
{
    rt_arena arena = {0};
    plate_matrices m;
    if (n_words < 3) return 2;
    const bool clamped = strcmp(words[1], "clamped") == 0;
    build(&m, atoi(words[2]), clamped, &arena);
    if (n_words > 3) {
        write_matrix(&m, m.K, words[3], "K");
        write_matrix(&m, m.M, words[3], "M");
        return 0;
    }
    reference r = {0};
    search found = {0};
    static double factors[BENCH_MOST_REPEATS], solves[BENCH_MOST_REPEATS],
        modes[BENCH_MOST_REPEATS], ratios[BENCH_MOST_REPEATS];
    int repeats = 1;
    for (int k = 0; k < repeats; k++) {
        const double begin = bench_processor();
        r = measure(&m, clamped ? 0 : -36);
        found = find(&m);
        factors[k] = r.factor_s, solves[k] = r.solve_s, modes[k] = found.seconds;
        ratios[k] = found.seconds / (r.analysis_s + r.factor_s + r.solve_s * found.n_solves);
        if (k == 0) repeats = bench_repeats(3, bench_processor() - begin, 1);
    }
    printf("%s,%d,%.3g,%.4g,%.4g,%.4g,%.4g,%.4g,%d,%d,%.3f,%.4g\n", words[1], m.n, r.entries,
           r.megabytes, r.analysis_s, bench_median(factors, repeats), bench_median(solves, repeats),
           bench_median(modes, repeats), found.n_factors, found.n_solves,
           bench_median(ratios, repeats), bench_peak_megabytes());
    rt_arena_free(&arena);
    return 0;
}
