/* All C tests in one program: routh_tests NAME runs the file tests/ROOM/test_FILE.c whose NAME is
 * ROOM.FILE, or replays the stored inputs of tests/fuzz/fuzz_FILE.c whose NAME is fuzz.FILE;
 * PATTERN limits it to the tests whose names match (* and ?). --list names them all. The table is
 * written by tests/CMakeLists.txt. */
#include "support/runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int list(void)
{
    for (const test_entry *e = test_entries; e->name; e++) puts(e->name);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s NAME [PATTERN] | --list\n", argv[0]);
        return 2;
    }
    for (const test_entry *e = test_entries; e->name; e++) {
        if (strcmp(e->name, argv[1]) != 0) continue;
        if (argc == 3) cmocka_set_test_filter(argv[2]);
        return e->replayed ? replay_corpus(strchr(e->name, '.') + 1, e->replayed) : e->run();
    }
    fprintf(stderr, "%s: there is no test '%s'; --list names them\n", argv[0], argv[1]);
    return 2;
}
