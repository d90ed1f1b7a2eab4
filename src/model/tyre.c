/* Tyres: read, checked, and written out as forces, torques and states of slip. */
#include "model/scope.h"
#include "model/tyre.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

static const char *const slip_fields[2] = {"longitudinal_relaxation_length", "relaxation_length"};

/* ---- the configuration as written ------------------------------------------------------------ */

/* s and the loaded radius of tyre_contact.c as numbers. */
static void written_contact(rt_reader *r, const rt_written_load *w, rt_number *s, rt_number *loaded)
{
    rt_calculator *k = &r->calculator;
    rt_number at[2][3], axes[2][9], d[3], e[3], t[3], side[2];
    for (int m = 0; m < 2; m++) rt_marker_in_world(r, w->load.markers[m], at[m], axes[m]);
    for (int c = 0; c < 3; c++) d[c] = rt_minus(k, at[0][c], at[1][c]), e[c] = axes[0][3 * c + 2];
    for (int a = 0; a < 2; a++) {
        for (int c = 0; c < 3; c++) t[c] = axes[1][3 * c + a];
        side[a] = rt_numbers_dot(k, t, e);
    }
    for (int c = 0; c < 3; c++) t[c] = axes[1][3 * c + 2];
    *s = rt_root(k, rt_plus(k, rt_times(k, side[0], side[0]), rt_times(k, side[1], side[1])));
    *loaded = rt_over(k, rt_minus(k, rt_numbers_dot(k, t, d), w->tyre.tube_radius), *s);
}

/* The unloaded radius R: as given, or from N s = K (R - q) in the configuration as written. */
static routh_status tyre_find_radius(rt_reader *r, const rt_kind *kind, rt_given given,
                                     const rt_yaml *node, rt_written_load *w)
{
    rt_calculator *k = &r->calculator;
    rt_written_tyre *t = &w->tyre;
    rt_number s, loaded;
    written_contact(r, w, &s, &loaded);
    if (!(s.value > 1e-9))
        return rt_reader_fail(r, node->key_place,
                              "the axle (z of the first marker) stands along the road's normal (z "
                              "of the second): the wheel lies flat; rotate one of the markers");
    if (!(loaded.value > 0))
        return rt_reader_fail(r, node->key_place,
                              "the wheel's centre is not above the road: along the road's normal "
                              "(z of the second marker) it is %.6g m from it, with a tube of %.6g "
                              "m; move or rotate one of the markers",
                              loaded.value * s.value + t->tube_radius.value, t->tube_radius.value);
    if (rt_is_given(kind, given, "preload"))
        t->radius = rt_plus(k, loaded, rt_over(k, rt_times(k, t->preload, s), t->stiffness));
    else if (!(t->radius.value + t->tube_radius.value > 0))
        return rt_reader_fail(r, rt_yaml_find(node, "radius")->place,
                              "radius and tube_radius are both zero; one of them must be positive");
    return rt_check_finite(r, node->key_place, "the radius", &t->radius, 1);
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* N = max(0, K (R - q) - C q')/s, the max without tension only. */
static rt_expr normal_force(rt_reader *r, const rt_written_tyre *t, const char *element,
                            rt_place place, const rt_contact *c)
{
    rt_graph *g = r->model->graph;
    const rt_expr K = rt_number_expr(&r->calculator, t->stiffness);
    const rt_expr C = rt_number_expr(&r->calculator, t->damping);
    const rt_expr R = rt_number_expr(&r->calculator, t->radius);
    rt_expr radial = rt_subtract(g, rt_multiply(g, K, rt_subtract(g, R, c->loaded)),
                                 rt_multiply(g, C, c->loaded_rate));
    if (t->no_tension) {
        r->model->kinks[r->model->n_kinks++] =
            (rt_kink){.element = element,
                      .place = place,
                      .what = "the end of its contact",
                      .distance = radial,
                      .scale = t->stiffness.value * (t->radius.value + t->tube_radius.value),
                      .sides = {"off the road", "on the road"},
                      .tie = 1};
        radial = rt_maximum(g, radial, rt_constant(g, 0));
    }
    return rt_divide(g, radial, c->s);
}

/* The slip -sliding/speed; with a relaxation length the state x of
 *     length x' + speed x = -sliding. */
static rt_expr tyre_slip_of(rt_reader *r, bool relaxed, rt_number length, rt_expr sliding,
                            const rt_contact *c, rt_place place)
{
    rt_graph *g = r->model->graph;
    if (!relaxed) return rt_negate(g, rt_divide(g, sliding, c->speed));
    const int k = r->next_load_state++;
    const rt_expr x = rt_signal_expr(r, RT_QUANTITY_STATE, k);
    const rt_expr rate = rt_signal_expr(r, RT_QUANTITY_STATE_RATE, k);
    const rt_expr lag = rt_multiply(g, rt_number_expr(&r->calculator, length), rate);
    const rt_expr equation = rt_add(g, rt_add(g, lag, rt_multiply(g, c->speed, x)), sliding);
    r->model->control_states[k].equation = (rt_function){equation, place};
    if (equation < 0) r->calculator.failed = true;
    return x;
}

/* On the wheel, in the road's axes: F = F_x x + F_y y + N n at the contact point, and M_z n; about
 * the centre the torque is d x F + M_z n. */
static routh_status set_wrench(rt_reader *r, const rt_contact *c, const rt_tyre_forces *f,
                               rt_place place, rt_load *load)
{
    rt_graph *g = r->model->graph;
    const rt_expr *e = c->e, *d = c->arm;
    rt_expr all[6];
    all[0] = rt_divide(
        g, rt_add(g, rt_multiply(g, f->along, e[1]), rt_multiply(g, f->across, e[0])), c->s);
    all[1] = rt_divide(
        g, rt_subtract(g, rt_multiply(g, f->across, e[1]), rt_multiply(g, f->along, e[0])), c->s);
    all[2] = f->normal;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        all[3 + k] = rt_subtract(g, rt_multiply(g, d[a], all[b]), rt_multiply(g, d[b], all[a]));
    }
    all[5] = rt_add(g, all[5], f->aligning);
    for (int k = 0; k < 6; k++) {
        load->function[k] = (rt_function){all[k], place};
        if (all[k] < 0) return rt_fail_memory(r->error);
    }
    load->resolved_in = load->markers[1];
    return ROUTH_OK;
}

/* ---- what goes together ---------------------------------------------------------------------- */

static routh_status fail_unused(rt_reader *r, const rt_yaml *node, const char *field,
                                const char *needs)
{
    return rt_reader_fail(r, rt_yaml_find(node, field)->key_place,
                          "%s is given without %s, so nothing depends on it; give both or neither",
                          field, needs);
}

static routh_status check_slips(rt_reader *r, const rt_kind *kind, rt_given given,
                                const rt_yaml *node, bool magic, bool across, bool along)
{
    const char *const needs = magic ? "longitudinal" : "slip_stiffness or slip_coefficient";
    if (!along && rt_is_given(kind, given, slip_fields[0]))
        return fail_unused(r, node, slip_fields[0], needs);
    if (!along && rt_is_given(kind, given, "effective_radius"))
        return fail_unused(r, node, "effective_radius", needs);
    if (!across && rt_is_given(kind, given, slip_fields[1]))
        return fail_unused(r, node, slip_fields[1], "cornering_stiffness or cornering_coefficient");
    if (along && rt_is_given(kind, given, "drive_force"))
        return rt_reader_fail(r, rt_yaml_find(node, "drive_force")->key_place,
                              "drive_force is for wheels whose spin is not in the model, and %s "
                              "for those whose spin is; give one of them",
                              magic ? "longitudinal" : "slip_stiffness (or slip_coefficient)");
    return ROUTH_OK;
}

/* Off the road a force that does not need the normal force would go on in the air. */
static routh_status check_in_the_air(rt_reader *r, const rt_kind *kind, rt_given given,
                                     const rt_yaml *node, const rt_written_tyre *t)
{
    static const char *const fixed[][2] = {{"cornering_stiffness", "cornering_coefficient"},
                                           {"camber_stiffness", "camber_coefficient"},
                                           {"slip_stiffness", "slip_coefficient"}};
    for (int k = 0; k < 3 && t->no_tension; k++)
        if (rt_is_given(kind, given, fixed[k][0]))
            return rt_reader_fail(r, rt_yaml_find(node, fixed[k][0])->key_place,
                                  "%s would go on acting when the tyre leaves the road "
                                  "(no_tension); give %s, which goes with the normal force",
                                  fixed[k][0], fixed[k][1]);
    return ROUTH_OK;
}

/* Also of what this tyre makes no use of: that it could not be made is an error all the same. */
static bool is_complete(const rt_contact *c, const rt_tyre_forces *f)
{
    const rt_expr all[] = {c->lean,        c->sense,  c->sliding_along, c->sliding_across,
                           c->loaded_rate, f->normal, f->slip[0],       f->slip[1],
                           f->along,       f->across, f->aligning};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] < 0) return false;
    return true;
}

static bool any_given(const rt_kind *kind, rt_given given, const char *first, const char *second)
{
    return rt_is_given(kind, given, first) || rt_is_given(kind, given, second);
}

routh_status rt_read_tyre(rt_reader *r, const rt_kind *kind, rt_given given, const rt_yaml *node,
                          bool magic, rt_written_load *w, rt_load *load)
{
    rt_written_tyre *t = &w->tyre;
    const bool across =
        magic || any_given(kind, given, "cornering_stiffness", "cornering_coefficient");
    const bool along = magic ? rt_is_given(kind, given, "longitudinal")
                             : any_given(kind, given, "slip_stiffness", "slip_coefficient");
    rt_contact c;
    rt_tyre_forces f;
    memcpy(w->load.markers, load->markers, sizeof load->markers);
    routh_status status = check_slips(r, kind, given, node, magic, across, along);
    if (!status) status = check_in_the_air(r, kind, given, node, t);
    if (!status) status = tyre_find_radius(r, kind, given, node, w);
    if (status) return status;
    const char *element = rt_arena_text(&r->model->arena, r->element, strlen(r->element));
    if (!element) return rt_fail_memory(r->error);
    const rt_place place = node->key_place;
    rt_build_contact(r, w, load->markers, &c);
    f.normal = normal_force(r, t, element, place, &c);
    f.slip[RT_TYRE_LONGITUDINAL] =
        tyre_slip_of(r, rt_is_given(kind, given, slip_fields[0]), t->longitudinal_relaxation,
                     c.sliding_along, &c, place);
    f.slip[RT_TYRE_LATERAL] = tyre_slip_of(r, rt_is_given(kind, given, slip_fields[1]),
                                           t->relaxation_length, c.sliding_across, &c, place);
    if (magic)
        rt_magic_tyre(r, t, along, &c, &f);
    else
        rt_linear_tyre(r, t, &c, &f);
    if (!is_complete(&c, &f)) return rt_fail_memory(r->error);
    if (t->drive_force) {
        rt_function drive;
        status = rt_read_function_in(r, t->drive_force, "drive_force",
                                     rt_unit_of_field(kind, "drive_force"), RT_ALLOW_ALL, &drive);
        f.along = rt_signed_expr(r, rt_mirror_sign(r), drive.expr);
    }
    return status ? status : set_wrench(r, &c, &f, place, load);
}
