#define _POSIX_C_SOURCE 200809L

#include "cluster.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "say.h"

bool cluster_is_asked(int n, char **argv)
{
    for (int k = 1; k < n && strcmp(argv[k], "--") != 0; k++)
        if (strcmp(argv[k], "--distributed") == 0) return true;
    return false;
}

routh_component cluster_component(void)
{
    routh_component c = {"SLEPc, PETSc, MUMPS",
                         "--distributed (several processes, MPI)",
                         "--distributed is refused",
                         "libslepc-real3.18-dev, openmpi-bin",
                         "BSD-2-Clause AND CECILL-C",
                         0,
                         ""};
#ifdef ROUTH_DISTRIBUTED
    c.present = 1;
    routh_cluster_versions(c.version, sizeof c.version);
#endif
    return c;
}

#ifdef ROUTH_DISTRIBUTED

/* Of the whole program, as MPI is. */
static routh_cluster *cluster;
static bool leads;
static FILE *last_words; /* standard error of a rank that is silent */

static void lost(int rank, const char *why)
{
    fprintf(last_words ? last_words : stderr, "error: rank %d stopped: %s\n", rank, why);
    if (last_words) fflush(last_words);
}

static int fall_silent(void)
{
    last_words = fdopen(dup(STDERR_FILENO), "w");
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) return EXIT_FAULT;
    return EXIT_DONE;
}

int cluster_begin(void)
{
    routh_error error = {0};
    if (routh_cluster_open(&cluster, lost, &error)) return fault(&error);
    return routh_cluster_rank(cluster) > 0 ? fall_silent() : EXIT_DONE;
}

int cluster_end(int status)
{
    if (leads) routh_cluster_dismiss(cluster, status);
    routh_cluster_close(cluster);
    cluster = NULL;
    return status;
}

bool cluster_served(int *status)
{
    leads = routh_cluster_rank(cluster) == 0;
    if (!leads) *status = routh_cluster_serve(cluster);
    return !leads;
}

routh_eigensolver cluster_solver(void) { return routh_cluster_solver(cluster); }

routh_factors cluster_factors(void) { return routh_cluster_factors(cluster); }

int cluster_cases(int n, routh_case *cases, void (*run)(void *context, int k, routh_case *result),
                  void *context)
{
    routh_error error = {0};
    return routh_cluster_cases(cluster, n, cases, run, context, &error) ? fault(&error) : EXIT_DONE;
}

routh_distributor cluster_dealer(void) { return routh_cluster_dealer(cluster); }

int cluster_rank(void) { return cluster ? routh_cluster_rank(cluster) : 0; }

#else

static int missing(void)
{
    return usage_error("this routh is built without --distributed; with libslepc-real3.18-dev and "
                       "openmpi-bin (Debian) installed, cmake -DROUTH_DISTRIBUTED=ON builds it in");
}

int cluster_begin(void) { return missing(); }

int cluster_end(int status) { return status; }

bool cluster_served(int *status)
{
    *status = missing();
    return true;
}

routh_eigensolver cluster_solver(void) { return (routh_eigensolver){0}; }

routh_factors cluster_factors(void) { return (routh_factors){0}; }

int cluster_cases(int n, routh_case *cases, void (*run)(void *context, int k, routh_case *result),
                  void *context)
{
    (void)n, (void)cases, (void)run, (void)context;
    return missing();
}

routh_distributor cluster_dealer(void) { return (routh_distributor){0}; }

int cluster_rank(void) { return 0; }

#endif
