/* The shape of a beam of geometrically exact elements: from numbers of its sections to numbers of
 * its nodes and elements, compiled twice (base/scalar.h). */
#ifndef RT_MODEL_ROD_SHAPE_H
#define RT_MODEL_ROD_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/scalar.h"

/* What a section is made of; every one a profile along the axis, linear between stations. */
typedef enum rt_rod_property {
    /* of a material: */
    RT_ROD_DENSITY,
    RT_ROD_AREA,
    RT_ROD_IYY,
    RT_ROD_IZZ,
    RT_ROD_TORSION,
    RT_ROD_YOUNG,
    RT_ROD_SHEAR,
    RT_ROD_FACTOR_Y,
    RT_ROD_FACTOR_Z,
    /* as such: */
    RT_ROD_MASS,
    RT_ROD_INERTIA_Y,
    RT_ROD_INERTIA_Z,
    RT_ROD_EA,
    RT_ROD_GAY, /* 0 where not given: no shear */
    RT_ROD_GAZ,
    RT_ROD_GJ,
    RT_ROD_EIY,
    RT_ROD_EIZ,
    RT_ROD_MASS_Y, /* places of centres in the section */
    RT_ROD_MASS_Z,
    RT_ROD_TENSION_Y,
    RT_ROD_TENSION_Z,
    RT_ROD_SHEAR_Y,
    RT_ROD_SHEAR_Z,
    RT_ROD_TWIST, /* both: about the axis, from `side` */
    RT_ROD_N_PROPERTIES
} rt_rod_property;

typedef enum rt_rod_type { RT_ROD_OF_MATERIAL, RT_ROD_OF_SECTIONS } rt_rod_type;

/* The strains that constraints may keep zero, in the order of those of a section. */
enum { RT_ROD_STRETCH, RT_ROD_SHEAR_ALONG_Y, RT_ROD_SHEAR_ALONG_Z, RT_ROD_KEPT };

/* The sections along the axis: numbers alone. */
typedef struct rt_rod_sections {
    rt_rod_type type;
    int n_stations;
    const rt_scalar *station;                      /* along the axis, not decreasing */
    const rt_scalar *profile[RT_ROD_N_PROPERTIES]; /* n_stations each */
    bool kept[RT_ROD_KEPT];                        /* strains that are zero: no stiffness */
    bool whole;                                    /* C[36] instead of EA, ..., EIz */
    rt_scalar flexibility[36];                     /* C^-1 */
    rt_scalar damping[36];                         /* of the section, its axes; zero */
    rt_scalar damping_ratio;                       /* times the stiffness, beside it */
} rt_rod_sections;

/* One element, in its own axes: x along its chord, y towards `side`, origin in its middle. */
typedef struct rt_rod_element {
    rt_scalar stiffness[36]; /* F = K e: (force, moment) in the middle from (stretch, angle) */
    rt_scalar damping[36];
    struct {
        rt_scalar mass;
        rt_scalar along;     /* first moment along x, from the end */
        rt_scalar first[3];  /* across: int m (0, y, z) */
        rt_scalar second[9]; /* int j + m (0, y, z)-terms: inertia about the end but for `along` */
    } end[2];
} rt_rod_element;

/* The element of the given length that begins at `start` along the axis. false: its flexibility is
 * not positive definite. */
bool rt_rod_element_of(const rt_rod_sections *sections, rt_scalar start, rt_scalar length,
                       rt_rod_element *element);
/* The same of a section's flexibility S alone, no mass. */
bool rt_rod_stiffness_of(const rt_scalar S[36], const rt_scalar damping[36], rt_scalar length,
                         rt_rod_element *element);

rt_scalar rt_rod_twist(const rt_rod_sections *sections, rt_scalar x);

/* A^-1 of a symmetric positive definite 6 x 6; false where it is none. */
bool rt_rod_invert(const rt_scalar A[36], rt_scalar inverse[36]);

/* Axes as columns: x along d, y towards side. */
void rt_rod_axes(const rt_scalar d[3], const rt_scalar side[3], rt_scalar E[9]);

/* ---- a whole beam --------------------------------------------------------------------------- */

/* What of a beam is no number that varies. The numbers that go in are
 *     points (3 each), side (3), stiffness (36, of the section), damping (36), damping ratio,
 *     stations (n_stations), and every profile that is given (n_stations each), in their order. */
typedef struct rt_rod_plan {
    rt_rod_type type;
    int order;     /* of the elements; 1: rod.c, more: spectral_rod.c */
    bool curved;   /* its elements are polynomials through the points */
    int n_points;  /* of the axis */
    int per_piece; /* elements between two points; curved: of all */
    int n_stations;
    bool whole; /* the stiffness is given as a matrix */
    bool given[RT_ROD_N_PROPERTIES];
    bool kept[RT_ROD_KEPT]; /* strains that constraints keep zero */
} rt_rod_plan;

static inline int rt_rod_count_elements(const rt_rod_plan *plan)
{
    return plan->curved ? plan->per_piece : plan->per_piece * (plan->n_points - 1);
}

static inline int rt_rod_count_nodes(const rt_rod_plan *plan)
{
    return plan->order * rt_rod_count_elements(plan) + 1;
}

/* Rows of constraints of one element: at each of `order` points of Gauss the strains kept. */
static inline int rt_rod_count_kept(const rt_rod_plan *plan)
{
    int n = 0;
    for (int k = 0; k < RT_ROD_KEPT; k++) n += plan->kept[k];
    return plan->order * n;
}

/* Where among the numbers that go in each begins; the profiles from RT_ROD_AT_STATIONS on. */
static inline int rt_rod_at_side(const rt_rod_plan *plan) { return 3 * plan->n_points; }
static inline int rt_rod_at_stiffness(const rt_rod_plan *plan) { return rt_rod_at_side(plan) + 3; }
static inline int rt_rod_at_damping(const rt_rod_plan *plan) { return rt_rod_at_side(plan) + 39; }
static inline int rt_rod_at_ratio(const rt_rod_plan *plan) { return rt_rod_at_side(plan) + 75; }
static inline int rt_rod_at_stations(const rt_rod_plan *plan) { return rt_rod_at_side(plan) + 76; }
int rt_rod_at_profile(const rt_rod_plan *plan, rt_rod_property property);
int rt_rod_count_numbers(const rt_rod_plan *plan);

/* What is made: of every element stiffness6, damping6, offset6 and ends of its load, then
 * RT_ROD_ROW_NUMBERS of each of its rows (x_0 and c, elements/strain_row.h), then of every node the
 * mass, the inertia, place and axes of its body and where in it the node is. */
enum {
    RT_ROD_ENDS_AT = 78, /* of those of an element */
    RT_ROD_ELEMENT_NUMBERS = 96,
    RT_ROD_ROW_NUMBERS = 9,
    RT_ROD_NODE_NUMBERS = 25
};
enum {
    RT_ROD_NODE_MASS = 0,
    RT_ROD_NODE_INERTIA = 1,
    RT_ROD_NODE_POSITION = 10,
    RT_ROD_NODE_AXES = 13,
    RT_ROD_NODE_MARKER = 22
};

/* Of an element: of its load, and of all. */
int rt_rod_load_numbers(const rt_rod_plan *plan); /* RT_ROD_ELEMENT_NUMBERS where order is 1 */
int rt_rod_element_numbers(const rt_rod_plan *plan);

/* 0; k + 1: the stiffness of element k cannot be found. */
int rt_rod_make(const rt_rod_plan *plan, const rt_scalar *in, rt_scalar *out, rt_scalar *work);
size_t rt_rod_make_work(const rt_rod_plan *plan);

/* One element, its section the same all along, between two markers: x along the line between them,
 * y towards side, or where that is zero the mean of theirs. In: place and axes of both in the world
 * (12 each), stiffness and damping of the section, side; out: as of an element. */
enum { RT_ROD_LOAD_SIDE = 96, RT_ROD_LOAD_IN = 99 };
void rt_rod_load_side(const rt_scalar *in, rt_scalar y[3]);
int rt_rod_make_load(const rt_scalar *in, rt_scalar *out);

/* ---- elements of higher order (rod_spectral.c) ----------------------------------------------- */

/* What the load of one takes: 9 numbers of each of its order + 1 nodes, then of each of its `order`
 * points of Gauss x_0 (3), stiffness and damping (36 each). */
enum { RT_SPECTRAL_POINT = 75 };
int rt_spectral_numbers(int order);

/* Of node j with the axes A. */
void rt_spectral_fill_node(const rt_scalar A[9], const rt_scalar base[9], int j, rt_scalar *out);
/* x0 and section axes E in base axes; C, D: of the section, in its axes. */
void rt_spectral_fill_point(int order, int g, const rt_scalar x0[3], const rt_scalar E[9],
                            const rt_scalar C[36], const rt_scalar D[36], rt_scalar *out);
/* The derivative of the place by the coordinate from -1 to 1 at point g, at any x, and the length
 * from -1 to x; r: of the nodes. */
void rt_spectral_tangent(int order, int g, const rt_scalar *const *r, rt_scalar x0[3]);
void rt_spectral_tangent_at(int order, rt_scalar x, const rt_scalar *const *r, rt_scalar d[3]);
rt_scalar rt_spectral_length(int order, rt_scalar x, const rt_scalar *const *r);

/* The section at x, which lies in an interval between stations (rt_rod_interval): its stiffness and
 * damping in axes of the section. */
int rt_rod_interval(const rt_rod_sections *s, rt_scalar x);
rt_scalar rt_rod_section_matrices(const rt_rod_sections *s, int interval, rt_scalar x,
                                  const rt_scalar *stiffness, rt_scalar C[36], rt_scalar D[36]);
/* c with which the strain kept is c . (strain, curvature) at the axis, in axes of the section: at
 * its own centre. */
void rt_rod_section_kept(const rt_rod_sections *s, int interval, rt_scalar x, int strain,
                         rt_scalar c[6]);
/* end[0] of the element: the section there, times weight. */
void rt_rod_section_mass(const rt_rod_sections *s, int interval, rt_scalar x, rt_scalar weight,
                         rt_rod_element *element);

/* One element through order + 1 markers. In: place and axes of each in the world (12 each),
 * stiffness and damping of the section, side; out: as above. */
static inline int rt_spectral_load_in(int order) { return 12 * (order + 1) + 75; }
void rt_spectral_load_line(int order, const rt_scalar *in, int g, rt_scalar x0[3], rt_scalar y[3]);
int rt_spectral_make_load(int order, const rt_scalar *in, rt_scalar *out);

#endif
