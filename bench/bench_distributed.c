/* A few eigenvalues of a clamped plate (tests/support/plate.h) as a descriptor: one line of CSV,
 * times in seconds, peak memory in MB (10^6 bytes) of the largest process and of all.
 *
 *     [mpirun -n RANKS] bench_distributed WAY NX WANTED    WAY: arpack, symmetric (one
 *                                                           process), cluster
 *     bench_distributed                                    the heading */
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
    puts("way,ranks,unknowns,wanted,found,matrices_s,modes_s,factor_s,iterate_s,factor_entries,"
         "lowest_rad_s,peak_mb,all_mb");
}

static double lowest(const routh_modes *m)
{
    return m->modes[0].eigenvalue[1] < 0 ? -m->modes[0].eigenvalue[1] : m->modes[0].eigenvalue[1];
}

typedef struct line {
    const char *way;
    int ranks, unknowns, wanted, found;
    double matrices_s, modes_s, lowest;
    routh_cluster_figures figures;
} line;

/* By rank 0, or by the one process. */
static void solve(line *l, int nx, routh_cluster *cluster)
{
    routh_error error;
    const plate p = {nx, nx, 1, 1, 1000, 0.3, 10};
    descriptor x = {0};
    double begun = bench_now();
    char *fixed = clamp(&p);
    bench_check(plate_build(&x.m, &p, fixed, &x.arena, &error), &error);
    fill(&x);
    l->unknowns = 2 * x.m.n;
    l->matrices_s = bench_now() - begun;
    begun = bench_now();
    routh_modes *modes = NULL;
    if (cluster) {
        const routh_eigensolver solver = routh_cluster_solver(cluster);
        bench_check(routh_modes_wanted_by(&modes, &x.d, l->wanted, 0, &solver, &error), &error);
        l->figures = routh_cluster_last(cluster);
    } else
        bench_check(routh_modes_wanted(&modes, &x.d, l->wanted, 0, &error), &error);
    l->modes_s = bench_now() - begun;
    l->found = modes->n;
    l->lowest = lowest(modes);
    routh_modes_free(modes);
    rt_arena_free(&x.arena);
    free(fixed);
}

/* omega^2 of K x = omega^2 M x, counted; as many pairs as eigenvalues are wanted of the others */
static void solve_symmetric(line *l, int nx)
{
    routh_error error;
    const plate p = {nx, nx, 1, 1, 1000, 0.3, 10};
    plate_matrices m;
    rt_arena arena = {0};
    rt_symmetric_modes modes;
    double begun = bench_now();
    char *fixed = clamp(&p);
    bench_check(plate_build(&m, &p, fixed, &arena, &error), &error);
    l->unknowns = 2 * m.n;
    l->matrices_s = bench_now() - begun;
    begun = bench_now();
    const rt_symmetric_pencil pencil = {&m.pattern, &m.pattern, m.K, m.M, 0};
    const rt_symmetric_request request = {.count = l->wanted / 2};
    bench_check(rt_symmetric_modes_find(&modes, &pencil, &request, &arena, &error), &error);
    l->modes_s = bench_now() - begun;
    l->found = 2 * modes.found;
    l->lowest = sqrt(modes.value[0]);
    rt_arena_free(&arena);
    free(fixed);
}

static void print_line(const line *l, double peak, double all)
{
    printf("%s,%d,%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%.0f,%.15g,%.1f,%.1f\n", l->way, l->ranks,
           l->unknowns, l->wanted, l->found, l->matrices_s, l->modes_s, l->figures.factor_s,
           l->figures.iterate_s, l->figures.factor_entries, l->lowest, peak, all);
}

static void run_cluster(line *l, int nx)
{
    routh_cluster *cluster;
    routh_error error;
    bench_check(routh_cluster_open(&cluster, NULL, &error), &error);
    l->ranks = routh_cluster_size(cluster);
    const int rank = routh_cluster_rank(cluster);
    if (rank > 0)
        routh_cluster_serve(cluster);
    else {
        solve(l, nx, cluster);
        routh_cluster_dismiss(cluster, 0);
    }
    const double mine = bench_peak_megabytes();
    double most, all;
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
    if (strcmp(argv[1], "cluster") == 0)
        run_cluster(&l, atoi(argv[2]));
    else {
        if (strcmp(argv[1], "symmetric") == 0)
            solve_symmetric(&l, atoi(argv[2]));
        else
            solve(&l, atoi(argv[2]), NULL);
        print_line(&l, bench_peak_megabytes(), bench_peak_megabytes());
    }
    return 0;
}
