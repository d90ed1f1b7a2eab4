/* Modal bodies: finite-element matrices reduced to interface nodes and modes. */
#ifndef RT_FLEXIBLE_REDUCED_H
#define RT_FLEXIBLE_REDUCED_H

#include "flexible/flexible.h"

/* A finite-element model as its program wrote it: degrees of freedom are (node, direction) with
 * directions 0 1 2 displacements along, 3 4 5 rotations about x, y, z. Full symmetric matrices. */
typedef struct rt_fe_model {
    int n_nodes;
    int *number;    /* ascending */
    double *X;      /* 3 each */
    int n;          /* degrees of freedom */
    int *node;      /* n: index of the node */
    int *direction; /* n: 0 .. 5 */
    rt_pattern pattern;
    double *M, *K;               /* on the pattern, both triangles */
    double asymmetry[2];         /* of K and M as read: largest difference of mirrored entries over
                                    the root of the product of their diagonals */
    int n_lines, *lines;         /* to draw: pairs of node indices */
    int n_triangles, *triangles; /* triples */
} rt_fe_model;

typedef enum rt_reduction_kind {
    RT_REDUCE_CRAIG_BAMPTON, /* constraint modes of the interfaces, fixed-interface modes */
    RT_REDUCE_FREE,          /* free-free modes alone */
    RT_REDUCE_USER,          /* shapes given by the user */
} rt_reduction_kind;

/* Where the body is to be joined to others: a node (n = 1, nodes[0] = number) with all its degrees
 * of freedom, or the mean motion of a set of nodes, displacement and rotation, under a number of
 * its own. */
typedef struct rt_interface {
    int number;
    int n;
    const int *nodes;
} rt_interface;

typedef struct rt_reduction {
    rt_reduction_kind kind;
    int n_interfaces;
    const rt_interface *interfaces;
    int n_modes;          /* normal modes kept: fixed-interface, or free-free */
    double cut;           /* or all below this frequency, Hz; 0: not used */
    double below;         /* or as many as it takes for the free body's frequencies below this, Hz,
                             to be those of the whole model to `accuracy`; 0: not used */
    double accuracy;      /* relative, 0: 1e-3 */
    bool free_modes;      /* with interfaces: normal modes of the free body, not held there */
    double damping_ratio; /* of every elastic mode */
    int n_shapes;         /* beside all that, and USER alone: n x n_shapes column-major, in units
                             of the file */
    const double *shapes;
    double unit;      /* metres per length unit of the file; 0: not said, 1 */
    double unit_mass; /* kilograms per mass unit of the file; 0: not said, 1 */
    double unit_time; /* seconds per time unit of the file; 0: not said, 1 */
    int n_draw;       /* most nodes kept for drawing alone; 0: 500; -1: none */
} rt_reduction;

/* What was found on the way: is the body in order? SI units. */
typedef struct rt_reduction_report {
    int n_dofs, n_nodes;
    double mass, centre[3], inertia[9]; /* about the centre of mass, axes of the model */
    double extent[3];                   /* of the nodes, largest less smallest coordinate */
    double asymmetry[2];                /* of K and M */
    double rigid[6];  /* |r' K r| / r' M r of the rigid motions over the square of the first elastic
                        frequency: of a free body nothing but rounding */
    double interface; /* smallest over largest singular value of the rigid motion of the interfaces,
                         translations over the size of the body; 0 where they do not hold it */
    int n_free;       /* rigid motions that the interfaces leave */
    int n_normal;     /* normal modes used */
    double first_left_out; /* Hz, the lowest normal mode that is not; 0: not known */
    int n_massless;        /* combinations of interface coordinates without mass, left out */
    double element_ratio;  /* longest over shortest edge, worst of what is drawn; 0: nothing is */
    int n;
    const double *frequency; /* n, Hz, of the body free in space */
    int n_whole;             /* below: elastic modes of the whole model there, counted */
    const double *whole;     /* n_whole, Hz */
} rt_reduction_report;

/* Rigid-body motion is taken out: the frame is at the model's origin with its axes and moves with
 * the mean of the body. The reduced problem is solved free-free and its six rigid modes dropped, so
 * that coordinates are amplitudes of modes (v' M v = 1). Everything lies in the arena. report may
 * be NULL. MODEL_ERROR says what is wrong with the body: it is held, has loose parts, a node
 * without mass, units that cannot be. */
routh_status rt_flexible_reduce(const rt_flexible **flexible, rt_reduction_report *report,
                                const rt_fe_model *fe, const rt_reduction *reduction,
                                rt_arena *arena, routh_error *error);

/* The part that is one node, of rows F (n_rows x n): its strain energy is 1/2 |F q|^2. */
enum { RT_ENERGY_ROWS = 12 };

/* Whether there is room for so many: their matrices together stay below 128 MB. */
static inline bool rt_flexible_has_energies(int n, int n_nodes)
{
    return (double)n * n * n_nodes <= 16e6;
}

routh_status rt_flexible_energy_part(rt_flexible_part *part, int n, int n_rows, const double *F,
                                     double mass, int node, rt_arena *arena, routh_error *error);

/* A reduced body as a file: JSON of the form "routh-flexible/1" (docs/reference/json.md), numbers
 * exact but for nodes that are only drawn. title may be NULL. */
routh_status rt_flexible_json(const rt_flexible *flexible, const char *title, char **bytes,
                              size_t *length, routh_error *error);

/* Reads one. FILE_ERROR; SYNTAX_ERROR names the member. name stands for the file in errors. */
routh_status rt_flexible_load(const rt_flexible **flexible, const char *path, rt_arena *arena,
                              routh_error *error);
routh_status rt_flexible_parse(const rt_flexible **flexible, const char *text, size_t length,
                               const char *name, rt_arena *arena, routh_error *error);

#endif
