/* The work on a routh_linear, and what the files of this room do of it. */
#ifndef RT_LINEAR_HOLDER_H
#define RT_LINEAR_HOLDER_H

#include "base/linear_holder.h"
#include "methods/method.h"

/* The states that are wanted: of the call, or of the model. */
typedef struct rt_wanted_states {
    const char *const *names;
    const rt_place *places; /* in the model's file; NULL where they are of the call */
    int n;
    int *candidates;
} rt_wanted_states;

/* The work on one linear model. */
typedef struct rt_linear_task {
    rt_search search;
    rt_search base; /* in absolute coordinates, where the mechanism's are shared by bodies */
    rt_sensitivity base_x;
    rt_reference_frame observer;
    rt_states states;
    rt_sensitivity x;
    rt_arena arena;
    rt_wanted_states wanted, wanted_rates;
    const rt_method *method;
    const char *variant;
    bool details; /* warnings name all states that were added */
    bool whole; /* set before: the method gives the whole response, and nobody looks whether the
                   motion is steady */
    bool first_order; /* set before, with whole: of the second-order form the mass alone is asked
                         for */
} rt_linear_task;

/* Everything before the method runs: observer, states and their names, matrices evaluated. *task is
 * zeroed before, and released by the caller, after a failure too. */
routh_status rt_linear_prepare(rt_linear_holder *holder, rt_linear_task *task,
                               const routh_mechanism *m, const routh_operating_point *point,
                               const routh_linear_options *options, routh_error *error);
void rt_linear_task_release(rt_linear_task *task);

/* The whole linear model, with the task as it then stands. */
routh_status rt_linear_linearize(rt_linear_holder *holder, rt_linear_task *task,
                                 const routh_mechanism *m, const routh_operating_point *point,
                                 const routh_linear_options *options, rt_progress *progress,
                                 routh_error *error);

/* The states that are wanted, and the rates; the choice among them, with the searches of the task
 * standing at the operating point; what was dropped and what added, and why, as warnings; names,
 * units, frames and values of the n_position + n_velocity first states. */
routh_status rt_linear_find_wanted(const routh_mechanism *m, const char *const *names,
                                   rt_linear_task *task, routh_error *error);
routh_status rt_linear_choose_states(rt_linear_task *task, const routh_mechanism *m,
                                     const routh_operating_point *point, int marker,
                                     const char *const *names, routh_error *error);
routh_status rt_linear_report_states(rt_linear_holder *holder, rt_linear_task *task,
                                     routh_error *error);
routh_status rt_linear_name_states(rt_linear_holder *holder, const rt_linear_task *task,
                                   routh_error *error);

/* A candidate's name: "body.rx", or the user's; mark follows it ("'" for rates). */
enum { RT_STATE_NAME = 200 };
const char *rt_linear_candidate_name(const rt_linear_task *task, int candidate, const char *mark,
                                     char text[RT_STATE_NAME]);

/* A candidate as the observer sees it: S, S', S'' along the nominal motion. */
void rt_linear_state_values(const rt_linear_task *task, int candidate, double value[3]);

/* A, a0 and the matrices: room for them, and their numbers; the values of named states. */
routh_status rt_linear_take_matrices(rt_linear_holder *holder, routh_error *error);
void rt_linear_fill_matrices(rt_linear_holder *holder, const rt_sensitivity *x);
routh_status rt_linear_fill_whole(rt_linear_holder *holder, const rt_method_task *task,
                                  const rt_sensitivity *x, rt_arena *arena, routh_error *error);

/* Can damping, stiffness, coupling and forces be had from the equations of motion themselves: is
 * the method exact, and does no load use joint reactions? */
bool rt_has_second_order(const rt_method_task *task, const rt_sensitivity *x);
/* These matrices; linear->mass is there. Everything is evaluated in task->search->w. */
routh_status rt_linear_fill_second_order(routh_linear *linear, const rt_method_task *task,
                                         const rt_sensitivity *x, rt_arena *arena,
                                         routh_error *error);
void rt_linear_fill_affine(rt_linear_holder *holder, const rt_linear_task *task);
void rt_linear_fill_values(rt_linear_holder *holder, const rt_linear_task *task);

/* The matrices in extended precision, in place of those that the method has made: where the method
 * is exact, and it can be had. balanced: with 106 bits, and each sample (methods/extended.h). */
routh_status rt_linear_fill_extended(rt_linear_holder *holder, rt_linear_task *task,
                                     const rt_method_task *work, const routh_operating_point *point,
                                     bool balanced, routh_error *error);

/* Residual, and whether it is at rest. */
void rt_linear_note_motion(rt_linear_holder *holder, const rt_linear_task *task,
                           const routh_operating_point *point);

/* linear->point and the version. */
routh_status rt_linear_record(rt_linear_holder *holder, const routh_operating_point *point,
                              routh_error *error);

/* Warns of outputs, and refuses loads, controllers and variables, that use joint forces which
 * redundant constraints leave open. The task has its sensors, and names of outputs are there. */
routh_status rt_linear_find_undetermined(rt_linear_holder *holder, const rt_method_task *task,
                                         rt_arena *arena, routh_error *error);

/* Names of inputs, outputs and states of controllers. */
routh_status rt_linear_name_signals(rt_linear_holder *holder, const rt_linear_task *task,
                                    routh_error *error);

/* Formatted text in the arena; NULL when out of memory. */
char *rt_linear_text(rt_linear_holder *holder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a warning; OUT_OF_MEMORY when it cannot. */
routh_status rt_linear_warn(rt_linear_holder *holder, routh_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* linear->markers, linear->flexible and linear->shares from the sensitivities. */
routh_status rt_linear_markers(rt_linear_holder *holder, const rt_search *search,
                               const rt_sensitivity *x, routh_error *error);
routh_status rt_linear_flexible(rt_linear_holder *holder, const rt_search *search,
                                const rt_sensitivity *x, routh_error *error);
routh_status rt_linear_shares(rt_linear_holder *holder, const rt_search *search,
                              const rt_sensitivity *x, routh_error *error);

#endif
