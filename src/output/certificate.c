/* Certified eigenvalues: the terminal, the table of their fields, and by it JSON. */
#include <string.h>

#include "output/descriptor.h"
#include "routh/symbolic.h"

static bool certificate_same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

/* Once for all eigenvalues that are zeros of the same polynomial. */
static void algebraic(rt_text *text, const routh_certificate *c, int k)
{
    const char *polynomial = c->eigenvalues[k].polynomial;
    for (int i = 0; i < k; i++)
        if (certificate_same(c->eigenvalues[i].polynomial, polynomial)) return;
    if (!polynomial || strlen(polynomial) > 2000) return;
    int n = 0, shown = 0;
    for (int i = k; i < c->n; i++) n += certificate_same(c->eigenvalues[i].polynomial, polynomial);
    rt_text_append(text, n > 1 ? "\neigenvalues" : "\neigenvalue");
    for (int i = k; i < c->n; i++)
        if (certificate_same(c->eigenvalues[i].polynomial, polynomial))
            rt_text_append(text, shown++ ? ", %d" : " %d", i + 1);
    rt_text_append(text, n > 1 ? ": zeros" : ": the zero");
    rt_text_append(text, " of the irreducible polynomial\n  ");
    for (const char *at = polynomial; *at; at++)
        rt_text_append(text, at > polynomial && (*at == '+' || *at == '-') ? " %c " : "%c", *at);
    rt_text_append(text, "\n");
}

routh_status routh_certificate_table(const routh_certificate *c, routh_text *out,
                                     routh_error *error)
{
    rt_text text = {0};
    rt_text_append(&text, "eigenvalues, each in a rectangle that provably contains it\n\n");
    for (int k = 0; k < c->n; k++)
        rt_text_append(&text, "%3d  real part       %s 1/s\n     imaginary part  %s rad/s\n", k + 1,
                       c->eigenvalues[k].real, c->eigenvalues[k].imaginary);
    for (int k = 0; k < c->n; k++) algebraic(&text, c, k);
    rt_text_append(&text, "\n%s\n", routh_proof_name(c->proof));
    return rt_results_hand_over(&text, out, error);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static const rt_result_field enclosure_fields[] = {
    {.key = "value", .type = RT_RESULT_COMPLEX, RT_AT(routh_enclosure, value), .unit = "1/s",
     .meaning = "`[re, im]`, 1/s and rad/s"},
    {.key = "reach", .type = RT_RESULT_COMPLEX, RT_AT(routh_enclosure, reach), .unit = "1/s",
     .meaning = "how far from them the eigenvalue is at most, `[re, im]`"},
    {.key = "radius", .type = RT_RESULT_COMPLEX, RT_AT(routh_enclosure, radius), .unit = "1/s",
     .meaning = "of the rectangle, `[re, im]`"},
    {.key = "real", .type = RT_RESULT_TEXT, RT_AT(routh_enclosure, real),
     .meaning = "real part with the digits of `--digits`"},
    {.key = "imaginary", .type = RT_RESULT_TEXT, RT_AT(routh_enclosure, imaginary),
     .meaning = "imaginary part likewise"},
    {.key = "polynomial", .type = RT_RESULT_TEXT, RT_AT(routh_enclosure, polynomial),
     .nullable = true,
     .meaning = "irreducible polynomial that it is a zero of; `null` where there is none"},
    {.key = "multiplicity", .type = RT_RESULT_COUNT, RT_AT(routh_enclosure, multiplicity),
     .meaning = "of the eigenvalue"},
};
static const rt_result_table enclosure_table = {"enclosure", "Proven eigenvalue", "",
                                                RT_FIELDS(enclosure_fields)};

static const char *const verdicts[] = {"stable", "unstable", "not decided", NULL};

static const char *certificate_verdict(const rt_result_row *row)
{
    return verdicts[((const routh_certificate *)row->of)->proof];
}

static const rt_result_field certificate_fields[] = {
    {.key = "verdict", .type = RT_RESULT_TEXT, .text = certificate_verdict, .words = verdicts,
     .meaning = "what is proven of stability"},
    {.key = "eigenvalues", .type = RT_RESULT_LIST, .items = &enclosure_table,
     RT_AT(routh_certificate, eigenvalues), .n_at = RT_PLACE(routh_certificate, n),
     .size = sizeof(routh_enclosure), .meaning = "each in a rectangle that provably contains it"},
};
const rt_result_table rt_certificate_document = {"certificate", "routh symbolic --certify --json",
                                                 "", RT_FIELDS(certificate_fields)};

routh_status routh_certificate_json(const routh_certificate *c, routh_text *out, routh_error *error)
{
    return rt_result_document_json(&rt_certificate_document, &(rt_result_row){.of = c}, out, error);
}
