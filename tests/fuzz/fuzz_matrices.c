/* Any bytes as sparse matrices of mass, stiffness and damping, parted by form feeds: refused with
 * one message that names the file, or small ones are searched for modes. A part that is missing is
 * the one before; damping is read where it is there. Seeds: tests/fuzz/seeds.py. */
#define _GNU_SOURCE

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "routh/matrices.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_ORDER = 40, MOST_BYTES = 20000 };

static void check_sparse(const routh_sparse *m, int n)
{
    assert(m->n_rows == n && m->n_columns == n && m->start[0] == 0);
    for (int j = 0; j < n; j++) {
        assert(m->start[j] <= m->start[j + 1]);
        for (int k = m->start[j]; k < m->start[j + 1]; k++) assert(m->row[k] >= 0 && m->row[k] < n);
    }
}

static void find(const routh_matrices *matrices, const routh_matrix_request *request)
{
    routh_error error = {0};
    routh_matrix_modes *modes;
    const routh_status status = routh_matrix_modes_compute(&modes, matrices, request, &error);
    assert((status == ROUTH_OK) == (modes != NULL));
    assert(status == ROUTH_OK || (status == error.status && error.message[0]));
    for (int k = 0; modes && k < modes->n; k++)
        assert(isfinite(modes->modes[k].frequency_hz) && isfinite(modes->modes[k].error_bound));
    routh_matrix_modes_free(modes);
}

static int open_part(const uint8_t *data, size_t size, char path[40])
{
    const int fd = memfd_create("matrix", 0);
    assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, 40, "/proc/self/fd/%d", fd);
    return fd;
}

static void load(const char *mass, const char *stiffness, const char *damping)
{
    routh_error error = {0};
    routh_matrices *m;
    const routh_status status = routh_matrices_load(&m, mass, stiffness, damping, &error);
    assert((status == ROUTH_OK) == (m != NULL));
    assert(status == ROUTH_OK || (status == error.status && error.message[0] && error.file[0]));
    if (!m) return;
    check_sparse(&m->mass, m->n);
    check_sparse(&m->stiffness, m->n);
    if (m->damping.n_rows) check_sparse(&m->damping, m->n);
    if (m->n <= MOST_ORDER) {
        find(m, &(routh_matrix_request){.count = 3, .near = 0.1});
        find(m, &(routh_matrix_request){.between = 1, .low = 0, .high = 1});
    }
    routh_matrices_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[3][40];
    int fd[3], n = 0;
    if (size > MOST_BYTES) return 0;
    for (bool more = true; more && n < 3;) {
        const uint8_t *end = memchr(data, '\f', size);
        const size_t length = end ? (size_t)(end - data) : size;
        fd[n] = open_part(data, length, path[n]);
        n++;
        more = end != NULL;
        if (more) data += length + 1, size -= length + 1;
    }
    load(path[0], path[n > 1], n > 2 ? path[2] : NULL);
    for (int k = 0; k < n; k++) close(fd[k]);
    return 0;
}
