/* Linearization methods behind neck 2: each is one const struct, and gives the same
 * sensitivities. */
#ifndef RT_METHODS_METHOD_H
#define RT_METHODS_METHOD_H

#include "operating/operating.h"

enum { RT_MOVING_FRAME = -3 }; /* in place of a marker: the frame of a steady motion */
#define RT_MOVING_FRAME_NAME "moving-frame"

/* The observer: axes e_k fixed in the reference marker, with their time derivatives along the
 * nominal motion. */
typedef struct rt_reference_frame {
    int marker;        /* -1 ground; RT_MOVING_FRAME */
    rt_frame frame;    /* its nominal motion */
    double e[3][3][3]; /* [derivative][axis k][component] */
} rt_reference_frame;

/* Of a marker as evaluated. */
void rt_reference_frame_set(rt_reference_frame *observer, const rt_workspace *w, int marker);

/* The moving frame of a steady motion, whose axes are the world's at present; and any moving frame
 * as it is after the time t. */
void rt_reference_frame_set_moving(rt_reference_frame *observer, const routh_steady *steady);
void rt_reference_frame_carry(rt_reference_frame *observer, double t);

/* The user's states s(q), compiled (user_states.c). */
typedef struct rt_user_states {
    int n;
    rt_program *programs;
    double *work; /* for any of them */
    double *size; /* each along the steepest motion of the typical length, bodies moving freely; 0
                     where its gradient vanishes */
} rt_user_states;

/* Chosen states. Candidate 6 b + k is component k (0..2 displacement, 3..5 rotation, along the
 * observer's axes) of body b, so S = p . xi_body with p the axis, and S', S'' follow from its jets;
 * candidate 6 n_bodies + e is elastic coordinate e, the model's user state j follows those
 * (rt_first_user_candidate).
 * Velocity states W are rates of candidates: of the same ones but where nonholonomic joints leave
 * fewer of them (z1 < z). */
typedef struct rt_states {
    int z;
    int n_preferred; /* how many of the user's states are among them; they come first */
    int *candidate;  /* z */
    int z1;
    int *rate; /* z1: candidates whose rates are the velocity states */
    int n_preferred_rates;
    const rt_user_states *user; /* NULL where the model has none */
} rt_states;

/* What is wanted, as candidates, the most wanted first. */
typedef struct rt_preferred {
    const int *states, *rates;
    int n_states, n_rates;
} rt_preferred;

/* The rows of a state on xi, u, u':
 *     S = s_x xi,      S' = s_x u + w_x xi,      S'' = s_x u' + a_u u + a_x xi,
 * on the columns of the state's body, or of the bodies that a user state looks at. The same row is
 * that of a velocity state W = S' and of W' = S''. */
typedef struct rt_state_row {
    int n;
    int *columns;
    double *s_x, *w_x, *a_u, *a_x;
} rt_state_row;

/* The entries (one of the four lists of the row) times a vector over u's columns. */
double rt_state_row_times(const rt_state_row *row, const double *entries, const double *x);

/* Of the penalty method; 0 stands for its default. */
typedef struct rt_penalty_options {
    double alpha, xi, omega;
} rt_penalty_options;

/* How everything moves with the virtual states, controllers and variables in the loop: columns
 *     S (z0), W (z1), X (n_x), in, in', in'' (n_in each),
 * column-major. What depends on the states' accelerations is here. */
typedef struct rt_response {
    int n, n_rows, n_x, n_v, n_in;
    int n_columns;         /* z0 + z1 + n_x + 3 n_in */
    double *xi, *u, *udot; /* n x n_columns */
    double *lambda;        /* n_rows x n_columns; rows left out as redundant are zero */
    double *rate;          /* X': n_x x n_columns */
    double *variable;      /* V: n_v x n_columns */
} rt_response;

/* What a method gives back. Column-major, n = n_u rows, z columns.
 *
 * Mechanisms with controllers, variables, inputs, outputs or nonholonomic joints ask for the whole
 * response (task->whole); then only response, Mhat (z1 x z1) and the figures at the end are looked
 * at. Of others the parts that follow: */
typedef struct rt_sensitivity {
    int n, z, z1;
    double *X;    /* dxi/dS: n x z */
    double *Xw;   /* du/dW: n x z1, the same where velocities are not fewer than positions */
    double *U;    /* du/dS: n x z */
    double *A_SS; /* d S''/dS : z x z, row-major */
    double *A_SW; /* d S''/dW : z x z, row-major */
    double *Mhat; /* Xw' M Xw, row-major */
    rt_response response;
    int n_infinite;        /* redundant: infinite eigenvalues of its pencil, deflated; else 0 */
    double error_estimate; /* 0: exact up to rounding; else the error of A, relative to its largest
                              entry, in typical lengths and radians */
    /* 0, or 2z: eigenvalues of A and how far an exact one may be from each, 1/s */
    int n_bounds;
    double *bound_re, *bound_im, *bound;
    rt_penalty_options penalty; /* what the penalty method worked with */
    /* z x z, row-major: Mhat W' + damping W + stiffness S = 0 without the rounding of A; NULL where
     * rt_linear_fill_second_order can make them, or nothing can */
    double *damping, *stiffness;
} rt_sensitivity;

/* Room for the sensitivities in the arena. */
routh_status rt_sensitivity_take(rt_sensitivity *x, int n, int z, rt_arena *arena,
                                 routh_error *error);

/* What all methods are given: everything is evaluated in search->w, and search->rank
 * belongs to the states. */
typedef struct rt_method_task {
    rt_search *search;
    const rt_reference_frame *observer;
    const rt_states *states;
    const char *variant; /* NULL: the method's usual one */
    int threads;
    rt_penalty_options penalty;
    bool whole; /* the whole response is wanted; see rt_sensitivity */
    /* rows of search->m's sensors as evaluated; NULL where there are none */
    struct rt_sensor_row *equations, *variables;
} rt_method_task;

/* The elimination of the holonomic rows of G: those of position level. */
static inline const rt_elimination *rt_position_rank(const rt_search *search)
{
    return search->position_rank ? search->position_rank : search->rank;
}

/* Xw' M Xw of M in the workspace, into x->Mhat; work: n. */
void rt_reduced_mass(const rt_search *search, rt_sensitivity *x, double *work);

/* Does the mechanism need the whole response? */
bool rt_needs_whole(const routh_mechanism *mechanism);

/* Rows of the sensors of controllers and variables into the task, with room and with numbers as the
 * workspace stands. */
routh_status rt_task_sensors_take(rt_method_task *task, rt_arena *arena, routh_error *error);
routh_status rt_task_sensors_fill(const rt_method_task *task, routh_error *error);

/* The state matrix by rows of the columns S, W, X of a response: (z + z1 + n_x) square, row-major;
 * B by its others, B0, B1, B2 each (z + z1 + n_x) x n_in (NULL: not wanted). rows, rates: of the
 * position and of the velocity states. */
routh_status rt_state_matrix(const rt_method_task *task, const rt_response *response, double *A,
                             double *const B[3], routh_error *error);

/* The rows of all states, states->z of them, in the arena; and of the states whose rates are the
 * velocity states, states->z1 of them. */
routh_status rt_state_rows(const rt_method_task *task, rt_arena *arena, rt_state_row **rows,
                           routh_error *error);
routh_status rt_rate_rows(const rt_method_task *task, rt_arena *arena, rt_state_row **rows,
                          routh_error *error);

/* slot[n_rows]: place of each independent row of G among them, -1 of others. Rows come in the order
 * of their last columns, so that G' is a staircase (base/reflectors.h). False: out of memory. */
bool rt_number_rows(const rt_search *search, int *slot, rt_arena *arena);
/* The same of another elimination (rt_position_rank). */
bool rt_number_rows_of(const rt_search *search, const rt_elimination *rank, int *slot,
                       rt_arena *arena);

/* The same rows at the state that is evaluated now. They allocate nothing. */
void rt_state_rows_fill(const rt_method_task *task, rt_state_row *rows);
void rt_rate_rows_fill(const rt_method_task *task, rt_state_row *rows);

/* Where candidates of elastic coordinates and of the user's states begin. */
static inline int rt_first_elastic_candidate(const routh_mechanism *m) { return 6 * m->n_bodies; }
static inline int rt_first_user_candidate(const routh_mechanism *m)
{
    return 6 * m->n_bodies + m->n_elastic;
}

/* The row of one candidate: room for it in the arena, and its numbers. user: NULL where candidates
 * are of bodies only. */
routh_status rt_state_row_take(const rt_search *search, const rt_user_states *user, int candidate,
                               rt_arena *arena, rt_state_row *row, routh_error *error);
void rt_state_row_fill(const rt_search *search, const rt_reference_frame *observer,
                       const rt_user_states *user, int candidate, rt_state_row *row);

/* The model's user states, compiled into the arena; *user is NULL where it has none. */
routh_status rt_user_states_compile(const routh_model *model, rt_arena *arena,
                                    rt_user_states **user, routh_error *error);

/* user->size of all, of a search in absolute coordinates whose frames are evaluated. NUMERIC_ERROR
 * names the state that has no value or no gradient here. */
routh_status rt_user_states_measure(const rt_search *search, rt_user_states *user,
                                    routh_error *error);

/* S, S', S'' of user state j along the motion and the jets of phi, at the state that is evaluated
 * in search->w. */
void rt_user_state_jets(const rt_search *search, const rt_user_states *user, int j, double value[3],
                        rt_gradient *phi);

/* How much a candidate changes in a motion of the typical length: the length for displacements, 1
 * for rotations, for a user state what it is along the steepest motion. */
double rt_candidate_size(const routh_mechanism *mechanism, const rt_user_states *user,
                         int candidate);

typedef struct rt_method {
    const char *name; /* as on the command line */
    const char *about;
    const char *const *variants; /* full names ("minimal:qr"), NULL-terminated, the usual one first;
                                    NULL where there is one */
    routh_status (*run)(const rt_method_task *task, rt_arena *arena, rt_sensitivity *out,
                        routh_error *error);
} rt_method;

extern const rt_method rt_method_augmented, rt_method_minimal, rt_method_redundant,
    rt_method_penalty, rt_method_difference;

/* "auto" is no method, but stands for one that is chosen by the mechanism and its z states. */
bool rt_method_is_auto(const char *name);
void rt_method_choose(const routh_mechanism *mechanism, int z, const rt_method **method,
                      const char **variant);

/* NOT_SUPPORTED where the mechanism has nonholonomic joints, states of controllers or variables
 * (and, where these matter, inputs or outputs): names the first of them. what: "the penalty method
 * is"; instead: "use --method ...". */
routh_status rt_check_alone(const routh_mechanism *mechanism, bool inputs_and_outputs,
                            const char *what, const char *instead, routh_error *error);
#define RT_WHOLE_METHODS "use --method augmented, minimal, redundant or difference"

/* By name, with a variant where there is a colon ("minimal", "minimal:qr"); NULL name: augmented.
 * NOT_SUPPORTED names the methods there are. *variant is NULL or one of the method's. */
routh_status rt_method_find(const char *name, const rt_method **method, const char **variant,
                            routh_error *error);

/* Chooses z states and z1 rates by elimination; preferred ones (NULL: none) stay if they can; they
 * come first, in the order given. Evaluates the Jacobian in search->w, and makes search->rank
 * anew. */
routh_status rt_choose_states(rt_search *search, const rt_reference_frame *observer,
                              const rt_preferred *preferred, rt_arena *arena, rt_states *states,
                              routh_error *error);

/* x of a search in joined coordinates in absolute ones: X and U of 6 rows per body, in the arena;
 * nothing else is filled. */
routh_status rt_base_sensitivity(const rt_search *search, const rt_sensitivity *x,
                                 rt_sensitivity *out, rt_arena *arena, routh_error *error);

/* The fastest rate of the motion: angular velocities, and speeds over the typical length. */
double rt_linear_fastest(const rt_search *search);

/* What part of a radian of its fastest part the motion is followed for. */
#define RT_STEADY_PHASE 1e-3

/* The fastest rate, 0: the mechanism is at rest; y' = A y + affine, `order` of each; after the
 * phase, the accelerations of the states and the rates of controllers' states; which of the latter
 * change, beyond rounding. */
typedef struct rt_uniform_motion {
    double rate;
    int order;
    const double *A, *affine, *later;
    const bool *drifts;
} rt_uniform_motion;

/* Are the rates of the states stationary, and stay so? What is let go out of equilibrium, or swings
 * through it, is in no steady motion, however linear it is. That accelerations change is believed
 * where the linear model and the motion itself agree: the one does not know what depends on time,
 * and the other is off where stiff parts go in circles. */
bool rt_linear_is_uniform(const rt_method_task *task, const rt_uniform_motion *motion);

/* How much A changes along the motion, relative, per radian of the fastest motion. Moves
 * task->search->state, and the observer to *moved; x is what the method gave for the task. */
routh_status rt_linear_drift(const rt_method *method, const rt_method_task *task,
                             const rt_sensitivity *x, rt_reference_frame *moved, double *drift,
                             routh_error *error);

#endif
