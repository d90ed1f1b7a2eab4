#define _XOPEN_SOURCE 700
#include "room.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void room_for_blas(char **argv)
{
    static const char variable[] = "OPENBLAS_NUM_THREADS";
    const char *const given = getenv(variable);
    struct rlimit limit;
    if ((given && !strcmp(given, "1")) || getrlimit(RLIMIT_AS, &limit) ||
        limit.rlim_cur == RLIM_INFINITY || setenv(variable, "1", 1))
        return;
    execv("/proc/self/exe", argv);
}
