/* A rotor that turns at a constant rate about an axis at rest, in multi-blade coordinates.
 *
 * xi of a body that turns about the axis c + R e is taken at the point of it that is on the axis;
 * of a body of a blade in axes that turn with the blade, and blade by blade as multi-blade
 * coordinates; of others in the world's axes: together zeta = P(psi) xi. Of the linear model at the
 * azimuth psi, y = (S, W, X), the method gives xi, u, u' by y, and so without any difference
 *     zeta = Z_0 y,      zeta' = Z_1 y,      zeta'' = Z_2 y.
 * With as many rows s of them as there are states, the new states and their equations are
 *     y_m = (s zeta, s zeta', X) = V y,      y_m' = (s zeta', s zeta'', X') = H y,
 *     A_m = H V^-1,
 * whatever the states S were. docs/theory/multi-blade.md */
#ifndef RT_LINEAR_ROTOR_H
#define RT_LINEAR_ROTOR_H

#include <complex.h>

#include "linear/holder.h"
#include "linear/multiblade.h"

/* A motion that deviates by more from the reference motion, over lengths or radians and the speed,
 * is another one. A rigid rotor whose masses are a little beside their places shakes its support by
 * less. */
#define RT_ROTOR_MOST_DEVIATION 1e-4

/* How a body moves in the reference motion. */
typedef enum rt_rotor_part {
    RT_ROTOR_STILL, /* it does not */
    RT_ROTOR_BLADE, /* it turns with the rotor, as a part of a blade */
    RT_ROTOR_HUB,   /* it turns with the rotor */
    RT_ROTOR_SPIN   /* it turns about an axis of its own */
} rt_rotor_part;

typedef struct rt_rotor_body {
    rt_rotor_part part;
    int blade, place;          /* of a blade's: which blade, and which of its bodies */
    double centre[3], rate[3]; /* a point of the axis; angular velocity of the reference motion */
} rt_rotor_body;

/* What stays as it is while the balance of a rotor is sought. */
typedef struct rt_rotor_kept {
    int hub;
    double speed;
    double axis[3], centre[3]; /* in the axes of the hub, from its place */
    double *frames;            /* as of rt_rotor */
    rt_rotor_part *part;       /* n_bodies */
    int *rows; /* that are states, as the point of routh_rotor_point_find has them */
    rt_arena arena;
} rt_rotor_kept;

typedef struct rt_rotor {
    const routh_mechanism *m;
    const char *const *blades;
    int n_blades, n_each;
    int *body;  /* n_blades x n_each: bodies of the blades, alike in each column */
    int *state; /* n_blades x n_states_each: states of controllers, likewise */
    int n_states_each;
    rt_rotor_body *of; /* n_bodies */
    double axis[3], centre[3];
    double triad[9]; /* rows: radial (of the first blade), tangential, axial */
    double speed;    /* rad/s about the axis */
    int hub;         /* a body that is no blade's, shares a joint with one and turns with them; -1:
                        none */
    const double
        *frames; /* n_blades x n_each x 9: how the axes of blades' bodies are turned against
                             those of the first blade, both in the blade's; NULL: nobody asks how
                             blades stand against their mean */
    rt_arena arena;
} rt_rotor;

/* Finds axis, speed and what is a blade's, at the operating point; axis and speed as they were kept
 * (NULL: as the hub moves). Release it, after a failure too.
 */
routh_status rt_rotor_find(rt_rotor *rotor, const routh_mechanism *m,
                           const routh_operating_point *point, const char *const *blades,
                           const rt_rotor_kept *kept, routh_error *error);
void rt_rotor_release(rt_rotor *rotor);

/* What is kept of a rotor as it was found at the point. Frames that are turned nearly as the blades
 * are count as exactly so. In kept->arena, which the
 * caller frees. */
routh_status rt_rotor_keep(const rt_rotor *rotor, const routh_operating_point *point,
                           rt_rotor_kept *kept, routh_error *error);

/* What each body does, as it was kept or (NULL) as it moves, and its motion (rotor_motion.c). */
void rt_rotor_set_motion(rt_rotor *rotor, const rt_frame *bodies, const rt_rotor_part *kept);

/* v, w, a, al of the reference motion of a body as it stands. */
void rt_rotor_reference(const rt_rotor *rotor, int body, const rt_frame *frame, rt_frame *motion);

/* The operating point after the rotor has turned by psi. */
routh_status rt_rotor_turn(const rt_rotor *rotor, const routh_operating_point *from, double psi,
                           routh_operating_point **point, routh_error *error);

/* The linear model at a point, and zeta, zeta', zeta'' by its states. */
typedef struct rt_rotor_view {
    rt_linear_holder *holder;
    rt_linear_task task;
    double psi;
    int n_rows;       /* of zeta and, after it, X */
    int n, z;         /* states, of position */
    double *level[3]; /* n_rows x (n + 1), row-major; the last column: how the point's own motion
                         differs from the reference motion */
    /* Of rows of zeta: that column of levels 1 and 2 before blades are mixed; a blade that is fixed
     * a little beside the others' places does not move here. */
    double *moves[2];
} rt_rotor_view;

/* Release it, after a failure too; the holder may be taken before. */
routh_status rt_rotor_view_create(rt_rotor_view *view, const rt_rotor *rotor,
                                  const routh_operating_point *point, double psi,
                                  const routh_linear_options *options, rt_progress *progress,
                                  routh_error *error);
void rt_rotor_view_release(rt_rotor_view *view);

/* Rows of zeta, and their sizes. */
int rt_rotor_count_rows(const rt_rotor *rotor);
double rt_rotor_row_size(const rt_rotor *rotor, int row);
const char *rt_rotor_row_name(const rt_rotor *rotor, int row, char text[RT_STATE_NAME]);
const char *rt_rotor_row_unit(const rt_rotor *rotor, int row);

/* State i of those of the rows, or a state of a controller after them, as a sentence names it. */
const char *rt_rotor_state_words(const rt_rotor *rotor, const rt_rotor_view *view, const int *rows,
                                 int i, char text[RT_STATE_NAME]);

/* Its name before blades are mixed: that of its body. */
const char *rt_rotor_row_body_name(const rt_rotor *rotor, int row, char text[RT_STATE_NAME]);

/* z rows of zeta that fix the motion: those of the names, or of the largest pivots. */
routh_status rt_rotor_choose_rows(const rt_rotor *rotor, const rt_rotor_view *view,
                                  const char *const *names, rt_arena *arena, int **rows,
                                  routh_error *error);

/* A_m and T = V^-1 (n x n, row-major), and y_m and y_m' of the point's own motion (n each; NULL:
 * not wanted). SINGULAR where the rows do not fix the motion. */
routh_status rt_rotor_matrix(const rt_rotor *rotor, const rt_rotor_view *view, const int *rows,
                             double *A, double *T, double *own, double *own_rate,
                             routh_error *error);

/* What y_m counts by: lengths, radians, and these per `rate`. n. */
void rt_rotor_state_sizes(const rt_rotor *rotor, const rt_rotor_view *view, const int *rows,
                          double *size);

/* How far the point's own motion is from the reference motion, over those sizes: of y_m and y_m'
 * (*worst: a state), and of all rows of zeta, also those that drives prescribe (*worst: a row). */
double rt_rotor_states_deviate(const rt_rotor *rotor, const rt_rotor_view *view, const double *A,
                               const double *size, const double *own, const double *own_rate,
                               int *worst);
double rt_rotor_rows_deviate(const rt_rotor *rotor, const rt_rotor_view *view, const double *A,
                             const double *size, int *worst);

/* The eigenvalues of A that are slowest, and by how much a change of A that is periodic in the
 * azimuth moves one of them. Memory of the arena. */
typedef struct rt_rotor_modes {
    int n, n_slow, n_blades;
    double speed;
    double *re, *im, *left, *right;
    int *slow;              /* n: indices, n_slow of them */
    double _Complex *by;    /* n_slow x n_slow: l_i' dA r_j / l_i' r_i */
    double _Complex *moved; /* n */
} rt_rotor_modes;

routh_status rt_rotor_modes_find(rt_rotor_modes *modes, const rt_rotor *rotor, const double *A,
                                 int n, rt_arena *arena, routh_error *error);
double rt_rotor_modes_shift(rt_rotor_modes *modes, const double *change);

/* routh_linear_compute with options->blades; the caller frees the holder. */
routh_status rt_rotor_linearize(rt_linear_holder **holder, const routh_mechanism *m,
                                const routh_operating_point *point,
                                const routh_linear_options *options, rt_progress *progress,
                                routh_error *error);

#endif
