/* What is written of beams, checked. */
#include "model/rod.h"
#include "model/scope.h"

#include <math.h>
#include <string.h>

#include "base/lobatto.h"
#include "base/vec3.h"

enum { MOST_ELEMENTS = 20000 };

/* ---- profiles -------------------------------------------------------------------------------- */

static routh_status rod_read_check_range(rt_reader *r, const rt_yaml *node, const rt_field *field,
                                         double x)
{
    if (field->range == RT_POSITIVE && !(x > 0))
        return rt_reader_fail(r, node->place, "%s is %.6g; it must be positive all along",
                              field->name, rt_as_written(r, field->unit, x));
    if (field->range == RT_NOT_NEGATIVE && x < 0)
        return rt_reader_fail(r, node->place, "%s is %.6g; it must not be negative", field->name,
                              rt_as_written(r, field->unit, x));
    return ROUTH_OK;
}

/* One number for all stations, or one for each, into out. */
static routh_status read_profile(rt_reader *r, const rt_field *field, const rt_yaml *node,
                                 int n_stations, int sign, rt_number *out)
{
    rt_number one, *numbers = &one;
    int n = 1;
    const bool list = node->kind == RT_YAML_LIST;
    const char *before = r->unit;
    r->unit = field->unit;
    routh_status status = list ? rt_read_list(r, node, field->name, &numbers, &n)
                               : rt_read_number(r, node, field->name, RT_ANY, &one);
    r->unit = before;
    if (status) return status;
    if (list && n != n_stations)
        return rt_reader_fail(r, node->place,
                              "%s has %d number%s; it must be one number, or a list with one for "
                              "each of the %d stations",
                              field->name, n, n == 1 ? "" : "s", n_stations);
    for (int k = 0; k < n_stations && !status; k++) {
        out[k] = rt_signed(r, sign, numbers[n == 1 ? 0 : k]);
        status = rod_read_check_range(r, node, field, out[k].value);
    }
    return status;
}

/* Without stations there is one, at the beginning. */
static routh_status read_stations(rt_reader *r, const rt_yaml *node, rt_rod *rod,
                                  rt_number **station)
{
    rt_number *out = NULL;
    rod->plan.n_stations = 1;
    if (node) {
        const char *before = r->unit;
        r->unit = "m";
        const routh_status status = rt_read_list(r, node, "stations", &out, &rod->plan.n_stations);
        r->unit = before;
        if (status) return status;
    } else {
        out = RT_TAKE(&r->scratch, rt_number, 1);
        if (!out) return rt_fail_memory(r->error);
        *out = rt_plain(0);
    }
    *station = out;
    for (int k = 1; k < rod->plan.n_stations; k++)
        if (out[k].value < out[k - 1].value)
            return rt_reader_fail(
                r, node->place, "stations: %.6g follows %.6g; they must go along the axis",
                rt_as_written(r, "m", out[k].value), rt_as_written(r, "m", out[k - 1].value));
    return ROUTH_OK;
}

/* Which property a field is a profile of, told by its offset; -1: of none that is given. */
static int property_of(const rt_field *field, const rt_written_rod *w)
{
    if (field->type != RT_FIELD_PROFILE) return -1;
    const size_t k = (field->offset - offsetof(rt_written_rod, profile)) / sizeof *w->profile;
    return w->profile[k] ? (int)k : -1;
}

/* Of a mirrored beam, its section's axes D_k times the reflected ones, x along it as before. */
static int sign_of_property(rt_reader *r, rt_rod_property k)
{
    switch (k) {
    case RT_ROD_TWIST: return rt_axial_sign(r, 0);
    case RT_ROD_MASS_Y:
    case RT_ROD_TENSION_Y:
    case RT_ROD_SHEAR_Y: return rt_polar_sign(r, 1);
    case RT_ROD_MASS_Z:
    case RT_ROD_TENSION_Z:
    case RT_ROD_SHEAR_Z: return rt_polar_sign(r, 2);
    default: return 1;
    }
}

static routh_status read_profiles(rt_reader *r, const rt_kind *kind, const rt_written_rod *w,
                                  rt_rod *rod)
{
    rt_number *station = NULL;
    routh_status status = read_stations(r, w->stations, rod, &station);
    if (status) return status;
    for (int f = 0; f < kind->n_fields; f++) {
        const int k = property_of(&kind->fields[f], w);
        if (k >= 0) rod->plan.given[k] = true;
    }
    rod->numbers = RT_TAKE(&r->scratch, rt_number, rt_rod_count_numbers(&rod->plan));
    if (!rod->numbers) return rt_fail_memory(r->error);
    memcpy(rod->numbers + rt_rod_at_stations(&rod->plan), station,
           (size_t)rod->plan.n_stations * sizeof *station);
    for (int f = 0; f < kind->n_fields && !status; f++) {
        const int k = property_of(&kind->fields[f], w);
        if (k < 0) continue;
        status = read_profile(r, &kind->fields[f], w->profile[k], rod->plan.n_stations,
                              sign_of_property(r, (rt_rod_property)k),
                              rod->numbers + rt_rod_at_profile(&rod->plan, (rt_rod_property)k));
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
                                   const rt_yaml *node, const rt_written_rod *w, rt_rod_plan *s)
{
    static const struct {
        rt_rod_property property;
        const char *name;
    } needed[] = {{RT_ROD_EA, "EA"}, {RT_ROD_GJ, "GJ"}, {RT_ROD_EIY, "EIy"}, {RT_ROD_EIZ, "EIz"}};
    double C[36], S[36];
    s->whole = rt_is_given(kind, given, "stiffness");
    for (size_t k = 0; k < sizeof needed / sizeof *needed && !s->whole; k++)
        if (!s->given[needed[k].property] && !(w->inextensible && k == 0))
            return rt_reader_fail(r, node->key_place,
                                  "%s is missing; give EA, GJ, EIy and EIz, or the whole matrix as "
                                  "stiffness",
                                  needed[k].name);
    for (int k = RT_ROD_EA; k <= RT_ROD_EIZ && s->whole; k++)
        if (s->given[k])
            return rt_reader_fail(r, w->profile[k]->key_place,
                                  "%s and stiffness are both given; give one of them",
                                  w->profile[k]->key);
    if (!s->whole) return ROUTH_OK;
    const rt_yaml *at = rt_yaml_find(node, "stiffness");
    rt_numbers_values(C, w->stiffness, 36);
    const routh_status status = rt_rod_check_symmetric(r, at, "stiffness", C);
    if (status) return status;
    if (!rt_rod_invert(C, S))
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

static routh_status check_points(rt_reader *r, const rt_yaml *node, const rt_yaml *at, int n,
                                 const double *points, const double side[3])
{
    for (int k = 0; k + 1 < n; k++) {
        double d[3], across[3];
        rt_v3_sub(d, points + 3 * k + 3, points + 3 * k);
        const double length = rt_v3_norm(d);
        if (!(length > 0) || !isfinite(length))
            return rt_reader_fail(r, at ? at->place : node->key_place,
                                  "the axis has a piece of %s length; two points that follow each "
                                  "other must differ",
                                  length > 0 ? "infinite" : "no");
        rt_v3_cross(across, d, side);
        if (!(rt_v3_norm(across) > 1e-6 * length * rt_v3_norm(side)))
            return rt_reader_fail(r, node->key_place,
                                  "side lies along the axis, so it does not say where the "
                                  "section's y points; give a side across the axis");
        if (k && turns_back(points + 3 * k - 3))
            return rt_reader_fail(r, at->place,
                                  "the axis reverses on itself at point %d; leave out that point",
                                  k + 1);
    }
    return ROUTH_OK;
}

/* n points, 3 each: those of a list, or from and to. */
static routh_status read_points(rt_reader *r, const rt_yaml *node, const rt_written_rod *w,
                                bool from, rt_number **points, int *n)
{
    double side[3];
    routh_status status = ROUTH_OK;
    *n = from ? 2 : w->points->count;
    if (!from && (w->points->kind != RT_YAML_LIST || *n < 2))
        return rt_reader_fail(r, w->points->place,
                              "points must be a list of two or more points, such as [[0, 0, 0], "
                              "[1, 0, 0]]");
    const char *before = r->unit;
    r->unit = "m";
    if (!from)
        status = rt_read_matrix(r, w->points, "points", *n, "point", 3, "direction", points);
    else
        *points = RT_TAKE(&r->scratch, rt_number, 6);
    r->unit = before;
    if (status) return status;
    double *values = RT_TAKE(&r->scratch, double, 3 * (size_t)*n);
    if (!*points || !values) return rt_fail_memory(r->error);
    for (int k = 0; k < 3 * *n && !from; k++)
        (*points)[k] = rt_signed(r, rt_polar_sign(r, k % 3), (*points)[k]);
    for (int k = 0; k < *n && !from; k++) rt_into_world(r, *points + 3 * k, NULL);
    if (from) {
        memcpy(*points, w->from, sizeof w->from);
        memcpy(*points + 3, w->to, sizeof w->to);
    }
    rt_numbers_values(values, *points, 3 * *n);
    rt_numbers_values(side, w->side, 3);
    return check_points(r, node, from ? NULL : w->points, *n, values, side);
}

/* ---- one beam -------------------------------------------------------------------------------- */

static void rod_read_set_defaults(rt_written_rod *w)
{
    *w = (rt_written_rod){0};
    w->damping_ratio = w->elements = rt_plain(0);
    w->order = rt_plain(1);
    for (int k = 0; k < 3; k++) {
        w->side[k] = rt_plain(k == 1);
        w->velocity[k] = w->angular_velocity[k] = w->about[k] = rt_plain(0);
    }
    for (int k = 0; k < 36; k++) w->stiffness[k] = w->damping[k] = rt_plain(0);
}

static routh_status count_elements(rt_reader *r, const rt_yaml *node, rt_number number, rt_rod *rod)
{
    const double n = number.value;
    const rt_yaml *at = rt_yaml_find(node, "elements");
    if (n != floor(n) || n > MOST_ELEMENTS)
        return rt_reader_fail(r, at->place, "elements is %.6g; it must be a whole number up to %d",
                              n, (int)MOST_ELEMENTS);
    rod->plan.per_piece = (int)n;
    return rt_note_whole(r, at, "elements", number);
}

static routh_status rod_read_order(rt_reader *r, const rt_yaml *node, rt_number number, rt_rod *rod)
{
    const rt_yaml *at = rt_yaml_find(node, "order");
    rod->plan.order = 1;
    if (!at) return ROUTH_OK;
    if (number.value != floor(number.value) || number.value > RT_LOBATTO_ORDER)
        return rt_reader_fail(r, at->place, "order is %.6g; it must be a whole number from 1 to %d",
                              number.value, (int)RT_LOBATTO_ORDER);
    rod->plan.order = (int)number.value;
    return rt_note_whole(r, at, "order", number);
}

/* An inextensible beam, whose stretch constraints keep zero. */
static routh_status rod_read_keep_stretch(rt_reader *r, const rt_yaml *node, rt_rod_plan *plan)
{
    const rt_yaml *at = rt_yaml_find(node, "inextensible");
    if (plan->whole)
        return rt_reader_fail(r, at->place,
                              "stiffness is given as a matrix, in which stretch is not apart from "
                              "the rest; give GJ, EIy and EIz, or leave out inextensible");
    for (int k = RT_ROD_TENSION_Y; k <= RT_ROD_TENSION_Z && plan->order == 1; k++)
        if (plan->given[k])
            return rt_reader_fail(r, at->place,
                                  "elements of order 1 keep the length of the axis, and %s says "
                                  "that a line beside it is the one that keeps its length; give "
                                  "order, 2 or more, or leave out %s",
                                  k == RT_ROD_TENSION_Y ? "tension_y" : "tension_z",
                                  k == RT_ROD_TENSION_Y ? "tension_y" : "tension_z");
    plan->kept[RT_ROD_STRETCH] = true;
    return ROUTH_OK;
}

/* Elements of higher order deform by shear where their sections have a stiffness against it; else
 * constraints keep it zero. */
static routh_status rod_read_keep_shear(rt_reader *r, const rt_yaml *node, rt_rod *rod)
{
    rt_rod_plan *plan = &rod->plan;
    const bool material = plan->type == RT_ROD_OF_MATERIAL;
    for (int k = 0; k < 2 && plan->order > 1 && !plan->whole; k++) {
        const int property = (material ? RT_ROD_FACTOR_Y : RT_ROD_GAY) + k;
        const rt_number *x = rod->numbers + rt_rod_at_profile(plan, (rt_rod_property)property);
        plan->kept[RT_ROD_SHEAR_ALONG_Y + k] = !plan->given[property];
        for (int i = 0; i < plan->n_stations && plan->given[property]; i++)
            if (!(x[i].value > 0))
                return rt_reader_fail(r, node->key_place,
                                      "shear_factor_%c is zero, but elements of order %d need a "
                                      "positive one all along, such as 1.2; leave it out for a "
                                      "beam without shear deformation",
                                      k ? 'z' : 'y', plan->order);
    }
    return ROUTH_OK;
}

/* A jump of the sections may not move against the elements. */
static routh_status rod_read_fix_jump(rt_reader *r, const rt_yaml *node, const rt_number *station)
{
    const bool before = r->values_only;
    r->values_only = true;
    const routh_status status = rt_note_fixed(r, node, "a station with a jump", *station);
    r->values_only = before;
    return status;
}

/* How long element e is. */
static double rod_read_length(const rt_rod *rod, int e)
{
    const rt_rod_plan *plan = &rod->plan;
    double x[3 * (RT_LOBATTO_ORDER + 1)], d[3];
    const double *r[RT_LOBATTO_ORDER + 1];
    if (plan->curved) {
        rt_numbers_values(x, rod->numbers + 3 * plan->order * e, 3 * (plan->order + 1));
        for (int j = 0; j <= plan->order; j++) r[j] = x + 3 * j;
        return rt_spectral_length(plan->order, 1, r);
    }
    rt_numbers_values(x, rod->numbers + 3 * (e / plan->per_piece), 6);
    rt_v3_sub(d, x + 3, x);
    return rt_v3_norm(d) / plan->per_piece;
}

/* At point i of the points of Lobatto and Gauss, by turns: the curve goes on, across the side. */
static routh_status rod_read_check_tangent(rt_reader *r, const rt_yaml *node, const rt_rod *rod,
                                           int element, int i)
{
    const int order = rod->plan.order, j = i / 2 < order ? i / 2 : order - 1;
    double x[3 * (RT_LOBATTO_ORDER + 1)], side[3], d[3], chord[3], across[3];
    const double *p[RT_LOBATTO_ORDER + 1];
    rt_numbers_values(x, rod->numbers + 3 * order * element, 3 * (order + 1));
    rt_numbers_values(side, rod->numbers + rt_rod_at_side(&rod->plan), 3);
    for (int k = 0; k <= order; k++) p[k] = x + 3 * k;
    rt_spectral_tangent_at(
        order, i % 2 ? rt_gauss_points(order)[j] : rt_lobatto_points(order)[i / 2], p, d);
    rt_v3_sub(chord, p[j + 1], p[j]);
    if (!(rt_v3_dot(d, chord) > 0) || !isfinite(rt_v3_norm(d)))
        return rt_reader_fail(r, node->key_place,
                              "the curve through the points of element %d reverses; give points "
                              "that follow each other more evenly",
                              element + 1);
    rt_v3_cross(across, d, side);
    if (!(rt_v3_norm(across) > 1e-6 * rt_v3_norm(d) * rt_v3_norm(side)))
        return rt_reader_fail(r, node->key_place,
                              "side lies along the axis in element %d, so it does not say where "
                              "the section's y points; give a side across the axis",
                              element + 1);
    return ROUTH_OK;
}

/* A curve through the points: so many that elements are whole, no cusp, and the side across it. */
static routh_status rod_read_check_curve(rt_reader *r, const rt_yaml *node, const rt_rod *rod)
{
    const rt_rod_plan *plan = &rod->plan;
    const int order = plan->order, n = plan->per_piece;
    const rt_yaml *at = rt_yaml_find(node, "curved");
    routh_status status = ROUTH_OK;
    if (!plan->curved) return ROUTH_OK;
    if (order == 1)
        return rt_reader_fail(r, at->place,
                              "elements of order 1 are straight; give order, 2 or more, or leave "
                              "out curved");
    if (plan->n_points != order * n + 1)
        return rt_reader_fail(r, at->place,
                              "%d points are given, but a curved axis of %d element%s of order %d "
                              "goes through %d: each element through order + 1 points, ends shared",
                              plan->n_points, n, n == 1 ? "" : "s", order, order * n + 1);
    for (int k = 0; k < n && !status; k++)
        for (int i = 0; i <= 2 * order && !status; i++)
            status = rod_read_check_tangent(r, node, rod, k, i);
    return status ? status : rt_guard_numbers(r, rod->numbers, 3 * plan->n_points, RT_GUARD_SAME);
}

/* In an element of higher order the sections are linear, so stations lie at ends of elements. */
static routh_status rod_read_check_stations(rt_reader *r, const rt_yaml *node, const rt_rod *rod)
{
    const rt_rod_plan *plan = &rod->plan;
    const rt_number *station = rod->numbers + rt_rod_at_stations(plan);
    const rt_yaml *at = rt_yaml_find(node, "stations");
    double along = 0;
    routh_status status = ROUTH_OK;
    if (plan->order == 1 || !at) return ROUTH_OK;
    for (int e = 0; e < rt_rod_count_elements(plan); e++) {
        const double length = rod_read_length(rod, e);
        const double rounding = (plan->curved ? 1e-6 : 1e-9) * length;
        for (int k = 0; k < plan->n_stations; k++) {
            const double t = station[k].value - along;
            if (t < rounding || t > length - rounding) continue;
            return rt_reader_fail(
                r, at->place,
                "the station %.6g lies inside element %d, from %.6g to %.6g; within elements of "
                "order %d the sections must be linear: choose elements that end there",
                rt_as_written(r, "m", station[k].value), e + 1, rt_as_written(r, "m", along),
                rt_as_written(r, "m", along + length), plan->order);
        }
        along += length;
    }
    for (int k = 1; k < plan->n_stations && !status; k++)
        if (station[k].value == station[k - 1].value)
            status = rod_read_fix_jump(r, at, &station[k]);
    if (!status) status = rt_guard_numbers(r, station, plan->n_stations, RT_GUARD_SAME);
    return status ? status : rt_guard_numbers(r, rod->numbers, 3 * plan->n_points, RT_GUARD_SAME);
}

static void rod_read_take_numbers(const rt_written_rod *w, const rt_number *points, rt_rod *rod)
{
    const rt_rod_plan *plan = &rod->plan;
    rt_number *x = rod->numbers;
    memcpy(x, points, 3 * (size_t)plan->n_points * sizeof *x);
    memcpy(x + rt_rod_at_side(plan), w->side, sizeof w->side);
    memcpy(x + rt_rod_at_stiffness(plan), w->stiffness, sizeof w->stiffness);
    memcpy(x + rt_rod_at_damping(plan), w->damping, sizeof w->damping);
    x[rt_rod_at_ratio(plan)] = w->damping_ratio;
    memcpy(rod->velocity, w->velocity, sizeof rod->velocity);
    memcpy(rod->angular_velocity, w->angular_velocity, sizeof rod->angular_velocity);
    memcpy(rod->about, w->about, sizeof rod->about);
}

static routh_status read_rod(rt_reader *r, const rt_yaml *node, rt_rod *rod)
{
    const rt_kind *kind;
    rt_written_rod w;
    rt_given given;
    rt_number *points = NULL;
    routh_status status = rt_read_type(r, &rt_rod_section, node, &kind);
    rod_read_set_defaults(&w);
    if (!status) status = rt_read_fields(r, kind, node, &w, &given);
    if (!status) status = count_elements(r, node, w.elements, rod);
    if (!status) status = rod_read_order(r, node, w.order, rod);
    if (!status)
        status = rt_refuse_mirror(r, node->key_place, 0, "a beam",
                                  "x runs along it, and would be reversed");
    if (status) return status;
    for (int k = 0; k < 3; k++) w.side[k] = rt_signed(r, rt_polar_sign(r, 1), w.side[k]);
    rod->node = node;
    rod->plan.type = (rt_rod_type)kind->type;
    rod->plan.curved = w.curved;
    rod->moves =
        rt_is_given(kind, given, "velocity") || rt_is_given(kind, given, "angular_velocity");
    status =
        read_points(r, node, &w, rt_is_given(kind, given, "from"), &points, &rod->plan.n_points);
    if (!status) status = read_profiles(r, kind, &w, rod);
    if (!status && rod->plan.type == RT_ROD_OF_SECTIONS)
        status = read_stiffness(r, kind, given, node, &w, &rod->plan);
    if (status) return status;
    rod_read_take_numbers(&w, points, rod);
    status = rod_read_check_curve(r, node, rod);
    if (!status && w.inextensible) status = rod_read_keep_stretch(r, node, &rod->plan);
    if (!status) status = rod_read_keep_shear(r, node, rod);
    return status ? status : rod_read_check_stations(r, node, rod);
}

routh_status rt_read_rods(rt_reader *r, const rt_yaml *section, rt_rod_set *set)
{
    *set = (rt_rod_set){.n = section ? section->count : 0};
    set->rods = RT_TAKE(&r->scratch, rt_rod, set->n);
    if (!set->rods) return rt_fail_memory(r->error);
    int k = 0;
    for (const rt_yaml *entry = section ? section->first : NULL; entry; entry = entry->next, k++) {
        rt_rod *rod = &set->rods[k];
        rt_reader_enter(r, "beam", entry);
        routh_status status = rt_check_quantity_name(r, entry);
        if (!status) status = read_rod(r, entry, rod);
        if (status) return status;
        const double elements =
            rod->plan.per_piece * (rod->plan.curved ? 1.0 : rod->plan.n_points - 1);
        if (elements * rod->plan.order + set->n_nodes > MOST_ELEMENTS + k)
            return rt_reader_fail(r, entry->key_place,
                                  rod->plan.order > 1
                                      ? "the beams have more than %d nodes; give them fewer"
                                      : "the beams have more than %d elements; give them fewer",
                                  (int)MOST_ELEMENTS);
        set->n_elements += (int)elements;
        set->n_nodes += rod->plan.order * (int)elements + 1;
        set->n_kept += rt_rod_count_kept(&rod->plan) ? (int)elements : 0;
    }
    return ROUTH_OK;
}
