/* Every allocation goes by here (--wrap, tests/CMakeLists.txt), and is refused where a test says
 * so; what is written to stdout and stderr meanwhile is caught. */
#define _XOPEN_SOURCE 700
#include "oom/refuse.h"
#include "support/effort.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);

_Atomic long n_asked, n_refused;
static long first_refused;    /* 0: none */
static bool refuse_all_after; /* or the one alone */

static bool refuse(void)
{
    const long n = ++n_asked;
    const bool no =
        first_refused > 0 && (n == first_refused || (refuse_all_after && n > first_refused));
    if (no) n_refused++;
    return no;
}

void *__wrap_malloc(size_t size) { return refuse() ? NULL : __real_malloc(size); }

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return refuse() ? NULL : __real_realloc(block, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text) { return refuse() ? NULL : __real_strdup(text); }

long next_allocation(long n)
{
    return n + 1 + (full_effort() || n < 100 ? 0 : n / 12);
}

void start(long refused, bool all_after)
{
    n_asked = 0;
    n_refused = 0;
    first_refused = refused;
    refuse_all_after = all_after;
}

/* stdout and stderr of this process, while they go to a file. */
static FILE *caught;
static int kept[2];

void catch_output(void)
{
    if (!caught) caught = tmpfile();
    assert_non_null(caught);
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        kept[i] = dup(i + 1);
        assert_true(kept[i] >= 0 && dup2(fileno(caught), i + 1) >= 0);
    }
}

void assert_silence(void)
{
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        dup2(kept[i], i + 1);
        close(kept[i]);
    }
    char text[200];
    rewind(caught);
    const size_t length = fread(text, 1, sizeof text - 1, caught);
    text[length] = '\0';
    assert_int_equal(ftruncate(fileno(caught), 0), 0);
    assert_string_equal(text, "");
}

routh_status write_each(const writer *writers, int n, const routh_results *results,
                        routh_error *error)
{
    routh_status status = ROUTH_OK;
    for (int k = 0; k < n && !status; k++) {
        routh_text text;
        status = writers[k](results, &text, error);
        assert_true((text.bytes == NULL) == (status != ROUTH_OK));
        routh_text_free(&text);
    }
    return status;
}
