/* Natural coordinates of rigid bodies, and vectors and products that are made of them.
 *
 * A body is four points of space: where its centre of mass is, r, and its axes a_1, a_2, a_3, as
 * vectors. Anything fixed in it, a place or a direction, is then linear with constant coefficients,
 *
 *     w = sum_k c_k x_k + fixed,
 *
 * the mass matrix is constant, and joints are sums of products of two such vectors (de Jalon and
 * Bayo 1994, ch. 4; Ge, Zhao, Chen and Liu 2005, section 2). */
#ifndef RT_SYMBOLIC_FORMS_H
#define RT_SYMBOLIC_FORMS_H

#include "symbolic/numbers.h"

enum { RT_FORM_TERMS = 8, RT_PRODUCT_TERMS = 4 };

/* sum of c[k] x[slot[k]] + fixed, a vector of space. Slot 4 b of body b is its centre of mass, the
 * next three its axes. */
typedef struct rt_form {
    int n;
    int slot[RT_FORM_TERMS];
    rt_exact *c[RT_FORM_TERMS];
    rt_exact *fixed; /* 3 */
} rt_form;

/* scale * u . v, or scale times component k of u. The scale may move with time: its value and two
 * rates. */
typedef struct rt_product {
    rt_exact *scale; /* 3 */
    rt_form u, v;
    int component; /* of u alone; -1: u . v */
} rt_product;

/* sum of products + constant, which may move with time too */
typedef struct rt_quadric {
    int n;
    rt_product product[RT_PRODUCT_TERMS];
    rt_exact *constant; /* 3 */
} rt_quadric;

typedef struct rt_natural_bodies {
    rt_exact_numbers *numbers;
    rt_exact_field *field;
    const routh_model *model;
    int n;             /* 12 coordinates a body */
    rt_exact *x;       /* n: where everything stands */
    rt_exact *v;       /* n: its rates */
    rt_exact *a;       /* n: their rates */
    rt_exact *mass;    /* by body */
    rt_exact *moments; /* by body 9: J = integral of s s' dm = tr(I)/2 1 - I */
} rt_natural_bodies;

/* As the model has them. Velocities are those written, zero elsewhere; a is zero. Errors name the
 * body. */
routh_status rt_natural_create(rt_natural_bodies *bodies, rt_exact_numbers *numbers,
                               routh_error *error);

/* The origin of a marker, and a direction fixed in it by components in its axes (9 x 1: columns of
 * a matrix by its number). -1: ground's. */
routh_status rt_form_origin(const rt_natural_bodies *bodies, int marker, rt_form *form,
                            routh_error *error);
routh_status rt_form_axis(const rt_natural_bodies *bodies, int marker, const double triad[9], int k,
                          rt_form *form, routh_error *error);
/* u - v */
routh_status rt_form_difference(const rt_natural_bodies *bodies, const rt_form *u, const rt_form *v,
                                rt_form *form, routh_error *error);

/* out[3] = the vector at y, n coordinates; rate: without what is fixed, as of a change of
 * coordinates. */
void rt_form_value(const rt_natural_bodies *bodies, const rt_form *form, const rt_exact *y,
                   bool rate, rt_exact *out);
/* Q += what does the work of the force f[3] at the form. */
void rt_form_force(const rt_natural_bodies *bodies, const rt_form *form, const rt_exact *f,
                   rt_exact *Q);

routh_status rt_quadric_begin(const rt_natural_bodies *bodies, rt_quadric *quadric,
                              routh_error *error);
/* scale NULL: 1. The forms are copied. */
routh_status rt_quadric_add(const rt_natural_bodies *bodies, rt_quadric *quadric,
                            const rt_exact *scale, const rt_form *u, const rt_form *v,
                            int component, routh_error *error);

/* e at x; work: 8 elements. */
void rt_quadric_value(const rt_natural_bodies *bodies, const rt_quadric *quadric, int order,
                      const rt_exact *x, rt_exact *out, rt_exact *work);
/* row += factor * de/dx of the scales' rate of that order, at y; rate: at a change y of
 * coordinates, that is, the change of the row along it. */
void rt_quadric_gradient(const rt_natural_bodies *bodies, const rt_quadric *quadric, int order,
                         const rt_exact *y, bool rate, const rt_exact *factor, rt_exact *row,
                         rt_exact *work);
/* out += factor * (second derivative of e, with the scales' rate of that order, along y and z) */
void rt_quadric_second(const rt_natural_bodies *bodies, const rt_quadric *quadric, int order,
                       const rt_exact *y, const rt_exact *z, const rt_exact *factor, rt_exact *out,
                       rt_exact *work);

/* out = u . v */
void rt_exact_dot(rt_exact_field *field, const rt_exact *u, const rt_exact *v, rt_exact *out);
/* out = u x v; out aliases neither */
void rt_exact_cross(rt_exact_field *field, const rt_exact *u, const rt_exact *v, rt_exact *out);

#endif
