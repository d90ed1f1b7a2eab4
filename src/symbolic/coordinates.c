#include "symbolic/coordinates.h"

#include <stdio.h>
#include <string.h>

static bool coordinates_turns(const rt_natural_bodies *b, int body)
{
    for (int k = 3; k < 12; k++)
        if (!rt_exact_is_zero(b->field, b->v + 12 * body + k)) return true;
    return false;
}

/* dtheta = 1/2 sum a_k x da_k, or its gradient's rates, where axes move as in y */
static void coordinates_rotation(const rt_natural_bodies *b, int body, int component,
                                 const rt_exact *y, rt_exact *row)
{
    rt_exact_field *f = b->field;
    for (int k = 1; k < 4; k++) {
        const rt_exact *a = y + 12 * body + 3 * k;
        rt_exact *out = row + 12 * body + 3 * k;
        const int m = (component + 1) % 3, n = (component + 2) % 3;
        rt_exact_scale(f, out + m, a + n, -1, 2); /* (e x a)_m = -a_n, (e x a)_n = a_m */
        rt_exact_scale(f, out + n, a + m, 1, 2);
    }
}

static routh_status coordinates_component_of(const rt_natural_bodies *b, const rt_form *form, int k,
                                             rt_exact *row)
{
    for (int i = 0; i < form->n; i++)
        rt_exact_add(b->field, row + 3 * form->slot[i] + k, row + 3 * form->slot[i] + k,
                     form->c[i]);
    return ROUTH_OK;
}

static int letter(char c) { return c >= 'x' && c <= 'z' ? c - 'x' : -1; }

routh_status rt_natural_coordinate_of(const rt_natural_bodies *b, const char *name,
                                      rt_natural_coordinate *coordinate, routh_error *error)
{
    const routh_model *model = b->model;
    const char *point = strrchr(name, '.');
    char element[128];
    rt_form form;
    coordinate->turning = -1, coordinate->component = 0;
    coordinate->gradient = rt_exact_zeros(b->field, b->n);
    if (!coordinate->gradient) return rt_fail_memory(error);
    snprintf(coordinate->name, sizeof coordinate->name, "%s", name);
    snprintf(element, sizeof element, "%.*s", point ? (int)(point - name) : 0, name);
    const int marker = point ? rt_model_find_marker(model, element) : -2;
    const char *what = point ? point + 1 : "";
    const size_t length = strlen(what);
    const int last = length ? letter(what[length - 1]) : -1;
    if (marker < 0 || last < 0 || length > 2 ||
        (length == 2 && what[0] != 'r' && letter(what[0]) < 0))
        return rt_fail(error, ROUTH_BAD_ARGUMENT,
                       "'%s' is not a coordinate of the model; write a body or marker, a point, "
                       "and x, y, z (position), rx, ry, rz (rotation), or xx, xy, ... zz (a "
                       "component of one of its axes)",
                       name);
    routh_status status;
    if (length == 1) {
        status = rt_form_origin(b, marker, &form, error);
        return status ? status : coordinates_component_of(b, &form, last, coordinate->gradient);
    }
    if (what[0] == 'r') {
        const int body = model->markers[marker].body;
        if (body == RT_GROUND)
            return rt_fail(error, ROUTH_BAD_ARGUMENT,
                           "'%s' is not a coordinate, because the "
                           "ground does not rotate; name a body",
                           name);
        coordinates_rotation(b, body, last, b->x, coordinate->gradient);
        if (!coordinates_turns(b, body)) return ROUTH_OK;
        coordinate->turning = body, coordinate->component = last;
        return ROUTH_OK;
    }
    status = rt_form_axis(b, marker, NULL, letter(what[0]), &form, error);
    return status ? status : coordinates_component_of(b, &form, last, coordinate->gradient);
}

void rt_natural_coordinate_rate(const rt_natural_bodies *b, const rt_natural_coordinate *z,
                                int order, rt_exact *row)
{
    for (int k = 0; k < b->n; k++) rt_exact_set_integer(b->field, row + k, 0);
    if (z->turning >= 0)
        coordinates_rotation(b, z->turning, z->component, order == 1 ? b->v : b->a, row);
}

/* Does it move along with the mechanism at the operating point? */
static bool coordinates_moves(const rt_natural_bodies *b, const rt_natural_coordinate *z,
                              rt_exact *rate)
{
    for (int k = 0; k < b->n; k++) rt_exact_add_product(b->field, rate, z->gradient + k, b->v + k);
    return !rt_exact_is_zero(b->field, rate);
}

int rt_natural_candidates(const rt_natural_bodies *b) { return 18 * b->model->n_bodies; }

/* Of all bodies x, y, z that stand still; the turns; those of x, y, z that move; then components of
 * axes that stand still. */
routh_status rt_natural_candidate(const rt_natural_bodies *b, int index,
                                  rt_natural_coordinate *coordinate, bool *usable,
                                  routh_error *error)
{
    static const char *const kinds[18] = {"x",  "y",  "z",  "rx", "ry", "rz", "x",  "y",  "z",
                                          "zx", "zy", "zz", "xx", "xy", "xz", "yx", "yy", "yz"};
    const int n = b->model->n_bodies, round = index / (3 * n) < 3 ? index / (3 * n) : 3;
    const int first = 3 * round, width = round < 3 ? 3 : 9, at = index - 3 * round * n;
    const int body = at / width;
    char name[128];
    snprintf(name, sizeof name, "%.100s.%s", b->model->bodies[body].name,
             kinds[first + at % width]);
    const routh_status status = rt_natural_coordinate_of(b, name, coordinate, error);
    rt_exact *rate = rt_exact_zeros(b->field, 1);
    if (status || !rate) return status ? status : rt_fail_memory(error);
    *usable = round == 1 || coordinates_moves(b, coordinate, rate) == (round == 2);
    return ROUTH_OK;
}
