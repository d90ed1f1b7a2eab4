/* A beam as written, with what follows from its section, to its shape. */
#include "base/pi.h"
#include "model/scope.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "model/made.h"

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

static bool beam_body_is_given(rt_number number) { return !isnan(number.value); }

/* ---- cross-sections -------------------------------------------------------------------------- */

/* A beam's numbers as they are worked out: rt_beam's, in the order of rt_beam_take. */
typedef struct beam_body_numbers {
    rt_number from[3], to[3], side[3];
    rt_number density, area, young, shear, inertia_y, inertia_z, torsion;
    rt_number damping_mass, damping_stiffness;
} beam_body_numbers;
static_assert(sizeof(beam_body_numbers) == RT_BEAM_NUMBERS * sizeof(rt_number),
              "the order of rt_beam_take");

/* Full circles and round tubes: A = pi (R^2 - r^2), I = pi (R^4 - r^4)/4, J = 2 I. */
static void fill_round(rt_calculator *c, beam_body_numbers *beam, rt_number R, rt_number r)
{
    const rt_number ring =
        rt_times(c, rt_times(c, rt_plain(RT_PI), rt_minus(c, R, r)), rt_plus(c, R, r));
    const rt_number squares = rt_plus(c, rt_times(c, R, R), rt_times(c, r, r));
    beam->area = ring;
    beam->inertia_y = beam->inertia_z = rt_over(c, rt_times(c, ring, squares), rt_plain(4));
    beam->torsion = rt_times(c, rt_plain(2), beam->inertia_y);
}

/* a b^3 by */
static rt_number cubed(rt_calculator *c, rt_number a, rt_number b, double by)
{
    const rt_number product = rt_times(c, rt_times(c, rt_times(c, a, b), b), b);
    return rt_over(c, product, rt_plain(by));
}

/* Saint-Venant's torsion constant of a rectangle with sides a >= b (Timoshenko and Goodier, Theory
 * of Elasticity, sec. 109):
 *     J = a b^3/3 (1 - 192/pi^5 b/a sum_{n odd} tanh(n pi a/2b)/n^5),
 * the sum as 31/32 zeta(5) less sum 2/((exp(n pi a/b) + 1) n^5), whose terms vanish quickly. */
static rt_number torsion_of_rectangle(rt_calculator *c, rt_number a, rt_number b)
{
    const double sum_of_powers = 31.0 / 32 * 1.0369277551433699263;
    const rt_number one = rt_plain(1);
    rt_number rest = rt_plain(0);
    for (int n = 13; n > 0; n -= 2) {
        const rt_number angle = rt_over(c, rt_times(c, rt_plain(n * RT_PI), a), b);
        const rt_number both =
            rt_times(c, rt_plus(c, rt_exponential(c, angle), one), rt_plain(pow(n, 5)));
        rest = rt_plus(c, rest, rt_over(c, rt_plain(2), both));
    }
    const rt_number slender = rt_over(c, rt_times(c, rt_plain(192 / pow(RT_PI, 5)), b), a);
    const rt_number sum = rt_minus(c, rt_plain(sum_of_powers), rest);
    return rt_times(c, cubed(c, a, b, 3), rt_minus(c, one, rt_times(c, slender, sum)));
}

static void fill_rectangle(rt_calculator *c, beam_body_numbers *beam, rt_number height,
                           rt_number width)
{
    const bool high = height.value >= width.value;
    beam->area = rt_times(c, height, width);
    beam->inertia_z = cubed(c, width, height, 12);
    beam->inertia_y = cubed(c, height, width, 12);
    beam->torsion = torsion_of_rectangle(c, high ? height : width, high ? width : height);
}

static routh_status take_section(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                                 beam_body_numbers *beam)
{
    rt_calculator *c = &r->calculator;
    const rt_yaml *section = rt_yaml_find(node, "section");
    if (beam_body_is_given(w->circle_radius)) fill_round(c, beam, w->circle_radius, rt_plain(0));
    if (beam_body_is_given(w->rectangle_width))
        fill_rectangle(c, beam, w->rectangle_height, w->rectangle_width);
    if (!beam_body_is_given(w->tube_outer)) return ROUTH_OK;
    if (!(w->tube_inner.value < w->tube_outer.value))
        return rt_reader_fail(r, section->place,
                              "section: the tube's inner_radius %.6g is not below its outer_radius "
                              "%.6g",
                              rt_as_written(r, "m", w->tube_inner.value),
                              rt_as_written(r, "m", w->tube_outer.value));
    fill_round(c, beam, w->tube_outer, w->tube_inner);
    return ROUTH_OK;
}

/* What a beam that bends in two planes and twists needs beside a planar one. */
static routh_status take_second_plane(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                                      beam_body_numbers *beam)
{
    static const char *const words[] = {"iyy", "torsion_constant"};
    const rt_number both[] = {w->iyy, w->torsion_constant};
    for (int k = 0; k < 2; k++)
        if (!beam_body_is_given(both[k]))
            return rt_reader_fail(r, node->key_place,
                                  "%s is missing: a beam that is not planar needs it; give it, or "
                                  "`section`, or planar: true",
                                  words[k]);
    beam->inertia_y = w->iyy;
    beam->torsion = w->torsion_constant;
    return ROUTH_OK;
}

static routh_status take_shear(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                               bool planar, beam_body_numbers *beam)
{
    rt_calculator *c = &r->calculator;
    const double ratio = w->poissons_ratio.value;
    if (beam_body_is_given(w->poissons_ratio) && !(ratio > -1 && ratio <= 0.5))
        return rt_reader_fail(r, rt_yaml_find(node, "poissons_ratio")->place,
                              "poissons_ratio is %.6g; it must be above -1 and at most 0.5", ratio);
    if (beam_body_is_given(w->shear_modulus))
        beam->shear = w->shear_modulus;
    else if (beam_body_is_given(w->poissons_ratio))
        beam->shear = rt_over(c, beam->young,
                              rt_times(c, rt_plain(2), rt_plus(c, rt_plain(1), w->poissons_ratio)));
    else if (!planar)
        return rt_reader_fail(r, node->key_place,
                              "shear_modulus is missing: a beam that is not planar twists; give "
                              "it, or poissons_ratio, or planar: true");
    return ROUTH_OK;
}

static routh_status take_stiffness(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                                   bool planar, beam_body_numbers *beam)
{
    routh_status status = ROUTH_OK;
    beam->density = w->density;
    beam->young = w->youngs_modulus;
    if (!beam_body_is_given(w->area)) {
        status = take_section(r, node, w, beam);
    } else {
        if (!beam_body_is_given(w->izz))
            return rt_reader_fail(r, node->key_place,
                                  "izz is missing: beside area, a beam needs it; give it, or "
                                  "`section` instead of both");
        beam->area = w->area;
        beam->inertia_z = w->izz;
        if (!planar)
            status = take_second_plane(r, node, w, beam);
        else if (beam_body_is_given(w->iyy)) /* no bending, but inertia about the beam's axis */
            beam->inertia_y = w->iyy;
    }
    return status ? status : take_shear(r, node, w, planar, beam);
}

/* ---- where it lies --------------------------------------------------------------------------- */

/* The section's z as near to the frame's z as it can be, y = z x (beam); along z, y is the frame's
 * x. */
static void usual_side(rt_calculator *c, const rt_number along[3], rt_number side[3])
{
    const rt_number e_z[3] = {rt_plain(0), rt_plain(0), rt_plain(1)};
    const double x = along[0].value, y = along[1].value, z = along[2].value;
    rt_numbers_cross(c, side, e_z, along);
    if (hypot(x, y) > 1e-9 * hypot(hypot(x, y), z)) return;
    for (int k = 0; k < 3; k++) side[k] = rt_plain(k == 0);
}

/* In a mirror S it is S_y S times that of the part as written, so that axes A of the section become
 * S A S. */
static void usual_side_of_part(rt_reader *r, const rt_number line[3], rt_number side[3])
{
    rt_number written[3];
    for (int k = 0; k < 3; k++) written[k] = rt_signed(r, rt_polar_sign(r, k), line[k]);
    usual_side(&r->calculator, written, side);
    for (int k = 0; k < 3; k++)
        side[k] = rt_signed(r, rt_polar_sign(r, 1) * rt_polar_sign(r, k), side[k]);
}

static routh_status take_line(rt_reader *r, const rt_yaml *node, bool side_given,
                              const rt_written_body *w, beam_body_numbers *beam)
{
    double along[3], across[3], side[3];
    rt_number line[3];
    memcpy(beam->from, w->from, sizeof beam->from);
    memcpy(beam->to, w->to, sizeof beam->to);
    memcpy(beam->side, w->side, sizeof beam->side);
    for (int k = 0; k < 3; k++) line[k] = rt_minus(&r->calculator, beam->to[k], beam->from[k]);
    rt_numbers_values(along, line, 3);
    rt_numbers_values(side, beam->side, 3);
    const double length = rt_v3_norm(along);
    if (!(length > 0) || !isfinite(length))
        return rt_reader_fail(r, rt_yaml_find(node, "to")->place,
                              "the beam has %s length: `from` and `to` must be two points",
                              length > 0 ? "an infinite" : "no");
    if (!side_given) {
        usual_side_of_part(r, line, beam->side);
        return ROUTH_OK;
    }
    for (int k = 0; k < 3; k++) beam->side[k] = rt_signed(r, rt_polar_sign(r, 1), beam->side[k]);
    const double size = rt_v3_norm(side);
    rt_v3_cross(across, side, along);
    if (!(size > 0) || !isfinite(size) || !(rt_v3_norm(across) > 1e-8 * size * length))
        return rt_reader_fail(r, rt_yaml_find(node, "side")->place,
                              "side %s, so it does not say where the section's y axis points; give "
                              "a direction across the beam",
                              size > 0 ? "lies along the beam" : "has no direction");
    return ROUTH_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static routh_status take_frame(rt_reader *r, const rt_kind *kind, rt_given given,
                               const rt_yaml *node, const rt_written_body *w, rt_beam_choices *beam)
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

static routh_status keep_writing(rt_reader *r, const rt_beam_writing *now, rt_body *body)
{
    rt_beam_writing *writing = RT_TAKE(&r->model->arena, rt_beam_writing, 1);
    if (!writing) return rt_fail_memory(r->error);
    *writing = *now;
    body->beam = writing;
    return ROUTH_OK;
}

/* Where the nodes are, which depends on parameters. */
static routh_status keep_places(rt_reader *r, rt_body *body)
{
    const rt_beam_writing *writing = body->beam;
    rt_number *made, *places;
    int problem;
    const int n = 9 + 3 * (writing->choices.n_elements + 1);
    const rt_making making = {.kind = RT_MAKE_PLACES,
                              .plan = writing,
                              .n_in = RT_BEAM_NUMBERS,
                              .n_out = n,
                              .in = writing->numbers};
    const routh_status status = rt_make_numbers(r, &making, &made, &problem);
    if (status) return status;
    places = RT_TAKE(&r->model->arena, rt_number, n);
    if (!places) return rt_fail_memory(r->error);
    memcpy(places, made, (size_t)n * sizeof *places);
    body->places = places;
    return ROUTH_OK;
}

static bool beam_body_depends(const rt_number *x, int n)
{
    for (int k = 0; k < n; k++)
        if (x[k].expr >= 0) return true;
    return false;
}

routh_status rt_build_beam(rt_reader *r, const rt_kind *kind, rt_given given, const rt_yaml *node,
                           const rt_written_body *w, rt_body *body)
{
    routh_error problem = {0};
    beam_body_numbers x = {.damping_mass = w->damping_mass,
                           .damping_stiffness = w->damping_stiffness};
    x.shear = x.inertia_y = x.torsion = rt_plain(0);
    rt_beam_writing writing = {.choices = {.n_elements = w->elements,
                                           .planar = w->planar,
                                           .rotary_inertia = w->rotary_inertia}};
    routh_status status = take_line(r, node, rt_is_given(kind, given, "side"), w, &x);
    if (!status) status = take_frame(r, kind, given, node, w, &writing.choices);
    if (!status) status = take_stiffness(r, node, w, w->planar, &x);
    if (status) return status;
    double values[RT_BEAM_NUMBERS];
    memcpy(writing.numbers, &x, sizeof x);
    rt_numbers_values(values, writing.numbers, RT_BEAM_NUMBERS);
    rt_beam beam = {.choices = writing.choices};
    rt_beam_take(&beam, values);
    status = rt_flexible_from_beam(&body->flexible, &beam, &r->model->arena, &problem);
    if (status == ROUTH_OUT_OF_MEMORY) return rt_fail_memory(r->error);
    if (status) return rt_reader_fail(r, node->key_place, "%s", problem.message);
    status = keep_writing(r, &writing, body);
    if (status || !beam_body_depends(writing.numbers, RT_BEAM_NUMBERS)) return status;
    return keep_places(r, body);
}
