/* The shape of a flexible body made of a few mass points with drawn shapes: no beam, nothing but
 * the definitions of flexible/flexible.h, for tests of what comes after. */
#ifndef SUPPORT_POINT_SHAPE_H
#define SUPPORT_POINT_SHAPE_H

#include "model/model.h"
#include "support/random_frames.h"

enum { POINT_SHAPE_N = 3, POINT_SHAPE_NODES = 2, POINT_SHAPE_ENTRIES = 9 };

typedef struct point_shape {
    rt_flexible shape;
    rt_elastic coordinate[POINT_SHAPE_N];
    double a[3 * POINT_SHAPE_N], B[9 * POINT_SHAPE_N], h[3 * POINT_SHAPE_N];
    double N[9 * POINT_SHAPE_ENTRIES];
    double M[POINT_SHAPE_ENTRIES], K[POINT_SHAPE_ENTRIES], D[POINT_SHAPE_ENTRIES];
    int start[POINT_SHAPE_N + 1], row[POINT_SHAPE_ENTRIES];
    rt_flexible_node nodes[POINT_SHAPE_NODES];
    int column[POINT_SHAPE_N];
    double S[POINT_SHAPE_NODES][3 * POINT_SHAPE_N], R[POINT_SHAPE_NODES][3 * POINT_SHAPE_N];
    rt_bar bar;
    double c[POINT_SHAPE_N], g[POINT_SHAPE_ENTRIES];
    int position[POINT_SHAPE_ENTRIES];
} point_shape;

/* Draws one; it points into itself and must stay where it is. */
void point_shape_draw(point_shape *s, random_stream *random);

/* The body becomes flexible: its mass and inertia are the shape's, and its first markers of the
 * user's stand on the shape's nodes in turn. */
void point_shape_give(const point_shape *s, routh_model *model, int body);

#endif
