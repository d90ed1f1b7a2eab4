/* Many cases over the ranks: a counter on rank 0 gives the next one to whoever asks. */
#include <stdlib.h>

#include "distributed/inside.h"

enum { CASE_TAG = 2, N_PARTS = 2 };

typedef struct counter {
    MPI_Win window;
    int *value; /* rank 0 */
} counter;

static void counter_open(counter *next, const routh_cluster *c)
{
    MPI_Win_allocate(c->rank == 0 ? (MPI_Aint)sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, c->comm,
                     &next->value, &next->window);
    MPI_Win_lock_all(0, next->window);
    if (c->rank == 0) *next->value = 0;
    MPI_Win_sync(next->window);
    MPI_Barrier(c->comm);
}

static int counter_take(const counter *next)
{
    const int one = 1;
    int value;
    MPI_Fetch_and_op(&one, &value, MPI_INT, 0, 0, MPI_SUM, next->window);
    MPI_Win_flush(0, next->window);
    return value;
}

static void counter_close(counter *next)
{
    MPI_Win_unlock_all(next->window);
    MPI_Win_free(&next->window);
}

/* ---- to rank 0 ------------------------------------------------------------------------------ */

static void send_case(const routh_cluster *c, const routh_case *one)
{
    const routh_text *texts[N_PARTS] = {&one->out, &one->said};
    MPI_Send(&one->status, 1, MPI_INT, 0, CASE_TAG, c->comm);
    for (int i = 0; i < N_PARTS; i++) {
        const unsigned long length = texts[i]->length;
        MPI_Send(&length, 1, MPI_UNSIGNED_LONG, 0, CASE_TAG, c->comm);
        MPI_Send(texts[i]->bytes, (int)length, MPI_CHAR, 0, CASE_TAG, c->comm);
    }
}

static void receive_case(routh_cluster *c, int from, routh_case *one)
{
    routh_text *texts[N_PARTS] = {&one->out, &one->said};
    MPI_Recv(&one->status, 1, MPI_INT, from, CASE_TAG, c->comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < N_PARTS; i++) {
        unsigned long length = 0;
        MPI_Recv(&length, 1, MPI_UNSIGNED_LONG, from, CASE_TAG, c->comm, MPI_STATUS_IGNORE);
        if (length > 0) {
            texts[i]->bytes = malloc(length + 1);
            if (!texts[i]->bytes) rt_cluster_give_up(c, "it is out of memory");
            texts[i]->bytes[length] = '\0';
        }
        texts[i]->length = length;
        MPI_Recv(texts[i]->bytes, (int)length, MPI_CHAR, from, CASE_TAG, c->comm,
                 MPI_STATUS_IGNORE);
    }
}

/* owner[k]: the rank that ran case k */
static void collect(routh_cluster *c, int n, routh_case *cases, int *owner)
{
    MPI_Allreduce(MPI_IN_PLACE, owner, n, MPI_INT, MPI_MAX, c->comm);
    for (int k = 0; k < n; k++) {
        if (owner[k] == 0) continue;
        if (c->rank == 0)
            receive_case(c, owner[k], &cases[k]);
        else if (c->rank == owner[k]) {
            send_case(c, &cases[k]);
            routh_text_free(&cases[k].out);
            routh_text_free(&cases[k].said);
        }
    }
}

routh_status routh_cluster_cases(routh_cluster *c, int n, routh_case *cases,
                                 void (*run)(void *context, int k, routh_case *result),
                                 void *context, routh_error *error)
{
    counter next;
    int *owner = malloc(((size_t)n + 1) * sizeof *owner), ok = owner != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, c->comm);
    if (!ok) {
        free(owner);
        return rt_cluster_fail(error, ROUTH_OUT_OF_MEMORY, "out of memory");
    }
    for (int k = 0; k < n; k++) owner[k] = -1;
    counter_open(&next, c);
    for (int k = counter_take(&next); k < n; k = counter_take(&next)) {
        run(context, k, &cases[k]);
        owner[k] = c->rank;
    }
    collect(c, n, cases, owner);
    counter_close(&next);
    free(owner);
    return ROUTH_OK;
}

/* ---- for calls of the library --------------------------------------------------------------- */

typedef struct dealt {
    void (*run)(void *work, int k, routh_text *result);
    void *work;
} dealt;

static void run_dealt(void *context, int k, routh_case *result)
{
    const dealt *d = context;
    d->run(d->work, k, &result->out);
}

static routh_status deal(void *context, int n, void (*run)(void *work, int k, routh_text *result),
                         void *work, routh_text *results, routh_error *error)
{
    routh_cluster *c = context;
    dealt d = {run, work};
    routh_case *cases = calloc((size_t)n + 1, sizeof *cases);
    if (!cases) rt_cluster_give_up(c, "it is out of memory");
    const routh_status status = routh_cluster_cases(c, n, cases, run_dealt, &d, error);
    for (int k = 0; k < n && cases; k++) results[k] = cases[k].out;
    free(cases);
    return status;
}

routh_distributor routh_cluster_dealer(routh_cluster *c)
{
    return (routh_distributor){.context = c, .leads = c->rank == 0, .deal = deal};
}
