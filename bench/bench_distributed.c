/* Modes of a clamped plate (tests/support/plate.h): one line of CSV. Seconds of wall clock, and of
 * the processors of all ranks; peak memory in MB (10^6 bytes) of the largest process and of all.
 *
 *     [mpirun -n RANKS] bench_distributed WAY NX MODES
 *     bench_distributed                                  the heading
 *
 * WAY: symmetric (one process, the library's own factorization), cluster (the same search with
 * factors by MUMPS on all ranks), general (the first-order pencil by SLEPc and MUMPS). ratio: of
 * the whole search to the ordering, one factorization and all its solves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "base/symmetric_modes.h"
#include "distributed/cluster.h"
#include "harness.h"
#include "support/plate.h"

typedef struct descriptor {
    routh_descriptor d;
    routh_linear linear;
    rt_arena arena;
    plate_matrices m;
} descriptor;

static void no_memory(void)
{
    fputs("out of memory\n", stderr);
    exit(1);
}

static void *take(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (!p) no_memory();
    return p;
}

/* The unknowns of the edge. */
static char *clamp(const plate *p)
{
    char *fixed = take(3 * (size_t)(p->nx + 1) * (size_t)(p->ny + 1), 1);
    for (int y = 0, node = 0; y <= p->ny; y++)
        for (int x = 0; x <= p->nx; x++, node++)
            if (x == 0 || y == 0 || x == p->nx || y == p->ny) memset(fixed + 3 * node, 1, 3);
    return fixed;
}

static void count_into(routh_sparse *s, const rt_pattern *lower, int at)
{
    for (int c = 0; c < lower->n_columns; c++)
        for (int e = lower->start[c]; e < lower->start[c + 1]; e++) {
            s->start[at + c + 1]++;
            if (lower->row[e] != c) s->start[at + lower->row[e] + 1]++;
        }
}

static void sum_and_take(routh_sparse *s)
{
    for (int c = 0; c < s->n_columns; c++) s->start[c + 1] += s->start[c];
    s->row = take((size_t)s->start[s->n_columns], sizeof(int));
    s->value = take((size_t)s->start[s->n_columns], sizeof(double));
}

static void put(routh_sparse *s, int *next, int row, int column, double value)
{
    s->row[next[column]] = row;
    s->value[next[column]++] = value;
}

/* sign times the symmetric matrix, rows from n on, columns from `at`; the columns of the lower
 * triangle in turn leave the rows ascending: first what lies above the diagonal */
static void put_block(routh_sparse *s, int *next, const rt_pattern *lower, const double *value,
                      double sign, int at)
{
    const int n = lower->n_columns;
    for (int c = 0; c < n; c++)
        for (int e = lower->start[c]; e < lower->start[c + 1]; e++)
            if (lower->row[e] != c) put(s, next, n + c, at + lower->row[e], sign * value[e]);
    for (int c = 0; c < n; c++)
        for (int e = lower->start[c]; e < lower->start[c + 1]; e++)
            put(s, next, n + lower->row[e], at + c, sign * value[e]);
}

/* E = diag(I, M), A = [0 I; -K 0] */
static void fill(descriptor *x)
{
    const int n = x->m.n;
    routh_sparse *const all[] = {&x->d.E, &x->d.A, &x->d.states};
    for (int i = 0; i < 3; i++) {
        *all[i] = (routh_sparse){.n_rows = 2 * n, .n_columns = 2 * n};
        all[i]->start = take(2 * (size_t)n + 1, sizeof(int));
    }
    for (int c = 0; c < n; c++) x->d.E.start[c + 1] = x->d.A.start[n + c + 1] = 1;
    for (int c = 0; c < 2 * n; c++) x->d.states.start[c + 1] = 1;
    count_into(&x->d.A, &x->m.pattern, 0);
    count_into(&x->d.E, &x->m.pattern, n);
    for (int i = 0; i < 3; i++) sum_and_take(all[i]);
    int *next = take(2 * (size_t)n, sizeof *next);
    memcpy(next, x->d.E.start, 2 * (size_t)n * sizeof *next);
    for (int c = 0; c < n; c++) put(&x->d.E, next, c, c, 1);
    put_block(&x->d.E, next, &x->m.pattern, x->m.M, 1, n);
    memcpy(next, x->d.A.start, 2 * (size_t)n * sizeof *next);
    for (int c = 0; c < n; c++) put(&x->d.A, next, c, n + c, 1);
    put_block(&x->d.A, next, &x->m.pattern, x->m.K, -1, 0);
    for (int c = 0; c < 2 * n; c++) x->d.states.row[c] = c, x->d.states.value[c] = 1;
    free(next);
    x->linear = (routh_linear){.n_position = n, .n_velocity = n, .n_states = 2 * n};
    x->d.n_coordinates = n;
    x->d.linear = &x->linear;
}

static void print_heading(void)
{
    puts("way,ranks,unknowns,modes,found,matrices_s,modes_s,processors_s,analysis_s,factor_s,"
         "factorizations,solve_s,solves,ratio,factor_entries,lowest_rad_s,peak_mb,all_mb");
}

typedef struct line {
    const char *way;
    int ranks, unknowns, wanted, found;
    double matrices_s, modes_s, processors_s, lowest;
    routh_cluster_figures figures;
} line;

/* The eigenvalues are pairs of the first-order pencil. */
static void solve_general(line *l, int nx, routh_cluster *cluster)
{
    routh_error error;
    descriptor x = {0};
    const plate p = {nx, nx, 1, 1, 1000, 0.3, 10};
    double begun = bench_now();
    char *fixed = clamp(&p);
    bench_check(plate_build(&x.m, &p, fixed, &x.arena, &error), &error);
    fill(&x);
    l->unknowns = x.m.n;
    l->matrices_s = bench_now() - begun;
    begun = bench_now();
    routh_modes *modes = NULL;
    routh_eigensolver solver = routh_cluster_solver(cluster);
    solver.factors = NULL;
    bench_check(routh_modes_select_by(&modes, &x.d, 2 * l->wanted, 0, &solver, &error), &error);
    l->figures = routh_cluster_last(cluster);
    l->modes_s = bench_now() - begun;
    l->found = modes->n / 2;
    l->lowest = fabs(modes->modes[0].eigenvalue[1]);
    routh_modes_free(modes);
    rt_arena_free(&x.arena);
    free(fixed);
}

/* omega^2 of K x = omega^2 M x, counted. */
static void solve_symmetric(line *l, int nx, routh_cluster *cluster)
{
    routh_error error;
    const plate p = {nx, nx, 1, 1, 1000, 0.3, 10};
    plate_matrices m;
    rt_arena arena = {0};
    rt_symmetric_modes modes;
    double begun = bench_now();
    char *fixed = clamp(&p);
    bench_check(plate_build(&m, &p, fixed, &arena, &error), &error);
    l->unknowns = m.n;
    l->matrices_s = bench_now() - begun;
    begun = bench_now();
    const rt_symmetric_pencil pencil = {&m.pattern, &m.pattern, m.K, m.M, 0};
    const routh_factors factors = cluster ? routh_cluster_factors(cluster) : (routh_factors){0};
    const rt_symmetric_request request = {.count = l->wanted, .factors = cluster ? &factors : NULL};
    bench_check(rt_symmetric_modes_find(&modes, &pencil, &request, &arena, &error), &error);
    l->modes_s = bench_now() - begun;
    if (cluster) l->figures = routh_cluster_last(cluster);
    l->found = modes.found;
    l->lowest = sqrt(modes.value[0]);
    rt_arena_free(&arena);
    free(fixed);
}

static double ratio(const line *l)
{
    const routh_cluster_figures *f = &l->figures;
    return f->n_factors ? l->modes_s / (f->analysis_s + f->factor_s / f->n_factors + f->solve_s)
                        : NAN;
}

static void print_line(const line *l, double peak, double all)
{
    const routh_cluster_figures *f = &l->figures;
    printf("%s,%d,%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%d,%.4f,%d,%.3f,%.0f,%.15g,%.1f,%.1f\n", l->way,
           l->ranks, l->unknowns, l->wanted, l->found, l->matrices_s, l->modes_s, l->processors_s,
           f->analysis_s, f->factor_s, f->n_factors, f->n_factors ? f->solve_s : f->iterate_s,
           f->n_solves, ratio(l), f->factor_entries, l->lowest, peak, all);
}

static void run_cluster(line *l, int nx)
{
    routh_cluster *cluster;
    routh_error error;
    bench_check(routh_cluster_open(&cluster, NULL, &error), &error);
    l->ranks = routh_cluster_size(cluster);
    const int rank = routh_cluster_rank(cluster);
    const double begun = bench_processor();
    if (rank > 0)
        routh_cluster_serve(cluster);
    else {
        (strcmp(l->way, "general") == 0 ? solve_general : solve_symmetric)(l, nx, cluster);
        routh_cluster_dismiss(cluster, 0);
    }
    const double mine = bench_peak_megabytes(), used = bench_processor() - begun;
    double most, all;
    MPI_Reduce(&used, &l->processors_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) print_line(l, most, all);
    routh_cluster_close(cluster);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        print_heading();
        return 0;
    }
    line l = {.way = argv[1], .ranks = 1, .wanted = atoi(argv[3])};
    if (strcmp(argv[1], "symmetric") == 0) {
        const double begun = bench_processor();
        solve_symmetric(&l, atoi(argv[2]), NULL);
        l.processors_s = bench_processor() - begun;
        print_line(&l, bench_peak_megabytes(), bench_peak_megabytes());
    } else
        run_cluster(&l, atoi(argv[2]));
    return 0;
}
