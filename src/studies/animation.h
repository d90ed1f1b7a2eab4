/* The parts of an animation. */
#ifndef RT_STUDIES_ANIMATION_H
#define RT_STUDIES_ANIMATION_H

#include "base/arena.h"
#include "methods/method.h"
#include "routh/animation.h"
#include "system/kkt.h"

/* What the paths are fitted to: all c^i s^j with 2 <= i + j <= RT_PATH_DEGREE, or those without s
 * where a mode has no imaginary part. */
enum { RT_PATH_DEGREE = 6, RT_PATH_TERMS = 25, RT_PATH_NODES = 36 };

/* Nodes and least squares: term = weight (x - x linear) at the nodes. */
typedef struct rt_path_fit {
    int n_terms, n_nodes;
    int power[RT_PATH_TERMS][2];
    double node[RT_PATH_NODES][2];                /* c, s */
    double weight[RT_PATH_TERMS * RT_PATH_NODES]; /* n_terms x n_nodes */
} rt_path_fit;

/* largest: radius of the nodes. */
routh_status rt_path_fit_make(rt_path_fit *fit, bool is_real, double largest, routh_error *error);

/* The values of the terms at (c, s). */
void rt_path_powers(const rt_path_fit *fit, double c, double s, double *value);

/* A mode, times its amplitude: what moves linearly. */
typedef struct rt_mode_motion {
    double *re, *im; /* numbers: 6 of every marker of the list, then the elastic coordinates */
} rt_mode_motion;

/* The mechanism in absolute coordinates, to be moved and closed. */
typedef struct rt_closing {
    rt_search search;
    rt_kkt *kkt;
    double *weight; /* n_u: W */
    long steps;     /* of Newton's method, so far */
    rt_arena arena;
    const routh_linear *linear;
    int n_markers, *markers; /* the list; the bodies' own come first */
    int ground;              /* the marker that shows how the ground moves; -1: it does not */
    int n_numbers;           /* 6 n_markers + n_elastic */
    rt_frame *rest, *place;  /* n_bodies: at the operating point, and to be set */
    double *elastic;         /* n_elastic, at the operating point */
    int *keep;               /* n_rows: >= 0: the row has a position level */
} rt_closing;

/* rt_closing_free afterwards, after a failure too. */
routh_status rt_closing_create(rt_closing *closing, const routh_mechanism *mechanism,
                               const routh_operating_point *point, const routh_linear *linear,
                               routh_error *error);
void rt_closing_free(rt_closing *closing);

/* Puts bodies and elastic coordinates where the numbers say, as the observer sees them; ground: the
 * ground's six. *open: the largest |Phi| as a length; INFINITY where it has no value. */
routh_status rt_closing_place(rt_closing *closing, const double *numbers, const double ground[6],
                              double *open, routh_error *error);

/* From there onto the constraints; the numbers are those of where it comes to stand. *closed: false
 * where Newton's method does not get there. */
routh_status rt_closing_close(rt_closing *closing, double *numbers, const double ground[6],
                              bool *closed, routh_error *error);

#endif
