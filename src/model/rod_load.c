/* One element as a load between two markers. */
#include "model/rod.h"
#include "model/scope.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "model/made.h"
#include "model/read_values.h"

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

/* ---- an element of higher order -------------------------------------------------------------- */

routh_status rt_spectral_take_load(rt_reader *r, rt_load *load, const rt_number *made)
{
    load->n_list = rt_spectral_numbers(load->n_nodes - 1);
    load->list = RT_TAKE(&r->model->arena, rt_number, load->n_list);
    if (!load->list) return rt_fail_memory(r->error);
    memcpy(load->list, made, (size_t)load->n_list * sizeof *made);
    return ROUTH_OK;
}

/* The ends, and between them those that `through` names. */
static routh_status rod_load_find_nodes(rt_reader *r, const rt_yaml *through, rt_load *load)
{
    char found[96];
    if (through->kind != RT_YAML_LIST || through->count < 1 || through->count > RT_LOAD_NODES - 2)
        return rt_reader_fail(r, through->place, "through must be a list of 1 to %d names, not %s",
                              RT_LOAD_NODES - 2, rt_yaml_describe(through, found, sizeof found));
    int *nodes = RT_TAKE(&r->model->arena, int, through->count + 2), n = 0;
    routh_status status = nodes ? ROUTH_OK : rt_fail_memory(r->error);
    if (status) return status;
    nodes[n++] = load->markers[0];
    for (const rt_yaml *entry = through->first; entry && !status; entry = entry->next) {
        rt_word word;
        status = rt_read_word(r, entry, "through", &word);
        if (!status) status = rt_find_point(r, word, "through", &nodes[n++]);
    }
    nodes[n++] = load->markers[1];
    load->nodes = nodes;
    load->n_nodes = n;
    return status;
}

/* The axis goes on at every point of Gauss, and not along y of the section. */
static routh_status rod_load_check_curve(rt_reader *r, const rt_yaml *node, int order,
                                         const double *x)
{
    for (int g = 0; g < order; g++) {
        double d[3], y[3], across[3];
        rt_spectral_load_line(order, x, g, d, y);
        rt_v3_cross(across, d, y);
        const double length = rt_v3_norm(d);
        if (!(length > 0) || !isfinite(length))
            return rt_reader_fail(r, node->key_place,
                                  "the curve through its markers stops between them; its markers "
                                  "must follow each other along the axis");
        if (!(rt_v3_norm(across) > 1e-6 * length * rt_v3_norm(y)))
            return rt_reader_fail(r, node->key_place,
                                  "the axis runs along the section's y, which is undefined there; "
                                  "give a side across it");
    }
    return ROUTH_OK;
}

routh_status rt_read_spectral_load(rt_reader *r, const rt_yaml *node, const rt_yaml *through,
                                   const rt_number *side, rt_load *load)
{
    rt_number in[12 * RT_LOAD_NODES + 75], *made;
    double x[12 * RT_LOAD_NODES + 75], S[36];
    routh_status status = rod_load_find_nodes(r, through, load);
    if (status) return status;
    const int n = load->n_nodes;
    for (int k = 0; k < n; k++) rt_marker_in_world(r, load->nodes[k], in + 12 * k, in + 12 * k + 3);
    memcpy(in + 12 * n, load->stiffness6, sizeof load->stiffness6);
    memcpy(in + 12 * n + 36, load->damping6, sizeof load->damping6);
    rod_load_take_side(r, side, in + 12 * n + 72);
    rt_numbers_values(x, in, 12 * n + 75);
    const rt_yaml *stiffness = rt_yaml_find(node, "stiffness");
    status = rod_load_check_curve(r, node, n - 1, x);
    if (!status) status = rt_rod_check_symmetric(r, stiffness, "stiffness", x + 12 * n);
    if (status) return status;
    if (!rt_rod_invert(x + 12 * n, S))
        return rt_reader_fail(r, stiffness->place,
                              "stiffness is not positive definite: some strain costs no energy, "
                              "or gives some");
    rt_rod_plan *plan = RT_TAKE(&r->model->arena, rt_rod_plan, 1);
    if (!plan) return rt_fail_memory(r->error);
    *plan = (rt_rod_plan){.order = n - 1};
    const rt_making making = {.kind = RT_MAKE_SPECTRAL_LOAD,
                              .plan = plan,
                              .n_in = rt_spectral_load_in(n - 1),
                              .n_out = rt_spectral_numbers(n - 1),
                              .in = in};
    int problem;
    status = rt_make_numbers(r, &making, &made, &problem);
    if (!status) status = rt_spectral_take_load(r, load, made);
    return status ? status
                  : rt_check_finite(r, node->key_place, "the stiffness of the element", load->list,
                                    load->n_list);
}
