/* Certified eigenvalues: table and JSON (docs/reference/json.md). */
#include <string.h>

#include "base/json.h"
#include "output/results.h"
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

routh_status routh_certificate_json(const routh_certificate *c, routh_text *out, routh_error *error)
{
    static const char *const verdicts[] = {"stable", "unstable", "not decided"};
    rt_json json = {0};
    rt_json_object(&json, NULL);
    rt_json_string(&json, "verdict", verdicts[c->proof]);
    rt_json_array(&json, "eigenvalues");
    for (int k = 0; k < c->n; k++) {
        const routh_enclosure *e = c->eigenvalues + k;
        rt_json_flat_object(&json, NULL);
        rt_json_reals(&json, "value", e->value, 2);
        rt_json_reals(&json, "reach", e->reach, 2);
        rt_json_reals(&json, "radius", e->radius, 2);
        rt_json_string(&json, "real", e->real);
        rt_json_string(&json, "imaginary", e->imaginary);
        rt_json_string(&json, "polynomial", e->polynomial);
        rt_json_int(&json, "multiplicity", e->multiplicity);
        rt_json_end(&json);
    }
    rt_json_end(&json);
    rt_json_end(&json);
    const routh_status status = rt_json_finish(&json, error);
    return status ? status : rt_results_hand_over(&json.text, out, error);
}
