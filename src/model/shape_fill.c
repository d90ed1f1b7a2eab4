/* Solids of the shapes of rigid bodies, filled evenly: volume and inertia. */
#include "base/pi.h"
#include "model/shape.h"

/* About the centre of mass, where the axes are principal ones. */
typedef struct shape_fill {
    rt_number volume, over_mass[3];
} shape_fill;

static rt_number shape_square(rt_calculator *c, rt_number a) { return rt_times(c, a, a); }

static rt_number times_plain(rt_calculator *c, double by, rt_number a)
{
    return rt_times(c, rt_plain(by), a);
}

/* V = a b c, I_x/m = (b^2 + c^2)/12 */
static shape_fill fill_box(rt_calculator *c, const rt_number size[3])
{
    shape_fill f = {.volume = rt_times(c, rt_times(c, size[0], size[1]), size[2])};
    for (int k = 0; k < 3; k++) {
        const rt_number p = size[(k + 1) % 3], q = size[(k + 2) % 3];
        f.over_mass[k] =
            rt_over(c, rt_plus(c, shape_square(c, p), shape_square(c, q)), rt_plain(12));
    }
    return f;
}

/* V = pi (R^2 - r^2) l, I_z/m = (R^2 + r^2)/2, I_x/m = (R^2 + r^2)/4 + l^2/12 */
static shape_fill shape_fill_round(rt_calculator *c, rt_number R, rt_number r, rt_number length)
{
    const rt_number squares = rt_plus(c, shape_square(c, R), shape_square(c, r));
    const rt_number ring = rt_times(c, rt_minus(c, R, r), rt_plus(c, R, r));
    shape_fill f = {.volume = rt_times(c, times_plain(c, RT_PI, ring), length)};
    f.over_mass[0] = f.over_mass[1] = rt_plus(c, rt_over(c, squares, rt_plain(4)),
                                              rt_over(c, shape_square(c, length), rt_plain(12)));
    f.over_mass[2] = rt_over(c, squares, rt_plain(2));
    return f;
}

/* V = 4/3 pi r^3, I/m = 2/5 r^2 */
static shape_fill fill_sphere(rt_calculator *c, rt_number r)
{
    const rt_number square = shape_square(c, r);
    shape_fill f = {.volume = times_plain(c, 4 * RT_PI / 3, rt_times(c, square, r))};
    for (int k = 0; k < 3; k++) f.over_mass[k] = times_plain(c, 0.4, square);
    return f;
}

/* A cylinder and two half spheres, whose centres of mass lie 3 r/8 beyond its ends:
 * I_z = V_c r^2/2 + V_s 2 r^2/5,
 * I_x = V_c (r^2/4 + l^2/12) + V_s (2 r^2/5 + 3 r l/8 + l^2/4). */
static shape_fill fill_capsule(rt_calculator *c, rt_number r, rt_number length)
{
    const shape_fill middle = shape_fill_round(c, r, rt_plain(0), length);
    const shape_fill ends = fill_sphere(c, r);
    shape_fill f = {.volume = rt_plus(c, middle.volume, ends.volume)};
    const rt_number arm = rt_plus(c, times_plain(c, 0.375, rt_times(c, r, length)),
                                  times_plain(c, 0.25, shape_square(c, length)));
    for (int k = 0; k < 3; k++) {
        const rt_number end = k == 2 ? ends.over_mass[k] : rt_plus(c, ends.over_mass[k], arm);
        const rt_number sum = rt_plus(c, rt_times(c, middle.volume, middle.over_mass[k]),
                                      rt_times(c, ends.volume, end));
        f.over_mass[k] = rt_over(c, sum, f.volume);
    }
    return f;
}

/* V = pi r^2 l/3, I_z/m = 3 r^2/10, I_x/m = 3 (4 r^2 + l^2)/80 about its centre of mass */
static shape_fill fill_cone(rt_calculator *c, rt_number r, rt_number length)
{
    const rt_number square = shape_square(c, r);
    shape_fill f = {.volume = times_plain(c, RT_PI / 3, rt_times(c, square, length))};
    f.over_mass[0] = f.over_mass[1] =
        times_plain(c, 3. / 80, rt_plus(c, times_plain(c, 4, square), shape_square(c, length)));
    f.over_mass[2] = times_plain(c, 0.3, square);
    return f;
}

/* ---- extrusions ------------------------------------------------------------------------------ */

/* Integrals over the area within a polygon, with d = x1 y2 - x2 y1 of each side (Green's theorem):
 * A = sum d/2,  int x = sum d (x1 + x2)/6,  int x^2 = sum d (x1^2 + x1 x2 + x2^2)/12,
 * int x y = sum d (x1 y2 + 2 x1 y1 + 2 x2 y2 + x2 y1)/24; all with the sign of its sense. */
typedef struct fill_area {
    rt_number area, first[2], xx, yy, xy;
} fill_area;

static void add_to(rt_calculator *c, rt_number *sum, double by, rt_number a, rt_number b)
{
    *sum = rt_plus(c, *sum, times_plain(c, by, rt_times(c, a, b)));
}

/* u1^2 + u1 u2 + u2^2 */
static rt_number fill_square(rt_calculator *c, rt_number u1, rt_number u2)
{
    return rt_plus(c, rt_plus(c, shape_square(c, u1), rt_times(c, u1, u2)), shape_square(c, u2));
}

static rt_number fill_product(rt_calculator *c, const rt_number p[2], const rt_number q[2])
{
    const rt_number across = rt_plus(c, rt_times(c, p[0], q[1]), rt_times(c, q[0], p[1]));
    const rt_number along = rt_plus(c, rt_times(c, p[0], p[1]), rt_times(c, q[0], q[1]));
    return rt_plus(c, across, times_plain(c, 2, along));
}

/* The first corner to the origin: corners far from it would cancel in the integrals. */
static void fill_from_first_corner(rt_calculator *c, rt_shape *shape)
{
    const rt_number first[2] = {shape->outline[0], shape->outline[1]};
    for (int k = 0; k < 2 * shape->n_outline; k++)
        shape->outline[k] = rt_minus(c, shape->outline[k], first[k % 2]);
}

static fill_area fill_outline(rt_calculator *c, const rt_shape *shape)
{
    const rt_number none = rt_plain(0);
    fill_area f = {none, {none, none}, none, none, none};
    for (int k = 0; k < shape->n_outline; k++) {
        const rt_number *p = shape->outline + 2 * k;
        const rt_number *q = shape->outline + 2 * ((k + 1) % shape->n_outline);
        const rt_number d = rt_minus(c, rt_times(c, p[0], q[1]), rt_times(c, q[0], p[1]));
        f.area = rt_plus(c, f.area, times_plain(c, 0.5, d));
        for (int i = 0; i < 2; i++) add_to(c, &f.first[i], 1. / 6, d, rt_plus(c, p[i], q[i]));
        add_to(c, &f.xx, 1. / 12, d, fill_square(c, p[0], q[0]));
        add_to(c, &f.yy, 1. / 12, d, fill_square(c, p[1], q[1]));
        add_to(c, &f.xy, 1. / 24, d, fill_product(c, p, q));
    }
    return f;
}

void rt_centre_outline(rt_calculator *c, rt_shape *shape)
{
    fill_from_first_corner(c, shape);
    const fill_area f = fill_outline(c, shape);
    for (int k = 0; k < 2 * shape->n_outline; k++)
        shape->outline[k] = rt_minus(c, shape->outline[k], rt_over(c, f.first[k % 2], f.area));
}

/* I_x/m = int y^2/A + l^2/12, I_z/m = int (x^2 + y^2)/A, I_xy/m = -int x y/A */
static rt_fill fill_extrusion(rt_calculator *c, const rt_shape *shape)
{
    const fill_area f = fill_outline(c, shape);
    const rt_number length = shape->size[0], none = rt_plain(0);
    const rt_number ends = rt_over(c, shape_square(c, length), rt_plain(12));
    const rt_number xx = rt_over(c, f.xx, f.area), yy = rt_over(c, f.yy, f.area);
    const rt_number xy = times_plain(c, -1, rt_over(c, f.xy, f.area));
    const double sense = f.area.value < 0 ? -1 : 1;
    return (rt_fill){.volume = times_plain(c, sense, rt_times(c, f.area, length)),
                     .over_mass = {rt_plus(c, yy, ends), xy, none, /**/
                                   xy, rt_plus(c, xx, ends), none, /**/
                                   none, none, rt_plus(c, xx, yy)}};
}

/* ---- any ------------------------------------------------------------------------------------- */

static rt_fill fill_mesh(const rt_shape *shape)
{
    rt_fill fill = {.volume = rt_plain(shape->mesh->volume)};
    for (int k = 0; k < 9; k++) {
        const double sign = shape->size[k / 3].value * shape->size[k % 3].value;
        fill.over_mass[k] = rt_plain(sign * shape->mesh->over_mass[k]);
    }
    return fill;
}

static rt_fill fill_principal(shape_fill f)
{
    rt_fill fill = {.volume = f.volume};
    for (int k = 0; k < 9; k++) fill.over_mass[k] = k % 4 ? rt_plain(0) : f.over_mass[k / 4];
    return fill;
}

rt_fill rt_shape_fill(rt_calculator *c, const rt_shape *shape)
{
    const rt_number *s = shape->size, none = rt_plain(0);
    switch (shape->kind) {
    case RT_SHAPE_BOX:
    case RT_SHAPE_PLATE: return fill_principal(fill_box(c, s));
    case RT_SHAPE_CYLINDER:
    case RT_SHAPE_WHEEL: return fill_principal(shape_fill_round(c, s[0], none, s[1]));
    case RT_SHAPE_TUBE: return fill_principal(shape_fill_round(c, s[0], s[1], s[2]));
    case RT_SHAPE_SPHERE: return fill_principal(fill_sphere(c, s[0]));
    case RT_SHAPE_CAPSULE: return fill_principal(fill_capsule(c, s[0], s[1]));
    case RT_SHAPE_CONE: return fill_principal(fill_cone(c, s[0], s[1]));
    case RT_SHAPE_EXTRUSION: return fill_extrusion(c, shape);
    case RT_SHAPE_MESH: return fill_mesh(shape);
    case RT_SHAPE_KINDS: break;
    }
    return fill_principal((shape_fill){none, {none, none, none}});
}
