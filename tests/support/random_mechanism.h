/* Random mechanisms: open and closed chains of rigid bodies with any joints and loads, assembled
 * as generated, and their model files, as they are or after a change that leaves the physics
 * alone. */
#ifndef SUPPORT_RANDOM_MECHANISM_H
#define SUPPORT_RANDOM_MECHANISM_H

#include "support/mechanisms.h"

enum { MOST_BODIES = 5, MOST_JOINTS = 14, MOST_LOADS = 16 };

typedef struct random_body {
    double mass, inertia[9]; /* body axes */
    double r[3], A[9], v[3], w[3];
} random_body;

/* A place on a body (-1 ground): point and axes in the world. */
typedef struct random_place {
    int body;
    double r[3], A[9];
} random_place;

typedef struct random_joint {
    const char *type;
    random_place place[2];
    double length, pitch; /* rod, screw */
    int driven;           /* motion: the joint */
    double drive[3];      /* its function: a + b time + c time^2, radians or a length */
    bool drives_angle;
} random_joint;

typedef enum random_load_kind {
    LOAD_SPRING,
    LOAD_TORSION,
    LOAD_BUSHING,
    LOAD_FORCE,
    LOAD_TORQUE,
    N_LOAD_KINDS
} random_load_kind;

typedef struct random_load {
    random_load_kind kind;
    random_place place[2];
    double number[24];
} random_load;

typedef struct random_mechanism {
    double gravity[3];
    int n_bodies, n_joints, n_loads, n_rows;
    random_body body[MOST_BODIES];
    random_joint joint[MOST_JOINTS];
    random_load load[MOST_LOADS];
    bool is_static;
    const char *extra_states; /* "[b0.x, ...]" or NULL */
    const char *reference;    /* or NULL */
} random_mechanism;

/* What may be asked of a random mechanism. */
enum {
    RANDOM_MOVING = 1, /* velocities and driven joints */
    RANDOM_STATIC = 2, /* every body is held, so that there is a static equilibrium */
};

void random_mechanism_make(random_mechanism *mechanism, random_stream *random, int what);

/* A change of the model file that leaves the physics alone. */
typedef struct disguise {
    double Q[9], c[3];      /* the whole world turned and moved: r -> Q r + c */
    int order[MOST_BODIES]; /* bodies are written in this order */
    int joint_order[MOST_JOINTS];
    unsigned cut;           /* bit k: joint k is to stay a constraint in relative coordinates */
    int split;              /* the body that is written as two, fixed to each other; -1: none */
    double offset[3];       /* body axes: where the first half's centre is, from the body's */
    double length, mass;    /* the size of the new units in m and kg: 1e-3, 1e3 for mm, t */
} disguise;

extern const disguise no_disguise;

void random_mechanism_write(const random_mechanism *mechanism, const disguise *as,
                            growing_text *text);

#endif
