/* Any bytes as the matrices, nodes and shapes of a modal body in a model: it is refused with a
 * message, or compiled, brought to its operating point and linearized, or refused then. The first
 * byte selects interfaces, modes, shapes; form feeds part the files: stiffness, nodes, mass,
 * shapes. Seeds: tests/fuzz/seeds.py. */
#define _GNU_SOURCE

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linearize.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 8000, FILES = 4 };

static const char *const names[FILES] = {"k.mtx", "n.txt", "m.mtx", "s.txt"};
#define JOINED "}}\njoints: {j: {type: spherical, between: [b, ground], at: [0, 0, 0]}}\n"
#define LOOSE "}}\n"

static const char *const choices[] = {
    "modes: 2" LOOSE,
    "cut: 300" LOOSE,
    "frequencies_below: 200" LOOSE,
    "interface: [1], modes: 1" JOINED,
    "interface: [1], frequencies_below: 200" JOINED,
    "interface: [2, 1], normal_modes: free, modes: 2" JOINED,
    "shapes: s.txt" LOOSE,
    "shapes: s.txt, interface: [1], modes: 1" JOINED,
};

static char folder[64];

static void put(const char *name, const uint8_t *data, size_t size)
{
    char path[128];
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/routh-fuzz-XXXXXX", P_tmpdir);
        assert(mkdtemp(folder));
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert(f && fwrite(data, 1, size, f) == size);
    fclose(f);
}

static void run(const char *choice)
{
    char text[600], name[128];
    routh_error error = {0};
    routh_model *model = NULL;
    snprintf(name, sizeof name, "%s/model.yaml", folder);
    const int length = snprintf(text, sizeof text,
                                "gravity: [0, 0, -9.81]\nbodies: {b: {type: modal, "
                                "stiffness_matrix: k.mtx, mass_matrix: m.mtx, nodes: n.txt, "
                                "damping_ratio: 0.01, %s",
                                choice);
    routh_status status = routh_model_parse(&model, text, (size_t)length, name, NULL, 0, &error);
    assert((status == ROUTH_OK) == (model != NULL));
    if (model) status = linearize(model, &error);
    assert(status == ROUTH_OK || (error.message[0] && status == error.status));
    routh_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > MOST_BYTES) return 0;
    const uint8_t *at = data + 1;
    size_t left = size - 1;
    for (int k = 0; k < FILES; k++) {
        const uint8_t *end = memchr(at, '\f', left);
        const size_t length = end ? (size_t)(end - at) : left;
        put(names[k], at, length);
        at += length, left -= length;
        if (left) at++, left--;
    }
    run(choices[data[0] % (sizeof choices / sizeof *choices)]);
    return 0;
}
