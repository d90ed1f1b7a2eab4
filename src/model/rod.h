/* Beams written under `beams`: sections along an axis, expanded into rigid bodies at nodes and
 * geometrically exact elements between them (loads/rod.c). */
#ifndef RT_MODEL_ROD_H
#define RT_MODEL_ROD_H

#include "model/reader.h"

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

typedef struct rt_written_rod {
    rt_number from[3], to[3];
    const rt_yaml *points, *stations;
    rt_number elements;
    rt_number side[3];
    const rt_yaml *profile[RT_ROD_N_PROPERTIES];
    rt_number stiffness[36], damping[36];
    rt_number damping_ratio;
    rt_number velocity[3], angular_velocity[3], about[3];
} rt_written_rod;

/* The sections along the axis: numbers alone. */
typedef struct rt_rod_sections {
    rt_rod_type type;
    int n_stations;
    const double *station;                      /* along the axis, not decreasing */
    const double *profile[RT_ROD_N_PROPERTIES]; /* n_stations each */
    bool whole;                                 /* C[36] instead of EA, ..., EIz */
    double flexibility[36];                     /* C^-1 */
    double damping[36];                         /* of the section, its axes; zero */
    double damping_ratio;                       /* times the stiffness, beside it */
} rt_rod_sections;

/* One element, in its own axes: x along its chord, y towards `side`, origin in its middle. */
typedef struct rt_rod_element {
    double stiffness[36]; /* F = K e: (force, moment) in the middle from (stretch, angle) */
    double damping[36];
    struct {
        double mass;
        double along;     /* first moment along x, from the end */
        double first[3];  /* across: int m (0, y, z) */
        double second[9]; /* int j + m (0, y, z)-terms: inertia about the end but for `along` */
    } end[2];
} rt_rod_element;

/* The element of the given length that begins at `start` along the axis. false: its flexibility is
 * not positive definite. */
bool rt_rod_element_of(const rt_rod_sections *sections, double start, double length,
                       rt_rod_element *element);
/* The same of a section's flexibility S alone, no mass. */
bool rt_rod_stiffness_of(const double S[36], const double damping[36], double length,
                         rt_rod_element *element);

double rt_rod_twist(const rt_rod_sections *sections, double x);

/* A^-1 of a symmetric positive definite 6 x 6; false where it is none. */
bool rt_rod_invert(const double A[36], double inverse[36]);

typedef struct rt_rod {
    const rt_yaml *node; /* where it is written */
    int n_points;        /* of the axis */
    double *points;      /* 3 each */
    int per_piece;       /* elements between two points */
    double side[3];
    rt_rod_sections sections;
    rt_number velocity[3], angular_velocity[3];
    double about[3];
    bool moves;
} rt_rod;

typedef struct rt_rod_set {
    int n;
    rt_rod *rods;
    int n_nodes, n_elements; /* of all */
} rt_rod_set;

routh_status rt_read_rods(rt_reader *r, const rt_yaml *section, rt_rod_set *set);

/* Bodies from index `body` on and loads from index `load` on; markers at the nodes are appended. */
routh_status rt_expand_rods(rt_reader *r, const rt_rod_set *set, int body, int load);

/* Axes as columns: x along d, y towards side. */
void rt_rod_axes(const double d[3], const double side[3], double E[9]);

/* Stiffness, damping and offset of the load between two frames as they stand; E: the element's
 * axes as columns. false where they are turned by half a turn. */
bool rt_rod_fill_load(const rt_rod_element *element, const double E[9], double r[2][3],
                      double A[2][9], rt_load *load);

routh_status rt_rod_check_symmetric(rt_reader *r, const rt_yaml *node, const char *what,
                                    const double C[36]);

#endif
