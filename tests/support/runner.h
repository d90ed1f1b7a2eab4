/* What a program of many test files is made of. */
#ifndef TESTS_SUPPORT_RUNNER_H
#define TESTS_SUPPORT_RUNNER_H

#include <stddef.h>
#include <stdint.h>

/* As libFuzzer calls it. */
typedef int fuzz_target(const uint8_t *data, size_t size);

/* The main of a file of tests, or what its stored inputs are replayed to. */
typedef struct test_entry {
    const char *name; /* room.file; NULL ends the table */
    int (*run)(void);
    fuzz_target *replayed;
} test_entry;

extern const test_entry test_entries[];

/* Gives every input of tests/fuzz/corpus/<name>.zip to the target, in the order of their names; 0,
 * or 1 where the file cannot be read or is empty. */
int replay_corpus(const char *name, fuzz_target *target);

#endif
