/* From the model's file to its modes: what several commands go through, each as far as it needs. */
#ifndef ROUTH_CLI_RUN_H
#define ROUTH_CLI_RUN_H

#include "at.h"
#include "options.h"
#include "routh/routh.h"

typedef struct run {
    const at_point *at; /* the operating point that is wanted; NULL: the one of --at */
    routh_model *model;
    routh_mechanism *mechanism;
    routh_simulation *motion; /* of the points --at time= */
    routh_operating_point *point;
    routh_linear *linear;
    routh_descriptor *descriptor; /* in place of linear, where only some eigenvalues are wanted */
    routh_modes *modes;
    routh_branches *branches;
    routh_realization *realization;
    routh_attribution *attribution;
    routh_check *check;
    routh_verification *verification;
    routh_animation *animation;
    int n_animated, *animated; /* places of modes whose motion is asked for */
    routh_response *response;
    routh_floquet *floquet;
    routh_sensitivity *sensitivities;
    routh_response_sensitivity *response_sensitivities;
    routh_point_sensitivity *point_sensitivities;
    routh_matrix_sensitivity *matrix_sensitivities;
    routh_sweep *sweep;
} run;

/* WITH_BLADES: --blades asks for multi-blade coordinates, where it is given */
typedef enum run_parts { WITH_SHARES = 1, WITH_MARKERS = 2, WITH_BLADES = 4 } run_parts;

/* Each returns an exit status, having said what went wrong, and takes the steps before it too,
 * where they are not taken yet. *r is zeroed before the first. Free with run_free in every case. */
int run_to_model(run *r, const options *given);
/* The model alone, with these settings. */
int run_read_model(routh_model **model, const options *given, const routh_setting *settings,
                   size_t n_settings);
int run_to_point(run *r, const options *given);
int run_to_linear(run *r, const options *given, int parts);
int run_to_modes(run *r, const options *given, int parts); /* those of --wanted, where given */
int run_to_check(run *r, const options *given);            /* its own; not the modes */
int run_to_verification(run *r, const options *given, int parts); /* the modes too */
int run_to_animation(run *r, const options *given, int parts);    /* likewise, with markers */
int run_to_response(run *r, const options *given, int parts);     /* likewise */
int run_to_sweep(run *r, const options *given);                   /* of --sweep; not the modes */
/* What the options say of the response. */
int run_response_options(routh_response_options *response, const options *given);
int run_to_sensitivity(run *r, const options *given, int parts); /* likewise */
int run_to_floquet(run *r, const options *given); /* of --period and so on; not the modes */
void run_free(run *r);

/* "blade1,blade2,blade3" as a list that ends with NULL, both to be freed; NULL of NULL. */
int split_names(const char *names, const char ***list, char **room);

/* Forgets what belongs to one operating point. */
void run_forget(run *r);

/* One operating point is asked for, no time and no saved state: its type. */
int run_type(const options *given, routh_operating_point_type *type);

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

/* Takes the step for each operating point that is asked for, and writes the results. */
typedef int (*run_step)(run *r, const options *given);
int run_each(const options *given, run_step step, run_forms forms);
int run_to_text(const options *given, run_step step, run_forms forms, routh_text *text);

/* Of one operating point that is there already. */
int run_write(const run *r, const options *given, run_forms forms);

/* --save-state */
int run_save_state(const run *r, const options *given);

#endif
