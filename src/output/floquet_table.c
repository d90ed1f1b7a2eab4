/* What routh floquet found, for the terminal. */
#include <math.h>

#include "base/eigenvalue.h"
#include "base/number.h"
#include "output/floquet_fields.h"
#include "output/heading.h"

enum { NAMED_ROWS = 5 };

static void floquet_table_motion(rt_text *text, const routh_floquet *f)
{
    char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE], c[RT_NUMBER_SIZE];
    rt_number_text(a, f->period, 10);
    rt_number_text(b, 1 / f->period, 6);
    rt_number_text(c, f->closure, 2);
    rt_heading_line(text, "period", "%s s (%s Hz)%s", a, b, f->autonomous ? ", found" : "");
    rt_heading_line(text, "periodic motion",
                    f->iterations ? "comes back to %s, after %d step%s of the search"
                                  : "comes back to %s as it is",
                    c, f->iterations, f->iterations == 1 ? "" : "s");
    rt_heading_line(text, "round", "%d steps of order 8, %s coordinates, %d states%s", f->steps,
                    f->coordinates, f->n_states,
                    f->n_choices > 1 ? ", selected again along the motion" : "");
}

static void errors(rt_text *text, const routh_floquet *f)
{
    char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE], c[RT_NUMBER_SIZE], d[RT_NUMBER_SIZE];
    rt_number_text(a, f->error, 2);
    rt_number_text(b, f->trace, 8);
    rt_number_text(c, f->liouville, 2);
    rt_number_text(d, f->pairs, 2);
    rt_heading_line(text, "error", "%s, change of the multipliers with half the steps", a);
    rt_heading_line(text, "Liouville",
                    "log of the determinant %s, the integral of the trace, to %s", b, c);
    if (fabs(f->trace) < 1e-9) rt_heading_line(text, "pairs", "mu, 1/mu to %s", d);
}

static void floquet_table_switches(rt_text *text, const routh_floquet *f)
{
    enum { MOST = 5 };
    char a[RT_NUMBER_SIZE];
    for (int k = 0; k < f->n_switches && k < MOST; k++) {
        const routh_floquet_switch *x = &f->switches[k];
        rt_number_text(a, x->time, 6);
        rt_heading_line(text, k ? "" : "non-smooth points", "%s: %s, %d time%s, first at t = %s s",
                        x->element, x->what, x->times, x->times == 1 ? "" : "s", a);
    }
    if (f->n_switches > MOST)
        rt_heading_line(text, "", "and %d more (--json has all)", f->n_switches - MOST);
}

static void floquet_table_verdict(rt_text *text, const routh_floquet *f)
{
    char a[RT_NUMBER_SIZE];
    bool shift = false;
    for (int k = 0; k < f->n_modes; k++) shift = shift || f->modes[k].trivial;
    rt_number_text(a, f->largest, 10);
    rt_heading_line(text, "stability", "%s: the largest multiplier%s has the modulus %s",
                    f->stable == 1   ? "stable"
                    : f->stable == 0 ? "unstable"
                                     : "neither stable nor unstable beyond rounding",
                    shift ? ", but for that of a shift along the motion," : "", a);
}

/* ---- multi-blade coordinates: of an eigenvalue, re and im ------------------------------------ */

typedef struct blade_eigenvalue {
    double s[2];
} blade_eigenvalue;

static double blade_hertz(const rt_result_row *row)
{
    return rt_damped_hz(((const blade_eigenvalue *)row->of)->s);
}

static void blade_cell_imaginary(rt_table *table, const rt_result_row *row)
{
    const double im = ((const blade_eigenvalue *)row->of)->s[1];
    char number[RT_NUMBER_SIZE];
    rt_number_text(number, rt_table_scaled(table, im), 8);
    rt_table_format(table, "%s%s", im > 0 ? "+-" : "", number);
}

static const rt_result_field blade_fields[] = {
    {.type = RT_RESULT_REAL,
     RT_AT(blade_eigenvalue, s),
     .out_of = 2,
     .unit = "1/s",
     .meaning = "real part",
     .head = "exponent"},
    {.type = RT_RESULT_REAL,
     .cell = blade_cell_imaginary,
     .unit = "rad/s", .circular = true,
     .meaning = "imaginary part",
     .head = "",
     .align = 'l'},
    {.type = RT_RESULT_REAL,
     .real = blade_hertz,
     .unit = "Hz",
     .meaning = "damped frequency",
     .head = "frequency"},
};
static const rt_result_table blade_table = {"blade", "", "", RT_FIELDS(blade_fields)};

static void floquet_table_multiblade(rt_text *text, const routh_floquet *f)
{
    const routh_multiblade *m = f->multiblade;
    char a[RT_NUMBER_SIZE], b[RT_NUMBER_SIZE], c[RT_NUMBER_SIZE];
    if (!m) return;
    rt_number_text(a, m->variation, 2);
    rt_number_text(b, m->before, 2);
    rt_text_append(text,
                   "\nMulti-blade coordinates of %d blades: A is %s, it varies by %s over the "
                   "azimuth (by %s before)\n",
                   m->n_blades, m->constant ? "constant" : "not constant", a, b);
    if (m->n_blades == 2)
        rt_text_append(text, "Of two blades there are a sum and a difference and no cyclic "
                             "coordinates: nothing makes A constant where it is not already.\n");
    if (!m->constant)
        rt_text_append(text, "The eigenvalues of its mean are not those of the motion.\n");
    rt_number_text(b, m->difference, 2);
    rt_number_text(c, m->relative, 2);
    rt_text_append(text,
                   "Eigenvalues of %s, which differ from Floquet's exponents by %s 1/s, the "
                   "multipliers by %s\n\n",
                   m->constant ? "A" : "its mean", b, c);
    rt_result_lines lines;
    rt_result_begin(&lines, text, &blade_table, &(rt_result_row){.of = NULL});
    for (int k = 0; k < m->n_states; k++)
        if (m->eigenvalues[2 * k + 1] >= 0)
            rt_result_line(&lines, &(rt_result_row){.of = &m->eigenvalues[2 * k]});
    rt_result_end(&lines);
}

routh_status routh_floquet_table(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_FLOQUET | RT_NEED_POINT, error);
    if (status) return status;
    const routh_floquet *f = results->floquet;
    rt_text out = {.units = results->units};
    rt_heading(&out, results, NAMED_ROWS);
    floquet_table_motion(&out, f);
    floquet_table_switches(&out, f);
    errors(&out, f);
    floquet_table_verdict(&out, f);
    rt_heading_warnings(&out, results);
    rt_text_append(&out, "\n");
    rt_result_print(&out, &rt_multiplier_table, &(rt_result_row){.results = results, .of = f},
                    f->modes, f->n_modes, sizeof *f->modes);
    floquet_table_multiblade(&out, f);
    return rt_results_hand_over(&out, text, error);
}
