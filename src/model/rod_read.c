/* What is written of beams, checked. */
#include "model/rod.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

enum { MOST_ELEMENTS = 20000 };

/* ---- profiles -------------------------------------------------------------------------------- */

static routh_status check_range(rt_reader *r, const rt_yaml *node, const rt_field *field, double x)
{
    if (field->range == RT_POSITIVE && !(x > 0))
        return rt_reader_fail(r, node->place, "%s is %.6g; it must be positive all along",
                              field->name, x);
    if (field->range == RT_NOT_NEGATIVE && x < 0)
        return rt_reader_fail(r, node->place, "%s is %.6g; it must not be negative", field->name,
                              x);
    return ROUTH_OK;
}

/* One number for all stations, or one for each. */
static routh_status read_profile(rt_reader *r, const rt_field *field, const rt_yaml *node,
                                 rt_rod_sections *s, const double **out)
{
    rt_number *numbers;
    int n = 1;
    routh_status status = ROUTH_OK;
    double *values = RT_TAKE(&r->scratch, double, s->n_stations);
    if (!values) return rt_fail_memory(r->error);
    if (node->kind == RT_YAML_LIST) {
        status = rt_read_list(r, node, field->name, &numbers, &n);
    } else {
        numbers = RT_TAKE(&r->scratch, rt_number, 1);
        if (!numbers) return rt_fail_memory(r->error);
        status = rt_read_number(r, node, field->name, RT_ANY, numbers);
    }
    if (status) return status;
    if (node->kind == RT_YAML_LIST && n != s->n_stations)
        return rt_reader_fail(r, node->place,
                              "%s has %d number%s; it must be one number, or a list with one for "
                              "each of the %d stations",
                              field->name, n, n == 1 ? "" : "s", s->n_stations);
    for (int k = 0; k < s->n_stations && !status; k++) {
        values[k] = numbers[n == 1 ? 0 : k].value;
        status = check_range(r, node, field, values[k]);
    }
    *out = values;
    return status;
}

/* Without stations there is one, at the beginning. */
static routh_status read_stations(rt_reader *r, const rt_yaml *node, rt_rod_sections *s)
{
    rt_number *numbers = NULL;
    s->n_stations = 1;
    if (node) {
        const routh_status status = rt_read_list(r, node, "stations", &numbers, &s->n_stations);
        if (status) return status;
    }
    double *station = RT_TAKE(&r->scratch, double, s->n_stations);
    if (!station) return rt_fail_memory(r->error);
    for (int k = 0; k < s->n_stations; k++) {
        station[k] = numbers ? numbers[k].value : 0;
        if (k && station[k] < station[k - 1])
            return rt_reader_fail(r, node->place,
                                  "stations: %.6g follows %.6g; they must go along the axis",
                                  station[k], station[k - 1]);
    }
    s->station = station;
    return ROUTH_OK;
}

/* The fields of profiles are told by their offsets. */
static routh_status read_profiles(rt_reader *r, const rt_kind *kind, const rt_written_rod *w,
                                  rt_rod_sections *s)
{
    routh_status status = read_stations(r, w->stations, s);
    for (int f = 0; f < kind->n_fields && !status; f++) {
        const rt_field *field = &kind->fields[f];
        if (field->type != RT_FIELD_PROFILE) continue;
        const size_t k = (field->offset - offsetof(rt_written_rod, profile)) / sizeof *w->profile;
        if (w->profile[k]) status = read_profile(r, field, w->profile[k], s, &s->profile[k]);
    }
    return status;
}

/* ---- the section's stiffness as a whole ------------------------------------------------------ */

routh_status rt_rod_check_symmetric(rt_reader *r, const rt_yaml *node, const char *what,
                                    const double C[36])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            if (fabs(C[6 * i + j] - C[6 * j + i]) >
                1e-9 * (fabs(C[6 * i + j]) + fabs(C[6 * j + i])))
                return rt_reader_fail(r, node->place,
                                      "%s is not symmetric: entry (%d, %d) is %.6g, entry (%d, %d) "
                                      "is %.6g",
                                      what, i + 1, j + 1, C[6 * i + j], j + 1, i + 1, C[6 * j + i]);
    return ROUTH_OK;
}

static routh_status read_stiffness(rt_reader *r, const rt_kind *kind, rt_given given,
                                   const rt_yaml *node, const rt_written_rod *w, rt_rod_sections *s)
{
    static const struct {
        rt_rod_property property;
        const char *name;
    } needed[] = {{RT_ROD_EA, "EA"}, {RT_ROD_GJ, "GJ"}, {RT_ROD_EIY, "EIy"}, {RT_ROD_EIZ, "EIz"}};
    double C[36];
    s->whole = rt_is_given(kind, given, "stiffness");
    for (size_t k = 0; k < sizeof needed / sizeof *needed && !s->whole; k++)
        if (!s->profile[needed[k].property])
            return rt_reader_fail(r, node->key_place,
                                  "%s is missing; give EA, GJ, EIy and EIz, or the whole matrix as "
                                  "stiffness",
                                  needed[k].name);
    for (int k = RT_ROD_EA; k <= RT_ROD_EIZ && s->whole; k++)
        if (s->profile[k])
            return rt_reader_fail(r, w->profile[k]->key_place,
                                  "%s and stiffness are both given; give one of them",
                                  w->profile[k]->key);
    if (!s->whole) return ROUTH_OK;
    const rt_yaml *at = rt_yaml_find(node, "stiffness");
    rt_numbers_values(C, w->stiffness, 36);
    const routh_status status = rt_rod_check_symmetric(r, at, "stiffness", C);
    if (status) return status;
    if (!rt_rod_invert(C, s->flexibility))
        return rt_reader_fail(r, at->place,
                              "stiffness is not positive definite: some strain costs no energy, "
                              "or gives some");
    return ROUTH_OK;
}

/* ---- the axis -------------------------------------------------------------------------------- */

/* Three points of which the last lies back the way. */
static bool turns_back(const double *p)
{
    double a[3], b[3], mean[3];
    rt_v3_sub(a, p + 3, p);
    rt_v3_sub(b, p + 6, p + 3);
    rt_v3_scale(mean, 1 / rt_v3_norm(a), a);
    rt_v3_add_scaled(mean, 1 / rt_v3_norm(b), b);
    return rt_v3_norm(mean) < 1e-3;
}

static routh_status read_points(rt_reader *r, const rt_yaml *node, rt_written_rod *w, bool from,
                                rt_rod *rod)
{
    rt_number *numbers = NULL;
    routh_status status = ROUTH_OK;
    rod->n_points = from ? 2 : w->points->count;
    if (!from && (w->points->kind != RT_YAML_LIST || rod->n_points < 2))
        return rt_reader_fail(r, w->points->place,
                              "points must be a list of two or more points, such as [[0, 0, 0], "
                              "[1, 0, 0]]");
    if (!from)
        status = rt_read_matrix(r, w->points, "points", rod->n_points, "point", 3, "direction",
                                &numbers);
    if (status) return status;
    rod->points = RT_TAKE(&r->scratch, double, 3 * (size_t)rod->n_points);
    if (!rod->points) return rt_fail_memory(r->error);
    for (int k = 0; k < 3 * rod->n_points; k++)
        rod->points[k] = !from ? numbers[k].value : k < 3 ? w->from[k].value : w->to[k - 3].value;
    for (int k = 0; k + 1 < rod->n_points; k++) {
        double d[3], across[3];
        rt_v3_sub(d, rod->points + 3 * k + 3, rod->points + 3 * k);
        const double length = rt_v3_norm(d);
        if (!(length > 0) || !isfinite(length))
            return rt_reader_fail(r, from ? node->key_place : w->points->place,
                                  "the axis has a piece of %s length; two points that follow each "
                                  "other must differ",
                                  length > 0 ? "infinite" : "no");
        rt_v3_cross(across, d, rod->side);
        if (!(rt_v3_norm(across) > 1e-6 * length * rt_v3_norm(rod->side)))
            return rt_reader_fail(r, node->key_place,
                                  "side lies along the axis, so it does not say where the "
                                  "section's y points; give a side across the axis");
        if (k && turns_back(rod->points + 3 * k - 3))
            return rt_reader_fail(r, w->points->place,
                                  "the axis turns back on itself at point %d; leave out that point",
                                  k + 1);
    }
    return ROUTH_OK;
}

/* ---- one beam -------------------------------------------------------------------------------- */

static void set_defaults(rt_written_rod *w)
{
    *w = (rt_written_rod){0};
    w->damping_ratio = w->elements = rt_plain(0);
    for (int k = 0; k < 3; k++) {
        w->side[k] = rt_plain(k == 1);
        w->velocity[k] = w->angular_velocity[k] = w->about[k] = rt_plain(0);
    }
    for (int k = 0; k < 36; k++) w->stiffness[k] = w->damping[k] = rt_plain(0);
}

static routh_status count_elements(rt_reader *r, const rt_yaml *node, double n, rt_rod *rod)
{
    if (n != floor(n) || n > MOST_ELEMENTS)
        return rt_reader_fail(r, rt_yaml_find(node, "elements")->place,
                              "elements is %.6g; it must be a whole number up to %d", n,
                              (int)MOST_ELEMENTS);
    rod->per_piece = (int)n;
    return ROUTH_OK;
}

static routh_status read_rod(rt_reader *r, const rt_yaml *node, rt_rod *rod)
{
    const rt_kind *kind;
    rt_written_rod w;
    rt_given given;
    routh_status status = rt_read_type(r, &rt_rod_section, node, &kind);
    set_defaults(&w);
    if (!status) status = rt_read_fields(r, kind, node, &w, &given);
    if (!status) status = count_elements(r, node, w.elements.value, rod);
    if (status) return status;
    rod->node = node;
    rod->sections.type = (rt_rod_type)kind->type;
    rod->sections.damping_ratio = w.damping_ratio.value;
    rt_numbers_values(rod->side, w.side, 3);
    rt_numbers_values(rod->sections.damping, w.damping, 36);
    memcpy(rod->velocity, w.velocity, sizeof rod->velocity);
    memcpy(rod->angular_velocity, w.angular_velocity, sizeof rod->angular_velocity);
    rt_numbers_values(rod->about, w.about, 3);
    rod->moves =
        rt_is_given(kind, given, "velocity") || rt_is_given(kind, given, "angular_velocity");
    status = read_points(r, node, &w, rt_is_given(kind, given, "from"), rod);
    if (!status) status = read_profiles(r, kind, &w, &rod->sections);
    if (!status && rod->sections.type == RT_ROD_OF_SECTIONS)
        status = read_stiffness(r, kind, given, node, &w, &rod->sections);
    return status;
}

routh_status rt_read_rods(rt_reader *r, const rt_yaml *section, rt_rod_set *set)
{
    *set = (rt_rod_set){.n = section ? section->count : 0};
    set->rods = RT_TAKE(&r->scratch, rt_rod, set->n);
    if (!set->rods) return rt_fail_memory(r->error);
    int k = 0;
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next, k++) {
        rt_rod *rod = &set->rods[k];
        rt_reader_element(r, "beam", entry->key);
        routh_status status = rt_check_quantity_name(r, entry);
        if (!status) status = read_rod(r, entry, rod);
        if (status) return status;
        const double elements = (double)rod->per_piece * (rod->n_points - 1);
        if (elements + set->n_elements > MOST_ELEMENTS)
            return rt_reader_fail(r, entry->key_place,
                                  "the beams have more than %d elements; give them fewer",
                                  (int)MOST_ELEMENTS);
        set->n_elements += (int)elements;
        set->n_nodes += (int)elements + 1;
    }
    return ROUTH_OK;
}
