/* Where bodies begin: in the frame of another body's marker, moved, or carried by joints whose
 * coordinates are written (docs/adr/0034-placing.md).
 *
 * Positions as written are the reference configuration. A body that is not placed, and that a joint
 * between markers carries, is in it where the joint's coordinates are zero. From there the
 * coordinates move the bodies, along a tree of joints, to where they begin. All numbers stay
 * expressions of the parameters. */
#ifndef RT_MODEL_PLACING_H
#define RT_MODEL_PLACING_H

#include "model/joint_class.h"
#include "model/scope.h"

enum { RT_NOT_RELATIVE = -2 };

/* What an entry of `bodies` says of it. */
typedef struct rt_body_place {
    const rt_yaml *node; /* NULL: a node of a beam, which stays where it is */
    bool placed;         /* its position or orientation is written */
    bool moves, spins, has_center;
    rt_word relative_word; /* `relative_to` */
    int relative_to;       /* the marker */
    int on;                /* the body that the marker is on */
    bool waits;            /* joints place that one, and then this: its position is in its axes */
    int progress;          /* while frames are looked for (body_place.c) */
    const char *world;     /* what took a point of the world into its axes before it had a place */
    rt_place world_place;
    rt_number about[3], turn[9], displacement[3]; /* `moved` */
    rt_number rate[3], center[3];                 /* `spin` */
} rt_body_place;

/* A frame with its velocities; or one relative to another, in the other's axes. */
typedef struct rt_place_frame {
    rt_number r[3], A[9], v[3], w[3];
} rt_place_frame;

/* What carries a body: a joint, or one of these. */
enum { RT_CARRIED_ALONG = -1, RT_CARRIED_BY_NOTHING = -2 };

typedef struct rt_place_tree {
    int *order;   /* n_bodies: each after its parent */
    int *parent;  /* a body or RT_GROUND */
    int *joint;   /* or RT_CARRIED_ALONG: in the frame of the parent */
    int *closing; /* joints with coordinates that close a loop of such joints */
    int n_closing;
} rt_place_tree;

/* One way in which what carries a body moves it: a step of its joint, of a ball one of three. A
 * body that nothing carries slides along the world's axes and turns about its origin. */
typedef struct rt_place_column {
    int body, step, part;
    rt_step_kind kind;
    bool free;            /* nothing carries the body */
    bool open, rate_open; /* its coordinate, its rate is not written */
    bool active;          /* it closes a loop */
    bool loose;           /* what is written leaves it open: it goes the shortest way */
} rt_place_column;

/* Coordinates that are not written and close loops. Angles and displacements are `found` more than
 * in the reference configuration, balls are turned by `ball` after it, both plain; `more` is zero
 * and has the derivatives. */
typedef struct rt_place_loops {
    int n;
    rt_place_column *column;
    int *first;         /* n_bodies + 1: columns of body b */
    double *found;      /* n */
    double *ball;       /* n_bodies x 9 */
    bool any, any_rate; /* something was found */
    rt_number *more;    /* n; NULL: none yet */
    rt_number *rate;    /* n; NULL: none yet */
} rt_place_loops;

typedef struct rt_placing {
    rt_reader *r;
    rt_calculator *c;
    rt_place_tree tree;
    const bool *joint_at;              /* by joint: it has `at` */
    bool *made;                        /* by body: a joint gives its place in the reference */
    rt_place_frame *reference, *start; /* by body */
    bool *moved;                       /* start is not the reference */
    bool *rated;                       /* it has a velocity, which is passed on */
    bool *known;                       /* which is written, with those of all that carry it */
    bool *place_held;                  /* all coordinates of what carries it are written */
    bool *held;                        /* and joints that close loops are not to change */
    double size;                       /* of the mechanism, about */
    double part;                       /* of the way from reference to start; 1 ordinarily */
    bool plain;                        /* values alone */
    bool unchecked;                    /* what is written twice is refused later */
    bool *against;                     /* by body: its velocity is another by written rates alone */
    rt_place_loops loops;
} rt_placing;

/* ---- body_place.c ---------------------------------------------------------------------------- */

void rt_default_place(rt_written_body *written);

/* Notes what the entry of body k says. */
routh_status rt_note_place(rt_reader *r, const rt_yaml *node, const rt_kind *kind, rt_given given,
                           const rt_written_body *written, int k);

/* A point of the world was taken into body k's axes. */
routh_status rt_note_world_point(rt_reader *r, int body, rt_place place);

/* Puts bodies that are relative to a marker where they are; of the markers for it, entry by entry,
 * those that are not read yet are read. */
routh_status rt_place_relative(rt_reader *r, const rt_yaml *const *markers);

/* The frame of body b, which waits, by that of the body which its marker is on. */
void rt_place_waiting(rt_reader *r, int b, const struct rt_place_frame *on,
                      struct rt_place_frame *frame);

/* bodies.c */
routh_status rt_read_user_marker(rt_reader *r, const rt_yaml *entry, int k);
routh_status rt_body_of_entry(rt_reader *r, const rt_yaml *entry, int *body);
void rt_marker_in_body(rt_reader *r, int marker, rt_number position[3], rt_number axes[9]);

/* A vector of the part, or a rotation in it, in the world. */
void rt_vector_of_part(rt_reader *r, rt_number x[3], bool axial);
void rt_rotation_of_part(rt_reader *r, rt_number A[9]);

/* Rate times the unit vector along the axis. */
void rt_turning_rate(rt_reader *r, const rt_written_turning *turning, rt_number rate[3]);

/* ---- joint_begin.c --------------------------------------------------------------------------- */

void rt_default_begin(rt_written_joint *written);
/* The coordinates that were written, mirrored with the joint. */
routh_status rt_note_begin(rt_reader *r, const rt_kind *kind, rt_given given,
                           const rt_written_joint *written, rt_joint *joint);

/* ---- placing_tree.c -------------------------------------------------------------------------- */

/* at: is the joint at a point of the world? */
routh_status rt_place_tree_make(rt_place_tree *tree, rt_reader *r, const bool *at);

/* ---- placing_chain.c ------------------------------------------------------------------------- */

/* out = frame T, with T relative to the frame; its inverse. */
void rt_frame_join(rt_calculator *c, rt_place_frame *out, const rt_place_frame *frame,
                   const rt_place_frame *T);
void rt_frame_invert(rt_calculator *c, rt_place_frame *out, const rt_place_frame *T);

/* A step's coordinate and rate; a ball's; where a screw is at the angle zero. */
typedef struct rt_chain_value {
    rt_number value, rate, start;
    rt_number turn[9], turn_rate[3];
} rt_chain_value;

/* What one step does; the first marker relative to the second after all steps and the constant half
 * turn C. */
void rt_step_pose(rt_calculator *c, const rt_chain_step *step, const rt_chain_value *q,
                  rt_number pitch, rt_place_frame *T);
void rt_chain_pose(rt_calculator *c, const rt_joint *joint, const rt_chain_value *q,
                   rt_number pitch, const double C[9], rt_place_frame *T);

/* C and coordinates of a pose; exact where it satisfies the joint, near it else. */
void rt_chain_half_turn(const rt_chain *chain, const rt_number R[9], double C[9]);
void rt_chain_coordinates(rt_calculator *c, const rt_joint *joint, const rt_place_frame *T,
                          rt_number pitch, const double C[9], rt_chain_value *q);

/* ---- placing_joints.c ------------------------------------------------------------------------ */

/* What is written twice may differ by this, in radians and parts of the size of the mechanism. */
#define RT_WRITTEN_ALIKE 1e-6

extern const double rt_no_half_turn[9];

void rt_place_ground(rt_place_frame *f);
void rt_place_frame_of(const rt_place_frame *frames, int body, rt_place_frame *f);
void rt_place_numbers(const rt_placing *p, rt_number *to, const rt_number *from, int n);
double rt_place_apart(const rt_number *a, const rt_number *b, int n);
void rt_place_zero(rt_chain_value q[RT_JOINT_COORDINATES]);
rt_number rt_place_pitch(const rt_placing *p, const rt_joint *joint);

/* The joint that carries body b; NULL: none does. */
const rt_joint *rt_place_carrier(const rt_placing *p, int b);

/* The first marker relative to the second, the bodies in these frames. */
void rt_place_relative_frame(const rt_placing *p, const rt_joint *joint,
                             const rt_place_frame *frames, rt_place_frame *T);

/* Body b where the joint's first marker is at T to the second and its parent in `parent`. */
void rt_place_carried(const rt_placing *p, int b, const rt_joint *joint,
                      const rt_place_frame *parent, const rt_place_frame *T, rt_place_frame *out);

/* T of the joint that carries body b, at its coordinates; fails where the body is written
 * elsewhere. */
routh_status rt_place_joint_pose(const rt_placing *p, int b, const rt_joint *joint,
                                 rt_place_frame *T);

/* The steps of all joints that carry bodies. */
routh_status rt_place_list_columns(rt_placing *p);

/* Body b, which nothing carries and which closes a loop, from where it is written. */
void rt_place_free(const rt_placing *p, int b, rt_place_frame *f);

/* Does joint number of body b close a loop: has it columns that are active? */
bool rt_place_closes(const rt_placing *p, int b);

/* How column c moves its body and all that this carries, the bodies in p->start: the unit of it
 * turns them by w, and moves the point o by v. */
void rt_place_twist(const rt_placing *p, int c, double w[3], double v[3], double o[3]);

/* Where a written coordinate is drawn, and what is written. */
void rt_place_written_way(const rt_placing *p, int c, double *from, double *to);

/* A rotation, in part. */
void rt_place_part_of_turn(const rt_placing *p, const rt_number turn[9], rt_number out[9]);

/* A joint that closes a loop must have the coordinates that the others leave it. */
routh_status rt_place_check_closing(const rt_placing *p, int joint);

/* ---- placing_velocity.c ---------------------------------------------------------------------- */

/* Velocities of body b, its place known; f has those that what carries it gives it. */
routh_status rt_place_velocity(rt_placing *p, int b, rt_place_frame *f);

/* Does the body say of its own velocity, whatever carries it? */
bool rt_place_has_own_velocity(const rt_placing *p, int b);

/* ---- placing_loops.c ------------------------------------------------------------------------- */

/* Closes loops from where all bodies begin by what is written alone, p->start. */
routh_status rt_place_close(rt_placing *p);

/* A copy with values alone. */
routh_status rt_place_plain(const rt_placing *p, rt_placing *plain);

/* ---- placing.c ------------------------------------------------------------------------------- */

/* When joints are known: the tree, and the reference configuration of bodies that are not placed.
 * at[n_joints]: which have `at`. */
routh_status rt_place_reference(rt_reader *r, const bool *at);

/* When all is read: where bodies begin. */
routh_status rt_place_start(rt_reader *r);

/* Into the model. */
routh_status rt_place_put(rt_placing *p);

/* Of all bodies, from the reference configuration: p->start. */
routh_status rt_place_all(rt_placing *p);

/* Value alone where p->plain. */
rt_number rt_place_number(const rt_placing *p, rt_number x);

/* ---- placing_turns.c ------------------------------------------------------------------------- */

/* Angles that count turns, from the reference to where bodies begin; model->angles are known. */
routh_status rt_count_start_turns(rt_placing *p);

/* The largest turn of a joint by what is written. */
double rt_place_longest_turn(const rt_placing *p);

/* The parts of the way in which no angle is counted by more than its whole turn changes: by what is
 * written. */
routh_status rt_place_count_parts(const rt_placing *p, int *n);

#endif
