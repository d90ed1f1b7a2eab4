/* Tests of model/template_*.c: the language of the files in src/model/templates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/template.h"
#include "model_text.h"

static routh_status make_from(const char *text, const char *key, const char *value, rt_text *out,
                              routh_error *error)
{
    const rt_template_source source = {"thing", "A thing.", text};
    const routh_setting setting = {key, value};
    return rt_template_make(&source, &setting, key ? 1 : 0, out, error);
}

/* The template writes what is expected, with the setting or, where key is NULL, without. */
static void assert_writes_with(const char *text, const char *key, const char *value,
                               const char *expected)
{
    rt_text out = {0};
    routh_error error = {0};
    if (make_from(text, key, value, &out, &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    assert_string_equal(rt_text_string(&out), expected);
    rt_text_free(&out);
}

static void assert_writes(const char *text, const char *expected)
{
    assert_writes_with(text, NULL, NULL, expected);
}

/* It is refused at the line, with these words. */
static void assert_refused(const char *text, routh_status status, int line, const char *expected)
{
    rt_text out = {0};
    routh_error error = {0};
    const routh_status found = make_from(text, NULL, NULL, &out, &error);
    rt_text_free(&out);
    if (found != status || error.line != line || !strstr(error.message, expected))
        fail_msg("%s\ngives %s in line %d: %s", text, routh_status_name(found), error.line,
                 error.message);
    assert_string_equal(error.file, "thing.template");
}

static void text_stays_as_it_is(void **state)
{
    (void)state;
    assert_writes("", "");
    assert_writes("a: {b: {c: [1, 2]}}\n\n  100 % # | \\ \"e\"\n", "a: {b: {c: [1, 2]}}\n\n"
                                                                   "  100 % # | \\ \"e\"\n");
    assert_writes("no end of line", "no end of line");
    assert_writes("% about: A thing.\n%\n% # a comment\n%# another\na\n", "a\n");
}

static void numbers_are_written_in_three_forms(void **state)
{
    (void)state;
    assert_writes("{{1/3}} {{0.1 + 0.2}} {{-2.5}}", "0.333333333333 0.3 -2.5");
    assert_writes("{{2/3|4}} {{pi|3}} {{2/3|17}}", "0.6667 3.14 0.66666666666666663");
    assert_writes("{{100000}} {{-7}} {{0 - 0}} {{123456789012}}", "100000 -7 0 123456789012");
    assert_writes("{{1234567|4}} {{1e12}} {{1e300}}", "1.235e+06 1e+12 1e+300");
    assert_writes("{{2/3|.2}} {{1.8|.2}} {{-1.005|.1}} {{-0.001|.2}} {{2.999|.2}} {{-12.5|.3}}",
                  "0.67 1.80 -1.0 0.00 3.00 -12.500");
    assert_writes("{{ 1 + 1 }}{{3}}}}", "23}}");
    assert_writes("a{{(2*pi) rad|5}}b {{30 deg|6}}", "a6.2832b 0.523599");
}

static void a_condition_chooses(void **state)
{
    (void)state;
    static const struct {
        const char *sign, *less, *equal, *greater;
    } signs[] = {
        {"==", "no", "yes", "no"},  {"!=", "yes", "no", "yes"}, {"<", "yes", "no", "no"},
        {"<=", "yes", "yes", "no"}, {">", "no", "no", "yes"},   {">=", "no", "yes", "yes"},
    };
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "%% setting n: number -9 .. 9 = 0; a number\n"
                 "%% if n %s 1 + 1\nyes\n%% else\nno\n%% end\n",
                 signs[k].sign);
        const char *const expected[] = {signs[k].less, signs[k].equal, signs[k].greater};
        for (int n = 1; n <= 3; n++) {
            char line[8], value[8];
            snprintf(line, sizeof line, "%s\n", expected[n - 1]);
            snprintf(value, sizeof value, "%d", n);
            assert_writes_with(text, "n", value, line);
        }
    }
    assert_writes("{{if 0}}a{{end}}{{if -0.5}}b{{end}}{{if 0}}{{else}}c{{end}}{{if 1}}{{end}}",
                  "bc");
}

static void all_parts_of_a_condition_must_hold(void **state)
{
    (void)state;
    static const char text[] = "% setting n: whole 0 .. 9 = 0; a number\n"
                               "{{if n and n < 5 and n != 3}}yes{{else}}no{{end}}";
    static const char *const expected[] = {"no", "yes", "yes", "no", "yes", "no"};
    for (int n = 0; n <= 5; n++) {
        char value[8];
        snprintf(value, sizeof value, "%d", n);
        assert_writes_with(text, "n", value, expected[n]);
    }
}

static void words_are_written_and_compared(void **state)
{
    (void)state;
    static const char text[] = "% setting frame: word tangent mean-axis = tangent; the frame\n"
                               "% setting n: number 0 .. 1 = 1; a number\n"
                               "{{frame}}{{if frame is mean-axis}} m{{else}} t{{end}}"
                               "{{if frame is tangent and n}} and n{{end}}";
    assert_writes(text, "tangent t and n");
    assert_writes_with(text, "frame", "mean-axis", "mean-axis m");
    assert_writes_with(text, "n", "0", "tangent t");
}

static void loops_count_and_nest(void **state)
{
    (void)state;
    assert_writes("% for i = 1 .. 3\n{{i}}\n% end\n", "1\n2\n3\n");
    assert_writes("{{for i = 2 .. 1}}a{{end}}{{for i = 0 - 1 .. 1}}{{i}},{{end}}", "-1,0,1,");
    assert_writes(
        "% setting n: whole 1 .. 9 = 3; a number\n"
        "% for i = 1 .. n\n%   for j = i .. n\n{{i}}{{if j == i}}={{else}}<{{end}}{{j}} \n"
        "%   end\n.\n% end\n",
        "1=1 \n1<2 \n1<3 \n.\n2=2 \n2<3 \n.\n3=3 \n.\n");
    /* a name is known to the end of its block, and may then be given anew */
    assert_writes("{{for i = 1 .. 2}}{{let a = 10*i}}{{a}} {{end}}{{for i = 3 .. 3}}{{i}}{{end}}"
                  "{{if 1}}{{let a = 7}}{{else}}{{let a = 8}}{{end}}{{let a = 9}}{{a}}",
                  "10 20 39");
}

static void rows_of_a_table_are_gone_through(void **state)
{
    (void)state;
    assert_writes("% table none: numbers x\n% table t: words a b, numbers x y\n"
                  "% row up left 1/2 -2\n%  row  down   right  3 1e-3 \n"
                  "{{for rows of none}}{{x}}{{end}}\n"
                  "% for rows of t\n{{a}}-{{b}}: {{x + y}}\n% end\n",
                  "\nup-left: -1.5\ndown-right: 3.001\n");
    assert_writes("% table t: words a\n% row x\n% row y\n"
                  "% table u: words b, numbers k\n% row p 1\n% row q 2\n"
                  "{{for rows of t}}{{for rows of u}}{{a}}{{b}}{{k}} {{end}}{{end}}",
                  "xp1 xq2 yp1 yq2 ");
}

/* x^2 sampled, with a jump of 100 at 2: over [a, b] each stretch adds the area of a trapezium. */
static void means_are_those_of_the_polygon(void **state)
{
    (void)state;
    static const double x[] = {0, 1, 2, 2, 4}, y[] = {0, 1, 4, 104, 116};
    static const double from[] = {0, 0, 0.25, 1.5, 2, 3.2}, to[] = {4, 2, 0.75, 2.5, 3, 4};
    static const char text[] = "%% table curve: numbers x y z\n%% row 0 0 1\n%% row 1 1 1\n"
                               "%% row 2 4 1\n%% row 2 104 1\n%% row 4 116 1\n"
                               "%% mean of curve from %g to %g\n{{y|17}} {{z|17}}";
    for (int k = 0; k < 6; k++) {
        char filled[300];
        rt_text out = {0};
        routh_error error = {0};
        double area = 0, mean, one;
        for (int i = 0; i < 4; i++) {
            const double a = from[k] > x[i] ? from[k] : x[i],
                         b = to[k] < x[i + 1] ? to[k] : x[i + 1];
            if (a >= b) continue;
            const double slope = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
            area +=
                (b - a) * y[i] + slope * ((b - x[i]) * (b - x[i]) - (a - x[i]) * (a - x[i])) / 2;
        }
        snprintf(filled, sizeof filled, text, from[k], to[k]);
        assert_int_equal(make_from(filled, NULL, NULL, &out, &error), ROUTH_OK);
        assert_int_equal(sscanf(rt_text_string(&out), "%lf %lf", &mean, &one), 2);
        assert_near(mean, area / (to[k] - from[k]), 1e-13 * 116);
        assert_near(one, 1, 1e-15);
        rt_text_free(&out);
    }
}

static void a_parameter_keeps_the_users_text(void **state)
{
    (void)state;
    static const char text[] = "% setting k: number -9 .. 9 = 5; stiffness\n"
                               "% parameter k: stiffness, N/m\n";
    assert_writes(text, "  k: 5                   # stiffness, N/m\n");
    assert_writes_with(text, "k", "2*pi", "  k: 2*pi                # stiffness, N/m\n");
    assert_writes_with(text, "k", "(1 + 1)", "  k: \"(1 + 1)\"           # stiffness, N/m\n");
    assert_writes_with(text, "k", "1 + 1 + 1 + 1 + 1 + 1 + 1",
                       "  k: 1 + 1 + 1 + 1 + 1 + 1 + 1 # stiffness, N/m\n");
}

static void a_malformed_template_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } wrong[] = {
        {"a\n% fur i = 1 .. 2\n", 2, "no directive 'fur'; did you mean 'for'?"},
        {"% setting\n", 1, "a setting is written"},
        {"% setting n: whole 1 .. 2; number\n", 1, "a setting is written"},
        {"% setting n: whole 1 .. 2 = 1;\n", 1, "a setting is written"},
        {"% setting n: whole 1 .. 2 = ; number\n", 1, "the expression is empty"},
        {"% setting n: half 1 .. 2 = 1; number\n", 1, "not 'half'"},
        {"% setting n: whole 1 - 2 = 1; number\n", 1, "LEAST .. MOST"},
        {"% setting n: whole 1 .. m = 1; number\n", 1, "'m' is not a number"},
        {"\n% setting n: whole 1 .. 2 = 3; number\n", 2, "out of range"},
        {"% setting n: whole 1 .. 2 = 1.5; number\n", 1, "whole number"},
        {"% setting n: word on off = of; word\n", 1, "one of on, off"},
        {"% setting n: word = of; word\n", 1, "no words"},
        {"% setting 2n: whole 1 .. 2 = 1; number\n", 1, "'2n' cannot be a name"},
        {"% setting end: whole 1 .. 2 = 1; number\n", 1, "'end' cannot be a name"},
        {"% let n = 1\n% setting n: whole 1 .. 2 = 1; number\n", 2, "has a meaning already"},
        {"% if 1\n% setting n: whole 1 .. 2 = 1; number\n% end\n", 2, "outside of if and for"},
        {"% table t\n", 1, "a table is written"},
        {"% table t: a b\n", 1, "columns are written"},
        {"% table t: words a, b\n", 1, "columns are written"},
        {"% table t: numbers a, words b\n", 1, "columns are written"},
        {"% table t: words , numbers b\n", 1, "columns are written"},
        {"% table t: words a\n% table t: words a\n", 2, "the table t is there"},
        {"% row 1\n", 1, "below its table"},
        {"% table t: numbers a\n% row 1\n% let b = 1\n% row 2\n", 4, "below its table"},
        {"% table t: words a, numbers b\n% row x\n", 2, "no value for b"},
        {"% table t: words a, numbers b\n% row x 1 2\n", 2, "more values than columns"},
        {"% table t: words a, numbers b\n% row x 1o\n", 2, "'1o' is not a number"},
        {"% for rows of t\n% end\n", 1, "no table t"},
        {"% table t: words a a\n% for rows of t\n% end\n", 2, "'a' has a meaning already"},
        {"% for i = 1\n% end\n", 1, "a loop is written"},
        {"% for i in 1 .. 2\n% end\n", 1, "a loop is written"},
        {"% for i = 1 .. i\n% end\n", 1, "the name 'i' is not known"},
        {"% for i = 1 .. 2\n% for i = 1 .. 2\n% end\n% end\n", 2, "'i' has a meaning already"},
        {"a\n% for i = 1 .. 2\nb\n", 2, "opens here has no end"},
        {"% if 1\n% if 1\n% end\n", 1, "opens here has no end"},
        {"% end\n", 1, "belongs to no if or for"},
        {"% else\n", 1, "belongs to no if"},
        {"% for i = 1 .. 2\n% else\n% end\n", 2, "belongs to no if"},
        {"% if 1\n% else\n% else\n% end\n", 3, "belongs to no if"},
        {"% if 1\n% else if 2\n% end\n", 2, "nothing stands after else"},
        {"% if 1\n% end if\n", 2, "nothing stands after end"},
        {"% if\n% end\n", 1, "the expression is empty"},
        {"% if 1 and\n% end\n", 1, "'1 and'"},
        {"% if 1 and  and 2\n% end\n", 1, "the name 'and' is not known"},
        {"% if 1 == 2 == 3\n% end\n", 1, "=="},
        {"% if frame is on\n% end\n", 1, "'frame' is not a word"},
        {"% setting f: word on off = on; word\n% if f is of\n% end\n", 2, "f cannot be 'of'"},
        {"% setting f: word on off = on; word\n% if f\n% end\n", 2, "'f' is a word, not a number"},
        {"% setting f: word on off = on; word\n% parameter f: word\n", 2, "is a number"},
        {"% let a = 1\n% parameter a: number\n", 2, "not a setting"},
        {"% setting k: number 0 .. 1 = 1; number\n% parameter k\n", 2, "a parameter is written"},
        {"% let a\n", 1, "is written let"},
        {"% let a = \n", 1, "the expression is empty"},
        {"% let pi-2 = 1\n", 1, "cannot be a name"},
        {"% let a = 1\n% let a = 2\n", 2, "'a' has a meaning already"},
        {"% about:\n", 1, "stands a sentence"},
        {"a\n{{b}}\n", 2, "the name 'b' is not known"},
        {"{{if 1}}{{let b = 1}}{{end}}{{b}}\n", 1, "the name 'b' is not known"},
        {"{{if 1}}{{let b = 1}}{{else}}{{b}}{{end}}\n", 1, "the name 'b' is not known"},
        {"a {{1\n}}\n", 1, "not closed"},
        {"{{}}\n", 1, "the expression is empty"},
        {"{{1|}}\n", 1, "after |"},
        {"{{1|18}}\n", 1, "after |"},
        {"{{1|0}}\n", 1, "after |"},
        {"{{1|.10}}\n", 1, "after |"},
        {"{{1|2x}}\n", 1, "after |"},
        {"{{1|99999999999999999999}}\n", 1, "after |"},
        {"{{1/0}}\n", 1, "1/0"},
        {"{{setting n: whole 1 .. 2 = 1; number}}\n", 1, "'setting n: whole"},
        {"% mean of t from 1\n", 1, "means are written"},
        {"% mean of t from 1 to 2\n", 1, "no table t"},
        {"% table t: numbers x\n% row 1\n% row 2\n% mean of t from 1 to 2\n", 4, "not a curve"},
        {"% table t: numbers x y\n% row 1 1\n% mean of t from 1 to 2\n", 3, "not a curve"},
        {"% table t: numbers x y\n% row 1 1\n% row 0 1\n% mean of t from 1 to 2\n", 4,
         "not a curve"},
        {"% table t: numbers x y\n% row 1 1\n% row 3 1\n% let y = 1\n% mean of t from 1 to 2\n", 5,
         "'y' has a meaning already"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        assert_refused(wrong[k].text, ROUTH_SYNTAX_ERROR, wrong[k].line, wrong[k].words);
}

static void what_goes_wrong_while_writing_has_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } wrong[] = {
        {"% let n = 0\n\n{{1/n}}\n", 3, "not a finite number"},
        {"% let n = 0\n% if log(n) > 0\n% end\n", 2, "not a finite number"},
        {"% for i = 1 .. 2.5\n% end\n", 1, "whole numbers"},
        {"% for i = 0.5 .. 2\n% end\n", 1, "whole numbers"},
        {"% for i = 1 .. 1e10\n% end\n", 1, "whole numbers"},
        {"% for i = 1e300 .. 1e300\n% end\n", 1, "whole numbers"},
        {"{{1e14|.2}}\n", 1, "too large"},
        {"% table t: numbers x y\n% row 1 1\n% row 3 1\n% mean of t from 0 to 2\n", 4, "span"},
        {"% table t: numbers x y\n% row 1 1\n% row 3 1\n% mean of t from 1 to 3.1\n", 4, "span"},
        {"% table t: numbers x y\n% row 1 1\n% row 3 1\n% mean of t from 2 to 2\n", 4, "span"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        assert_refused(wrong[k].text, ROUTH_NUMERIC_ERROR, wrong[k].line, wrong[k].words);
}

static void nesting_has_a_bound(void **state)
{
    (void)state;
    for (int deep = 16; deep <= 17; deep++) {
        rt_text text = {0};
        for (int k = 0; k < deep; k++) rt_text_append(&text, "%% if 1\n");
        rt_text_append(&text, "a\n");
        for (int k = 0; k < deep; k++) rt_text_append(&text, "%% end\n");
        if (deep == 16)
            assert_writes(text.bytes, "a\n");
        else
            assert_refused(text.bytes, ROUTH_SYNTAX_ERROR, 17, "more than 16 deep");
        rt_text_free(&text);
    }
}

/* Lists grow with what a template declares; a message that does not hold all is cut. */
static void many_settings_and_names_have_room(void **state)
{
    (void)state;
    enum { MANY = 200 };
    rt_text text = {0}, out = {0};
    routh_error error = {0};
    for (int k = 0; k < MANY; k++)
        rt_text_append(&text, "%% setting s%d: whole 0 .. 1000 = %d; a number\n", k, k);
    rt_text_append(&text, "%% let sum = 0");
    for (int k = 0; k < MANY; k++) rt_text_append(&text, " + s%d", k);
    rt_text_append(&text, "\n{{sum}}");
    assert_writes(text.bytes, "19900");
    assert_writes_with(text.bytes, "s199", "999", "20700");
    assert_int_equal(make_from(text.bytes, "other", "1", &out, &error), ROUTH_BAD_ARGUMENT);
    assert_non_null(
        strstr(error.message, "no setting 'other'; its settings are s0 (a number), s1"));
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    rt_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_stays_as_it_is),
        cmocka_unit_test(numbers_are_written_in_three_forms),
        cmocka_unit_test(a_condition_chooses),
        cmocka_unit_test(all_parts_of_a_condition_must_hold),
        cmocka_unit_test(words_are_written_and_compared),
        cmocka_unit_test(loops_count_and_nest),
        cmocka_unit_test(rows_of_a_table_are_gone_through),
        cmocka_unit_test(means_are_those_of_the_polygon),
        cmocka_unit_test(a_parameter_keeps_the_users_text),
        cmocka_unit_test(a_malformed_template_is_refused_with_its_line),
        cmocka_unit_test(what_goes_wrong_while_writing_has_its_line),
        cmocka_unit_test(nesting_has_a_bound),
        cmocka_unit_test(many_settings_and_names_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
