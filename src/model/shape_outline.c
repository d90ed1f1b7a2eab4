/* The outline of an extrusion: corners of a polygon that does not cross itself. */
#include <float.h>
#include <math.h>

#include "model/read_values.h"
#include "model/scope.h"
#include "model/shape.h"

enum { MOST_CORNERS = 1000 };

/* Which side of the line from a to b the point c is on: the area of their triangle, twice. */
static double outline_side(const rt_number *a, const rt_number *b, const rt_number *c)
{
    return (b[0].value - a[0].value) * (c[1].value - a[1].value) -
           (b[1].value - a[1].value) * (c[0].value - a[0].value);
}

/* c, on the line through a and b, is between them. */
static bool outline_between(const rt_number *a, const rt_number *b, const rt_number *c)
{
    for (int k = 0; k < 2; k++)
        if (c[k].value < fmin(a[k].value, b[k].value) || c[k].value > fmax(a[k].value, b[k].value))
            return false;
    return true;
}

/* The segments a b and c d have a point in common. */
static bool outline_meet(const rt_number *a, const rt_number *b, const rt_number *c,
                         const rt_number *d)
{
    const double p = outline_side(a, b, c), q = outline_side(a, b, d);
    const double s = outline_side(c, d, a), t = outline_side(c, d, b);
    if (((p > 0 && q < 0) || (p < 0 && q > 0)) && ((s > 0 && t < 0) || (s < 0 && t > 0)))
        return true;
    return (p == 0 && outline_between(a, b, c)) || (q == 0 && outline_between(a, b, d)) ||
           (s == 0 && outline_between(c, d, a)) || (t == 0 && outline_between(c, d, b));
}

/* Sides that follow one another share a corner and else no point; others share none. */
static bool outline_sides_meet(const rt_number *xy, int n, int i, int j)
{
    const rt_number *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % n);
    const rt_number *c = xy + 2 * j, *d = xy + 2 * ((j + 1) % n);
    const bool next = j == i + 1, last = !i && j == n - 1;
    if (next)
        return outline_side(a, b, d) == 0 && (outline_between(a, b, d) || outline_between(c, d, a));
    if (last)
        return outline_side(a, b, c) == 0 && (outline_between(a, b, c) || outline_between(c, d, b));
    return outline_meet(a, b, c, d);
}

/* Its area is of the size of its rounding, and of that of its corners. */
static bool is_outline_flat(const rt_number *xy, int n)
{
    double area = 0, size = 0, far = 0;
    for (int i = 0; i < 2 * n; i++) far = fmax(far, fabs(xy[i].value));
    for (int i = 1; i < n - 1; i++) area += outline_side(xy, xy + 2 * i, xy + 2 * (i + 1));
    for (int i = 2; i < 2 * n; i++) size = fmax(size, fabs(xy[i].value - xy[i % 2].value));
    return fabs(area) <= 4 * n * DBL_EPSILON * size * (size + far);
}

static routh_status check_outline(rt_reader *r, const rt_yaml *list, const rt_number *xy, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (outline_sides_meet(xy, n, i, j))
                return rt_reader_fail(r, list->place,
                                      "outline: its sides from corners %d and %d meet; list the "
                                      "corners one after another around it, each once",
                                      i + 1, j + 1);
    if (is_outline_flat(xy, n))
        return rt_reader_fail(r, list->place,
                              "outline: its corners lie on one straight line; it has no area");
    return ROUTH_OK;
}

routh_status rt_take_outline(rt_reader *r, const rt_written_shape *w, rt_shape *shape)
{
    const rt_yaml *list = w->outline;
    char found[96];
    if (list->kind != RT_YAML_LIST || list->count < 3 || list->count > MOST_CORNERS)
        return rt_reader_fail(r, list->place,
                              "outline must be a list of 3 to %d corners [x, y], such as [[0, 0], "
                              "[0.2, 0], [0, 0.1]], not %s",
                              MOST_CORNERS, rt_yaml_describe(list, found, sizeof found));
    shape->n_outline = list->count;
    shape->outline = RT_TAKE(&r->model->arena, rt_number, 2 * list->count);
    if (!shape->outline) return rt_fail_memory(r->error);
    const char *before = r->unit;
    routh_status status = ROUTH_OK;
    int k = 0;
    r->unit = "m";
    for (const rt_yaml *corner = list->first; corner && !status; corner = corner->next, k++)
        status = rt_read_numbers(r, corner, "outline", 2, shape->outline + 2 * k);
    r->unit = before;
    if (!status) status = check_outline(r, list, shape->outline, k);
    for (int i = 0; i < 2 * k && !status; i++)
        shape->outline[i] = rt_signed(r, rt_polar_sign(r, i % 2), shape->outline[i]);
    if (!status) rt_centre_outline(&r->calculator, shape);
    return status;
}
