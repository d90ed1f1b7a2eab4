/* Beams written under `beams`: sections along an axis, expanded into rigid bodies at nodes and
 * geometrically exact elements between them (elements/rod.c). */
#ifndef RT_MODEL_ROD_H
#define RT_MODEL_ROD_H

#include "model/reader.h"
#include "model/rod_shape.h"

typedef struct rt_written_rod {
    rt_number from[3], to[3];
    const rt_yaml *points, *stations;
    rt_number elements, order;
    bool curved, inextensible;
    rt_number side[3];
    const rt_yaml *profile[RT_ROD_N_PROPERTIES];
    rt_number stiffness[36], damping[36];
    rt_number damping_ratio;
    rt_number velocity[3], angular_velocity[3], about[3];
} rt_written_rod;

typedef struct rt_rod {
    const rt_yaml *node; /* where it is written */
    rt_rod_plan plan;
    rt_number *numbers; /* rt_rod_make's, in its order */
    rt_number velocity[3], angular_velocity[3], about[3];
    bool moves;
} rt_rod;

typedef struct rt_rod_set {
    int n;
    rt_rod *rods;
    int n_nodes, n_elements; /* of all */
    int n_kept;              /* elements with constraints */
} rt_rod_set;

routh_status rt_read_rods(rt_reader *r, const rt_yaml *section, rt_rod_set *set);

/* Bodies from index `body`, joints from `joint` and loads from `load` on; markers at the nodes are
 * appended. */
routh_status rt_expand_rods(rt_reader *r, const rt_rod_set *set, int body, int joint, int load);

/* The constraints of one element between these markers, made as rod_shape.h says (rod_strains.c).
 */
routh_status rt_rod_keep_strains(rt_reader *r, const rt_rod *rod, const rt_number *made,
                                 const int *markers, rt_joint *joint);

/* The numbers that were made of an element (rod_shape.h), into its load. */
void rt_rod_take_load(rt_load *load, const rt_number *made);

/* Those of an element of higher order (rod_load.c). */
routh_status rt_spectral_take_load(rt_reader *r, rt_load *load, const rt_number *made);

routh_status rt_rod_check_symmetric(rt_reader *r, const rt_yaml *node, const char *what,
                                    const double C[36]);

#endif
