/* The shape of a rigid body, and the mass and inertia that follow from it. */
#include "model/scope.h"
#include "model/shape.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "model/read_values.h"

static const char *const shape_names[RT_SHAPE_KINDS] = {
    "box", "cylinder", "tube", "sphere", "capsule", "cone", "wheel", "plate", "extrusion", "mesh"};
static const int shape_sizes[RT_SHAPE_KINDS] = {3, 2, 3, 1, 2, 2, 2, 3, 1, 3};

const char *rt_shape_name(int kind)
{
    return kind >= 0 && kind < RT_SHAPE_KINDS ? shape_names[kind] : NULL;
}

int rt_shape_sizes(int kind) { return kind >= 0 && kind < RT_SHAPE_KINDS ? shape_sizes[kind] : 0; }

void rt_default_shape(rt_written_shape *w)
{
    *w = (rt_written_shape){.mesh_unit = -1};
    for (int k = 0; k < RT_SHAPE_KINDS; k++)
        for (int i = 0; i < 3; i++) w->size[k][i] = rt_plain(NAN);
    for (int i = 0; i < 3; i++) w->position[i] = rt_plain(0);
    rt_numbers_identity(w->orientation);
    for (int i = 0; i < 9; i++) w->axis.triad[i] = i % 4 == 0;
}

/* In body axes: J = m R i R'. */
static void shape_inertia(rt_calculator *c, const rt_shape *shape, const rt_fill *f, rt_number mass,
                          rt_number J[9])
{
    const rt_number *R = shape->orientation;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            rt_number sum = rt_plain(0);
            for (int k = 0; k < 9; k++) /* zeros stay numbers without parameters */
                sum = rt_plus(
                    c, sum,
                    rt_times(c, f->over_mass[k], rt_times(c, R[3 * i + k / 3], R[3 * j + k % 3])));
            J[3 * i + j] = J[3 * j + i] = rt_times(c, mass, sum);
        }
}

/* ---- what was written ------------------------------------------------------------------------ */

static bool is_color(const char *word)
{
    static const char *const names[] = {"black", "blue",   "brown", "cyan",   "gray",
                                        "green", "orange", "pink",  "purple", "red",
                                        "white", "yellow", NULL};
    if (word[0] != '#') return rt_word_position(word, names) >= 0;
    size_t n = 1;
    while (isxdigit((unsigned char)word[n])) n++;
    return n == 7 && !word[n];
}

/* Of each kind the first thing that must be given tells whether it is. */
static bool is_kind_given(const rt_written_shape *w, int kind)
{
    return kind == RT_SHAPE_MESH ? w->mesh.text != NULL : !isnan(w->size[kind][0].value);
}

static routh_status shape_check_sizes(rt_reader *r, const rt_yaml *node, const rt_shape *shape)
{
    for (int i = 0; i < shape_sizes[shape->kind]; i++)
        if (!(shape->size[i].value > 0))
            return rt_reader_fail(r, node->place,
                                  "shape: a side of the %s is %.6g; it must be "
                                  "positive",
                                  shape_names[shape->kind],
                                  rt_as_written(r, "m", shape->size[i].value));
    if (shape->kind == RT_SHAPE_TUBE && !(shape->size[1].value < shape->size[0].value))
        return rt_reader_fail(r, node->place,
                              "shape: the tube's inner_radius %.6g is not below "
                              "its radius %.6g",
                              rt_as_written(r, "m", shape->size[1].value),
                              rt_as_written(r, "m", shape->size[0].value));
    return ROUTH_OK;
}

static routh_status take_kind(rt_reader *r, const rt_yaml *node, const rt_written_shape *w,
                              rt_shape *shape)
{
    int found = -1;
    for (int k = 0; k < RT_SHAPE_KINDS; k++) {
        if (!is_kind_given(w, k)) continue;
        if (found >= 0)
            return rt_reader_fail(r, node->place,
                                  "shape: %s and %s are both given; give one of "
                                  "them",
                                  shape_names[found], shape_names[k]);
        found = k;
    }
    shape->kind = (rt_shape_kind)found;
    memcpy(shape->size, w->size[found], sizeof shape->size);
    if (shape->kind == RT_SHAPE_MESH) return rt_take_mesh(r, w, shape);
    const routh_status status = shape_check_sizes(r, node, shape);
    return status || shape->kind != RT_SHAPE_EXTRUSION ? status : rt_take_outline(r, w, shape);
}

static routh_status shape_take_place(rt_reader *r, const rt_yaml *node, const rt_written_shape *w,
                                     rt_shape *shape)
{
    const bool by_axis = rt_yaml_find(node, "axis") != NULL;
    if (by_axis && (shape->kind == RT_SHAPE_EXTRUSION || shape->kind == RT_SHAPE_MESH))
        return rt_reader_fail(r, rt_yaml_find(node, "axis")->place,
                              "shape: an axis does not say how the %s stands about it; give "
                              "orientation",
                              shape_names[shape->kind]);
    memcpy(shape->position, w->position, sizeof shape->position);
    memcpy(shape->orientation, w->orientation, sizeof shape->orientation);
    for (int i = 0; by_axis && i < 9; i++)
        shape->orientation[i] = w->axis.numbers ? w->axis.numbers[i] : rt_plain(w->axis.triad[i]);
    if (shape->kind == RT_SHAPE_CONE && !by_axis && rt_polar_sign(r, 2) < 0)
        for (int i = 0; i < 3; i++) /* z of D A D is away from the mirror image of the tip */
            for (int j = 1; j < 3; j++)
                shape->orientation[3 * i + j] = rt_signed(r, -1, shape->orientation[3 * i + j]);
    if (!w->color.text) return ROUTH_OK;
    if (!is_color(w->color.text))
        return rt_reader_fail(r, w->color.place,
                              "color: '%.20s' is not a colour; write one such "
                              "as \"#3f7fbf\" in quotes, or a name such as orange",
                              w->color.text);
    shape->color = rt_arena_text(&r->model->arena, w->color.text, strlen(w->color.text));
    return shape->color ? ROUTH_OK : rt_fail_memory(r->error);
}

/* ---- beside what is written of the body ------------------------------------------------------ */

enum { PERCENT_ALLOWED = 1 }; /* between what is written and what shape and density give */

static routh_status check_written_mass(rt_reader *r, const rt_yaml *node, double written,
                                       double filled)
{
    if (fabs(written - filled) <= 0.01 * PERCENT_ALLOWED * filled) return ROUTH_OK;
    return rt_reader_fail(r, rt_yaml_find(node, "mass")->place,
                          "mass is %.6g kg, but the shape of this density has %.6g kg; leave out "
                          "mass or density, or correct one of them",
                          written, filled);
}

static routh_status check_written_inertia(rt_reader *r, const rt_yaml *node,
                                          const rt_number written[9], const rt_number filled[9])
{
    double a[9], b[9], size = 0;
    rt_numbers_values(a, written, 9);
    rt_numbers_values(b, filled, 9);
    for (int k = 0; k < 9; k++) size = fmax(size, fabs(b[k]));
    for (int k = 0; k < 9; k++)
        if (!(fabs(a[k] - b[k]) <= 0.01 * PERCENT_ALLOWED * size))
            return rt_reader_fail(r, rt_yaml_find(node, "inertia")->place,
                                  "inertia: I%c%c is %.6g kg m^2, but that of the shape is %.6g; "
                                  "leave out inertia or density, or correct one of them",
                                  "xyz"[k / 3], "xyz"[k % 3], a[k], b[k]);
    return ROUTH_OK;
}

/* Where mass or inertia come from the shape, its centre must be the body's. */
static routh_status check_centre(rt_reader *r, const rt_yaml *node, const rt_shape *shape)
{
    for (int k = 0; k < 3; k++)
        if (shape->position[k].value != 0 || shape->position[k].expr >= 0)
            return rt_reader_fail(r, rt_yaml_find(node, "position")->key_place,
                                  "shape: position moves it from the body's centre of mass, so "
                                  "inertia cannot follow from it; leave out position, or give the "
                                  "body's mass and inertia and no density");
    return ROUTH_OK;
}

static routh_status take_mass(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                              const rt_shape *shape, rt_body *body)
{
    rt_calculator *c = &r->calculator;
    const bool mass = rt_yaml_find(node, "mass"), inertia = rt_yaml_find(node, "inertia");
    const bool density = rt_yaml_find(node, "density");
    if (inertia && !density) return ROUTH_OK;
    if (shape->kind == RT_SHAPE_MESH) {
        const routh_status solid = rt_check_solid(r, rt_yaml_find(node, "shape"), shape);
        if (solid) return solid;
    }
    const rt_fill fill = rt_shape_fill(c, shape);
    const rt_number filled = density ? rt_times(c, w->density, fill.volume) : body->mass;
    rt_number J[9];
    routh_status status = check_centre(r, rt_yaml_find(node, "shape"), shape);
    if (!status && density) status = rt_guard_number(r, body->mass, RT_GUARD_SAME);
    if (!status && density) status = rt_guard_numbers(r, body->inertia, 9, RT_GUARD_SAME);
    if (!status && mass && density)
        status = check_written_mass(r, node, body->mass.value, filled.value);
    if (!mass) body->mass = filled;
    shape_inertia(c, shape, &fill, body->mass, J);
    if (!status && inertia) return check_written_inertia(r, node, body->inertia, J);
    memcpy(body->inertia, J, sizeof J);
    return status;
}

routh_status rt_take_shape(rt_reader *r, const rt_yaml *node, const rt_written_body *w,
                           rt_body *body)
{
    const rt_yaml *written = rt_yaml_find(node, "shape");
    rt_shape shape = {0};
    if (!written) return ROUTH_OK; /* then mass and inertia are */
    routh_status status = take_kind(r, written, &w->shape, &shape);
    if (!status) status = shape_take_place(r, written, &w->shape, &shape);
    if (!status) status = take_mass(r, node, w, &shape, body);
    if (status) return status;
    rt_shape *kept = RT_TAKE(&r->model->arena, rt_shape, 1);
    if (!kept) return rt_fail_memory(r->error);
    *kept = shape;
    body->shape = kept;
    return ROUTH_OK;
}
