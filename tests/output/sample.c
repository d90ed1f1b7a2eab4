#include "output/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char file[] =
    "title: \"A mass & a </script> \\\"spring\\\" \\u2028\"\n"
    "description: \"<!-- not a comment -->\"\n"
    "parameters: {k: 1/3}\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {weight: {mass: 0.1, inertia: [1, 1, 1], position: [0, 0, 1]}}\n"
    "joints: {guide: {type: translational, between: [ground, weight], axis: z}}\n"
    "loads: {spring: {type: spring, between: [ground, weight], stiffness: k}}\n";

static void operating_point(sample *s)
{
    s->bodies[0] = (routh_body_state){.name = "weight",
                                      .position = {0, 1.0 / 3, 1e-300},
                                      .orientation = {0, -1, 0, 1, 0, 0, 0, 0, 1}};
    s->reactions[0] =
        (routh_reaction){.name = "guide", .type = "translational", .force = {0.1, -0.0, 3}};
    s->reactions[1] =
        (routh_reaction){.name = "spring", .type = "spring", .is_load = 1, .force = {0, 0, 1e22}};
    for (int i = 0; i < 7; i++)
        s->redundant[i] = (routh_redundant_row){"guide", "origins coincide along z"};
    s->point_warnings[0] = "said once";
    s->point = (routh_operating_point){.type = ROUTH_OPERATING_STATIC,
                                       .time = 0.5,
                                       .n_bodies = 1,
                                       .bodies = s->bodies,
                                       .n_reactions = 2,
                                       .reactions = s->reactions,
                                       .n_redundant = 7,
                                       .redundant = s->redundant,
                                       .rank_clear = 1,
                                       .smallest_pivot = 1,
                                       .degrees_of_freedom = 1,
                                       .constraint_error = 1e-13,
                                       .residual = 2e-16,
                                       .iterations = 3,
                                       .n_warnings = 1,
                                       .warnings = s->point_warnings};
}

/* States weight.z, weight.z' and one more of velocity alone, so that there are no mass and
 * stiffness matrices. */
static void linear(sample *s)
{
    static const double A[9] = {0, 1, 0, -4.25, -1, 0.1, 0, 0, 0};
    memcpy(s->A, A, sizeof A);
    s->states[0] = (routh_state_name){"weight.z", "m", "ground", 0};
    s->states[1] = (routh_state_name){"weight.z'", "m/s", "ground", 0};
    s->states[2] = (routh_state_name){"we,ight.\"x\"'", "m/s", "ground", 0};
    s->markers[0] = (routh_marker_motion){
        .name = "ground", .body = "ground", .orientation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    s->markers[1] = s->markers[0];
    s->markers[1].name = s->markers[1].body = "weight";
    s->motion[1][6] = 1; /* displacement z by state 0 */
    for (int k = 0; k < 2; k++) s->markers[k].motion = s->motion[k];
    s->shares[0] = (routh_energy_fraction){.name = "body weight", .kind = ROUTH_ENERGY_KINETIC};
    s->shares[1] = (routh_energy_fraction){.name = "load spring", .kind = ROUTH_ENERGY_STRAIN};
    s->shares[2] = (routh_energy_fraction){.name = "load spring", .kind = ROUTH_ENERGY_DISSIPATION};
    for (int i = 0; i < 3; i++) {
        s->shares[i].n_rows = 1;
        s->shares[i].rows = s->rows[i];
        s->shares[i].weight = &s->weight[i];
        s->weight[i] = 2;
        s->rows[i][i == 1 ? 0 : 1] = 1;
    }
    s->linear_warnings[0] = "said once";
    s->linear_warnings[1] = "a \033[31mred\033[0m warning";
    s->linear = (routh_linear){.title = "A mass & a </script> \"spring\" \xe2\x80\xa8",
                               .coordinates = "absolute",
                               .method = "augmented",
                               .reference = "ground",
                               .n_position = 1,
                               .n_velocity = 2,
                               .n_states = 3,
                               .n_infinite = 7,
                               .states = s->states,
                               .A = s->A,
                               .affine = s->affine,
                               .residual = 2e-16,
                               .at_rest = 1,
                               .steady = 1,
                               .n_markers = 2,
                               .markers = s->markers,
                               .n_shares = 3,
                               .shares = s->shares,
                               .n_warnings = 2,
                               .warnings = s->linear_warnings};
}

static void modes(sample *s)
{
    const double pi = 3.14159265358979323846, modulus = 2.0615528128088303;
    s->mode[0] = (routh_mode){.rigid = 1, .condition = 1, .multiplicity = 1, .conjugate = 0};
    for (int i = 1; i < 3; i++)
        s->mode[i] = (routh_mode){.eigenvalue = {-0.5, i == 1 ? -2 : 2},
                                  .undamped_frequency_hz = modulus / (2 * pi),
                                  .damped_frequency_hz = 1 / pi,
                                  .damping_ratio = 0.5 / modulus,
                                  .condition = 1.25,
                                  .error_bound = 1e-15,
                                  .multiplicity = 1,
                                  .conjugate = 3 - i};
    for (int i = 0; i < 3; i++) s->mode[i].shape = s->shapes[i];
    s->shapes[0][2] = 1;
    for (int i = 1; i < 3; i++) {
        s->shapes[i][0] = 1;
        s->shapes[i][1] = s->mode[i].eigenvalue[0];
        s->shapes[i][4] = s->mode[i].eigenvalue[1];
    }
    s->modes = (routh_modes){.n = 3, .modes = s->mode, .n_zero = 1};
}

void sample_start(sample *s)
{
    routh_error error = {0};
    memset(s, 0, sizeof *s);
    operating_point(s);
    linear(s);
    modes(s);
    if (routh_model_parse(&s->model, file, sizeof file - 1, "mass.yaml", NULL, 0, &error))
        fail_msg("%s", error.message);
    s->results = (routh_results){
        .model = s->model, .point = &s->point, .linear = &s->linear, .modes = &s->modes};
}

void sample_end(sample *s)
{
    routh_model_free(s->model);
}
