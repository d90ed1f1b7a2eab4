/* A model written into another folder finds the files that it names. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/folder.h"
#include "routh/routh.h"

static char root[200];

static const char *in(const char *name)
{
    static char path[4][300];
    static int next;
    char *to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", root, name);
    return to;
}

static int make(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "%s/routh-rewrite-XXXXXX", P_tmpdir);
    return !mkdtemp(root) || mkdir(in("a"), 0700) || mkdir(in("ab"), 0700) ||
           mkdir(in("a/b"), 0700) || symlink("a/b", in("link"));
}

static int remove_all(void **state)
{
    (void)state;
    unlink(in("a/b/link.yaml")), unlink(in("a/whole.yaml")), unlink(in("a/part.yaml"));
    return unlink(in("link")) || rmdir(in("a/b")) || rmdir(in("ab")) || rmdir(in("a")) ||
           rmdir(root);
}

static void check_way(const char *from, const char *to, const char *expected)
{
    routh_error error = {0};
    rt_text way = {0};
    assert_int_equal(rt_folder_way(from, to, &way, &error), ROUTH_OK);
    assert_string_equal(rt_text_string(&way), expected);
    rt_text_free(&way);
}

static void ways(void **state)
{
    (void)state;
    routh_error error = {0};
    rt_text way = {0};
    check_way(in("a/x"), in("a/y"), "");
    check_way(in("a/x"), in("ab/y"), "../a/");
    check_way(in("ab/x"), in("a/y"), "../ab/");
    check_way(in("a/b/x"), in("a/y"), "b/");
    check_way(in("a/x"), in("a/b/y"), "../");
    check_way(in("ab/x"), in("link/y"), "../../ab/"); /* where the link leads */
    check_way("x", "./y", "");
    check_way("/x", "/y", "");
    check_way("/x", "/usr/y", "../");
    check_way("/usr/x", "/y", "usr/");
    assert_int_equal(rt_folder_way(in("none/x"), "y", &way, &error), ROUTH_FILE_ERROR);
    assert_non_null(strstr(error.message, "none"));
    rt_text_free(&way);
}

static double slowest(const char *path)
{
    routh_error error = {0};
    routh_model *model = NULL;
    routh_mechanism *mechanism = NULL;
    routh_operating_point *point = NULL;
    routh_linear *linear = NULL;
    routh_modes *modes = NULL;
    if (routh_model_read(&model, path, NULL, 0, &error) ||
        routh_mechanism_compile(&mechanism, model, NULL, &error) ||
        routh_operating_point_find(&point, mechanism, NULL, &error) ||
        routh_linear_compute(&linear, mechanism, point, NULL, &error) ||
        routh_modes_compute(&modes, linear, &error))
        fail_msg("%s", error.message);
    const double frequency = modes->modes[0].damped_frequency_hz;
    routh_modes_free(modes);
    routh_linear_free(linear);
    routh_operating_point_free(point);
    routh_mechanism_free(mechanism);
    routh_model_free(model);
    return frequency;
}

static void another_folder(void **state)
{
    (void)state;
    static const char path[] = "examples/elastic-link.yaml";
    const routh_setting setting = {"k", "2000"};
    const char *to = in("a/b/link.yaml");
    routh_error error = {0};
    routh_text text = {0}, same = {0};
    assert_int_equal(routh_model_rewrite(path, to, &setting, 1, &text, &error), ROUTH_OK);
    FILE *file = fopen(to, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.bytes, 1, text.length, file), text.length);
    fclose(file);
    assert_true(slowest(to) == slowest(path));
    assert_non_null(strstr(text.bytes, "interface: [1001=LEFT")); /* no file's name */
    routh_text_free(&text);
    assert_int_equal(routh_model_rewrite(path, "examples/x.yaml", &setting, 1, &same, &error),
                     ROUTH_OK);
    assert_non_null(strstr(same.bytes, "flexible/link.mas"));
    assert_null(strstr(same.bytes, "../"));
    routh_text_free(&same);
    assert_int_equal(routh_model_rewrite(path, in("none/x"), &setting, 1, &text, &error),
                     ROUTH_FILE_ERROR);
    assert_null(text.bytes);
}

static void settings_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char path[] = "examples/elastic-link.yaml";
    const routh_setting twice[] = {{"k", "2000"}, {"k", "3000"}}, broken[] = {{"k", NULL}};
    routh_error error = {0};
    routh_text text = {0};
    assert_int_equal(routh_model_rewrite(path, NULL, twice, 2, &text, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "sets 'k' twice, to '2000' and to '3000'"));
    assert_null(text.bytes);
    assert_int_equal(routh_model_rewrite(path, NULL, broken, 1, &text, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "NULL"));
    assert_null(text.bytes);
}

static void what_a_part_sets_is_written(void **state)
{
    (void)state;
    const char *path = in("a/whole.yaml");
    const routh_setting set = {"p.k", "350"}, unset = {"q.k", "350"}, none = {"r.k", "350"};
    routh_error error = {0};
    routh_text text = {0};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("parts: # two\n  p: {file: disc.yaml, set: {k: 250}} # one\n  q: {file: disc.yaml}\n",
          file);
    fclose(file);
    assert_int_equal(routh_model_rewrite(path, NULL, &set, 1, &text, &error), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "p: {file: disc.yaml, set: {k: 350}} # one"));
    routh_text_free(&text);
    assert_int_equal(routh_model_rewrite(path, NULL, &unset, 1, &text, &error), ROUTH_MODEL_ERROR);
    assert_string_equal(error.element, "part q");
    assert_non_null(strstr(error.message, "its `set` has no 'k'"));
    assert_int_equal(routh_model_rewrite(path, NULL, &none, 1, &text, &error), ROUTH_MODEL_ERROR);
    assert_non_null(strstr(error.message, "no parameter 'r.k'"));
    assert_null(text.bytes);
}

static void check_rewritten(const routh_setting *settings, size_t n, const char *expected)
{
    routh_error error = {0};
    routh_text text = {0};
    assert_int_equal(routh_model_rewrite(in("a/whole.yaml"), NULL, settings, n, &text, &error),
                     ROUTH_OK);
    assert_non_null(strstr(text.bytes, expected));
    routh_text_free(&text);
}

/* A value goes where it holds: into the variant that is chosen, where that has one. */
static void what_a_variant_sets_is_written(void **state)
{
    (void)state;
    FILE *file = fopen(in("a/whole.yaml"), "w");
    assert_non_null(file);
    fputs("parameters: {x: 1}\nvariants: {a: {set: {x: 2}}, b: {parts: {p: v}}, c: {}}\n"
          "variant: a\nparts:\n  p:\n    {file: d.yaml, set: {k: 3}, variant: u,\n"
          "     variants: {u: {}, v: {set: {k: 4}}}}\n",
          file);
    fclose(file);
    const routh_setting x = {"x", "9"}, k = {"p.k", "9"}, to_b = {"variant", "b"},
                        to_v = {"p", "v"};
    check_rewritten(&x, 1, "parameters: {x: 1}\nvariants: {a: {set: {x: 9}}");
    check_rewritten((routh_setting[]){x, {"variant", "c"}}, 2,
                    "parameters: {x: 9}\nvariants: {a: {set: {x: 2}}");
    check_rewritten((routh_setting[]){x, {"variant", "c"}}, 2, "\nvariant: c\n");
    check_rewritten(&k, 1, "set: {k: 9}, variant: u,\n     variants: {u: {}, v: {set: {k: 4}}}}");
    check_rewritten((routh_setting[]){k, to_v}, 2,
                    "set: {k: 3}, variant: v,\n     variants: {u: {}, v: {set: {k: 9}}}}");
    check_rewritten((routh_setting[]){to_b, k}, 2,
                    "set: {k: 3}, variant: u,\n     variants: {u: {}, v: {set: {k: 9}}}}");
    routh_error error = {0};
    routh_text text = {0};
    assert_int_equal(routh_model_rewrite(in("a/whole.yaml"), NULL,
                                         (routh_setting[]){to_b, {"p", "u"}}, 2, &text, &error),
                     ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(error.message, "the variant 'b' of the file chooses that of the part"));
    file = fopen(in("a/whole.yaml"), "w");
    assert_non_null(file);
    fputs("variants: {a: {}}\nparts: {p: {file: d.yaml, variants: {u: {}}}}\n", file);
    fclose(file);
    const routh_setting none[] = {{"variant", "a"}, {"p", "u"}};
    for (int n = 0; n < 2; n++) {
        assert_int_equal(routh_model_rewrite(in("a/whole.yaml"), NULL, &none[n], 1, &text, &error),
                         ROUTH_MODEL_ERROR);
        assert_non_null(strstr(error.message, "has no `variant` in whose place"));
    }
}

/* The content need not be what the file holds, nor the file be there. */
static void a_content_is_moved(void **state)
{
    (void)state;
    static const char content[] =
        "# as it stands\n"
        "bodies:\n"
        "  link: {type: modal, stiffness_matrix: flexible/link.sti, mass_matrix: flexible/link.mas}\n"
        "parts:\n"
        "  one: {file: elastic-link.yaml}\n"
        "  two: {file: of-a-library.yaml}\n";
    routh_error error = {0};
    routh_text text = {0};
    const size_t length = sizeof content - 1;
    assert_int_equal(routh_model_move(content, length, "examples/new.yaml", "examples/flexible/x",
                                      &text, &error),
                     ROUTH_OK);
    assert_string_equal(text.bytes, "# as it stands\n"
                                    "bodies:\n"
                                    "  link: {type: modal, stiffness_matrix: ../flexible/link.sti, "
                                    "mass_matrix: ../flexible/link.mas}\n"
                                    "parts:\n"
                                    "  one: {file: elastic-link.yaml}\n"
                                    "  two: {file: of-a-library.yaml}\n");
    routh_text_free(&text);
    assert_int_equal(routh_model_move(content, length, "examples/new.yaml", "examples/y", &text,
                                      &error),
                     ROUTH_OK);
    assert_non_null(strstr(text.bytes, "flexible/link.sti"));
    routh_text_free(&text);
    assert_int_equal(routh_model_move(content, length, "examples/new.yaml", in("none/x"), &text,
                                      &error),
                     ROUTH_FILE_ERROR);
    assert_null(text.bytes);
}

/* Parts are looked for below the folder of the model: a file above it would not be read. */
static void parts_that_would_be_outside_are_refused(void **state)
{
    (void)state;
    routh_error error = {0};
    routh_text text = {0};
    FILE *file = fopen(in("a/whole.yaml"), "w"), *part = fopen(in("a/part.yaml"), "w");
    assert_non_null(file);
    assert_non_null(part);
    fputs("parts: {one: {variants: {v: {file: part.yaml}}}}\n", file);
    fclose(file);
    fclose(part);
    assert_int_equal(
        routh_model_rewrite(in("a/whole.yaml"), in("ab/x.yaml"), NULL, 0, &text, &error),
        ROUTH_NOT_SUPPORTED);
    assert_non_null(strstr(error.message, "the part file 'part.yaml' would lie outside"));
    assert_int_equal(routh_model_rewrite(in("a/whole.yaml"), in("x.yaml"), NULL, 0, &text, &error),
                     ROUTH_OK);
    assert_string_equal(text.bytes, "parts: {one: {variants: {v: {file: a/part.yaml}}}}\n");
    routh_text_free(&text);
}

static void a_coordinate_of_a_joint_is_written(void **state)
{
    (void)state;
    static const char path[] = "examples/governor.yaml";
    const routh_setting set = {"top_1.angle", "-0.5"}, none = {"top_1.rate", "1"};
    routh_error error = {0};
    routh_text text = {0};
    assert_int_equal(routh_model_rewrite(path, NULL, &set, 1, &text, &error), ROUTH_OK);
    assert_non_null(strstr(text.bytes, "axis: y, angle: -0.5}"));
    assert_non_null(strstr(text.bytes, "axis: y, angle: swing}")); /* of the other arm */
    routh_text_free(&text);
    assert_int_equal(routh_model_rewrite(path, NULL, &none, 1, &text, &error), ROUTH_MODEL_ERROR);
    assert_non_null(strstr(error.message, "top_1.rate"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways),
        cmocka_unit_test(another_folder),
        cmocka_unit_test(settings_that_are_none_are_refused),
        cmocka_unit_test(what_a_part_sets_is_written),
        cmocka_unit_test(what_a_variant_sets_is_written),
        cmocka_unit_test(a_content_is_moved),
        cmocka_unit_test(parts_that_would_be_outside_are_refused),
        cmocka_unit_test(a_coordinate_of_a_joint_is_written),
    };
    return cmocka_run_group_tests(tests, make, remove_all);
}
