/* What routh floquet found, for the terminal. */
#include <math.h>

#include "base/pi.h"
#include "base/number.h"
#include "output/heading.h"
#include "output/table.h"

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
                    f->coordinates, f->n_states, f->n_choices > 1 ? ", chosen anew along it" : "");
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
    rt_number_text(a, f->largest, 10);
    rt_heading_line(text, "stability", "%s: the largest multiplier%s has the modulus %s",
                    f->stable == 1   ? "stable"
                    : f->stable == 0 ? "unstable"
                                     : "neither stable nor unstable beyond rounding",
                    f->autonomous ? ", but for that of a shift along the motion," : "", a);
}

static void floquet_table_one(rt_table *table, int k, const routh_floquet_mode *mode)
{
    rt_table_format(table, "%d", k + 1);
    rt_table_real(table, mode->multiplier[0], 10);
    if (mode->pair) {
        char im[RT_NUMBER_SIZE];
        rt_number_text(im, mode->multiplier[1], 10);
        rt_table_format(table, "+-%s", im);
    } else {
        rt_table_cell(table, "");
    }
    rt_table_real(table, mode->modulus, 10);
    rt_table_real(table, mode->error, 2);
    rt_table_real(table, mode->exponent[0], 8);
    rt_table_real(table, mode->exponent[1], 8);
    rt_table_real(table, mode->damped_frequency_hz, 8);
    rt_table_real(table, 100 * mode->damping_ratio, 4);
    rt_table_format(table, "%+d", mode->harmonic);
    rt_table_format(table, "%.3g %%%s", 100 * mode->share,
                    mode->trivial ? " shift along the motion" : "");
}

static void floquet_table_modes(rt_text *text, const routh_floquet *f)
{
    static const char *const heads[] = {"mode",    "multiplier", "",         "modulus",
                                        "error",   "exponent",   "",         "frequency",
                                        "damping", "harmonic",   "fraction"};
    static const char *const units[] = {"", "", "", "", "", "1/s", "rad/s", "Hz", "%", "", ""};
    rt_table table = {.align = "rrlrrrrrrrl"};
    rt_text_append(text, "\n");
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int k = 0; k < f->n_modes; k++) floquet_table_one(&table, k, &f->modes[k]);
    rt_table_write(&table, text);
}

static void floquet_table_multiblade(rt_text *text, const routh_floquet *f)
{
    static const char *const heads[] = {"exponent", "", "frequency"};
    static const char *const units[] = {"1/s", "rad/s", "Hz"};
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
    rt_table table = {.align = "rlr"};
    rt_table_heads(&table, heads);
    rt_table_heads(&table, units);
    for (int k = 0; k < m->n_states; k++) {
        const double re = m->eigenvalues[2 * k], im = m->eigenvalues[2 * k + 1];
        if (im < 0) continue;
        char number[RT_NUMBER_SIZE];
        rt_number_text(number, im, 8);
        rt_table_real(&table, re, 8);
        rt_table_format(&table, "%s%s", im > 0 ? "+-" : "", number);
        rt_table_real(&table, im / RT_TWO_PI, 8);
    }
    rt_table_write(&table, text);
}

routh_status routh_floquet_table(const routh_results *results, routh_text *text, routh_error *error)
{
    *text = (routh_text){0};
    const routh_status status = rt_results_check(results, RT_NEED_FLOQUET | RT_NEED_POINT, error);
    if (status) return status;
    const routh_floquet *f = results->floquet;
    rt_text out = {0};
    rt_heading(&out, results, NAMED_ROWS);
    floquet_table_motion(&out, f);
    floquet_table_switches(&out, f);
    errors(&out, f);
    floquet_table_verdict(&out, f);
    rt_heading_warnings(&out, results);
    floquet_table_modes(&out, f);
    floquet_table_multiblade(&out, f);
    return rt_results_hand_over(&out, text, error);
}
