/* From the model's file to its modes: what several commands go through, each as far as it needs. */
#ifndef ROUTH_CLI_RUN_H
#define ROUTH_CLI_RUN_H

#include "options.h"
#include "routh/routh.h"

typedef struct run {
    routh_model *model;
    routh_mechanism *mechanism;
    routh_operating_point *point;
    routh_linear *linear;
    routh_descriptor *descriptor; /* in place of linear, where only some eigenvalues are wanted */
    routh_modes *modes;
    routh_branches *branches;
    routh_realization *realization;
    routh_check_result *check;
    routh_confirmation *confirmation;
} run;

typedef enum run_parts { WITH_SHARES = 1, WITH_MARKERS = 2 } run_parts;

/* Each returns an exit status, having said what went wrong, and takes the steps before it too.
 * Free with run_free in every case. */
int run_to_model(run *r, const options *given, routh_operating_options *operating);
int run_to_point(run *r, const options *given);
int run_to_linear(run *r, const options *given, int parts);
int run_to_modes(run *r, const options *given, int parts); /* those of --wanted, where given */
int run_to_confirmation(run *r, const options *given, int parts); /* the modes too */
void run_free(run *r);

/* All that was computed. */
routh_results run_results(const run *r);

/* Warnings on standard error, for outputs that have no place for them. */
void run_warn(const run *r, const options *given);

/* Writes the result in the form that the options ask for. */
typedef routh_status (*run_writer)(const routh_results *results, routh_text *text,
                                   routh_error *error);
typedef struct run_forms {
    run_writer table, json, csv;
} run_forms;
int run_write(const run *r, const options *given, run_forms forms);

#endif
