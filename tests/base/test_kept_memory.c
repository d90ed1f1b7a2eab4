/* Memory that is kept: the same blocks again, for the sizes they fit, also for what outlives it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/sparse.h"

/* Filled to the end, so that the sanitizers see one that is too short. */
static void fill(void *block, size_t size)
{
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % 16, 0);
    memset(block, 0xa5, size);
}

static void blocks_are_taken_again(void **state)
{
    rt_analyses *a = rt_analyses_create();
    (void)state;
    assert_non_null(a);
    for (size_t size = 0; size < 100000; size += 1 + size / 7) {
        void *block = rt_kept_malloc(a, size);
        fill(block, size);
        rt_kept_free(block);
        assert_ptr_equal(rt_kept_malloc(a, size), block);
        void *other = rt_kept_malloc(a, size); /* the first is in use */
        assert_ptr_not_equal(other, block);
        rt_kept_free(other);
        rt_kept_free(block);
    }
    rt_analyses_free(a);
}

static void zeroed_where_it_is_asked_for(void **state)
{
    rt_analyses *a = rt_analyses_create();
    (void)state;
    assert_non_null(a);
    unsigned char *block = rt_kept_malloc(a, 400);
    fill(block, 400);
    rt_kept_free(block);
    block = rt_kept_calloc(a, 100, 4);
    for (int k = 0; k < 400; k++) assert_int_equal(block[k], 0);
    rt_kept_free(block);
    assert_null(rt_kept_calloc(a, SIZE_MAX / 2, 4));
    assert_null(rt_kept_malloc(a, SIZE_MAX - 8));
    assert_null(rt_kept_malloc(NULL, SIZE_MAX - 8));
    rt_kept_free(NULL);
    rt_analyses_free(a);
}

static void grown_blocks_keep_what_is_in_them(void **state)
{
    rt_analyses *kept = rt_analyses_create();
    (void)state;
    assert_non_null(kept);
    for (int of_system = 0; of_system < 2; of_system++) {
        rt_analyses *a = of_system ? NULL : kept;
        int *list = NULL;
        for (int k = 0; k < 5000; k++) {
            list = rt_kept_realloc(a, list, ((size_t)k + 1) * sizeof *list);
            assert_non_null(list);
            list[k] = k;
        }
        for (int k = 0; k < 5000; k++) assert_int_equal(list[k], k);
        rt_kept_free(list);
    }
    rt_analyses_free(kept);
}

/* A result may be freed after the analyses of who computed it. */
static void blocks_may_outlive_it(void **state)
{
    rt_analyses *a = rt_analyses_create();
    (void)state;
    assert_non_null(a);
    void *block[3];
    for (int k = 0; k < 3; k++) fill(block[k] = rt_kept_malloc(a, 1000), 1000);
    rt_kept_free(block[0]);
    rt_analyses_free(a);
    fill(block[1], 1000);
    void *beside = rt_kept_malloc_with(block[1], 8);
    fill(beside, 8);
    rt_kept_free(beside);
    rt_kept_free(block[1]);
    rt_kept_free(block[2]);
}

static void arenas_begin_where_others_ended(void **state)
{
    rt_analyses *a = rt_analyses_create();
    (void)state;
    assert_non_null(a);
    void *first = NULL;
    for (int round = 0; round < 3; round++) {
        rt_arena arena = {.kept = a};
        void *small = rt_arena_take(&arena, 1, 200), *large = rt_arena_take(&arena, 1, 300000);
        assert_int_equal((uintptr_t)small % 64, 0);
        assert_int_equal((uintptr_t)large % 64, 0);
        fill(large, 300000);
        if (first) assert_ptr_equal(small, first);
        first = small;
        rt_arena_free(&arena);
    }
    rt_analyses_free(a);
}

static void *take_and_give(void *analyses)
{
    void *block[16] = {NULL};
    for (int k = 0; k < 20000; k++) {
        const size_t size = (size_t)(k * 37 % 3000);
        rt_kept_free(block[k % 16]);
        block[k % 16] = rt_kept_malloc(analyses, size);
        if (block[k % 16]) memset(block[k % 16], k, size);
    }
    for (int k = 0; k < 16; k++) rt_kept_free(block[k]);
    return NULL;
}

static void threads_share_it(void **state)
{
    rt_analyses *a = rt_analyses_create();
    pthread_t thread[4];
    (void)state;
    assert_non_null(a);
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, take_and_give, a), 0);
    for (int k = 0; k < 4; k++) pthread_join(thread[k], NULL);
    rt_analyses_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_taken_again),
        cmocka_unit_test(zeroed_where_it_is_asked_for),
        cmocka_unit_test(grown_blocks_keep_what_is_in_them),
        cmocka_unit_test(blocks_may_outlive_it),
        cmocka_unit_test(arenas_begin_where_others_ended),
        cmocka_unit_test(threads_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
