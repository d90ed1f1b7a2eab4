/* Dot products of frame vectors: the one ingredient of every joint primitive and every measure.
 *
 * A value along a motion is a jet: value, first and second time derivative. A gradient lists the
 * frames it touches and, for each, covectors of three levels. Its meaning is either jets of phi
 * p[d] = d-th time derivative of phi, where d(value) = phi xi (rt_dot_jets), or first partials
 * d(value) = p[0] xi + p[1] xi' + p[2] xi'' (rt_dot_partials). */
#ifndef RT_ELEMENTS_FRAME_DOT_H
#define RT_ELEMENTS_FRAME_DOT_H

#include "elements/frames.h"
#include "model/model.h"

enum { RT_GRADIENT_FRAMES = 16 }; /* an expression that touches more is refused when it is
                                     compiled */

typedef struct rt_gradient {
    int n;
    int frame[RT_GRADIENT_FRAMES]; /* markers; the ground frame is never listed */
    rt_scalar p[3][RT_GRADIENT_FRAMES][6];
} rt_gradient;

/* Marker k's frame; -1 is the ground. */
typedef struct rt_frames {
    const rt_frame *marker;
} rt_frames;

/* Adds a frame to the list if it is not there; its index, or -1 for the ground. New entries are
 * zero. */
int rt_gradient_slot(rt_gradient *g, int frame);

/* y += s g, level by level */
void rt_gradient_add(rt_gradient *y, rt_scalar s, const rt_gradient *g);

/* y += scale f g as jets of phi: f a scalar's jet, so that y' = f' g + f g', y'' = f'' g + 2 f'
 * g' + f g'' */
void rt_gradient_add_product(rt_gradient *y, rt_scalar scale, const rt_scalar f[3],
                             const rt_gradient *g);

/* H += s a (x) b, value level only; frames' places in H are those in list[n] (H is 6 n x 6 n,
 * row-major) */
void rt_gradient_add_outer(rt_scalar *H, rt_scalar s, const rt_gradient *a, const rt_gradient *b,
                           const int *list, int n);

/* a . b of two position-level vectors (axis, displacement): its jet and the jets of phi. */
void rt_dot_jets(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar value[3],
                 rt_gradient *phi);

/* a . b of any two vectors: its value and first partials (gradient cleared first). */
void rt_dot_partials(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar *value,
                     rt_gradient *g);

/* An axis fixed in a frame, world components. */
static inline void rt_vector_axis(rt_scalar x[3], const rt_frame *frame, const rt_vector *a)
{
    const rt_scalar local[3] = {a->local[0], a->local[1], a->local[2]};
    rt_m3_mul_v(x, frame->A, local);
}

/* A position-level vector and its first two time derivatives. */
void rt_vector_jet(rt_frames frames, const rt_vector *a, rt_scalar x[3][3]);

/* value only */
rt_scalar rt_dot_value(rt_frames frames, const rt_vector *a, const rt_vector *b);

/* Curvature: adds scale * d(phi')/d(xi) for position-level a . b into H (row-major, 6 n x 6 n
 * with n = number of listed frames), local index of frame k given by position of k in list[n]. */
void rt_dot_curvature(rt_frames frames, const rt_vector *a, const rt_vector *b, rt_scalar scale,
                      const int *list, int n, rt_scalar *H);

/* adds the frames a vector depends on to list[*n] (unique, ground left out); at most 3 are added */
void rt_vector_frames(const rt_vector *a, int *list, int *n);

#endif
