/* Time histories: a simulation recorded at equal intervals, in a file. */
#ifndef ROUTH_HISTORY_H
#define ROUTH_HISTORY_H

#include "routh/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- channels ------------------------------------------------------------ */

/* What is recorded of a mechanism, in this order:
 *   time
 *   bodies/NAME/..., markers/NAME/...   position (m), orientation (unit quaternion w, x, y, z, of
 *                                       one sign along a run), velocity, angular_velocity,
 *                                       acceleration, angular_acceleration, all in world axes
 *   joints/NAME/..., loads/NAME/...     force (N) and torque (N m, about the marker's origin) on
 *                                       the first marker, world
 *   states/NAME, variables/NAME, inputs/NAME, outputs/NAME
 *   energy/...                          kinetic, gravity (potential; zero at the world's origin),
 *                                       elastic (springs, torsion springs, bushings and beams by
 *                                       their stiffness and preload), total, J
 *   residuals/...                       position (m) and velocity (m/s): the largest of the
 *                                       constraints */
typedef struct routh_channel {
    const char *path;       /* "bodies/rod/position" */
    const char *unit;       /* "m"; "" where there is none */
    const char *components; /* "x y z"; "" of a number */
    int size;               /* how many numbers */
    int first;              /* where they begin in a record */
} routh_channel;

typedef struct routh_channels routh_channels;

/* groups: which are wanted, as "bodies,energy"; NULL: all. Time is always the first. NOT_SUPPORTED
 * names the groups there are. The mechanism must outlive it. */
ROUTH_API routh_status routh_channels_create(routh_channels **channels,
                                             const routh_mechanism *mechanism, const char *groups,
                                             routh_error *error);
ROUTH_API void routh_channels_free(routh_channels *channels); /* NULL is allowed */
/* How many; number k, NULL where there is none. */
ROUTH_API int routh_channels_count(const routh_channels *channels);
ROUTH_API const routh_channel *routh_channels_get(const routh_channels *channels, int k);
ROUTH_API int routh_channels_width(const routh_channels *channels); /* numbers of a record */

/* One record of the state the simulation is at: width numbers. Reactions and accelerations are
 * those of the equations of motion in absolute coordinates. Allocates nothing, but at the first
 * time. */
ROUTH_API routh_status routh_channels_read(routh_channels *channels,
                                           const routh_simulation *simulation, double *record,
                                           routh_error *error);

/* ---- a recorded run ------------------------------------------------------------ */

typedef struct routh_history_progress {
    double start, time, end; /* s */
    long records;            /* written so far */
    long steps;              /* of the integration so far */
} routh_history_progress;

typedef struct routh_history_options {
    routh_simulation_options simulate; /* its callbacks and its end are not looked at */
    double end;                      /* s; 0: the model's (simulate: end) */
    double every;       /* s between records; 0: the model's, else a five hundredth of the run */
    const char *file;   /* .h5, .hdf5 or .csv */
    const char *groups; /* as of routh_channels_create */
    int block;          /* records between two places where the run can be taken up again; 0: 64 */
    int resume;         /* 1: go on where `file` (HDF5) was left; the result has the same bytes as
                             that of a run that was not interrupted */
    /* After every step and record; other than 0 ends the run: the file is whole up to the last
     * record and says which. NULL: not called. */
    int (*on_progress)(void *data, const routh_history_progress *progress);
    void *data; /* handed to on_progress */
} routh_history_options;

/* Every option at its default. */
ROUTH_API routh_history_options routh_history_defaults(void);

typedef struct routh_history_summary {
    double start, end;           /* s: of the records */
    long records, resumed_from;  /* resumed_from: records taken over from the file */
    int interrupted;             /* by on_progress */
    int stopped;                 /* by an event of the model */
    int failed;                  /* the integration came no further */
    routh_statistics statistics; /* of the integration */
} routh_history_summary;

/* Integrates from the point on, and records. The file is written beside and renamed when it is
 * whole; an interrupted one too. FILE_ERROR names the file; an error of the integration leaves a
 * whole file with the records up to it. STOPPED by on_progress, with a file and a summary
 * (interrupted is 1). summary may be NULL; options are needed, with a file. */
ROUTH_API routh_status routh_history_run(const routh_mechanism *mechanism,
                                         const routh_operating_point *point,
                                         const routh_history_options *options,
                                         routh_history_summary *summary, routh_error *error);

#ifdef __cplusplus
}
#endif
#endif
