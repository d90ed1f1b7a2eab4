/* Tests of base/suggest: near words are found, far ones are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/suggest.h"

static const char *const words[] = {"stiffness", "damping", "length", "mass", "markers",
                                    "k",         "K2",      "sin",    NULL};

static void a_slip_of_the_hand_is_mended(void **state)
{
    (void)state;
    assert_string_equal(rt_suggest("stifness", words), "stiffness"); /* left out */
    assert_string_equal(rt_suggest("lenghth", words), "length");     /* too much */
    assert_string_equal(rt_suggest("lenght", words), "length");      /* swapped */
    assert_string_equal(rt_suggest("dumping", words), "damping");    /* replaced */
    assert_string_equal(rt_suggest("MASS", words), "mass");          /* letter case */
    assert_string_equal(rt_suggest("marker", words), "markers");
    assert_string_equal(rt_suggest("sni", words), "sin");
}

static void one_letter_names_differ_by_case_only(void **state)
{
    static const char *const letters[] = {"k", "c", NULL};
    (void)state;
    assert_string_equal(rt_suggest("K", letters), "k");
    assert_null(rt_suggest("m", letters));
}

static void the_nearest_wins_and_the_first_of_equals(void **state)
{
    static const char *const list[] = {"mount_b", "mount_a", "mounta", NULL};
    (void)state;
    assert_string_equal(rt_suggest("mount_c", list), "mount_b");
    assert_string_equal(rt_suggest("mounta", list), "mounta");
    assert_string_equal(rt_suggest("Mount_A", list), "mount_a");
}

static void far_words_give_nothing(void **state)
{
    static const char *const none[] = {NULL};
    char word[200];
    (void)state;
    assert_null(rt_suggest("zebra", words));
    assert_null(rt_suggest("", words));
    assert_null(rt_suggest("mass", none));
    assert_null(rt_suggest("mass", NULL));
    assert_null(rt_suggest(NULL, words));
    memset(word, 'm', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_null(rt_suggest(word, words));
}

static void an_old_name_gives_the_new_one(void **state)
{
    static const char *const commands[] = {"confine", "verify", NULL};
    static const char *const goals[] = {"piece", "subbands", NULL};
    (void)state;
    assert_string_equal(rt_suggest("confirm", commands), "verify");
    assert_string_equal(rt_suggest("pieces", goals), "subbands");
    assert_null(rt_suggest("pieces", words));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slip_of_the_hand_is_mended),
        cmocka_unit_test(one_letter_names_differ_by_case_only),
        cmocka_unit_test(the_nearest_wins_and_the_first_of_equals),
        cmocka_unit_test(far_words_give_nothing),
        cmocka_unit_test(an_old_name_gives_the_new_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
