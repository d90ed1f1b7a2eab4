/* Files of finite-element programs: matrices, nodes, elements to draw. docs/guide/modal-bodies.md
 * says which. */
#ifndef RT_FLEXIBLE_FEM_H
#define RT_FLEXIBLE_FEM_H

#include "flexible/reduced.h"

typedef struct rt_fe_files {
    const char *stiffness, *mass; /* may be the same file where matrices have names in it */
    const char *nodes;            /* NULL: the file of the stiffness, where that has them */
    const char *dofs; /* NULL: none (node and direction of every row); of CalculiX: the .dof beside
                         the .sti */
    const char *stiffness_name, *mass_name; /* in DMIG and OP4; NULL: the usual ones */
} rt_fe_files;

/* Reads, checks that both matrices are symmetric (and makes them so to the last bit), and that
 * their nodes are known. Everything lies in the arena. FILE_ERROR, SYNTAX_ERROR with file and line;
 * MODEL_ERROR where files do not fit together. */
routh_status rt_fe_read(rt_fe_model **fe, const rt_fe_files *files, rt_arena *arena,
                        routh_error *error);

/* A set of nodes (*NSET) of the file of nodes; *nodes in the arena, n = 0: there is none of that
 * name. */
routh_status rt_fe_node_set(const char *path, const char *name, int **nodes, int *n,
                            rt_arena *arena, routh_error *error);

/* Shapes of the user: a Matrix Market file, `matrix array real general`, with a row for every
 * degree of freedom, or lines `node direction value value ..`, the rest zero. *shapes: fe->n x *n,
 * column-major, in the arena. FILE_ERROR, SYNTAX_ERROR with file and line, MODEL_ERROR where they
 * do not fit the model. */
routh_status rt_fe_shapes(const char *path, const rt_fe_model *fe, int *n, const double **shapes,
                          rt_arena *arena, routh_error *error);

#endif
