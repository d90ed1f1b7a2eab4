#include "distributed/operator.h"

#include <float.h>
#include <stdlib.h>

enum { ROWS_TAG = 1 };

/* ---- matrices from rank 0 ------------------------------------------------------------------- */

/* How many rows of a part a rank has. */
static int rows_of(const rt_order *o, rt_part part, int rank, int size)
{
    const int n =
        rt_share(o->n_coordinates, rank + 1, size) - rt_share(o->n_coordinates, rank, size);
    const int m =
        rt_share(o->n_constraints, rank + 1, size) - rt_share(o->n_constraints, rank, size);
    return n + (part == RT_PART_SADDLE ? m : 0);
}

static void send_rows(const routh_cluster *c, const rt_rows *rows, int from, int n, int rank)
{
    const int first = rows->start[from], entries = rows->start[from + n] - first;
    MPI_Send(rows->start + from, n + 1, MPI_INT, rank, ROWS_TAG, c->comm);
    MPI_Send(rows->column + first, entries, MPI_INT, rank, ROWS_TAG, c->comm);
    MPI_Send(rows->value + first, entries, MPI_DOUBLE, rank, ROWS_TAG, c->comm);
}

/* rows of this rank, with start counted from 0; free its three arrays */
static void receive_rows(routh_cluster *c, rt_rows *rows)
{
    rows->start = malloc(((size_t)rows->n + 1) * sizeof(int));
    if (!rows->start) rt_cluster_give_up(c, "it is out of memory");
    MPI_Recv(rows->start, rows->n + 1, MPI_INT, 0, ROWS_TAG, c->comm, MPI_STATUS_IGNORE);
    const int first = rows->start[0], entries = rows->start[rows->n] - first;
    for (int k = 0; k <= rows->n; k++) rows->start[k] -= first;
    rows->column = malloc(((size_t)entries + 1) * sizeof(int));
    rows->value = malloc(((size_t)entries + 1) * sizeof(double));
    if (!rows->column || !rows->value) rt_cluster_give_up(c, "it is out of memory");
    MPI_Recv(rows->column, entries, MPI_INT, 0, ROWS_TAG, c->comm, MPI_STATUS_IGNORE);
    MPI_Recv(rows->value, entries, MPI_DOUBLE, 0, ROWS_TAG, c->comm, MPI_STATUS_IGNORE);
}

static PetscErrorCode make_matrix(const routh_cluster *c, const rt_rows *rows, Mat *matrix)
{
    PetscCall(MatCreateMPIAIJWithArrays(c->comm, rows->n, rows->n, PETSC_DETERMINE, PETSC_DETERMINE,
                                        rows->start, rows->column, rows->value, matrix));
    return 0;
}

/* Rank 0 keeps the first rows and sends the others theirs. */
static PetscErrorCode share_matrix(rt_operator_mpi *op, const rt_order *order,
                                   rt_cluster_pencil *pencil, rt_part part, Mat *matrix)
{
    routh_cluster *c = op->cluster;
    rt_rows mine = {.n = rows_of(order, part, c->rank, c->size)};
    if (c->rank > 0) {
        receive_rows(c, &mine);
        const PetscErrorCode code = make_matrix(c, &mine, matrix);
        free(mine.start);
        free(mine.column);
        free(mine.value);
        return code;
    }
    rt_cluster_pencil_make(pencil, part);
    for (int r = 1, from = mine.n; r < c->size; r++) {
        const int n = rows_of(order, part, r, c->size);
        send_rows(c, &pencil->rows, from, n, r);
        from += n;
    }
    mine.start = pencil->rows.start, mine.column = pencil->rows.column;
    mine.value = pencil->rows.value;
    return make_matrix(c, &mine, matrix);
}

PetscErrorCode rt_operator_make(rt_operator_mpi *op, const rt_order *order,
                                rt_cluster_pencil *pencil)
{
    const int rank = op->cluster->rank, size = op->cluster->size;
    op->n = rows_of(order, RT_PART_MASS, rank, size);
    op->m = rows_of(order, RT_PART_SADDLE, rank, size) - op->n;
    op->shift = order->shift;
    op->symmetric = order->symmetric != 0;
    PetscCall(share_matrix(op, order, pencil, RT_PART_SADDLE, &op->saddle));
    PetscCall(share_matrix(op, order, pencil, RT_PART_MASS, &op->mass));
    PetscCall(share_matrix(op, order, pencil, RT_PART_RATE, &op->rate));
    PetscCall(MatCreateVecs(op->mass, &op->a, &op->b));
    PetscCall(VecDuplicate(op->a, &op->c));
    PetscCall(MatCreateVecs(op->saddle, &op->right, &op->solution));
    PetscCall(VecDuplicate(op->right, &op->leftover));
    PetscCall(VecDuplicate(op->right, &op->correction));
    PetscCall(MatNorm(op->saddle, NORM_INFINITY, &op->norm));
    return 0;
}

/* ---- factors -------------------------------------------------------------------------------- */

/* Room for pivots that are put off, in percent of what the analysis expects (ICNTL 14): MUMPS's own
 * 20 does not do for saddle-point matrices. */
static const PetscInt ROOM[] = {50, 200, 800, 3200};

enum {
    TOO_LITTLE_ROOM = -9,
    TOO_LITTLE_INTEGER_ROOM = -8,
    SINGULAR_PIVOT = -10,
    SINGULAR_PATTERN = -6
};

static PetscErrorCode factor_once(rt_operator_mpi *op, PetscInt room, PetscInt *info)
{
    MatFactorInfo how;
    IS rows = NULL, columns = NULL; /* MUMPS orders by itself */
    PetscCall(MatFactorInfoInitialize(&how));
    PetscCall(MatGetFactor(op->saddle, MATSOLVERMUMPS,
                           op->symmetric ? MAT_FACTOR_CHOLESKY : MAT_FACTOR_LU, &op->factors));
    PetscCall(MatMumpsSetIcntl(op->factors, 14, room));
    if (op->symmetric) {
        PetscCall(MatCholeskyFactorSymbolic(op->factors, op->saddle, rows, &how));
        PetscCall(MatCholeskyFactorNumeric(op->factors, op->saddle, &how));
    } else {
        PetscCall(MatLUFactorSymbolic(op->factors, op->saddle, rows, columns, &how));
        PetscCall(MatLUFactorNumeric(op->factors, op->saddle, &how));
    }
    PetscCall(MatMumpsGetInfog(op->factors, 1, info));
    return 0;
}

static PetscErrorCode note_figures(rt_operator_mpi *op)
{
    PetscInt entries = 0, order = 0;
    PetscCall(MatGetSize(op->saddle, &order, NULL));
    PetscCall(MatMumpsGetInfog(op->factors, 29, &entries)); /* negative: in millions */
    op->cluster->last.order = order;
    op->cluster->last.symmetric = op->symmetric;
    op->cluster->last.factor_entries = entries < 0 ? -1e6 * entries : entries;
    return 0;
}

PetscErrorCode rt_operator_factor(rt_operator_mpi *op)
{
    PetscInt info = TOO_LITTLE_ROOM;
    PetscCall(MatSetOption(op->saddle, MAT_SYMMETRIC, op->symmetric ? PETSC_TRUE : PETSC_FALSE));
    for (size_t k = 0; k < sizeof ROOM / sizeof *ROOM; k++) {
        PetscCall(MatDestroy(&op->factors));
        PetscCall(factor_once(op, ROOM[k], &info));
        if (info != TOO_LITTLE_ROOM && info != TOO_LITTLE_INTEGER_ROOM) break;
    }
    op->singular = info == SINGULAR_PIVOT || info == SINGULAR_PATTERN;
    if (op->singular) return 0;
    if (info == -13 || info == -19)
        SETERRQ(op->cluster->comm, PETSC_ERR_LIB, "MUMPS finds no memory for the factors");
    PetscCheck(info >= 0, op->cluster->comm, PETSC_ERR_LIB, "MUMPS gives up with INFOG(1) = %d",
               (int)info);
    return note_figures(op);
}

/* ---- the operator --------------------------------------------------------------------------- */

/* From one local part of a vector to another. */
static PetscErrorCode copy_part(Vec from, int at, Vec to, int where, int n, double by)
{
    const PetscScalar *x;
    PetscScalar *y;
    PetscCall(VecGetArrayRead(from, &x));
    PetscCall(VecGetArray(to, &y));
    for (int i = 0; i < n; i++) y[where + i] = by * x[at + i];
    PetscCall(VecRestoreArray(to, &y));
    PetscCall(VecRestoreArrayRead(from, &x));
    return 0;
}

/* leftover = right - saddle solution; *small: it is of rounding size */
static PetscErrorCode look_back(rt_operator_mpi *op, bool *small)
{
    PetscReal left, right, size;
    PetscCall(MatMult(op->saddle, op->solution, op->leftover));
    PetscCall(VecAYPX(op->leftover, -1, op->right));
    PetscCall(VecNorm(op->leftover, NORM_INFINITY, &left));
    PetscCall(VecNorm(op->right, NORM_INFINITY, &right));
    PetscCall(VecNorm(op->solution, NORM_INFINITY, &size));
    *small = left <= DBL_EPSILON * (op->norm * size + right);
    return 0;
}

/* solution = saddle^-1 right, refined until what is left over is of rounding size */
static PetscErrorCode solve_refined(rt_operator_mpi *op)
{
    enum { MOST_STEPS = 3 };
    bool small = false;
    PetscCall(MatSolve(op->factors, op->right, op->solution));
    op->n_solves++;
    for (int step = 0; step < MOST_STEPS; step++) {
        PetscCall(look_back(op, &small));
        if (small) break;
        PetscCall(MatSolve(op->factors, op->leftover, op->correction));
        PetscCall(VecAXPY(op->solution, 1, op->correction));
    }
    return 0;
}

/* [K + s D + s^2 M, H; G, 0] (xi', lambda') = (-M du - (D + s M) xi, 0),  du' = xi + s xi' */
PetscErrorCode rt_operator_apply(rt_operator_mpi *op, Vec x, Vec y)
{
    PetscCall(copy_part(x, 0, op->a, 0, op->n, 1));
    PetscCall(copy_part(x, op->n, op->b, 0, op->n, 1));
    PetscCall(MatMult(op->mass, op->b, op->c));
    PetscCall(MatMultAdd(op->rate, op->a, op->c, op->c));
    PetscCall(VecSet(op->right, 0));
    PetscCall(copy_part(op->c, 0, op->right, 0, op->n, -1));
    PetscCall(solve_refined(op));
    PetscCall(copy_part(op->solution, 0, op->b, 0, op->n, 1));
    PetscCall(VecAXPY(op->a, op->shift, op->b));
    PetscCall(copy_part(op->b, 0, y, 0, op->n, 1));
    PetscCall(copy_part(op->a, 0, y, op->n, op->n, 1));
    return 0;
}

PetscErrorCode rt_operator_free(rt_operator_mpi *op)
{
    PetscCall(MatDestroy(&op->factors));
    PetscCall(MatDestroy(&op->saddle));
    PetscCall(MatDestroy(&op->mass));
    PetscCall(MatDestroy(&op->rate));
    PetscCall(VecDestroy(&op->a));
    PetscCall(VecDestroy(&op->b));
    PetscCall(VecDestroy(&op->c));
    PetscCall(VecDestroy(&op->right));
    PetscCall(VecDestroy(&op->solution));
    PetscCall(VecDestroy(&op->leftover));
    PetscCall(VecDestroy(&op->correction));
    return 0;
}
