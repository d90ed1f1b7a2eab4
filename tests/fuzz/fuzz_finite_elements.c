/* Any bytes as the files of a finite-element program: they are refused with one message that names
 * the file, or give a model whose indices are in order, and that is reduced or refused; what is
 * reduced is written and read again. The first byte selects the forms: of the matrices by its
 * remainder by 7, of the nodes by its quotient. Form feeds part the files: stiffness, nodes, mass;
 * without the last the mass is in the first. Seeds: tests/fuzz/seeds.py. */
#define _GNU_SOURCE

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flexible/fem.h"
#include "routh/reduce.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const forms[] = {"mtx", "sti", "pch", "op4", "bdf", "txt", "dat"};
static const char *const node_forms[] = {"inp", "frd", "bdf", "txt", NULL};

enum { N_MATRICES = 7, N_NODES = 5, MOST_BYTES = 50000, MOST_DOFS = 60 };

static char folder[64];

static void write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert(f && fwrite(data, 1, size, f) == size);
    fclose(f);
}

/* The path of a file that holds the bytes. */
static const char *put(char path[128], const char *name, const char *form, const uint8_t *data,
                       size_t size)
{
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/routh-fuzz-XXXXXX", P_tmpdir);
        assert(mkdtemp(folder));
    }
    snprintf(path, 128, "%s/%s.%s", folder, name, form);
    write_file(path, data, size);
    return path;
}

static void check_told(routh_status status, const routh_error *error)
{
    assert(status == error->status && error->message[0] && strlen(error->message) < 1000);
}

static void check_matrices(const rt_fe_model *fe)
{
    const rt_pattern *p = &fe->pattern;
    assert(p->n_columns == fe->n && p->n_rows == fe->n && p->start[0] == 0);
    for (int j = 0; j < fe->n; j++) {
        assert(p->start[j] < p->start[j + 1]);
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            assert(p->row[k] >= 0 && p->row[k] < fe->n);
            assert(isfinite(fe->K[k]) && isfinite(fe->M[k]));
        }
    }
}

static void check_model(const rt_fe_model *fe)
{
    for (int k = 0; k < fe->n; k++) {
        assert(fe->node[k] >= 0 && fe->node[k] < fe->n_nodes);
        assert(fe->direction[k] >= 0 && fe->direction[k] < 6);
    }
    for (int k = 0; k < fe->n_nodes; k++) {
        assert(fe->number[k] > (k ? fe->number[k - 1] : 0));
        for (int i = 0; i < 3; i++) assert(isfinite(fe->X[3 * k + i]));
    }
    for (int k = 0; k < 2 * fe->n_lines; k++)
        assert(fe->lines[k] >= 0 && fe->lines[k] < fe->n_nodes);
    for (int k = 0; k < 3 * fe->n_triangles; k++)
        assert(fe->triangles[k] >= 0 && fe->triangles[k] < fe->n_nodes);
    check_matrices(fe);
}

static void write_and_read(const routh_reduction *reduced)
{
    routh_text text, table;
    routh_error error = {0};
    rt_arena arena = {0};
    const rt_flexible *again;
    assert(routh_reduction_json(reduced, &text, &error) == ROUTH_OK);
    assert(rt_flexible_parse(&again, text.bytes, text.length, "again", &arena, &error) == ROUTH_OK);
    assert(routh_reduction_table(reduced, &table, &error) == ROUTH_OK);
    rt_arena_free(&arena);
    routh_text_free(&text);
    routh_text_free(&table);
}

static void reduce(const rt_fe_files *files, int node)
{
    for (int held = 0; held < 2; held++) {
        const routh_interface face = {.number = node};
        const routh_reduction_options o = {.stiffness = files->stiffness,
                                           .mass = files->mass,
                                           .nodes = files->nodes,
                                           .n_interfaces = held,
                                           .interfaces = &face,
                                           .modes = 3};
        routh_error error = {0};
        routh_reduction *reduced;
        const routh_status status = routh_reduction_compute(&reduced, &o, &error);
        assert((status == ROUTH_OK) == (reduced != NULL));
        if (reduced)
            write_and_read(reduced);
        else
            check_told(status, &error);
        routh_reduction_free(reduced);
    }
}

static void read_set(const char *path)
{
    rt_arena arena = {0};
    routh_error error = {0};
    int *nodes, n;
    const routh_status status = rt_fe_node_set(path, "LEFT", &nodes, &n, &arena, &error);
    if (status) check_told(status, &error);
    rt_arena_free(&arena);
}

static void read_files(const rt_fe_files *files)
{
    rt_arena arena = {0};
    routh_error error = {0};
    rt_fe_model *fe;
    const routh_status status = rt_fe_read(&fe, files, &arena, &error);
    assert((status == ROUTH_OK) == (fe != NULL));
    if (fe)
        check_model(fe);
    else
        check_told(status, &error);
    if (fe && fe->n <= MOST_DOFS) reduce(files, fe->number[0]);
    rt_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char paths[3][128];
    if (size < 1 || size > MOST_BYTES) return 0;
    const char *form = forms[data[0] % N_MATRICES];
    const char *node_form = node_forms[data[0] / N_MATRICES % N_NODES];
    const uint8_t *part[3] = {data + 1};
    size_t length[3] = {size - 1};
    for (int k = 0; k < 2 && part[k]; k++) {
        part[k + 1] = memchr(part[k], '\f', length[k]);
        if (!part[k + 1]) break;
        part[k + 1]++;
        length[k + 1] = length[k] - (size_t)(part[k + 1] - part[k]);
        length[k] -= length[k + 1] + 1;
    }
    rt_fe_files files = {.stiffness = put(paths[0], "k", form, part[0], length[0])};
    files.mass = part[2] ? put(paths[2], "m", form, part[2], length[2]) : files.stiffness;
    if (node_form && part[1]) files.nodes = put(paths[1], "n", node_form, part[1], length[1]);
    read_files(&files);
    if (files.nodes) read_set(files.nodes);
    return 0;
}
