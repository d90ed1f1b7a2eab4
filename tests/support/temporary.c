/* See temporary.h. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/temporary.h"

char *write_temporary(const char *text)
{
    const char *given = getenv("TMPDIR"), *folder = given && *given ? given : P_tmpdir;
    static const char name[] = "/routh-XXXXXX";
    char *path = malloc(strlen(folder) + sizeof name);
    assert_non_null(path);
    strcpy(path, folder);
    strcat(path, name);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    return path;
}
