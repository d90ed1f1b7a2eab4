/* Flexible bodies from finite-element programs: mass and stiffness matrices are read, checked and
 * reduced to interfaces and modes. docs/guide/modal-bodies.md says which files, and
 * docs/theory/modal-bodies.md how. */
#ifndef ROUTH_REDUCE_H
#define ROUTH_REDUCE_H

#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the body will be joined to others. A node of the model: number, the rest zero. Or the mean
 * motion of a set of nodes, which gets a number that no node has: nodes[n_nodes], or the name of an
 * *NSET of the file of nodes. */
typedef struct routh_interface {
    int number;       /* of a node of the model; of a set, one that no node has */
    int n_nodes;      /* length of `nodes` */
    const int *nodes; /* numbers of the nodes that move with it as one rigid piece */
    const char *set;  /* or the name of a node set of the file; NULL: none */
} routh_interface;

/* Zero (NULL) is the default of everything; stiffness and mass are needed. */
typedef struct routh_reduction_options {
    const char *stiffness, *mass; /* files: Matrix Market or Abaqus (.mtx), CalculiX (.sti, .mas),
                                     Nastran's DMIG (.pch) or OUTPUT4 (.op4) as text */
    const char *nodes; /* .inp, .frd, .bdf, .dat, or `number x y z` a line; NULL: the file of the
                          stiffness */
    const char *dofs;  /* `node direction` of every row; NULL: CalculiX's .dof beside the .sti, else
                          three or six rows a node */
    const char *stiffness_name, *mass_name; /* in DMIG and OUTPUT4; NULL: KAAX, MAAX and the like */
    double length_unit, mass_unit, time_unit; /* in metres, kilograms, seconds; 0: 1, and a body
                                                 that cannot be is refused */
    int n_interfaces;                         /* length of `interfaces` */
    const routh_interface *interfaces;        /* none: free-free modes alone */
    int modes;                /* normal modes kept: with interfaces those of the body held there */
    double cut;               /* or all below this frequency, Hz */
    double frequencies_below; /* or as many as it takes for the frequencies of the free body below
                                 this, Hz, to be those of the whole model, which are counted */
    double accuracy;          /* of these, relative; 0: 1e-3 */
    int free_modes;     /* not zero: with interfaces too, normal modes are those of the free body */
    const char *shapes; /* file of shapes that are kept besides: Matrix Market, `array real
                           general`, a row a degree of freedom in the order of the matrices; or
                           lines `node direction value value ..`, the rest zero. In the length unit
                           of the files and rad. Without interfaces, modes, cut and
                           frequencies_below these alone */
    double damping_ratio; /* of every mode of the free body */
    int draw;             /* most nodes kept for drawing; 0: 500, -1: none */
    const char *title;    /* of the reduced body; NULL: none */
} routh_reduction_options;

/* A reduced body and what was found on the way, SI units. */
typedef struct routh_reduction {
    const char *title;                  /* may be NULL */
    int n_nodes, n_dofs;                /* of the finite-element model */
    double mass, centre[3], inertia[9]; /* row-major, about the centre of mass, axes of the model */
    double extent[3];                   /* of the nodes along the axes of the model, m */
    double asymmetry_stiffness, asymmetry_mass; /* largest difference of mirrored entries, over the
                                                   root of the product of their diagonals */
    double rigid[6];  /* stiffness against the rigid motions (displacements, rotations) over their
                        mass and the square of the first elastic frequency: rounding, for a body
                        that is free */
    double interface; /* smallest over largest singular value of the interfaces' rigid motion */
    int n_free;       /* rigid motions that the interfaces leave */
    int n_normal, n_massless; /* normal modes kept; those without mass */
    double first_left_out;    /* Hz: the lowest normal mode that is not kept; 0: not known */
    double element_ratio; /* longest over shortest edge of the worst triangle drawn; 0: none is */
    int n;                /* elastic coordinates of the reduced body */
    const double *frequency; /* n, Hz: of the reduced body free in space */
    int free_modes;      /* normal modes are those of the free body although there are interfaces */
    int n_shapes;        /* of the user */
    double below;        /* frequencies_below, as asked for */
    int n_whole;         /* elastic modes of the whole model below it, counted */
    const double *whole; /* n_whole, Hz: frequency[k] is the reduced one */
    int n_kept;          /* nodes in the file */
} routh_reduction;

/* Reads the files and reduces. *reduced is the caller's (routh_reduction_free), NULL on failure.
 * FILE_ERROR; SYNTAX_ERROR with file and line; MODEL_ERROR where files do not fit together or the
 * body is not in order: held, in parts, its mass not positive, a matrix not symmetric, units that
 * cannot be; BAD_ARGUMENT; NUMERIC_ERROR. Source: Craig and Bampton, AIAA Journal 6 (1968) 1313. */
ROUTH_API routh_status routh_reduction_compute(routh_reduction **reduced,
                                               const routh_reduction_options *options,
                                               routh_error *error);

/* The body as the text of a file that `{type: modal, file: ...}` of a model reads; numbers exact.
 * Free with routh_text_free. */
ROUTH_API routh_status routh_reduction_json(const routh_reduction *reduced, routh_text *text,
                                            routh_error *error);

/* What was found, to read: is the body in order? Free with routh_text_free. */
ROUTH_API routh_status routh_reduction_table(const routh_reduction *reduced, routh_text *text,
                                             routh_error *error);

ROUTH_API void routh_reduction_free(routh_reduction *reduced); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
