/* Replays stored inputs of fuzzers: the same ones, in the same order, each time. */
#include <stdio.h>
#include <stdlib.h>
#include <zip.h>

#include "support/runner.h"

/* The bytes of an entry in memory of exactly their size, so that the address sanitizer sees reading
 * past them. */
static uint8_t *read_entry(zip_t *archive, zip_uint64_t index, size_t *size)
{
    zip_stat_t about;
    if (zip_stat_index(archive, index, 0, &about)) return NULL;
    uint8_t *bytes = malloc(about.size ? about.size : 1);
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    const zip_int64_t n = bytes && file ? zip_fread(file, bytes, about.size) : -1;
    if (file) zip_fclose(file);
    if (n != (zip_int64_t)about.size) {
        free(bytes);
        return NULL;
    }
    *size = (size_t)n;
    return bytes;
}

static int replay_entry(zip_t *archive, zip_uint64_t index, fuzz_target *target)
{
    size_t size = 0;
    uint8_t *bytes = read_entry(archive, index, &size);
    if (!bytes) return 1;
    target(bytes, size);
    free(bytes);
    return 0;
}

int replay_corpus(const char *name, fuzz_target *target)
{
    char path[256];
    int problem = 0;
    snprintf(path, sizeof path, "tests/fuzz/corpus/%s.zip", name);
    zip_t *archive = zip_open(path, ZIP_RDONLY, &problem);
    if (!archive) {
        fprintf(stderr, "%s cannot be read (libzip: %d); ./dev corpus %s makes it\n", path, problem,
                name);
        return 1;
    }
    const zip_int64_t n = zip_get_num_entries(archive, 0);
    int failed = n <= 0;
    for (zip_int64_t i = 0; i < n && !failed; i++) {
        failed = replay_entry(archive, (zip_uint64_t)i, target);
        if (failed)
            fprintf(stderr, "%s: input %s cannot be read\n", path,
                    zip_get_name(archive, (zip_uint64_t)i, 0));
    }
    zip_discard(archive);
    printf("%lld inputs replayed\n", (long long)n);
    return failed;
}
