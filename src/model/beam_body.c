/* A beam as written, with what follows from its section, to its shape. */
#include "model/reader.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "flexible/beam.h"

static const double pi = 3.14159265358979323846;

void rt_default_beam(rt_written_body *w)
{
    const rt_number none = rt_plain(NAN);
    for (int k = 0; k < 3; k++) w->from[k] = w->to[k] = w->side[k] = rt_plain(0);
    w->elements = 10;
    w->frame = RT_BEAM_TANGENT;
    w->density = w->area = w->youngs_modulus = none;
    w->shear_modulus = w->poissons_ratio = none;
    w->iyy = w->izz = w->torsion_constant = none;
    w->circle_radius = w->tube_outer = w->tube_inner = none;
    w->rectangle_width = w->rectangle_height = none;
    w->damping_mass = w->damping_stiffness = rt_plain(0);
}

static bool is_given(rt_number number) { return !isnan(number.value); }

/* ---- cross-sections -------------------------------------------------------------------------- */

/* Full circles and round tubes: A = pi (R^2 - r^2), I = pi (R^4 - r^4)/4, J = 2 I. */
static void fill_round(rt_beam *beam, double R, double r)
{
    beam->area = pi * (R - r) * (R + r);
    beam->inertia_y = beam->inertia_z = beam->area * (R * R + r * r) / 4;
    beam->torsion = 2 * beam->inertia_y;
}

/* Saint-Venant's torsion constant of a rectangle with sides a >= b (Timoshenko and Goodier, Theory
 * of Elasticity, sec. 109):
 *     J = a b^3/3 (1 - 192/pi^5 b/a sum_{n odd} tanh(n pi a/2b)/n^5),
 * the sum as 31/32 zeta(5) less sum 2/((exp(n pi a/b) + 1) n^5), whose terms vanish quickly. */
static double torsion_of_rectangle(double a, double b)
{
    const double sum_of_powers = 31.0 / 32 * 1.0369277551433699263;
    double rest = 0;
    for (int n = 13; n > 0; n -= 2) rest += 2 / ((exp(n * pi * a / b) + 1) * pow(n, 5));
    return a * b * b * b / 3 * (1 - 192 / pow(pi, 5) * b / a * (sum_of_powers - rest));
}

static void fill_rectangle(rt_beam *beam, double height, double width)
{
    beam->area = height * width;
    beam->inertia_z = width * height * height * height / 12;
    beam->inertia_y = height * width * width * width / 12;
    beam->torsion = torsion_of_rectangle(fmax(height, width), fmin(height, width));
}

static routh_status take_section(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                                 rt_beam *beam)
{
    const rt_yaml *section = rt_yaml_find(node, "section");
    if (is_given(w->circle_radius)) fill_round(beam, w->circle_radius.value, 0);
    if (is_given(w->rectangle_width))
        fill_rectangle(beam, w->rectangle_height.value, w->rectangle_width.value);
    if (!is_given(w->tube_outer)) return ROUTH_OK;
    if (!(w->tube_inner.value < w->tube_outer.value))
        return rt_reader_fail(r, section->place,
                              "section: the tube's inner_radius %.6g is not below its outer_radius "
                              "%.6g",
                              w->tube_inner.value, w->tube_outer.value);
    fill_round(beam, w->tube_outer.value, w->tube_inner.value);
    return ROUTH_OK;
}

/* What a beam that bends in two planes and twists needs beside a planar one. */
static routh_status take_second_plane(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                                      rt_beam *beam)
{
    static const char *const words[] = {"iyy", "torsion_constant"};
    const rt_number numbers[] = {w->iyy, w->torsion_constant};
    for (int k = 0; k < 2; k++)
        if (!is_given(numbers[k]))
            return rt_reader_fail(r, node->key_place,
                                  "%s is missing: a beam that is not planar needs it; give it, or "
                                  "`section`, or planar: true",
                                  words[k]);
    beam->inertia_y = w->iyy.value;
    beam->torsion = w->torsion_constant.value;
    return ROUTH_OK;
}

static routh_status take_shear(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                               rt_beam *beam)
{
    const double ratio = w->poissons_ratio.value;
    if (is_given(w->poissons_ratio) && !(ratio > -1 && ratio <= 0.5))
        return rt_reader_fail(r, rt_yaml_find(node, "poissons_ratio")->place,
                              "poissons_ratio is %.6g; it must be above -1 and at most 0.5", ratio);
    if (is_given(w->shear_modulus))
        beam->shear = w->shear_modulus.value;
    else if (is_given(w->poissons_ratio))
        beam->shear = beam->young / (2 * (1 + ratio));
    else if (!beam->planar)
        return rt_reader_fail(r, node->key_place,
                              "shear_modulus is missing: a beam that is not planar twists; give "
                              "it, or poissons_ratio, or planar: true");
    return ROUTH_OK;
}

static routh_status take_stiffness(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                                   rt_beam *beam)
{
    routh_status status = ROUTH_OK;
    beam->density = w->density.value;
    beam->young = w->youngs_modulus.value;
    if (!is_given(w->area)) {
        status = take_section(r, node, w, beam);
    } else {
        if (!is_given(w->izz))
            return rt_reader_fail(r, node->key_place,
                                  "izz is missing: beside area, a beam needs it; give it, or "
                                  "`section` instead of both");
        beam->area = w->area.value;
        beam->inertia_z = w->izz.value;
        if (!beam->planar) status = take_second_plane(r, node, w, beam);
    }
    return status ? status : take_shear(r, node, w, beam);
}

/* ---- where it lies --------------------------------------------------------------------------- */

/* The section's z as near to the frame's z as it can be, y = z x (beam); along z, y is the frame's
 * x. */
static void usual_side(const double along[3], double side[3])
{
    const double e_z[3] = {0, 0, 1};
    rt_v3_cross(side, e_z, along);
    if (!(rt_v3_norm(side) > 1e-9 * rt_v3_norm(along))) rt_v3_set(side, 1, 0, 0);
}

static routh_status take_line(rt_reader *r, const rt_yaml *node, bool side_given,
                              const rt_written_body *w, rt_beam *beam)
{
    double along[3], across[3];
    rt_numbers_values(beam->from, w->from, 3);
    rt_numbers_values(beam->to, w->to, 3);
    rt_numbers_values(beam->side, w->side, 3);
    rt_v3_sub(along, beam->to, beam->from);
    const double length = rt_v3_norm(along);
    if (!(length > 0) || !isfinite(length))
        return rt_reader_fail(r, rt_yaml_find(node, "to")->place,
                              "the beam has %s length: `from` and `to` must be two points",
                              length > 0 ? "an infinite" : "no");
    if (!side_given) {
        usual_side(along, beam->side);
        return ROUTH_OK;
    }
    const double size = rt_v3_norm(beam->side);
    rt_v3_cross(across, beam->side, along);
    if (!(size > 0) || !isfinite(size) || !(rt_v3_norm(across) > 1e-8 * size * length))
        return rt_reader_fail(r, rt_yaml_find(node, "side")->place,
                              "side %s, so it does not say where the section's y axis points; give "
                              "a direction across the beam",
                              size > 0 ? "lies along the beam" : "has no direction");
    return ROUTH_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static routh_status take_frame(rt_reader *r, const rt_kind *kind, rt_given given,
                               const rt_yaml *node, const rt_written_body *w, rt_beam *beam)
{
    const bool tangent = w->frame == RT_BEAM_TANGENT;
    const bool said = rt_is_given(kind, given, "stiffening");
    if (tangent && rt_is_given(kind, given, "modes"))
        return rt_reader_fail(r, rt_yaml_find(node, "modes")->key_place,
                              "modes are those of a mean-axis frame; write frame: mean-axis, or "
                              "leave modes out");
    if (!tangent && said && w->stiffening)
        return rt_reader_fail(r, rt_yaml_find(node, "stiffening")->place,
                              "a mean-axis frame has no stiffening; use frame: tangent, or write "
                              "stiffening: false");
    beam->frame = (rt_beam_frame)w->frame;
    beam->n_modes = w->modes;
    beam->stiffening = said ? w->stiffening : tangent;
    return ROUTH_OK;
}

routh_status rt_build_beam(rt_reader *r, const rt_kind *kind, rt_given given, const rt_yaml *node,
                           const rt_written_body *w, const rt_flexible **out)
{
    routh_error problem = {0};
    rt_beam beam = {.n_elements = w->elements,
                    .planar = w->planar,
                    .rotary_inertia = w->rotary_inertia,
                    .damping_mass = w->damping_mass.value,
                    .damping_stiffness = w->damping_stiffness.value};
    routh_status status = take_line(r, node, rt_is_given(kind, given, "side"), w, &beam);
    if (!status) status = take_frame(r, kind, given, node, w, &beam);
    if (!status) status = take_stiffness(r, node, w, &beam);
    if (status) return status;
    status = rt_flexible_from_beam(out, &beam, &r->model->arena, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    return status ? rt_reader_fail(r, node->key_place, "%s", problem.message) : ROUTH_OK;
}
