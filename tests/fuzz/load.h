/* Any bytes as a file of a linear model: loading refuses them with one message that names the file,
 * or gives a model that its own form of saving takes. */
#ifndef TESTS_FUZZ_LOAD_H
#define TESTS_FUZZ_LOAD_H

#define _GNU_SOURCE

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "routh/routh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads what lies at path. */
static inline void load_path(const char *path, const char *format)
{
    routh_error error = {0};
    routh_linear *linear;
    const routh_status status = routh_linear_load(&linear, path, format, &error);
    assert((status == ROUTH_OK) == (linear != NULL));
    assert(status == ROUTH_OK || (error.status == status && error.message[0] && error.file[0]));
    if (linear) {
        routh_modes *modes = NULL;
        const routh_results results = {.linear = linear};
        routh_text text = {0};
        if (linear->n_states < 50) routh_modes_compute(&modes, linear, NULL);
        assert(routh_linear_json(&results, &text, &error) == ROUTH_OK);
        routh_text_free(&text);
        routh_modes_free(modes);
    }
    routh_linear_free(linear);
}

/* The bytes as a file in memory. */
static inline int load_bytes(const uint8_t *data, size_t size, const char *format)
{
    char path[64];
    const int fd = memfd_create("linear", 0);
    assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    load_path(path, format);
    close(fd);
    return 0;
}

#endif
