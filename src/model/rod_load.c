/* One element as a load between two markers. */
#include "model/rod.h"
#include "model/scope.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "model/made.h"

/* Two points, and a y that is not along the line between them: `side`, or that of the markers. */
static routh_status rod_load_check_line(rt_reader *r, const rt_yaml *node, bool given,
                                        const double *x)
{
    double d[3], y[3], across[3];
    rt_v3_sub(d, x + 12, x);
    const double length = rt_v3_norm(d);
    if (!(length > 0) || !isfinite(length))
        return rt_reader_fail(r, node->key_place,
                              "its two markers are at the same point; a rod goes from one to "
                              "another");
    rt_rod_load_side(x, y);
    rt_v3_cross(across, d, y);
    if (!given && !(rt_v3_norm(y) > 1e-6))
        return rt_reader_fail(r, node->key_place,
                              "the markers' y axes are opposite, so the section's y, half-way "
                              "between them, is undefined; give its direction as side");
    if (!(rt_v3_norm(across) > 1e-6 * length * rt_v3_norm(y)))
        return rt_reader_fail(r, node->key_place,
                              "%s parallel to the line between the markers, so the section's y is "
                              "undefined; give a side across it",
                              given ? "side is zero or" : "the markers' y axes are");
    return ROUTH_OK;
}

/* Of a mirrored part y of the section is that of its markers, which are reflected with a sign. */
static void rod_load_take_side(rt_reader *r, const rt_number *side, rt_number out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = side ? rt_signed(r, rt_polar_sign(r, 1), side[k]) : rt_plain(0);
}

/* The load of type flexible_rod: its section is the same all along. side: NULL where not given. */
routh_status rt_read_rod_load(rt_reader *r, const rt_yaml *node, const rt_number *side,
                              rt_load *load)
{
    rt_number in[RT_ROD_LOAD_IN], *made;
    double x[RT_ROD_LOAD_IN], S[36];
    for (int k = 0; k < 2; k++)
        rt_marker_in_world(r, load->markers[k], in + 12 * k, in + 12 * k + 3);
    memcpy(in + 24, load->stiffness6, sizeof load->stiffness6);
    memcpy(in + 60, load->damping6, sizeof load->damping6);
    rod_load_take_side(r, side, in + RT_ROD_LOAD_SIDE);
    rt_numbers_values(x, in, RT_ROD_LOAD_IN);
    const rt_yaml *stiffness = rt_yaml_find(node, "stiffness");
    routh_status status = rod_load_check_line(r, node, side != NULL, x);
    if (!status) status = rt_rod_check_symmetric(r, stiffness, "stiffness", x + 24);
    if (status) return status;
    const rt_making making = {.kind = RT_MAKE_ROD_LOAD,
                              .n_in = RT_ROD_LOAD_IN,
                              .n_out = RT_ROD_ELEMENT_NUMBERS,
                              .in = in};
    int problem = rt_rod_invert(x + 24, S) ? 0 : 1;
    if (!problem) status = rt_make_numbers(r, &making, &made, &problem);
    if (status) return status;
    if (problem)
        return rt_reader_fail(r, stiffness->place,
                              "stiffness is not positive definite: some strain costs no energy, "
                              "or gives some");
    rt_rod_take_load(load, made);
    return ROUTH_OK;
}

void rt_rod_take_load(rt_load *load, const rt_number *made)
{
    memcpy(load->stiffness6, made, sizeof load->stiffness6);
    memcpy(load->damping6, made + 36, sizeof load->damping6);
    memcpy(load->offset6, made + 72, sizeof load->offset6);
    memcpy(load->ends, made + 78, sizeof load->ends);
    for (int k = 0; k < 6; k++) load->preload6[k] = rt_plain(0);
}
