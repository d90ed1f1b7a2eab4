/* Where the frames of parts stand. */
#include "model/scope.h"

#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "model/parts.h"
#include "model/placing.h"

static void frames_set_defaults(rt_written_part *w)
{
    *w = (rt_written_part){.angle = rt_plain(0), .mirror = -1};
    rt_numbers_identity(w->orientation);
    for (int k = 0; k < 3; k++)
        w->at[k] = w->step[k] = w->axis[k] = w->about[k] = w->spin.about[k] = rt_plain(0);
    w->spin.rate = rt_plain(0);
}

/* cos I + (1 - cos) u u' + sin [u x] */
static void rotation_about(rt_calculator *c, const rt_number u[3], rt_number angle, rt_number A[9])
{
    const rt_number cosine = rt_cosine(c, angle), sine = rt_sine(c, angle);
    const rt_number rest = rt_minus(c, rt_plain(1), cosine);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            rt_number entry = rt_times(c, rest, rt_times(c, u[i], u[j]));
            if (i == j) entry = rt_plus(c, entry, cosine);
            if (j == (i + 1) % 3) entry = rt_minus(c, entry, rt_times(c, sine, u[3 - i - j]));
            if (i == (j + 1) % 3) entry = rt_plus(c, entry, rt_times(c, sine, u[3 - i - j]));
            A[3 * i + j] = entry;
        }
}

/* Part k of an array, k = 0, 1, ..: turned by k angles about the axis through `about`, then moved
 * by k steps. */
static routh_status place_in_array(rt_reader *r, const rt_yaml *node, const rt_written_part *w,
                                   int k, rt_number p[3], rt_number R[9])
{
    rt_calculator *c = &r->calculator;
    const rt_number times = rt_plain(k);
    double length[3];
    rt_numbers_values(length, w->axis, 3);
    if (rt_yaml_find(node, "axis")) {
        rt_number u[3], turn[9], arm[3], moved[3], A[9];
        if (!(rt_v3_norm(length) > 0))
            return rt_reader_fail(r, rt_yaml_find(node, "axis")->place,
                                  "axis has zero length; it must have a direction");
        rt_numbers_unit(c, u, w->axis);
        rotation_about(c, u, rt_times(c, times, w->angle), turn);
        for (int i = 0; i < 3; i++) arm[i] = rt_minus(c, p[i], w->about[i]);
        rt_numbers_times(c, moved, turn, arm);
        for (int i = 0; i < 3; i++) p[i] = rt_plus(c, w->about[i], moved[i]);
        rt_numbers_matrix(c, A, turn, R);
        memcpy(R, A, sizeof A);
    }
    for (int i = 0; i < 3; i++) p[i] = rt_plus(c, p[i], rt_times(c, times, w->step[i]));
    return ROUTH_OK;
}

/* The frame in that of the part around it, D_1 the mirrors of that:
 *     p = p_1 + R_1 D_1 p_2,    R = R_1 D_1 R_2 D_1. */
static routh_status compose(rt_reader *r, const rt_scope *outer, const rt_number p[3],
                            const rt_number R[9], rt_scope *scope)
{
    rt_number *frame = RT_TAKE(&r->model->arena, rt_number, 12);
    if (!frame) return rt_fail_memory(r->error);
    r->scope = outer;
    for (int k = 0; k < 3; k++) frame[k] = rt_signed(r, rt_polar_sign(r, k), p[k]);
    for (int k = 0; k < 9; k++)
        frame[3 + k] = rt_signed(r, rt_polar_sign(r, k / 3) * rt_polar_sign(r, k % 3), R[k]);
    rt_into_world(r, frame, frame + 3);
    scope->frame = frame;
    return ROUTH_OK;
}

/* Its frame rotates, as does that of the part around it: v = v_1 - w_2 x a_2, w = w_1 + w_2, the
 * axis through a_2; without a point of it given, through the origin of the frame. */
static routh_status spin_part(rt_reader *r, const rt_written_part *w, rt_scope *scope)
{
    rt_calculator *c = &r->calculator;
    rt_number rate[3], about[3], by[3];
    rt_number *spin = RT_TAKE(&r->scratch, rt_number, 6);
    if (!spin) return rt_fail_memory(r->error);
    const bool given = rt_yaml_find(rt_yaml_find(scope->entry, "spin"), "about") != NULL;
    r->scope = scope->outer;
    rt_turning_rate(r, &w->spin, rate);
    rt_vector_of_part(r, rate, true);
    for (int k = 0; k < 3; k++) about[k] = rt_signed(r, rt_polar_sign(r, k), w->spin.about[k]);
    rt_into_world(r, about, NULL);
    if (!given && scope->frame) memcpy(about, scope->frame, sizeof about);
    rt_numbers_cross(c, by, rate, about);
    const rt_number *outer = scope->outer->spin;
    for (int k = 0; k < 3; k++) {
        spin[k] = rt_minus(c, outer ? outer[k] : rt_plain(0), by[k]);
        spin[3 + k] = outer ? rt_plus(c, outer[3 + k], rate[k]) : rate[k];
    }
    scope->spin = spin;
    r->places_bodies = true;
    return ROUTH_OK;
}

static bool is_placed_by(const rt_yaml *node)
{
    return rt_yaml_find(node, "at") || rt_yaml_find(node, "orientation") ||
           rt_yaml_find(node, "step") || rt_yaml_find(node, "axis");
}

/* *known: what the entry says, where the parts of an array share it. */
static routh_status place_part(rt_reader *r, rt_scope *scope, const rt_yaml **known,
                               rt_written_part *w)
{
    char name[256];
    rt_number p[3], R[9];
    rt_given given;
    scope->frame = scope->outer->frame;
    scope->spin = scope->outer->spin;
    const bool spins = rt_yaml_find(scope->entry, "spin"), placed = is_placed_by(scope->entry);
    if (!placed && !spins) return ROUTH_OK;
    const bool shared = *known == scope->entry && !scope->called->index && scope->position > 0;
    snprintf(name, sizeof name, "%.*s", (int)(scope->length - 1), scope->prefix);
    rt_reader_element(r, "part", name);
    r->scope = scope->called;
    if (!shared) {
        frames_set_defaults(w);
        const routh_status status =
            rt_read_fields(r, &rt_part_section.kinds[0], scope->entry, w, &given);
        if (status) return status;
        *known = scope->entry;
    }
    memcpy(p, w->at, sizeof p);
    memcpy(R, w->orientation, sizeof R);
    routh_status status = place_in_array(r, scope->entry, w, scope->position, p, R);
    if (!status && placed) status = compose(r, scope->outer, p, R, scope);
    return status || !spins ? status : spin_part(r, w, scope);
}

routh_status rt_place_parts(rt_reader *r)
{
    routh_status status = ROUTH_OK;
    const rt_yaml *known = NULL;
    rt_written_part w;
    for (int k = 0; r->parts && k < r->parts->n && !status; k++)
        status = place_part(r, (rt_scope *)r->parts->scopes[k], &known, &w);
    rt_reader_element(r, "", "");
    return status;
}
