/* The search for an operating point, step by step. One rt_search owns what the steps share. */
#ifndef RT_OPERATING_OPERATING_H
#define RT_OPERATING_OPERATING_H

#include "base/elimination.h"
#include "base/progress.h"
#include "system/kkt.h"
#include "system/system.h"
#include "system/variation.h"

typedef struct rt_small rt_small;
typedef struct rt_signals rt_signals;

/* Of the mechanism that a state belongs to. */
typedef struct rt_state_sizes {
    int n_q, n_u, n_rows, n_signals, n_inputs;
} rt_state_sizes;

/* The steps that assembly took, each so much of the whole one; limited: so much that its longest
 * displacement was half the typical length, halved or not. Motions that were led there by parts of
 * their way were held back at `gone` of the longest. The caller releases the path. */
typedef struct rt_assembly_step {
    double scale, gone;
    bool led, limited;
} rt_assembly_step;

typedef struct rt_assembly_path {
    int n_steps;
    rt_assembly_step *step;
    double *near; /* what angles that count turns are near to where the steps begin: of a state */
    int n_led, *row; /* motions that were led: their rows */
} rt_assembly_path;

void rt_release_path(rt_assembly_path *path);

/* What redundant rows are kept apart by: [W G'; G -delta I]. */
#define RT_ASSEMBLY_DELTA 1e-10

/* What becomes of the rank as time goes on, or as inputs change that move constraints, where the
 * motions that there are here do not show it. */
typedef struct rt_passing {
    int rank;     /* the largest found */
    bool in_time; /* it is larger a moment before or after than anywhere at this time */
    int input;    /* the first input that makes it larger; -1: none, or time does already */
} rt_passing;

/* The steady motion that a search begins at: on the line from one to another, or NULL, at this part
 * of the way. */
typedef struct rt_steady_start {
    const routh_steady *motion, *other; /* NULL: as the velocities say */
    double part;
} rt_steady_start;

/* Motions that are held back on the way to where they are to be (assemble.c): their rows, what each
 * has to go at first, the longest of these (rad, or in typical lengths), and the part of that which
 * is left. */
typedef struct rt_held_motions {
    int n, *row;
    double *way, longest, part;
} rt_held_motions;

typedef struct rt_search {
    const routh_mechanism *m;
    rt_workspace *w;
    rt_state *state;               /* where the search stands */
    rt_elimination *rank;          /* of G at the present configuration; NULL before rt_find_rank */
    rt_elimination *position_rank; /* of its rows that have a position level; NULL where all have */
    rt_kkt *mass;           /* [M G'; G 0] over the independent rows; NULL before rt_search_mass */
    rt_small *small;        /* the same of fewer unknowns, where there is such; NULL before use */
    rt_signals *signals;    /* of controllers and variables; NULL where there are none */
    double *written;        /* n_constraints: angles between the markers of joints before assembly;
                               NULL where nobody asks (half_turn.c) */
    double *x, *y, *z;      /* scratch: n_u, n_rows, n_u */
    double *unit;           /* n_u: 1 for translations, 1/length for rotations: xi * 1/unit is a
                              length */
    rt_progress *progress;  /* asked on the way; NULL: nobody asks */
    rt_assembly_path *path; /* where the steps of assembly are noted; NULL: nowhere */
    bool *winds;            /* n_joints: motions that wind loads (winding.c); NULL: none */
    rt_held_motions held;   /* of an equilibrium that is followed to them; n = 0: none */
    double *twist;          /* rotation vectors where a step begins (twists.h); NULL: not watched */
    rt_state *begin;      /* where a search that is watched began; NULL: it has been led already */
    const rt_load *wound; /* what a step would have wound through half a revolution; NULL: none */
    double tolerance;
    int max_iterations;
    int iterations;      /* of all Newton steps taken */
    bool stable_unknown; /* the mechanism is too large for the test, or its softest is rounding */
    bool unstable;       /* accepted as it is */
    bool oscillates;     /* what is unstable is an oscillation of the closed loop */
    int rank_nearby;     /* larger than rank where the configuration is singular */
    int sound_nearby;    /* the most pivots that are not small, here and nearby */
    rt_passing passing;  /* of that, what time and inputs do */
    rt_steady_start motion; /* of a steady motion that it begins at */
    bool followed;       /* it begins at a neighbour's operating point, and ends near it or fails */
    bool begins;         /* what is found is where another search begins, which finds the balance */
    int *undetermined;   /* independent ways in which the steady motion that is found may change
                            into others; NULL: nobody asks */
    bool still;          /* motions are held where they are: a static equilibrium */
    bool all_velocities; /* those of all bodies count as given, whatever the model has written */
    double coarse;       /* what is left of the balance, of the largest single force, where that is
                            more than rounding usually leaves; 0: it is not */
    const char *arrival; /* how the search arrived, in words; NULL: there was none */
    double way_ended;    /* the part of the way from the initial state to the steady motion after
                            which motions end: what was found is another one; 0: they do not */
} rt_search;

routh_status rt_search_create(rt_search *search, const routh_mechanism *m, double tolerance,
                              int max_iterations, routh_error *error);
void rt_search_release(rt_search *search); /* everything but the state, which the caller may have
                                              taken */

/* Phi = 0 by Gauss-Newton with the smallest change of configuration, whatever nonholonomic rows
 * say: they hold velocities only. NOT_ASSEMBLED names the worst joint. */
routh_status rt_assemble(rt_search *search, routh_error *error);

/* Motions that wind bushings or beams are held back where they are, for rt_lead_equilibrium;
 * search->held.n: so many. rt_take_held: what is held back, from the rows evaluated. */
bool rt_motions_wind(const rt_search *search); /* are there any? */
routh_status rt_hold_motions(rt_search *search, routh_error *error);
void rt_take_held(const rt_search *search);
void rt_release_held(rt_search *search);

/* Before assembly: how far the markers of joints are from agreeing. After it, with the frames
 * evaluated: the words where a joint that was far off is half a turn over now; false where not. */
routh_status rt_note_written(rt_search *search, routh_error *error);
bool rt_keeps_axis(const rt_constraint *constraint); /* the z axes of its markers parallel */
void rt_joint_world_axis(const rt_search *search, const rt_joint *joint, int marker, int k,
                         double axis[3]);
bool rt_half_turn_words(const rt_search *search, int constraint, char *text, size_t room);

/* W of a column in assembly: rotations by the typical length squared, and what is to stay by much
 * more. */
double rt_assembly_weight(const rt_search *search, int column);

/* What was changed most of a coordinate or rate of joint number j that is written
 * (written_coordinates.c), the frames evaluated; false: nothing. */
bool rt_written_coordinate_words(const rt_search *search, int j, char *text, size_t room);

/* Refuses coordinates and rates that the caller set and that are others here. */
routh_status rt_check_set_coordinates(const rt_search *search, routh_error *error);

/* The same of some of joint j: coordinates that follow from parameters which were set, then rates
 * (RT_JOINT_COORDINATES each); words of what is another here, false: nothing. */
bool rt_followed_coordinate_words(const rt_search *search, int j, const bool *follows, char *text,
                                  size_t room);

/* Do the constraints hold, as evaluated, to the tolerance (over the typical length) or as well as
 * rounding of positions allows? */
bool rt_is_assembled(const rt_search *search, double tolerance);

/* Size of the rows of G in units of length, n_rows: |Phi_r| / size_r is a displacement. Of a
 * joint's row in joined coordinates it is that on the bodies' frames, also where the coordinates
 * leave nothing of it but rounding. */
void rt_row_sizes(const rt_search *search, double *size);

/* Largest residual of the constraints as a length, relative to nothing, and the row where it is. */
double rt_constraint_error(const rt_search *search, int *row);

/* Elimination of G as last evaluated, its columns scaled by search->unit. The caller frees it. */
routh_status rt_eliminate_jacobian(const rt_search *search, rt_elimination **rank,
                                   routh_error *error);

/* The rank of G as it was evaluated last, its independent rows and columns; position_rank too. */
routh_status rt_find_rank(rt_search *search, routh_error *error);

/* The same of the rows that are not nonholonomic alone (others count as redundant), where there
 * are both: how many ways the configuration may go, as rank says how many velocities there are. */
routh_status rt_find_position_rank(rt_search *search, routh_error *error);

/* Makes search->mass of the rank found last, if it is not there yet. */
routh_status rt_search_mass(rt_search *search, routh_error *error);

/* The rank a little away from here: larger in a singular configuration. The state is left as it
 * is, the workspace not. Not looked for above this number of columns. */
enum { RT_NEARBY_COLUMNS = 3000 };
routh_status rt_rank_nearby(rt_search *search, int *rank, routh_error *error);

/* After rt_rank_nearby: the rank a moment before and after, where velocities, accelerations,
 * prescribed motions and histories of inputs lead, and where inputs are others. The state is left
 * as it is, the workspace not. */
routh_status rt_find_passing(rt_search *search, rt_passing *passing, routh_error *error);

/* rank_nearby, along motions, time and inputs; passing. */
routh_status rt_find_rank_nearby(rt_search *search, routh_error *error);

/* Of G at the search's state, somewhere nearby: *rank and search->sound_nearby are raised to what
 * is there, *rank by what is more than the margin of the tolerance. */
routh_status rt_rank_there(rt_search *search, int *rank, routh_error *error);

/* Equations that are independent of others by no more than this part, scaled: by a misalignment. */
#define RT_NEAR_REDUNDANT 1e-5

/* How many pivots are larger than that. */
int rt_sound_rank(const rt_elimination *rank);

/* The rows of rank that are not among them, where this is so all around: a degree of freedom is
 * lost by a misalignment, and not next to a singular configuration. After rt_find_rank_nearby. */
int rt_near_redundant(const rt_search *search);

/* What is said of number k of them: the joints, and the angle or the length that is missing. Leaves
 * the workspace with another M. */
routh_status rt_near_redundant_words(rt_search *search, int k, char *text, size_t room,
                                     routh_error *error);

/* Into z: a displacement of so much of the typical length any way, the same in every run. */
void rt_noise(rt_search *search, double size, unsigned *seed);

/* Says that the configuration is singular (rank_nearby > rank), and which joint forces that leaves
 * open. Leaves the workspace with other multipliers. */
routh_status rt_singular_words(rt_search *search, char *text, size_t room, routh_error *error);

/* Refuses the redundant row whose velocity or acceleration ("velocities") is `by` where the
 * independent ones are satisfied: names the fewest joints that cannot hold together. */
routh_status rt_contradiction(rt_search *search, int row, const char *level, double by,
                              routh_error *error);

/* Refuses inputs that drive joints and cannot be followed: where rows are redundant, all three
 * levels of what an input moves must fit what the rows depend on. NOT_SUPPORTED names the input,
 * the joint and those that it contradicts, the same in all coordinates. */
routh_status rt_check_drives(const routh_mechanism *mechanism, const routh_operating_point *point,
                             routh_error *error);

/* u made consistent: G u + Phi_t = 0 with the smallest change of kinetic energy. */
routh_status rt_find_velocities(rt_search *search, routh_error *error);

/* u' and lambda from the equations of motion; lambda of smallest norm where rows are redundant.
 * Where the bodies' coordinates bring rows of their own, by the smaller system (rt_small). With
 * them the rates x' of controllers' states and the variables v, which start from where they are;
 * x and inputs stay (signals.c). */
routh_status rt_find_accelerations(rt_search *search, routh_error *error);

/* The same with some lambda that balances, and without a look at whether redundant rows hold. */
routh_status rt_find_motion(rt_search *search, routh_error *error);

/* The same by [M G'; G 0] with all rows, whatever the coordinates. */
routh_status rt_find_accelerations_whole(rt_search *search, routh_error *error);

/* The same with all motions held still (Phi'' = G u' = 0): what an instant of release would
 * give. */
routh_status rt_find_release(rt_search *search, routh_error *error);

/* x' and v together with u' and lambda, from where all of them are: Newton's method on all at
 * once. It begins where u' and lambda are those of the signals as they are. `whole`: by
 * search->mass, else by search->small. SINGULAR names the elements of a loop without solution,
 * NUMERIC_ERROR the equation that does not settle. Allocates nothing but for errors. */
routh_status rt_find_signals(rt_search *search, bool whole, routh_error *error);
routh_status rt_signals_create(rt_signals **signals, const routh_mechanism *mechanism,
                               routh_error *error);
void rt_signals_free(rt_signals *signals); /* NULL is allowed */

/* x of the states that have no initial value: where x' = 0, if there is such a place; others keep
 * theirs. u', lambda, x' and v are to be found after it. */
routh_status rt_find_initial_states(rt_search *search, routh_error *error);

/* Variables that are in no loop and use neither accelerations nor joint forces take their values;
 * with `all`, in the evaluated state, so do the others that are in no loop, and rates. What has no
 * finite value stays as it is. */
void rt_sweep_signals(rt_search *search, bool all);

/* Refuses a spring whose ends meet, where the search ends: the frames are evaluated. */
routh_status rt_check_directions(const rt_search *search, routh_error *error);

/* What rounding of the configuration and of signals makes of the forces by loads that use signals,
 * added to force[n_u]; of the state that is evaluated. */
void rt_add_signal_rounding(const rt_search *search, double *force);

/* How exactly each of n signals that forces may use is known: states, their rates and variables, as
 * pattern_R has them. */
int rt_count_rounded_signals(const rt_search *search);
double rt_rounding_of_signal(const rt_search *search, int signal);

/* Do controllers or variables use joint forces? */
bool rt_signals_use_forces(const rt_search *search);

/* [M G'+L; G 0], or the smaller system, of what is evaluated: its factors, and [x; y] solved by
 * them. */
routh_status rt_factor_accelerations(rt_search *search, bool whole, routh_error *error);
routh_status rt_solve_accelerations(rt_search *search, bool whole, double *x, double *y,
                                    routh_error *error);

/* The equations of motion in six accelerations a body, where its coordinates are more by a row of
 * their own (Euler parameters): accelerations_small.c. Made for the rows that search->rank keeps.
 * Factors what is in the workspace; solves as [M G'+L; G 0] [x; y] = [x; y] does, x n_u and y
 * n_rows, and allocates nothing. */
bool rt_small_exists(const routh_mechanism *mechanism);
routh_status rt_small_create(rt_small **small, const rt_search *search, routh_error *error);
routh_status rt_small_factor(rt_small *small, const rt_search *search, routh_error *error);
routh_status rt_small_solve(rt_small *small, const rt_search *search, double *x, double *y,
                            routh_error *error);
int rt_small_size(const rt_small *small);

/* The rows of joints on velocities and body-fixed rotations, six columns a body, as in absolute
 * coordinates, from G in the workspace. The values live in `small`. */
void rt_small_jacobian(rt_small *small, const rt_search *search, const rt_pattern **pattern,
                       const double **values);
void rt_small_free(rt_small *small); /* NULL is allowed */

/* lambda made that of the smallest joint forces among those with the same G'lambda. */
routh_status rt_smallest_multipliers(rt_search *search, routh_error *error);

/* The measure of joint forces: lambda' W lambda, W a block for each joint, as entries (row, column,
 * value), rt_force_metric_size of them. rows: room for rt_most_rows gradients. Frames must be
 * evaluated. */
size_t rt_force_metric_size(const routh_mechanism *mechanism);
int rt_most_rows(const routh_mechanism *mechanism);
void rt_force_metric(const rt_search *search, rt_gradient *rows, int *row, int *column,
                     double *entry);

/* Static equilibrium from the present (assembled) configuration. */
routh_status rt_find_equilibrium(rt_search *search, bool accept_unstable, routh_error *error);

/* From search->begin: static equilibria one after the other, stable or not, while motions of angles
 * are taken to where they are to be. So each element of a beam takes its share; of whole motions,
 * which move few bodies at first, one element takes all, and may go through half a revolution. */
routh_status rt_lead_equilibrium(rt_search *search, routh_error *error);

/* The one that is near, stable or not, by Newton's method alone, from a state next to it;
 * NO_EQUILIBRIUM where a step is longer than 0.3 of the typical length. */
routh_status rt_follow_equilibrium(rt_search *search, routh_error *error);

/* Of the equilibrium that is evaluated: stable, or the direction that leads away from it in x; what
 * oscillates and what is not known are members of the search. growth: the largest real part, of a
 * closed loop and of forces without a potential, where it is not stable. */
routh_status rt_examine_equilibrium(rt_search *search, bool *stable, double *growth,
                                    routh_error *error);

/* Smallest eigenvalue of R'KR x = mu R'MR x (smallest real part where nonholonomic joints make
 * R'KR unsymmetric) and its direction R x in x, its largest step a unit of length. */
routh_status rt_softest_direction(rt_search *search, double *mu, routh_error *error);

/* Are all mu of that, with the symmetric part of K, above the bound? No dense matrix. *rounding:
 * what rounding of K may leave open of each mu. */
routh_status rt_softest_above(const rt_search *search, double bound, bool *above, double *rounding,
                              routh_error *error);

/* Is K, as evaluated at an equilibrium, not symmetric: are there forces without a potential? */
bool rt_is_circulatory(const rt_search *search);

/* Of the linear motion about the equilibrium that is evaluated: does it grow, at which rate, and as
 * an oscillation? Where it grows, its displacement into search->x, the largest step a unit of
 * length. Dense matrices of twice the degrees of freedom. */
typedef struct rt_growth {
    bool stable, oscillates;
    double rate; /* 1/s */
} rt_growth;

routh_status rt_find_growth(rt_search *search, rt_growth *growth, routh_error *error);

/* The tangent of the constraint manifold: R (n_u x z, column-major) with G R = 0 and S R = I,
 * where row k of S picks the k-th column of u in independent[z]. */
routh_status rt_tangent_basis(const rt_search *search, const int *independent, int z, double *R,
                              routh_error *error);

/* The largest single force on any body (torques over the typical length); 0 where there is none. */
double rt_largest_force(const rt_search *search);

/* What is out of balance: item b < n_bodies is body b, item n_bodies + e elastic coordinate e. The
 * largest component of what is left on it, as a force; the item's body; "along x by 3 N" of it. */
double rt_equilibrium_residual(const rt_search *search, int item, int *component);
int rt_equilibrium_residual_body(const routh_mechanism *mechanism, int item);
void rt_equilibrium_residual_words(const rt_search *search, int item, int component, char *text,
                                   size_t room);

/* How far a flexible body is deformed in its frame: the largest rotation of a node (rad; of nodes
 * that do not turn, of a line between two), the node's number, and the strain of the largest size.
 * The part of it that the theory of small deformations leaves out, an estimate; which body has the
 * largest (-1: none is flexible). */
typedef struct rt_deformation {
    double rotation, strain;
    int node;
} rt_deformation;

rt_deformation rt_deformation_of(const rt_flexible *shape, const double *q);
double rt_deformation_error(const rt_deformation *deformation);
int rt_most_deformed(const rt_search *search, rt_deformation *most);

/* What is said of loads, controllers and variables that depend on time itself, and of inputs that
 * their histories move (timed.c); nothing where none does. */
routh_status rt_timed_words(const rt_search *search, char *text, size_t room, routh_error *error);

/* Does a force or an equation of signals read the time? */
bool rt_reads_time(const routh_mechanism *m);

/* What is said of velocities that the model writes and a static equilibrium does not have; false
 * where none is written. */
bool rt_dropped_velocity_words(const rt_search *search, char *text, size_t room);

/* What is said of a deformation that the theory covers roughly; false where it is small. Whether
 * the theory covers it at all; NO_EQUILIBRIUM with `why` and the body; that, where it does not. */
bool rt_deformation_words(const rt_search *search, char *text, size_t room);
bool rt_deformation_is_covered(const rt_search *search);
routh_status rt_fail_deformed(const rt_search *search, const char *why, routh_error *error);
routh_status rt_check_deformation(const rt_search *search, routh_error *error);

/* The largest of the inertia forces M u' + c, of elastic coordinates too. Uses x and z. */
double rt_largest_inertia(rt_search *search);

/* The largest force that a body takes to turn at the present rates, |M| u^2; M as evaluated. */
double rt_turning_force(const rt_search *search);

/* The largest unbalanced force in r as a fraction of the largest single force, and its column. */
double rt_relative_residual(const rt_search *search, int *column);

/* d: n_u, how exactly each is known in the configuration as evaluated. */
void rt_rounding_of_unknowns(const rt_search *search, double *d);

/* The largest force that rounding of the configuration alone could make (torques over the typical
 * length). Needs K and uses z. */
double rt_rounding_force(rt_search *search);

/* The largest part of r on a body over the largest single force on it. Uses z. */
double rt_own_residual(rt_search *search);

/* Whether no force in r is larger than that. Needs K and uses z. */
bool rt_forces_are_rounding(rt_search *search);

/* The same, and whether what is left in r is hardly more than rounding along each direction that
 * the joints allow. Needs K and G and uses z. */
routh_status rt_within_rounding(rt_search *search, bool *within, routh_error *error);

/* The same, whatever rounding makes elsewhere. */
routh_status rt_within_own_rounding(rt_search *search, bool *within, routh_error *error);

/* The same of the forces that accelerate: of r where u' = 0. Leaves r, K and G evaluated there. */
routh_status rt_rest_within_rounding(rt_search *search, bool *within, routh_error *error);

/* The same of each body's own forces, n_bodies: a light body beside a heavy one is in balance by
 * its own. */
void rt_largest_force_by_body(const rt_search *search, double *largest);
void rt_rounding_force_by_body(rt_search *search, double *largest);

/* What was found in absolute coordinates in those of m, whose base the search was made with: its
 * state, to be freed by the caller. Frames and multipliers of `found` are as at its end. */
routh_status rt_carry_over(const rt_search *found, const routh_mechanism *m, bool is_static,
                           rt_state **state, routh_error *error);

/* The last part of it: u' and lambda of a search that stands where `found` does. */
routh_status rt_carry_forces(const rt_search *found, rt_search *search, bool is_static,
                             routh_error *error);

/* How a steady motion moves, `at` its state in absolute coordinates: along the parameter of the
 * variation (which is left elsewhere) the configuration, rates, forces and signals, and the turn of
 * the moving frame. NOT_SUPPORTED where a parameter turns an axis that follows gravity, SINGULAR
 * where there is no such motion beside it. */
typedef struct rt_steady_change rt_steady_change;
routh_status rt_steady_change_create(rt_steady_change **change, const routh_mechanism *mechanism,
                                     const rt_state *at, const routh_operating_point *point,
                                     routh_error *error);
routh_status rt_steady_change_find(rt_steady_change *change, rt_variation *variation, int parameter,
                                   const rt_moved *moved, double turn[3], routh_error *error);
/* Of what was found last: how the motion's own numbers change, its rate of rotation and then the
 * spins; and the acceleration of a spin. */
const double *rt_steady_change_rates(const rt_steady_change *change);
double rt_steady_change_spin_acceleration(const rt_steady_change *change, int spin);
void rt_steady_change_free(rt_steady_change *change); /* NULL is allowed */

/* A state that a branch of operating points has been at, of a mechanism of the same file with other
 * values of parameters (absolute coordinates where it has a base), and one more of them or NULL.
 * What is looked for lies at this part of the way from the state to that one. Of steady motions
 * also the motions, else NULL: the velocities of a state do not determine them. */
typedef struct rt_branch_start {
    rt_state_sizes sizes; /* of both */
    const rt_state *state, *other;
    const routh_steady *motion, *other_motion;
    double part;
    int *undetermined; /* becomes the number of independent ways in which the steady motion may
                          change into others, which is accepted here; NULL: nobody asks */
} rt_branch_start;

/* routh_operating_point_find, but the search begins where `start` leads to, and of static
 * equilibria goes to the one that is next to it, stable or not. A state of other sizes, NULL, and a
 * point as given: as written. */
routh_status rt_operating_point_follow(routh_operating_point **point, const routh_mechanism *m,
                                       const routh_operating_point_options *options,
                                       const rt_branch_start *start, routh_error *error);

/* The search's state is put on the line through two others of its mechanism's sizes, at part s of
 * the way from a to b. Does nothing where half a revolution lies between them. */
routh_status rt_begin_on_line(rt_search *search, const rt_state *a, const rt_state *b, double s,
                              routh_error *error);

/* The operating point at a state of m's own coordinates: its t, q, u, states of controllers and
 * inputs, which stay bit for bit where the constraints hold to options->tolerance; else they are
 * changed least. u', lambda, rates of states and variables are found; those of `state` are not
 * looked at, but for rates and variables, which the search starts from. options NULL: defaults. */
routh_status rt_point_from_state(routh_operating_point **point, const routh_mechanism *m,
                                 const rt_state *state, const routh_initial_state_options *options,
                                 routh_error *error);

#endif
