/* Files of shapes: both forms say the same, and what does not fit is refused by line. */
#include "flexible/fem.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nodes 4 and 9, the second without z; rows in an order of their own. */
static int numbers[] = {4, 9}, node[] = {1, 0, 0, 0, 1}, direction[] = {1, 0, 2, 1, 0};
static const rt_fe_model model = {
    .n_nodes = 2, .number = numbers, .n = 5, .node = node, .direction = direction};

static routh_status read(const char *text, int *n, const double **values, rt_arena *arena,
                         routh_error *error)
{
    char path[] = "shapes-XXXXXX.txt";
    snprintf(path, sizeof path, "shapes-%06u.txt", (unsigned)(rand() % 1000000));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    const routh_status status = rt_fe_shapes(path, &model, n, values, arena, error);
    remove(path);
    return status;
}

static void both_forms_say_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "%%MatrixMarket matrix array real general\n% two shapes\n5 2\n"
        "1\n2\n0\n4.5e0\n5\n\n-1 -2\n0\n0\n-5\n",
        "# node direction, two shapes\n9 2 1 -1\n4 1, 2, -2\n\n4 2 4.5D+0 0\n9 1 5 -5\n"};
    static const double right[] = {1, 2, 0, 4.5, 5, -1, -2, 0, 0, -5};
    for (int k = 0; k < 2; k++) {
        rt_arena arena = {0};
        routh_error error = {0};
        const double *values;
        int n;
        if (read(texts[k], &n, &values, &arena, &error)) fail_msg("%s", error.message);
        assert_int_equal(n, 2);
        for (int i = 0; i < 10; i++) assert_true(values[i] == right[i]);
        rt_arena_free(&arena);
    }
}

static void broken_files_are_refused(void **state)
{
    (void)state;
#define MARKET "%%MatrixMarket matrix array real general\n"
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
        {"", 0, "is empty"},
        {"# nothing\n", 1, "is empty"},
        {"%%MatrixMarket matrix coordinate real general\n5 1 1\n1 1 1\n", 1, "matrix array real"},
        {MARKET "5\n", 2, "not `rows shapes`"},
        {MARKET "6 1\n", 2, "the shapes have 6 rows, but the matrices have 5 degrees of freedom"},
        {MARKET "5 0\n", 2, "the file has 0 shapes; give from 1 to 5"},
        {MARKET "5 1\n1\n2\n3\n4\n", 6, "number 5 of 5 of the shapes is missing"},
        {MARKET "5 1\n1\n2\nthree\n4\n5\n", 5, "number 3 of 5 of the shapes is missing"},
        {MARKET "5 1\n1\n2\n3\n4\n5\n6\n", 8, "there are more than 5 numbers"},
        {MARKET "5 1\n0\n0\n0\n0\n0\n", 0, "shape 1 is zero"},
        {"4 1\n", 1, "this line is not `node direction value value ..`"},
        {"4 one 3\n", 1, "this line is not `node direction value value ..`"},
        {"4 1 3\n4 7 3\n", 2, "direction 7 of node 4: displacements are 1 to 3"},
        {"4 1 3\n9 3 3\n", 2, "the matrices have no direction 3 of node 9"},
        {"4 1 3\n5 1 3\n", 2, "the matrices have no direction 1 of node 5"},
        {"4 1 3\n4 1 3\n", 2, "direction 1 of node 4 is given twice"},
        {"4 1 3 4\n4 2 3\n", 2, "value 2 of 2 is missing"},
        {"4 1 3 4\n4 2 3 4 5\n", 2, "there are more than 2 values"},
        {"4 1 3 0\n4 2 3 0\n", 0, "shape 2 is zero"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rt_arena arena = {0};
        routh_error error = {0};
        const double *values;
        int n;
        assert_int_not_equal(read(cases[k].text, &n, &values, &arena, &error), ROUTH_OK);
        if (!strstr(error.message, cases[k].words))
            fail_msg("\"%s\" is told \"%s\"", cases[k].text, error.message);
        assert_int_equal(error.line, cases[k].line);
        assert_non_null(strstr(error.file, "shapes-"));
        rt_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_say_the_same),
        cmocka_unit_test(broken_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
