/* All fuzzers as one program of libFuzzer: the variable ROUTH_FUZZER says which one runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/runner.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_target *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    const char *wanted = getenv("ROUTH_FUZZER");
    for (const test_entry *e = test_entries; e->name; e++)
        if (wanted && strcmp(strchr(e->name, '.') + 1, wanted) == 0) chosen = e->replayed;
    if (chosen) return 0;
    fputs("ROUTH_FUZZER must be one of:\n", stderr);
    for (const test_entry *e = test_entries; e->name; e++)
        fprintf(stderr, "  %s\n", strchr(e->name, '.') + 1);
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return chosen(data, size);
}
