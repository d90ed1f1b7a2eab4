#include "output/report_modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/mode_fields.h"

/* Motion is for drawing only: so many modes, and so many markers of all modes are enough for a page
 * of less than 1.5 MB. */
enum { MOTION_MODES = 50, MOTION_MARKERS = 7500, MOST_SHARES = 20000, LEAST_SHARES = 8 };
enum { UNIT_DIGITS = 7 };

/* Fractions are whole numbers of this part; what is smaller is left out. */
static const double share_unit = 1e-5;

/* Conjugates move alike: the one with a negative imaginary part is not drawn. */
static bool is_drawn(const routh_modes *modes, int i)
{
    return modes->modes[i].eigenvalue[1] >= 0 || modes->modes[i].conjugate == i;
}

/* What is drawn moves with bodies, or with markers of bodies that bend. */
static bool is_moved(const routh_linear *linear, int k)
{
    const routh_marker_motion *marker = &linear->markers[k];
    if (strcmp(marker->name, marker->body) == 0) return true;
    for (int b = 0; b < linear->n_flexible; b++)
        if (strcmp(linear->flexible[b].name, marker->body) == 0) return true;
    return false;
}

/* Displacements and rotations of one part, six numbers of every marker. */
static void motion_part(rt_json *json, rt_report_modes *m, const char *key, int first,
                        const double most[2])
{
    rt_packed_start(&m->packed);
    for (int k = 0; k < m->n_moved; k++)
        for (int i = 0; i < 6; i++)
            rt_packed_number(&m->packed, m->motion[12 * (size_t)k + (size_t)(first + i)],
                             most[i / 3]);
    rt_packed_end(&m->packed, json, key);
}

static void report_modes_motion(rt_json *json, rt_report_modes *m, const routh_mode *mode)
{
    double most[2] = {0, 0};
    bool is_complex = false;
    for (int k = 0; k < m->n_moved; k++) {
        double *x = m->motion + 12 * (size_t)k;
        routh_mode_marker(m->results->linear, mode, m->moved[k], x);
        for (int i = 0; i < 12; i++) most[i / 3 % 2] = fmax(most[i / 3 % 2], fabs(x[i]));
    }
    for (int k = 0; k < m->n_moved; k++)
        for (int i = 6; i < 12; i++)
            is_complex |= rt_packed_round(m->motion[12 * (size_t)k + (size_t)i], most[i / 3 % 2]);
    const double unit[2] = {most[0] / RT_PACKED_MOST, most[1] / RT_PACKED_MOST};
    rt_json_flat_object(json, "motion");
    rt_json_reals_short(json, "unit", unit, 2, UNIT_DIGITS);
    motion_part(json, m, "re", 0, most);
    if (is_complex) motion_part(json, m, "im", 6, most);
    rt_json_end(json);
}

static void share_names(rt_json *json, const routh_linear *linear)
{
    rt_json_flat_array(json, "share_names");
    for (int k = 0; k < linear->n_shares; k++) rt_json_string(json, NULL, linear->shares[k].name);
    rt_json_end(json);
}

/* Where the model has parts. */
static void report_modes_part_names(rt_json *json, const rt_part_shares *tree)
{
    if (!tree->n) return;
    rt_json_flat_array(json, "part_names");
    for (int p = 0; p < tree->n; p++) rt_json_string(json, NULL, tree->parts[p].name);
    rt_json_end(json);
}

/* How many shares of a kind a mode may list. */
static int most_shares(const rt_report_modes *m)
{
    const int most = MOST_SHARES / (3 * (m->n_drawn + 1));
    return most > LEAST_SHARES ? most : LEAST_SHARES;
}

/* Place in the names, and fraction, by turns; the largest first. */
static void energy_shares(rt_json *json, rt_report_modes *m, const routh_mode *mode)
{
    rt_shares *shares = &m->shares;
    const int most = most_shares(m);
    rt_json_flat_object(json, "shares");
    for (int kind = ROUTH_ENERGY_KINETIC; kind <= ROUTH_ENERGY_DISSIPATION; kind++) {
        rt_shares_of(shares, m->results->linear, mode, (routh_energy_kind)kind);
        rt_json_flat_array(json, rt_energy_names[kind]);
        for (int i = 0; i < shares->n && i < most; i++) {
            const double units = shares->fractions[shares->order[i]] / share_unit;
            if (fabs(units) < 1) break;
            rt_json_int(json, NULL, shares->order[i]);
            rt_json_int(json, NULL, lround(units));
        }
        rt_json_end(json);
    }
    rt_json_end(json);
}

/* The part with the largest share of those not taken yet, and takes it; -1: none is left. */
static int report_modes_next_part(rt_part_shares *tree, int kind)
{
    int best = -1;
    for (int p = 0; p < tree->n; p++) {
        const double x = fabs(tree->parts[p].sum[kind]);
        if (tree->parts[p].own == 0 && x >= share_unit &&
            (best < 0 || x > fabs(tree->parts[best].sum[kind])))
            best = p;
    }
    if (best >= 0) tree->parts[best].own = 1;
    return best;
}

/* Place in the names of parts, and fraction, by turns; the largest first. */
static void report_modes_part_shares(rt_json *json, rt_report_modes *m, const routh_mode *mode)
{
    const int most = most_shares(m);
    if (!m->parts.n) return;
    rt_json_flat_object(json, "part_shares");
    for (int kind = ROUTH_ENERGY_KINETIC; kind <= ROUTH_ENERGY_DISSIPATION; kind++) {
        rt_shares_of(&m->shares, m->results->linear, mode, (routh_energy_kind)kind);
        rt_part_shares_sum(&m->parts, m->results->linear, m->shares.fractions,
                           (routh_energy_kind)kind);
        rt_json_flat_array(json, rt_energy_names[kind]);
        for (int p = 0; p < m->parts.n; p++) m->parts.parts[p].own = 0;
        for (int i = 0, p; i < most && (p = report_modes_next_part(&m->parts, kind)) >= 0; i++) {
            rt_json_int(json, NULL, p);
            rt_json_int(json, NULL, lround(m->parts.parts[p].sum[kind] / share_unit));
        }
        rt_json_end(json);
    }
    rt_json_end(json);
}

static void mode_numbers(rt_json *json, const routh_results *results, int i)
{
    /* the imaginary part as it is: pairs are told by its sign */
    const rt_result_row row = rt_mode_row(results, i, NULL);
    const routh_mode *mode = row.of;
    rt_json_reals(json, "eigenvalue",
                  (const double[]){rt_eigenvalue_part(mode, 0), mode->eigenvalue[1]}, 2);
    rt_result_page_json(json, &rt_mode_table, &row);
}

/* Of a pair, one says how it moves and who holds its energy. */
static void report_modes_mode(rt_json *json, rt_report_modes *m, int i, bool animated)
{
    const routh_mode *mode = &m->results->modes->modes[i];
    rt_json_flat_object(json, NULL);
    mode_numbers(json, m->results, i);
    if (animated) {
        report_modes_motion(json, m, mode);
        if (m->results->linear->n_flexible) rt_json_flexible_mode(json, m->drawing, mode);
    }
    if (is_drawn(m->results->modes, i)) {
        energy_shares(json, m, mode);
        report_modes_part_shares(json, m, mode);
    }
    rt_json_end(json);
}

void rt_json_report_modes(rt_json *json, rt_report_modes *m)
{
    const routh_modes *modes = m->results->modes;
    rt_json_flat_array(json, "moved");
    for (int k = 0; k < m->n_moved; k++) rt_json_int(json, NULL, m->moved[k]);
    rt_json_end(json);
    share_names(json, m->results->linear);
    report_modes_part_names(json, &m->parts);
    rt_json_array(json, "modes");
    for (int i = 0; i < modes->n; i++) report_modes_mode(json, m, i, m->animated[i]);
    rt_json_end(json);
}

/* ---- what they need -------------------------------------------------------------------------- */

static routh_status find_moved(rt_report_modes *m, routh_error *error)
{
    const routh_linear *linear = m->results->linear;
    const size_t n = (size_t)linear->n_markers + 1;
    m->moved = calloc(n, sizeof *m->moved);
    m->motion = calloc(12 * n, sizeof *m->motion);
    if (!m->moved || !m->motion) return rt_fail_memory(error);
    for (int k = 0; k < linear->n_markers; k++)
        if (is_moved(linear, k)) m->moved[m->n_moved++] = k;
    return ROUTH_OK;
}

/* How many modes' motions a page may carry; those that were asked for in any case. */
static int most_animated(const rt_report_modes *m)
{
    const int fit = m->n_moved > 0 ? MOTION_MARKERS / m->n_moved : MOTION_MODES;
    const int most = fit < 1 ? 1 : fit < MOTION_MODES ? fit : MOTION_MODES;
    return most < m->n_drawn ? most : m->n_drawn;
}

static routh_status report_modes_choose(rt_report_modes *m, routh_error *error)
{
    const routh_results *r = m->results;
    int *order = calloc((size_t)r->modes->n + 1, sizeof *order);
    m->animated = calloc((size_t)r->modes->n + 1, sizeof *m->animated);
    routh_status status =
        order && m->animated
            ? routh_modes_notable(r->modes, r->animated, r->n_animated, order, &m->n_drawn, error)
            : rt_fail_memory(error);
    if (!status) {
        const int asked = r->n_animated < m->n_drawn ? r->n_animated : m->n_drawn;
        m->n_animated = rt_drawing_modes(m->drawing, r->modes, order, most_animated(m));
        if (m->n_animated < asked) m->n_animated = asked;
    }
    for (int i = 0; i < m->n_animated; i++) m->animated[order[i]] = true;
    free(order);
    return status;
}

routh_status rt_report_modes_create(rt_report_modes *m, const routh_results *results,
                                    routh_error *error)
{
    *m = (rt_report_modes){.results = results};
    routh_status status = rt_shares_create(&m->shares, results->linear, error);
    if (!status) status = rt_part_shares_create(&m->parts, results->linear, error);
    if (!status) status = rt_drawing_create(&m->drawing, results->linear, error);
    if (!status) status = find_moved(m, error);
    if (!status) status = report_modes_choose(m, error);
    return status;
}

void rt_report_modes_free(rt_report_modes *m)
{
    rt_drawing_free(m->drawing);
    rt_shares_free(&m->shares);
    rt_part_shares_free(&m->parts);
    rt_packed_free(&m->packed);
    free(m->moved);
    free(m->animated);
    free(m->motion);
    *m = (rt_report_modes){0};
}
