/* Formulas as text that people read: plain, and LaTeX. */
#include "symbolic/polynomial.h"
#include "symbolic/write.h"

#include <string.h>

typedef struct plain {
    const routh_symbolic *s;
    rt_form_of_model form;
    rt_notation notation;
    rt_text *text;
} plain;

static void write_one(const plain *w, const rt_exact *x)
{
    rt_exact_write(w->s->field, x, w->notation, NULL, w->text);
}

/* ---- plain ---------------------------------------------------------------------------------- */

static void write_symbols(const plain *w)
{
    const rt_symbol *symbols;
    const int n = rt_exact_field_symbols(w->s->field, &symbols);
    int shown = 0;
    for (int k = 0; k < n; k++) {
        if (symbols[k].kind != RT_SYMBOL_PARAMETER || !rt_symbolic_uses(w->s, symbols + k, w->form))
            continue;
        rt_text_append(w->text, "%s%s", shown++ ? ", " : "symbols: ", symbols[k].name);
    }
    if (shown) rt_text_append(w->text, "\n");
    const rt_exact *const *positive;
    const int m = rt_exact_field_assumptions(w->s->field, &positive);
    shown = 0;
    for (int k = 0; k < m; k++) {
        if (rt_exact_is_number(w->s->field, positive[k])) continue;
        rt_text_append(w->text, shown++ ? ", " : "where positive: ");
        write_one(w, positive[k]);
    }
    if (shown) rt_text_append(w->text, "\n");
}

static void write_entries(const plain *w, const char *name, const rt_exact *matrix, int rows,
                          int columns)
{
    rt_text_append(w->text, "\n");
    int shown = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const rt_exact *entry = matrix + (size_t)i * columns + j;
            if (rt_exact_is_zero(w->s->field, entry)) continue;
            rt_text_append(w->text, "%s[%d,%d] = ", name, i + 1, j + 1);
            write_one(w, entry);
            rt_text_append(w->text, "\n");
            shown++;
        }
    if (!shown) rt_text_append(w->text, "%s = 0\n", name);
}

static void write_polynomial(const plain *w)
{
    if (!w->s->characteristic) {
        rt_text_append(
            w->text,
            "\nThe characteristic polynomial of %d coordinates is left out: with symbols it "
            "is written of %d at most, with numbers alone of %d.\n",
            w->s->reduction.n, RT_MOST_WITH_SYMBOLS, RT_MOST_POLYNOMIAL);
        return;
    }
    rt_text_append(w->text, "\ndet(M s^2 + C s + K), by powers of s:\n");
    int shown = 0;
    for (int k = 2 * w->s->reduction.n; k >= 0; k--) {
        if (rt_exact_is_zero(w->s->field, w->s->characteristic + k)) continue;
        rt_text_append(w->text, "s^%d: ", k);
        write_one(w, w->s->characteristic + k);
        rt_text_append(w->text, "\n");
        shown++;
    }
    if (!shown)
        rt_text_append(w->text, "0: some motion has neither inertia nor stiffness nor damping\n");
}

const char *rt_stability_words(const rt_stability *stability)
{
    if (stability->never)
        return "never asymptotically stable: an entry of the first column of Routh's array "
               "vanishes whatever the symbols are";
    return stability->marginal
               ? "every motion is a sum of undamped and of decaying ones where all of these are "
                 "positive"
               : "asymptotically stable exactly where all of these are positive";
}

static void write_stability(const plain *w)
{
    const rt_stability *stability = &w->s->stability;
    if (!w->s->has_stability) return;
    rt_text_append(w->text, "\n%s%s\n", rt_stability_words(stability),
                   stability->never ? "." : ":");
    for (int k = 0; k < stability->n; k++) {
        rt_text_append(w->text, "  ");
        write_one(w, stability->positive + k);
        rt_text_append(w->text, "\n");
    }
    if (!stability->n && !stability->never) rt_text_append(w->text, "  (always)\n");
    for (int k = 0; k < stability->n_nonzero; k++) {
        rt_text_append(w->text, k ? "  " : "and none of these is zero:\n  ");
        write_one(w, stability->nonzero + k);
        rt_text_append(w->text, "\n");
    }
}

void rt_symbolic_write_text(const routh_symbolic *s, rt_form_of_model form, rt_text *text)
{
    const plain w = {s, form, RT_NOTATION_PLAIN, text};
    const rt_symbolic_reduction *r = &s->reduction;
    const bool states = form == RT_STATE_SPACE;
    rt_text_append(text, "%s\n\n%s, z = changes of (", s->title,
                   states ? "y' = A y, y = (z, z')" : "M z'' + C z' + K z = 0");
    for (int k = 0; k < r->n; k++) rt_text_append(text, "%s%s", k ? ", " : "", r->names[k]);
    rt_text_append(text, ")\n");
    write_symbols(&w);
    rt_symbolic_write_units(s, "", text);
    if (states)
        write_entries(&w, "A", s->A, 2 * r->n, 2 * r->n);
    else {
        write_entries(&w, "M", r->M, r->n, r->n);
        write_entries(&w, "C", r->C, r->n, r->n);
        write_entries(&w, "K", r->K, r->n, r->n);
    }
    for (int k = 0; k < r->n_forces; k++) {
        rt_text_append(text, k ? "0 = " : "\nthe operating point is where\n0 = ");
        write_one(&w, r->forces + k);
        rt_text_append(text, "\n");
    }
    write_polynomial(&w);
    write_stability(&w);
}

/* ---- LaTeX ---------------------------------------------------------------------------------- */

static void latex_matrix(const plain *w, const char *name, const rt_exact *matrix, int n)
{
    rt_text_append(w->text, "%s &= \\begin{bmatrix}\n", name);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            rt_text_append(w->text, j ? " & " : "  ");
            write_one(w, matrix + (size_t)i * n + j);
            if (j == n - 1) rt_text_append(w->text, i == n - 1 ? "\n" : " \\\\\n");
        }
    rt_text_append(w->text, "\\end{bmatrix}");
}

void rt_symbolic_write_latex(const routh_symbolic *s, rt_form_of_model form, rt_text *text)
{
    const plain w = {s, form, RT_NOTATION_LATEX, text};
    const rt_symbolic_reduction *r = &s->reduction;
    rt_symbolic_write_units(s, "%", text);
    rt_text_append(text, "\\begin{align*}\n");
    if (form == RT_STATE_SPACE)
        latex_matrix(&w, "A", s->A, 2 * r->n);
    else {
        latex_matrix(&w, "M", r->M, r->n);
        rt_text_append(text, " \\\\\n");
        latex_matrix(&w, "C", r->C, r->n);
        rt_text_append(text, " \\\\\n");
        latex_matrix(&w, "K", r->K, r->n);
    }
    for (int k = 0; k < r->n_forces; k++) {
        rt_text_append(text, " \\\\\n0 &= ");
        write_one(&w, r->forces + k);
    }
    for (int k = 2 * r->n; s->characteristic && k >= 0; k--) {
        if (rt_exact_is_zero(s->field, s->characteristic + k)) continue;
        rt_text_append(text,
                       k == 2 * r->n ? " \\\\\n\\det(M s^2 + C s + K) &= \\left(" : " + \\left(");
        write_one(&w, s->characteristic + k);
        rt_text_append(text, k > 1 ? "\\right) s^{%d}" : k == 1 ? "\\right) s" : "\\right)", k);
    }
    rt_text_append(text, "\n\\end{align*}\n");
}
