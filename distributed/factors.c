/* L D L' of a symmetric matrix of rank 0 on all ranks, by MUMPS itself. */
#include <stdlib.h>

#include <dmumps_c.h>

#include "distributed/inside.h"

/* MUMPS's jobs. */
enum { BEGIN = -1, END = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 };

/* Its numbers of errors, INFOG(1). */
enum {
    TOO_LITTLE_INTEGER_ROOM = -8,
    TOO_LITTLE_ROOM = -9,
    SINGULAR_PIVOT = -10,
    SINGULAR_PATTERN = -6,
    NO_MEMORY = -13,
    LIMIT_OF_MEMORY = -19
};

/* Room for pivots that are put off, in percent of what the analysis expects: one beyond another. */
static const int ROOM[] = {30, 100, 400, 1600};

typedef struct rt_factors_mpi {
    DMUMPS_STRUC_C mumps;
    MUMPS_INT *row, *column; /* rank 0, from here on: the lower triangle, counted from 1 */
    double *value;
    int n, entries;
    bool analysed;
} rt_factors_mpi;

/* ICNTL and INFOG as MUMPS's manual counts them. */
static MUMPS_INT *control(rt_factors_mpi *f, int k) { return &f->mumps.icntl[k - 1]; }

static int answer(const rt_factors_mpi *f, int k) { return f->mumps.infog[k - 1]; }

/* ---- on all ranks --------------------------------------------------------------------------- */

static void begin(routh_cluster *c)
{
    rt_factors_mpi *f = calloc(1, sizeof *f);
    if (!f) rt_cluster_give_up(c, "it is out of memory");
    c->factors = f;
    f->mumps.comm_fortran = MPI_Comm_c2f(c->comm);
    f->mumps.par = 1; /* rank 0 works too */
    f->mumps.sym = 2; /* indefinite */
    f->mumps.job = BEGIN;
    dmumps_c(&f->mumps);
    for (int k = 1; k <= 4; k++) *control(f, k) = k < 4 ? -1 : 0; /* silent */
}

void rt_cluster_factors_work(routh_cluster *c, int job)
{
    if (job == BEGIN) begin(c);
    if (job == BEGIN || !c->factors) return;
    c->factors->mumps.job = job;
    dmumps_c(&c->factors->mumps);
    if (job != END) return;
    free(c->factors->row);
    free(c->factors->column);
    free(c->factors->value);
    free(c->factors);
    c->factors = NULL;
}

/* ---- on rank 0 ------------------------------------------------------------------------------ */

/* One job of all ranks, and the seconds it took. */
static double work(routh_cluster *c, int job)
{
    rt_order order = {.kind = RT_ORDER_FACTORS, .job = job};
    const double begun = MPI_Wtime();
    rt_cluster_tell(c, &order);
    rt_cluster_factors_work(c, job);
    return MPI_Wtime() - begun;
}

static routh_status failed(const routh_cluster *c, routh_error *error)
{
    const int info = answer(c->factors, 1), more = answer(c->factors, 2);
    if (info == NO_MEMORY || info == LIMIT_OF_MEMORY)
        return rt_cluster_fail(error, ROUTH_OUT_OF_MEMORY, "out of memory");
    return rt_cluster_fail(error, ROUTH_NUMERIC_ERROR,
                           "the distributed factorization failed: MUMPS says INFOG(1) = %d, "
                           "INFOG(2) = %d",
                           info, more);
}

static routh_status open_factors(void *context, int n, const int *start, const int *row,
                                 routh_error *error)
{
    routh_cluster *c = context;
    work(c, BEGIN);
    c->last = (routh_cluster_figures){.order = n, .symmetric = 1};
    rt_factors_mpi *f = c->factors;
    if (answer(f, 1) < 0) return failed(c, error);
    f->n = n, f->entries = start[n];
    f->row = malloc(((size_t)f->entries + 1) * sizeof *f->row);
    f->column = malloc(((size_t)f->entries + 1) * sizeof *f->column);
    f->value = malloc(((size_t)f->entries + 1) * sizeof *f->value);
    if (!f->row || !f->column || !f->value)
        return rt_cluster_fail(error, ROUTH_OUT_OF_MEMORY, "out of memory");
    for (int k = 0; k < n; k++)
        for (int e = start[k]; e < start[k + 1]; e++) f->row[e] = row[e] + 1, f->column[e] = k + 1;
    return ROUTH_OK;
}

/* With values, so that constraints, whose diagonal is 0, are ordered after what they hold. */
static routh_status analyse(routh_cluster *c, routh_error *error)
{
    rt_factors_mpi *f = c->factors;
    f->mumps.n = f->n;
    f->mumps.nnz = f->entries;
    f->mumps.irn = f->row;
    f->mumps.jcn = f->column;
    f->mumps.a = f->value;
    *control(f, 13) = 1; /* the root by one rank: else its signs are not counted */
    c->last.analysis_s += work(c, ANALYSE);
    f->analysed = answer(f, 1) >= 0;
    return f->analysed ? ROUTH_OK : failed(c, error);
}

static routh_status factor(void *context, const double *values, int *negative, int *singular,
                           routh_error *error)
{
    routh_cluster *c = context;
    rt_factors_mpi *f = c->factors;
    for (int e = 0; e < f->entries; e++) f->value[e] = values[e];
    if (!f->analysed) {
        const routh_status status = analyse(c, error);
        if (status) return status;
    }
    for (size_t k = 0; k < sizeof ROOM / sizeof *ROOM; k++) {
        *control(f, 14) = ROOM[k];
        c->last.factor_s += work(c, FACTOR);
        if (answer(f, 1) != TOO_LITTLE_ROOM && answer(f, 1) != TOO_LITTLE_INTEGER_ROOM) break;
    }
    c->last.n_factors++;
    *negative = 0;
    *singular = answer(f, 1) == SINGULAR_PIVOT || answer(f, 1) == SINGULAR_PATTERN;
    if (*singular) return ROUTH_OK;
    if (answer(f, 1) < 0) return failed(c, error);
    *negative = answer(f, 12);
    c->last.factor_entries = answer(f, 29) < 0 ? -1e6 * answer(f, 29) : answer(f, 29);
    return ROUTH_OK;
}

static routh_status solve(void *context, double *x, int columns, routh_error *error)
{
    routh_cluster *c = context;
    rt_factors_mpi *f = c->factors;
    f->mumps.rhs = x;
    f->mumps.nrhs = columns;
    f->mumps.lrhs = f->n;
    c->last.solve_s += work(c, SOLVE);
    c->last.n_solves += columns;
    return answer(f, 1) < 0 ? failed(c, error) : ROUTH_OK;
}

static double bytes(void *context)
{
    const routh_cluster *c = context;
    return 8 * c->last.factor_entries;
}

static void close_factors(void *context)
{
    routh_cluster *c = context;
    if (c->factors) work(c, END);
}

routh_factors routh_cluster_factors(routh_cluster *c)
{
    return (routh_factors){.context = c,
                           .open = open_factors,
                           .factor = factor,
                           .solve = solve,
                           .bytes = bytes,
                           .close = close_factors};
}
