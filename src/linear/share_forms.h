/* Quadratic forms of elements on the motions of their bodies, and rows of these motions on the
 * states: what shares.c puts together. */
#ifndef RT_LINEAR_SHARE_FORMS_H
#define RT_LINEAR_SHARE_FORMS_H

#include "linear/holder.h"

/* What all shares are made from; scratch is the caller's to free. */
typedef struct rt_share_task {
    rt_linear_holder *h;
    const rt_search *s;
    const rt_sensitivity *x;
    rt_arena scratch;
} rt_share_task;

/* Rows on y: displacements (level 0) or rates (level 1) of a marker (6), and of elastic
 * coordinates, `first` counted among all (one row). */
void rt_share_frame_rows(const rt_share_task *t, int marker, int level, double *rows);
void rt_share_elastic_row(const rt_share_task *t, int first, int level, double *row);

/* The elastic energy, kinetic energy and loss of flexible body k: width x width in `weight`, and
 * the rows of its motion. width: 6 + n (kinetic), 3 + n (strain), n (dissipation); the last is
 * zero where the body has no damping. */
int rt_share_flexible_width(const rt_share_task *t, int k, routh_energy_kind kind);
routh_status rt_share_flexible(rt_share_task *t, int k, routh_energy_kind kind, double *weight,
                               double *rows, routh_error *error);

/* The frames of an element as they move with their bodies: maps, and what held wrenches do. */
typedef struct rt_share_frame {
    int marker, number; /* number: of the flexible marker, -1 of others */
    int flexible;       /* of its body among the flexible ones, -1 of rigid ones */
    int n, width;       /* coordinates of its node; of v, see share_forms.c */
    double arm[3], centre[3];
    double *T; /* 6 x width */
} rt_share_frame;

/* Of all frames of the block; *width: of all together. */
routh_status rt_share_frames(rt_share_task *t, const rt_block *block, rt_share_frame **frames,
                             int *width, routh_error *error);

/* weight = T' P T + what the wrenches (6 each) do by the second-order motion of their markers. P:
 * partials of the wrenches by the markers, 6 n_frames square. */
routh_status rt_share_carry(rt_share_task *t, const rt_block *block, const rt_share_frame *frames,
                            const double *P, const double *wrench, double *weight,
                            routh_error *error);
void rt_share_carried_rows(const rt_share_task *t, const rt_share_frame *frame, double *rows);

#endif
