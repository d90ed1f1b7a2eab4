/* Any bytes as a model file to be laid out: it is refused with a message, or what is read of the
 * new text is what was read of the old one, no comment is lost, and a second time changes nothing.
 * The first byte is the width. Seeds: examples/. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/yaml.h"
#include "routh/routh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 20000 };

/* Behind a comma that YAML parts an expression at, blanks do not count. */
static void check_text(const char *x, const char *y)
{
    while (*x && *x == *y) {
        const int comma = *x == ',';
        x++, y++;
        if (comma) x += strspn(x, " "), y += strspn(y, " ");
    }
    assert(!*x && !*y);
}

static void check_same(const rt_yaml *a, const rt_yaml *b)
{
    assert(a->kind == b->kind && a->count == b->count && !a->key == !b->key);
    if (a->key) assert(!strcmp(a->key, b->key));
    if (a->kind == RT_YAML_SCALAR) {
        check_text(a->text, b->text);
        assert(rt_yaml_is_null(a) == rt_yaml_is_null(b));
    }
    const rt_yaml *y = b->first;
    for (const rt_yaml *x = a->first; x; x = x->next, y = y->next) check_same(x, y);
}

/* Signs of comments: there are as many afterwards. */
static int count_signs(const char *text, size_t length)
{
    int n = 0;
    for (size_t k = 0; k < length; k++) n += text[k] == '#';
    return n;
}

static void check_formatted(const rt_yaml *before, const char *text, size_t length, int width,
                            const routh_text *out)
{
    const rt_yaml *after = NULL;
    rt_arena arena = {0};
    routh_text again = {0};
    assert(rt_yaml_parse(&after, out->bytes, out->length, "fuzz", &arena, NULL) == ROUTH_OK);
    check_same(before, after);
    assert(count_signs(text, length) == count_signs(out->bytes, out->length));
    assert(routh_model_format(out->bytes, out->length, NULL, width, &again, NULL) == ROUTH_OK);
    assert(again.length == out->length && !memcmp(again.bytes, out->bytes, out->length));
    routh_text_free(&again);
    rt_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > MOST_BYTES) return 0;
    const char *text = (const char *)data + 1;
    const int width = 20 + data[0] % 100;
    const rt_yaml *before = NULL;
    rt_arena arena = {0};
    routh_text out = {0};
    routh_error error = {0};
    const routh_status read = rt_yaml_parse(&before, text, size - 1, "fuzz", &arena, NULL);
    const routh_status status = routh_model_format(text, size - 1, NULL, width, &out, &error);
    assert((status == ROUTH_OK) == (out.bytes != NULL));
    if (status)
        assert(error.status == status && error.message[0]);
    else if (!read)
        check_formatted(before, text, size - 1, width, &out);
    routh_text_free(&out);
    rt_arena_free(&arena);
    return 0;
}
