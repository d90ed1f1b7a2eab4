/* What all derivatives by parameters go through: the point, the parameters, the pencil and what
 * varies. */
#ifndef RT_STUDIES_SENSITIVITY_JOB_H
#define RT_STUDIES_SENSITIVITY_JOB_H

#include "studies/sensitivity_change.h"
#include "studies/sensitivity_moves.h"
#include "studies/sensitivity_packets.h"
#include "studies/sensitivity_varied_rows.h"

typedef struct rt_sensitivity_job {
    const routh_mechanism *m; /* in absolute coordinates */
    routh_operating_point point;
    rt_arena arena;
    rt_linear_holder *holder;
    rt_linear_task task;
    rt_method_task work;
    rt_levels_pencil pencil;
    rt_variation *variation;
    rt_change change;
    rt_moves moves; /* not begun where they are not found */
    rt_packets packets;
    int *body_of_number;          /* the pencil's; NULL: not found */
    double *rhs, *z, *column;     /* of parameters at a time; of one */
    int n_parameters, *parameter; /* which of the model's */
    /* by malloc: names in the model; who takes one of these leaves NULL */
    const char **names;
    double *values;
    int n_warnings;
    char **warnings;
} rt_sensitivity_job;

/* Everything before the parameters. *job is overwritten; release it in every case. states,
 * reference: as routh_linear_options. */
routh_status rt_job_begin(rt_sensitivity_job *job, const routh_mechanism *mechanism,
                          const routh_operating_point *point, const char *const *states,
                          const char *reference, routh_error *error);
/* In the states and the reference of a linear model of the same mechanism. */
routh_status rt_job_begin_like(rt_sensitivity_job *job, const routh_mechanism *mechanism,
                               const routh_operating_point *point, const routh_linear *linear,
                               routh_error *error);
void rt_job_release(rt_sensitivity_job *job);

/* Names, values and warnings: those of a job, or those that a result has taken from one. */
void rt_job_free_taken(const char **names, double *values, char **warnings, int n_warnings);

/* NULL names: all but those that act through what is not differentiated, or by which the point has
 * no derivative, of which warnings tell. */
routh_status rt_job_choose(rt_sensitivity_job *job, const char *const *names, routh_error *error);

/* How the point moves along parameter k of those chosen (job->change). SINGULAR and NOT_SUPPORTED
 * name the parameter: the point has no derivative by it. */
routh_status rt_job_find_change(rt_sensitivity_job *job, int k, routh_error *error);

/* The derivatives of the pencil along parameter k of those chosen, the point moving. */
routh_status rt_job_vary(rt_sensitivity_job *job, int k, routh_error *error);

/* The same along n of those chosen, from `first` on, into rows of the pencil's numbers, of which
 * there are none yet. n is their width at most, which is the same in every call. */
routh_status rt_job_vary_some(rt_sensitivity_job *job, int first, int n, rt_varied_rows *rows,
                              routh_error *error);

routh_status rt_job_warn(rt_sensitivity_job *job, routh_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
