/* Reading and compiling N instances of a part, and the same model written flat: one line of CSV,
 * times in seconds, the peak memory of this process in MB (10^6 bytes). Writes its files into a
 * folder of the working directory, and removes them.
 *
 *     bench_parts parts|flat N
 *     bench_parts                 the heading */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "routh/routh.h"

/* Two bodies, a joint, three loads, a marker, a parameter, an output; %s before each name. */
static const char sections[][2][400] = {
    {"parameters", "  %sk: 100 + 3\n"},
    {"bodies", "  %sa: {mass: 1.5, inertia: [0.1, 0.2, 0.3, 0.01, 0, 0], "
               "position: [0.1, 0.2, 0.3]}\n"
               "  %sb: {mass: 0.5, inertia: [0.1, 0.1, 0.1], position: [0.5, 0.2, 0.3]}\n"},
    {"markers", "  %sm: {body: %sa, position: [0.1, 0, 0]}\n"},
    {"joints", "  %sh: {type: revolute, between: [%sa, %sb], at: [0.3, 0.2, 0.3], axis: z}\n"},
    {"loads", "  %ss: {type: torsion_spring, between: [%sa, %sb], at: [0.3, 0.2, 0.3], "
              "stiffness: 2*%sk}\n"
              "  %sg: {type: bushing, between: [%sb, ground], at: [0.5, 0.2, 0.3], "
              "translation: {stiffness: %sk}, rotation: {stiffness: 5}}\n"
              "  %sf: {type: force, on: %sm, components: [0, 0, \"%sk*DX(%sm)\"]}\n"},
    {"outputs", "  %sy: \"DX(%sm) + 2*DY(%sb)\"\n"}};
enum { SECTIONS = 6 };

static void write_with(FILE *to, const char *pattern, const char *prefix)
{
    for (const char *at = pattern; *at; at++)
        if (at[0] == '%' && at[1] == 's')
            fputs(prefix, to), at++;
        else
            fputc(*at, to);
}

static void write_files(const char *folder, const char *kind, int n, char path[600])
{
    char name[600], prefix[40];
    snprintf(path, 600, "%s/model.yaml", folder);
    snprintf(name, sizeof name, "%s/part.yaml", folder);
    FILE *model = fopen(path, "w"), *part = fopen(name, "w");
    if (!model || !part) exit(1);
    for (int s = 0; s < SECTIONS; s++) {
        fprintf(part, "%s:\n", sections[s][0]);
        write_with(part, sections[s][1], "");
        if (strcmp(kind, "flat") != 0) continue;
        fprintf(model, "%s:\n", sections[s][0]);
        for (int k = 1; k <= n; k++) {
            snprintf(prefix, sizeof prefix, "p_%d_", k);
            write_with(model, sections[s][1], prefix);
        }
    }
    if (strcmp(kind, "flat") != 0) fprintf(model, "parts: {p: {file: part.yaml, count: %d}}\n", n);
    fclose(model);
    fclose(part);
}

int main(int argc, char **argv)
{
    char folder[] = "parts-XXXXXX", path[600], name[600];
    if (argc != 3) {
        printf("kind,instances,bodies,read_s,compile_s,peak_mb\n");
        return 0;
    }
    if (!mkdtemp(folder)) return 1;
    const int n = atoi(argv[2]);
    write_files(folder, argv[1], n, path);
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_error error = {0};
    double read = 1e9, compile = 1e9;
    for (int turn = 0; turn < 5; turn++) {
        const double start = bench_now();
        if (routh_model_read(&model, path, NULL, 0, &error)) break;
        const double then = bench_now();
        if (routh_mechanism_compile(&mechanism, model, NULL, &error)) break;
        const double end = bench_now();
        if (then - start < read) read = then - start;
        if (end - then < compile) compile = end - then;
        routh_mechanism_free(mechanism);
        routh_model_free(model);
    }
    snprintf(name, sizeof name, "%s/part.yaml", folder);
    remove(path), remove(name), rmdir(folder);
    if (error.status) return fprintf(stderr, "%s\n", error.message), 1;
    printf("%s,%d,%d,%.6f,%.6f,%.1f\n", argv[1], n, 2 * n, read, compile, bench_peak_megabytes());
    return 0;
}
