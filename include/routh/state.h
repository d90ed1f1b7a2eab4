/* States of a mechanism, and files of them: JSON of the form "routh-state/1", which
 * docs/reference/json.md describes. */
#ifndef ROUTH_STATE_H
#define ROUTH_STATE_H

#include "routh/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routh_initial_body {
    const char *name;           /* of the body */
    double position[3];         /* of the centre of mass, of a flexible body its frame; world, m */
    double orientation[9];      /* row-major, columns are the body's axes; or all zero, and then */
    double quaternion[4];       /* the same as a quaternion, scalar first; else all zero */
    double velocity[3];         /* world, m/s */
    double angular_velocity[3]; /* world, rad/s */
    int n_elastic;              /* of a flexible body: all its elastic coordinates; else 0 */
    const double *elastic, *elastic_rates; /* n_elastic each, in the order of the model; NULL
                                              rates are zero */
} routh_initial_body;

typedef struct routh_initial_signal {
    const char *name;   /* as in the model */
    double value;       /* in its unit */
    double rate;        /* of a controller's state: where the search for it starts; of an input: its
                           time derivative */
    double second_rate; /* of an input */
    const char *units;  /* the system of units that its numbers are in, of its file: "[mm, t, s]";
                          rates are per second in all. NULL: that of the model's */
    int held; /* of an input with a history: 1: that is over, as after an event that gave it another
                 value, and value and rates are as they stand here; 0: it follows the history, and
                 value must be what that is at the time */
} routh_initial_signal;

/* An angle that counts its revolutions: of a joint that others are coupled with, a motion drives or
 * a limit holds ("hinge.rz"), of a torsion spring (its name), of a measure ("AZ(arm, ground)"). */
typedef struct routh_initial_angle {
    const char *name;
    double value; /* rad */
} routh_initial_angle;

/* A coordinate of a joint, or its rate: the joint's name and that of its field, "crank.angle",
 * "slide.velocity". */
typedef struct routh_initial_coordinate {
    const char *name;
    double value; /* m, rad, m/s or rad/s */
} routh_initial_coordinate;

/* A state of a mechanism at any time: that of an operating point (routh_initial_state_of_point), of
 * a file (routh_initial_state_read), or one of the caller's own. routh_operating_point_of_state
 * makes an operating point of it. */
typedef struct routh_initial_state {
    const char *title;                   /* for the reader's eye; may be NULL */
    double time;                         /* s; with `joints` NAN: the model's */
    int n_bodies;                        /* length of `bodies` */
    const routh_initial_body *bodies;    /* all of the model's, in any order; none with `joints` */
    int n_states;                        /* length of `states` */
    const routh_initial_signal *states;  /* of controllers, all of them */
    int n_variables;                     /* length of `variables` */
    const routh_initial_signal *variables; /* where the search for their values starts; what is left
                                            out starts as the model has it */
    int n_inputs;                        /* length of `inputs` */
    const routh_initial_signal *inputs;  /* what is left out is as the model has it */
    int n_angles;                        /* length of `angles` */
    const routh_initial_angle *angles;   /* orientations leave them open by whole revolutions: the
                                            angle nearest to the value counts; what is left out is
                                            nearest to that of the reference configuration */
    /* The bodies once more, to the last bit: q and u of a mechanism in these coordinates. Looked at
     * where the mechanism has the same; NULL: there are none. */
    const char *coordinates;
    int n_q, n_u;        /* lengths of `q` and `u` */
    const double *q, *u; /* SI units and radians */
    /* In place of the bodies: coordinates of joints. What is left out is as the model has it, and
     * loops close by what is left out. */
    int n_joints; /* length of `joints` */
    const routh_initial_coordinate *joints;
} routh_initial_state;

/* Of what routh_initial_state_of_point or routh_initial_state_read made. NULL is allowed. */
ROUTH_API void routh_initial_state_free(routh_initial_state *state);

/* The state as a file's text, with numbers that are read back to the last bit. NUMERIC_ERROR names
 * one that is not finite. Free with routh_text_free. */
ROUTH_API routh_status routh_initial_state_json(const routh_initial_state *state, routh_text *text,
                                                routh_error *error);

/* Reads such a file, or such a text, which `name` stands for in errors. FILE_ERROR; SYNTAX_ERROR
 * names the member and its place (bodies[2].position[1]), or line and column where the text is no
 * JSON. Whether it fits a model is seen by routh_operating_point_of_state. Free with
 * routh_initial_state_free; NULL on failure. */
ROUTH_API routh_status routh_initial_state_read(routh_initial_state **state, const char *path,
                                                routh_error *error);
ROUTH_API routh_status routh_initial_state_parse(routh_initial_state **state, const char *text,
                                                 size_t length, const char *name,
                                                 routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
