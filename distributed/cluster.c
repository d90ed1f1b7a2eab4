#define _POSIX_C_SOURCE 200809L

#include "distributed/cluster.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "distributed/inside.h"

routh_status rt_cluster_fail(routh_error *error, routh_status status, const char *format, ...)
{
    if (!error) return status;
    *error = (routh_error){.status = status};
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

/* ---- PETSc's errors ------------------------------------------------------------------------- */

/* Keeps the first one; prints nothing. */
static PetscErrorCode keep_error(MPI_Comm comm, int line, const char *function, const char *file,
                                 PetscErrorCode code, PetscErrorType type, const char *message,
                                 void *context)
{
    routh_cluster *c = context;
    (void)comm, (void)line, (void)function, (void)file;
    if (type == PETSC_ERROR_INITIAL && !c->code) {
        const char *general = NULL;
        PetscErrorMessage(code, &general, NULL);
        c->code = code;
        snprintf(c->message, sizeof c->message, "%s%s%s", general ? general : "",
                 general && message && *message ? ": " : "", message ? message : "");
        for (char *at = c->message; *at; at++)
            if (*at == '\n') *at = ' ';
    }
    return code;
}

void rt_cluster_give_up(routh_cluster *c, const char *why)
{
    if (c->lost) c->lost(c->rank, why);
    MPI_Abort(c->comm, 1);
}

routh_status rt_cluster_agree(routh_cluster *c, PetscErrorCode code, routh_error *error)
{
    if (code == PETSC_ERR_MEM && c->size > 1) rt_cluster_give_up(c, "it is out of memory");
    const int mine = code ? c->rank : c->size;
    int first = c->size;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, c->comm);
    if (first == c->size) return ROUTH_OK;
    int failed = (int)code;
    MPI_Bcast(&failed, 1, MPI_INT, first, c->comm);
    MPI_Bcast(c->message, sizeof c->message, MPI_CHAR, first, c->comm);
    if (failed == (int)PETSC_ERR_MEM)
        rt_cluster_fail(error, ROUTH_OUT_OF_MEMORY, "out of memory");
    else
        rt_cluster_fail(error, ROUTH_NUMERIC_ERROR,
                        "the distributed solver failed on rank %d of %d: %s", first, c->size,
                        c->message[0] ? c->message : "PETSc says no more");
    c->message[0] = '\0';
    c->code = 0;
    return failed == (int)PETSC_ERR_MEM ? ROUTH_OUT_OF_MEMORY : ROUTH_NUMERIC_ERROR;
}

/* ---- from beginning to end ------------------------------------------------------------------ */

/* No handlers of signals, no file of options: the program's behaviour is its own. */
static PetscErrorCode begin_slepc(routh_cluster *c)
{
    PetscCall(PetscOptionsSetValue(NULL, "-no_signal_handler", "true"));
    PetscCall(PetscOptionsSetValue(NULL, "-skip_petscrc", "true"));
    PetscCall(SlepcInitializeNoArguments());
    c->slepc = true;
    PetscCall(PetscPushErrorHandler(keep_error, c));
    return 0;
}

routh_status routh_cluster_open(routh_cluster **cluster, routh_cluster_lost lost,
                                routh_error *error)
{
    routh_cluster *c = calloc(1, sizeof *c);
    *cluster = NULL;
    if (!c) return rt_cluster_fail(error, ROUTH_OUT_OF_MEMORY, "out of memory");
    c->comm = MPI_COMM_NULL;
    c->lost = lost;
    int before = 0;
    MPI_Initialized(&before);
    if (before || MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        free(c);
        return rt_cluster_fail(error, ROUTH_NOT_SUPPORTED, "MPI cannot begin in this process");
    }
    c->mpi = true;
    if (begin_slepc(c) || MPI_Comm_dup(MPI_COMM_WORLD, &c->comm) != MPI_SUCCESS) {
        routh_cluster_close(c);
        return rt_cluster_fail(error, ROUTH_NOT_SUPPORTED, "SLEPc cannot begin in this process");
    }
    MPI_Comm_rank(c->comm, &c->rank);
    MPI_Comm_size(c->comm, &c->size);
    *cluster = c;
    return ROUTH_OK;
}

void routh_cluster_versions(char *text, size_t size)
{
    PetscInt slepc[3] = {0}, petsc[3] = {0};
    (void)SlepcGetVersionNumber(&slepc[0], &slepc[1], &slepc[2], NULL);
    (void)PetscGetVersionNumber(&petsc[0], &petsc[1], &petsc[2], NULL);
    snprintf(text, size, "%d.%d.%d, %d.%d.%d", (int)slepc[0], (int)slepc[1], (int)slepc[2],
             (int)petsc[0], (int)petsc[1], (int)petsc[2]);
}

int routh_cluster_rank(const routh_cluster *c) { return c->rank; }

int routh_cluster_size(const routh_cluster *c) { return c->size; }

void routh_cluster_close(routh_cluster *c)
{
    if (!c) return;
    if (c->comm != MPI_COMM_NULL) MPI_Comm_free(&c->comm);
    if (c->slepc) {
        PetscPopErrorHandler();
        SlepcFinalize();
    }
    if (c->mpi) MPI_Finalize();
    free(c);
}

/* ---- rank 0 and those who serve it ---------------------------------------------------------- */

/* A rank without work sleeps: MPI itself would keep a processor busy with waiting. */
void rt_cluster_tell(routh_cluster *c, rt_order *order)
{
    MPI_Request request;
    int done = 0;
    struct timespec nap = {.tv_nsec = 20000};
    MPI_Ibcast(order, sizeof *order, MPI_BYTE, 0, c->comm, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        nanosleep(&nap, NULL);
        if (nap.tv_nsec < 500000) nap.tv_nsec *= 2;
    }
}

int routh_cluster_serve(routh_cluster *c)
{
    rt_order order;
    for (;;) {
        rt_cluster_tell(c, &order);
        if (order.kind == RT_ORDER_DISMISS) return order.status;
        if (order.kind == RT_ORDER_FACTORS)
            rt_cluster_factors_work(c, order.job);
        else
            rt_cluster_solve(c, &order, NULL, NULL); /* rank 0 has the same status and tells it */
    }
}

void routh_cluster_dismiss(routh_cluster *c, int status)
{
    rt_order order = {.kind = RT_ORDER_DISMISS, .status = status};
    rt_cluster_tell(c, &order);
}

static routh_status solve(void *context, routh_shift_invert *p, routh_error *error)
{
    routh_cluster *c = context;
    rt_cluster_pencil pencil;
    routh_status status = rt_cluster_pencil_open(&pencil, p, c->size, error);
    if (!status) {
        rt_order order = {.kind = RT_ORDER_SOLVE,
                          .n_coordinates = p->n_coordinates,
                          .n_constraints = p->n_constraints,
                          .wanted = p->wanted,
                          .basis = p->basis,
                          .most_restarts = p->most_restarts,
                          .symmetric = pencil.symmetric,
                          .shift = p->shift};
        rt_cluster_tell(c, &order);
        status = rt_cluster_solve(c, &order, &pencil, error);
    }
    rt_cluster_pencil_close(&pencil);
    return status;
}

routh_eigensolver routh_cluster_solver(routh_cluster *c)
{
    c->counted = routh_cluster_factors(c);
    return (routh_eigensolver){.context = c, .solve = solve, .factors = &c->counted};
}

routh_cluster_figures routh_cluster_last(const routh_cluster *c) { return c->last; }
