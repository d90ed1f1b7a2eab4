/* Results made by hand, with names that are hard to write and numbers that are hard to read back.
 */
#ifndef TESTS_OUTPUT_SAMPLE_H
#define TESTS_OUTPUT_SAMPLE_H

#include "routh/routh.h"
#include "support/json_text.h"

/* One body on a spring and a damper: s = -0.5 +- 2i; two states, one rigid zero besides (3 modes in
 * all). */
typedef struct sample {
    routh_body_state bodies[1];
    routh_reaction reactions[2];
    routh_redundant_row redundant[7];
    char *point_warnings[1];
    routh_operating_point point;
    routh_state_name states[3];
    double A[9], affine[3];
    routh_marker_motion markers[2];
    double motion[2][18];
    routh_energy_fraction shares[3];
    double rows[3][3], weight[3];
    char *linear_warnings[2];
    routh_linear linear;
    routh_mode mode[3];
    double shapes[3][6];
    routh_modes modes;
    routh_model *model;
    routh_results results;
} sample;

/* Fails the test when the model cannot be made. */
void sample_start(sample *s);
void sample_end(sample *s);

#endif
