/* Tests of the chart writer: well-formed, ticks at round numbers, lines cut at the border and
 * broken at gaps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/chart.h"
#include "output/chart_parts.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

/* ---- a reader of XML, as small as these files allow ------------------------------------------ */

/* Elements closed in their order, attributes in quotation marks and once each, no bare & or <. */
static void check_well_formed(const char *text)
{
    enum { DEPTH = 16, NAME = 16 };
    char open[DEPTH][NAME];
    int depth = 0, roots = 0;
    for (const char *p = text; *p;) {
        if (*p == '&') {
            const size_t n = strcspn(p, "; <");
            if (p[n] != ';') fail_msg("a bare & at: %.40s", p);
            p += n;
        } else if (*p != '<') {
            assert_true(depth > 0 || *p == '\n');
            p++;
        } else if (p[1] == '/') {
            const size_t n = strcspn(p + 2, ">");
            assert_true(depth > 0);
            depth--;
            if (strncmp(open[depth], p + 2, n) != 0 || open[depth][n])
                fail_msg("%s is closed by: %.40s", open[depth], p);
            p += n + 3;
        } else {
            const size_t n = strcspn(p + 1, " />");
            assert_true(n > 0 && n < NAME && depth < DEPTH);
            memcpy(open[depth], p + 1, n);
            open[depth][n] = 0;
            roots += depth == 0;
            p += n + 1;
            while (*p == ' ') {
                p++;
                const size_t name = strcspn(p, "=");
                assert_true(name > 0 && name < 24);
                if (p[name + 1] != '"') fail_msg("no quotation mark: %.40s", p);
                const size_t value = strcspn(p + name + 2, "\"<");
                if (p[name + 2 + value] != '"') fail_msg("a bare <: %.40s", p);
                p += name + 2 + value + 1;
            }
            if (p[0] == '/' && p[1] == '>')
                p += 2;
            else if (p[0] == '>')
                depth++, p++;
            else
                fail_msg("not the end of an element: %.40s", p);
        }
    }
    assert_int_equal(depth, 0);
    assert_int_equal(roots, 1);
}

static rt_text drawn(const rt_chart *chart)
{
    rt_text text = {0};
    rt_chart_svg(chart, &text);
    assert_false(text.failed);
    check_well_formed(rt_text_string(&text));
    assert_null(strstr(text.bytes, "nan"));
    assert_null(strstr(text.bytes, "inf"));
    return text;
}

/* The path of the k-th line. */
static void line_of(const rt_text *text, int k, char *d, size_t size)
{
    const char *p = text->bytes;
    for (int i = 0; i <= k; i++) {
        p = strstr(p, "<path class=\"line s");
        assert_non_null(p);
        p = strstr(p, " d=\"") + 4;
    }
    const size_t n = strcspn(p, "\"");
    assert_true(n < size);
    memcpy(d, p, n);
    d[n] = 0;
}

static int count_of(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++) n++;
    return n;
}

/* ---- ticks ----------------------------------------------------------------------------------- */

static void check_ticks(rt_chart_axis axis, double low, double high, int most, const double *at,
                        int n)
{
    rt_chart_ticks t;
    rt_chart_ticks_find(&t, &axis, low, high, most);
    int k = 0;
    for (int i = 0; i < t.n; i++)
        if (t.labelled[i]) {
            assert_true(k < n);
            if (fabs(t.at[i] - at[k]) > 1e-12 * fabs(at[k]))
                fail_msg("tick %d at %g, not %g", k, t.at[i], at[k]);
            k++;
        }
    assert_int_equal(k, n);
}

static void ticks_lie_at_round_numbers(void **state)
{
    (void)state;
    const double a[] = {0, 0.2, 0.4, 0.6, 0.8, 1}, b[] = {-1500, -1000, -500, 0, 500};
    const double c[] = {-180, -90, 0, 90, 180}, e[] = {0, 360, 720};
    const double f[] = {1, 10, 100, 1000}, g[] = {1e-12, 1e-8, 1e-4, 1}, h[] = {20, 50, 100, 200};
    const double i[] = {1.0000002, 1.0000004, 1.0000006}, j[] = {42, 44, 46, 48};
    check_ticks((rt_chart_axis){0}, 0, 1, 5, a, COUNT(a));
    check_ticks((rt_chart_axis){0}, -1700, 900, 6, b, COUNT(b));
    check_ticks((rt_chart_axis){.step = 90}, -180, 180, 4, c, COUNT(c));
    check_ticks((rt_chart_axis){.step = 90}, -10, 740, 3, e, COUNT(e));
    const rt_chart_axis log = {.logarithmic = true};
    check_ticks(log, 0.9, 1100, 6, f, COUNT(f));
    check_ticks(log, 0.5e-12, 2, 4, g, COUNT(g));
    check_ticks(log, 15, 230, 4, h, COUNT(h));
    check_ticks((rt_chart_axis){0}, 1.0000001, 1.0000007, 4, i, COUNT(i));
    check_ticks(log, 41, 49, 5, j, COUNT(j));
}

static void a_number_is_written_as_its_neighbours_need_it(void **state)
{
    (void)state;
    const struct {
        double value, step;
        const char *text;
    } cases[] = {{0.2, 0.1, "0.2"},
                 {1.0000002, 2e-7, "1.0000002"},
                 {-1500, 500, "-1500"},
                 {1e-6, 0, "10<tspan dy=\"-4\" font-size=\"9\">-6</tspan>"},
                 {2.5e7, 5e6,
                  "2.5\xc2\xb7"
                  "10<tspan dy=\"-4\" font-size=\"9\">7</tspan>"},
                 {0, 1, "0"}};
    for (int k = 0; k < COUNT(cases); k++) {
        rt_text text = {0};
        rt_chart_value(&text, cases[k].value, cases[k].step);
        assert_string_equal(rt_text_string(&text), cases[k].text);
        rt_text_free(&text);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A plot of known place: width 400 with no titles leaves x from 10 + 48 to 390 - 14, y from 10 + 12
 * down by the height. */
static rt_chart_panel panel_of(const rt_chart_series *series, int n)
{
    return (rt_chart_panel){.x = {.low = 0, .high = 10},
                            .y = {.low = 0, .high = 1},
                            .series = series,
                            .n_series = n,
                            .height = 100};
}

static void a_line_is_cut_at_the_border(void **state)
{
    (void)state;
    /* leaves at x = 5, y = 1, comes back by the right border at y = 0.5, and one crosses it all */
    const double x[] = {0, 10, 10}, y[] = {0, 2, -1}, across_x[] = {-10, 20},
                 across_y[] = {0.5, 0.5};
    const rt_chart_series s[] = {{.x = x, .y = y, .n = 3, .line = true},
                                 {.x = across_x, .y = across_y, .n = 2, .line = true}};
    const rt_chart_panel p = panel_of(s, 2);
    rt_text text = drawn(&(rt_chart){.panels = &p, .n_panels = 1, .width = 400});
    char d[200];
    line_of(&text, 0, d, sizeof d);
    assert_string_equal(d, "M58 122L217 22M376 22L376 122");
    line_of(&text, 1, d, sizeof d);
    assert_string_equal(d, "M58 72L376 72");
    rt_text_free(&text);
}

static void a_line_is_broken_where_there_is_no_number(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {0, 0.5, NAN, 0.5, 1, INFINITY, 0};
    const rt_chart_series s[] = {
        {.x = x, .y = y, .n = 7, .line = true, .mark = RT_MARK_CIRCLE, .colour = 2}};
    const rt_chart_panel p = panel_of(s, 1);
    rt_text text = drawn(&(rt_chart){.panels = &p, .n_panels = 1, .width = 400});
    char d[200];
    line_of(&text, 0, d, sizeof d);
    assert_string_equal(d, "M58 122L89.8 72M153.4 72L185.2 22");
    assert_int_equal(count_of(text.bytes, "<circle class=\"f2\""), 5);
    rt_text_free(&text);
}

static void a_logarithmic_axis_has_no_place_for_what_is_not_positive(void **state)
{
    (void)state;
    const double x[] = {1, 10, 100, 1000}, y[] = {1, 0, 1, 10};
    const rt_chart_series s[] = {{.x = x, .y = y, .n = 4, .line = true}};
    const rt_chart_panel p = {.x = {.logarithmic = true, .low = 1, .high = 1000},
                              .y = {.logarithmic = true, .low = 1, .high = 100},
                              .series = s,
                              .n_series = 1,
                              .height = 100};
    rt_text text = drawn(&(rt_chart){.panels = &p, .n_panels = 1, .width = 400});
    char d[200];
    line_of(&text, 0, d, sizeof d);
    assert_string_equal(d, "M270 122L376 72");
    rt_text_free(&text);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void equal_axes_have_units_of_one_length(void **state)
{
    (void)state;
    const double x[] = {-1, 1, 0, 0}, y[] = {0, 0, -1, 1};
    const rt_chart_series s[] = {{.x = x, .y = y, .n = 4, .mark = RT_MARK_CROSS}};
    const rt_chart_panel p = {.series = s, .n_series = 1, .equal = true};
    rt_plot plot = {.panel = &p,
                    .x = {.axis = &p.x, .from = 0, .to = 500},
                    .y = {.axis = &p.y, .from = 250, .to = 0}};
    rt_plot_range(&plot);
    const double per_x = 500 / (plot.x.high - plot.x.low), per_y = 250 / (plot.y.high - plot.y.low);
    assert_true(fabs(per_x - per_y) < 1e-12 * per_x);
    assert_true(plot.y.low < -1 && plot.y.high > 1);
}

static void cells_take_their_colours_from_the_ramp_and_gaps_stay_empty(void **state)
{
    (void)state;
    const double value[] = {-2, 0, 2, NAN, 1, -1};
    const char *const modes[] = {"first", "second & last", "third"};
    const char *const parameters[] = {"k", "m"};
    const rt_chart_cells cells = {
        .n_x = 3, .n_y = 2, .value = value, .diverging = true, .numbers = true, .title = "share"};
    const rt_chart_panel p = {.x = {.names = modes, .n_names = 3, .title = "mode"},
                              .y = {.names = parameters, .n_names = 2},
                              .cells = &cells};
    rt_text text = drawn(&(rt_chart){.title = "Map", .panels = &p, .n_panels = 1});
    const char *group = strstr(text.bytes, "<g shape-rendering");
    assert_non_null(group);
    char cells_text[4000];
    const size_t n = (size_t)(strstr(group, "</g>") - group);
    assert_true(n < sizeof cells_text);
    memcpy(cells_text, group, n);
    cells_text[n] = 0;
    assert_int_equal(count_of(cells_text, "<rect"), 5);
    assert_int_equal(count_of(cells_text, "#2166ac"), 1); /* -2: the blue end */
    assert_int_equal(count_of(cells_text, "#f7f7f7"), 1); /* 0 */
    assert_int_equal(count_of(cells_text, "#b2182b"), 1); /* 2 */
    assert_int_equal(count_of(text.bytes, "second &amp; last"), 1);
    rt_text_free(&text);
}

static void a_figure_of_all_there_is_reads_as_xml(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3}, y[] = {3, 1, 2}, same[] = {5, 5, 5};
    rt_chart_series s[RT_MARK_COUNT] = {0};
    for (int k = 0; k < RT_MARK_COUNT; k++)
        s[k] = (rt_chart_series){.name = k < 3 ? "one & the same" : "<other>",
                                 .x = x,
                                 .y = k == 2 ? same : y,
                                 .n = 3,
                                 .colour = k - 1,
                                 .line = k % 2 == 0,
                                 .dashed = k == 4,
                                 .mark = (rt_chart_mark)k,
                                 .label = k == 1 ? "1 \"X\"" : NULL};
    const rt_chart_label label = {2, 1, "here", 3};
    const rt_chart_band band = {2, INFINITY, -INFINITY, INFINITY, 1};
    const rt_chart_panel panels[] = {
        {.title = "a",
         .x = {.title = "time, s"},
         .y = {.title = "y, m"},
         .series = s,
         .n_series = RT_MARK_COUNT,
         .labels = &label,
         .n_labels = 1,
         .bands = &band,
         .n_bands = 1},
        {.title = "empty"},
        {.x = {.logarithmic = true}, .y = {.logarithmic = true}, .series = s, .n_series = 1}};
    rt_text text = drawn(&(rt_chart){
        .title = "All & more", .subtitle = "x < y", .panels = panels, .n_panels = 3, .columns = 2});
    assert_int_equal(count_of(text.bytes, ">one &amp; the same<"), 1); /* once in the legend */
    assert_int_equal(count_of(text.bytes, "http"), 1);                 /* the name of SVG alone */
    assert_null(strstr(text.bytes, "id=\"")); /* may stand twice in one page */
    assert_non_null(strstr(text.bytes, "prefers-color-scheme:dark"));
    rt_text_free(&text);
}

static void an_extreme_range_is_still_drawn(void **state)
{
    (void)state;
    const double x[] = {-1e308, 1e308}, y[] = {1e-300, 1e300};
    const rt_chart_series s[] = {{.x = x, .y = y, .n = 2, .line = true}};
    const rt_chart_panel p = {.y = {.logarithmic = true}, .series = s, .n_series = 1};
    rt_text text = drawn(&(rt_chart){.panels = &p, .n_panels = 1});
    char d[200];
    line_of(&text, 0, d, sizeof d);
    assert_true(d[0] == 'M' && strchr(d, 'L'));
    rt_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_lie_at_round_numbers),
        cmocka_unit_test(a_number_is_written_as_its_neighbours_need_it),
        cmocka_unit_test(a_line_is_cut_at_the_border),
        cmocka_unit_test(a_line_is_broken_where_there_is_no_number),
        cmocka_unit_test(a_logarithmic_axis_has_no_place_for_what_is_not_positive),
        cmocka_unit_test(equal_axes_have_units_of_one_length),
        cmocka_unit_test(cells_take_their_colours_from_the_ramp_and_gaps_stay_empty),
        cmocka_unit_test(a_figure_of_all_there_is_reads_as_xml),
        cmocka_unit_test(an_extreme_range_is_still_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
