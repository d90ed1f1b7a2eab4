/* Joints as rows of constraints Phi = 0 between frames, those of their classes
 * (model/joint_class.h).
 *
 * A row is one of
 *     dots           sum c_k a_k . b_k + constant, vectors of position level (elements/frame_dot.h)
 *     coordinates    sum ratio_k (s_k - s_k0) - f(t), s a displacement along an axis or an angle
 *                    about one
 *     expression     a user's expression of position-level measures and time
 *     rate           an expression linear in velocities, without a value of position level
 *     strain         a strain of a beam element that is kept zero (elements/strain_row.h)
 * and gives its value, the jets of phi and the curvature d(phi' lambda)/d(xi): everything neck 2
 * needs. */
#ifndef RT_ELEMENTS_JOINTS_H
#define RT_ELEMENTS_JOINTS_H

#include "elements/frame_program.h"
#include "elements/strain_row.h"
#include "model/joint_class.h"

typedef enum rt_row_kind {
    RT_ROW_DOTS,
    RT_ROW_COORDINATES,
    RT_ROW_EXPRESSION,
    RT_ROW_RATES, /* nonholonomic: an expression linear in velocities; see rt_row_turn */
    RT_ROW_STRAIN,
} rt_row_kind;

typedef struct rt_row_term {
    rt_scalar factor;
    rt_vector a, b;
} rt_row_term;

/* One joint coordinate: displacement a . b, or angle atan2(a . b, c . d) and its turns. */
typedef struct rt_joint_coordinate {
    bool angle;
    int number; /* of an angle, among the model's */
    rt_scalar ratio;
    rt_scalar reference; /* s_k0 */
    rt_vector a, b, c, d;
} rt_joint_coordinate;

typedef struct rt_row {
    rt_row_kind kind;
    const rt_joint_row *what; /* in the class; NULL: a function that the class made */
    const char *label; /* what it keeps, for messages: "origins coincide, x" */
    int n_terms;
    rt_row_term term[2];
    rt_scalar constant;
    int n_coordinates;
    rt_joint_coordinate *coordinate; /* n_coordinates; NULL where there are none */
    bool has_program;
    rt_program program; /* coordinates: f(t); expression, rates: the residual */
    rt_strain_row strain;
} rt_row;

/* One joint, compiled. */
typedef struct rt_constraint {
    int joint;
    int first_row, n_rows;
    rt_row *rows;
    int n_frames;
    int frames[RT_GRADIENT_FRAMES]; /* markers, ground left out */
    int n_numbers;                  /* of strains: the joint's list */
    rt_scalar *numbers;
} rt_constraint;

/* How many rows the joint has. */
int rt_joint_count_rows(const rt_joint *joint);

/* Compiles joint number `joint`; references of coordinates stay zero until
 * rt_constraint_set_references. */
routh_status rt_constraint_compile(rt_constraint *constraint, const routh_model *model, int joint,
                                   rt_graph *graph, rt_arena *arena, routh_error *error);

/* The numbers of its rows, but for references, as the model has them. */
void rt_constraint_numbers(rt_constraint *constraint, const routh_model *model,
                           const rt_slopes *along);

/* Rows that keep a value as it is written, where the user gave none, take it from the present
 * state: as references of their coordinates, or as a constant. */
void rt_constraint_set_references(rt_constraint *constraint, const routh_model *model,
                                  const rt_program_input *in);

/* Value, rate and acceleration of the row along the motion (time included) and the jets of phi. */
void rt_row_evaluate(const rt_row *row, const rt_program_input *in, rt_scalar value[3],
                     rt_gradient *phi);

/* A nonholonomic row psi = phi xi' + ... has no value of position level (value[0] = 0; value[1] =
 * psi, value[2] = psi'), and its variations are
 *     d psi  = phi xi' + rho xi
 *     d psi' = phi xi'' + (phi' + rho) xi' + rho' xi
 * where rho is not phi', as it is for a holonomic row. rt_row_evaluate gives phi, rho, rho' as the
 * three levels, and this, after it with the same input, the turn phi' - rho in level 0; so that
 *     d psi' = phi xi'' + (2 rho + turn) xi' + rho' xi. */
void rt_row_turn(const rt_row *row, const rt_program_input *in, rt_gradient *turn);

/* H += scale d(phi')/d(xi); call after rt_row_evaluate with the same input. */
void rt_row_curvature(const rt_row *row, const rt_program_input *in, rt_scalar scale,
                      const int *list, int n, rt_scalar *H);

/* Work space for rt_row_evaluate. */
size_t rt_row_work(const rt_row *row);

#endif
