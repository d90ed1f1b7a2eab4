/* What was found of a body, as a text to read. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "routh/reduce.h"

#include "base/error.h"

static void fem_report_numbers(rt_text *t, const char *name, const double *x, int n,
                               const char *unit)
{
    rt_text_append(t, "%-22s", name);
    for (int k = 0; k < n; k++) {
        rt_text_append(t, " ");
        rt_text_digits(t, x[k], 6);
    }
    rt_text_append(t, "%s%s\n", *unit ? " " : "", unit);
}

static void remark(rt_text *t, const char *text) { rt_text_append(t, "%-22s %s\n", "", text); }

static void mass(rt_text *t, const routh_reduction *r)
{
    fem_report_numbers(t, "mass", &r->mass, 1, "kg");
    fem_report_numbers(t, "size", r->extent, 3, "m");
    fem_report_numbers(t, "centre of mass", r->centre, 3, "m");
    const double diagonal[3] = {r->inertia[0], r->inertia[4], r->inertia[8]};
    const double sides[3] = {r->inertia[1], r->inertia[2], r->inertia[5]};
    fem_report_numbers(t, "inertia xx yy zz", diagonal, 3, "kg m^2, about the centre of mass");
    fem_report_numbers(t, "inertia xy xz yz", sides, 3, "kg m^2");
}

static void fem_report_matrices(rt_text *t, const routh_reduction *r)
{
    double worst = 0;
    fem_report_numbers(t, "asymmetry K, M",
                       (const double[]){r->asymmetry_stiffness, r->asymmetry_mass}, 2,
                       "of the diagonal");
    for (int k = 0; k < 6; k++) worst = fmax(worst, r->rigid[k]);
    fem_report_numbers(t, "rigid motion", &worst, 1, "of the first elastic frequency squared");
    remark(t, worst < 1e-6 ? "six motions without stiffness, as a free body has"
                           : "more than rounding; check that the matrices have enough digits");
    if (r->element_ratio > 0) {
        fem_report_numbers(t, "longest edge", &r->element_ratio, 1,
                           "times the shortest, in a triangle");
        if (r->element_ratio > 20) remark(t, "elements are elongated; check the mesh");
    }
}

/* Rounding may leave a frequency a little below. */
static void excess(rt_text *t, double x)
{
    if (x < 1e-8) {
        rt_text_append(t, ", as in the whole model");
        return;
    }
    rt_text_append(t, ", ");
    rt_text_digits(t, 100 * fmax(x, 0), 2);
    rt_text_append(t, " %% above the whole model's");
}

static void fem_report_whole(rt_text *t, const routh_reduction *r)
{
    double worst = 0;
    if (!(r->below > 0)) return;
    for (int k = 0; k < r->n_whole; k++) worst = fmax(worst, r->frequency[k] / r->whole[k] - 1);
    rt_text_append(t, "%-22s ", "frequencies below");
    rt_text_digits(t, r->below, 6);
    rt_text_append(t, " Hz: ");
    if (!r->n_whole) {
        rt_text_append(t, "none, as counted in the whole model\n");
        return;
    }
    rt_text_append(t, "%d, counted in the whole model, to ", r->n_whole);
    rt_text_digits(t, 100 * worst, 2);
    rt_text_append(t, " %%\n");
}

static void fem_report_modes(rt_text *t, const routh_reduction *r, bool interfaces)
{
    rt_text_append(t, "%-22s %d", "normal modes", r->n_normal);
    if (r->first_left_out > 0) {
        rt_text_append(t, ", the next at ");
        rt_text_digits(t, r->first_left_out, 6);
        rt_text_append(t, " Hz");
    }
    rt_text_append(t, "%s\n",
                   !interfaces     ? ""
                   : r->free_modes ? " (of the free body)"
                                   : " (held at the interfaces)");
    if (interfaces) {
        fem_report_numbers(t, "interfaces hold", &r->interface, 1,
                           "(least over largest singular value)");
        if (r->n_free)
            rt_text_append(t, "%-22s the body can still move in %d ways with its interfaces held\n",
                           "", r->n_free);
    }
    if (r->n_massless)
        rt_text_append(t, "%-22s %d combinations without mass are left out\n", "", r->n_massless);
    if (r->n_shapes) rt_text_append(t, "%-22s %d\n", "shapes of the user", r->n_shapes);
    rt_text_append(t, "%-22s %d\n", "coordinates", r->n);
    fem_report_whole(t, r);
    const int shown = r->n_whole > 12 ? r->n_whole : 12;
    for (int k = 0; k < r->n && k < shown; k++) {
        rt_text_append(t, "  mode %-15d ", k + 1);
        rt_text_digits(t, r->frequency[k], 6);
        rt_text_append(t, " Hz");
        if (k < r->n_whole) excess(t, r->frequency[k] / r->whole[k] - 1);
        rt_text_append(t, "\n");
    }
    if (r->n > shown) rt_text_append(t, "  ...\n");
}

routh_status routh_reduction_table(const routh_reduction *r, routh_text *text, routh_error *error)
{
    rt_text t = {0};
    *text = (routh_text){0};
    if (r->title) rt_text_append(&t, "%s\n\n", r->title);
    rt_text_append(&t, "%-22s %d nodes, %d degrees of freedom\n", "finite elements", r->n_nodes,
                   r->n_dofs);
    mass(&t, r);
    fem_report_matrices(&t, r);
    fem_report_modes(&t, r, r->interface > 0 || r->n_free > 0);
    rt_text_append(&t, "%-22s %d\n", "nodes kept", r->n_kept);
    text->length = t.length;
    text->bytes = rt_text_take(&t);
    return text->bytes ? ROUTH_OK : rt_fail_memory(error);
}
