/* Any bytes as the file of a reduced body: refused with one message that names the file, or read,
 * written and read again as the same text. Seed: a link reduced by `routh reduce`. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "flexible/reduced.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 200000 };

/* The text of what is read from text; free it. */
static char *copy(const char *text, size_t length, size_t *n)
{
    routh_error error = {0};
    rt_arena arena = {0};
    const rt_flexible *flexible;
    char *out;
    assert(rt_flexible_parse(&flexible, text, length, "again", &arena, &error) == ROUTH_OK);
    assert(rt_flexible_json(flexible, NULL, &out, n, &error) == ROUTH_OK);
    rt_arena_free(&arena);
    return out;
}

/* From the second writing on all is the same. */
static void write_again(const uint8_t *data, size_t size)
{
    size_t n[3];
    char *first = copy((const char *)data, size, &n[0]), *second = copy(first, n[0], &n[1]);
    char *third = copy(second, n[1], &n[2]);
    assert(n[1] == n[2] && memcmp(second, third, n[1]) == 0);
    free(first);
    free(second);
    free(third);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_BYTES) return 0;
    rt_arena arena = {0};
    routh_error error = {0};
    const rt_flexible *flexible;
    const routh_status status =
        rt_flexible_parse(&flexible, (const char *)data, size, "body.json", &arena, &error);
    assert((status == ROUTH_OK) == (flexible != NULL));
    assert(status == ROUTH_OK || (error.status == status && error.message[0] && error.file[0]));
    if (flexible) write_again(data, size);
    rt_arena_free(&arena);
    return 0;
}
