/* What the search for a steady motion keeps; private to the room. docs/theory/steady-motion.md.
 *
 * Every body is carried by one moving frame, with angular velocity Omega e and, of its point at the
 * world's origin, velocity v_O; bodies that spin turn in it at the rate s about an axis a fixed in
 * them:
 *     v = v_O + Omega e x r,   w = Omega e + s a,   v' = Omega e x v + a_O,
 *     w' = Omega e x w + s' a.
 * a_O, constant in the frame, and s' are zero but in accelerated motions.
 * Flexible bodies keep their shape, which is unknown: u = u' = 0 of elastic coordinates.
 * Unknowns y: the configuration xi, lambda, the motion (v_O, Omega, s, a_O, s'), states of
 * controllers (of drifting ones their rates), variables and free inputs. Equations: r = 0, Phi = 0,
 * Phi' = 0, those of controllers with x' = 0, what is prescribed, and that no step goes along the
 * motion itself. */
#ifndef RT_OPERATING_STEADY_H
#define RT_OPERATING_STEADY_H

#include "base/pivoted_qr.h"
#include "operating/signals.h"

/* The motion's own numbers, as unknowns: v_O, Omega, s of each spin, then, if it is accelerated,
 * a_O and s' of each spin. */
enum { RT_MOTION_RATE = 3, RT_MOTION_SPINS = 4 };

/* Unknowns beyond which the dense matrices are refused. */
enum { RT_STEADY_MOST = 1500 };

/* Where the search began, where a step began, the last place on a path, the best one. */
typedef enum rt_steady_place {
    RT_STEADY_START,
    RT_STEADY_STEP,
    RT_STEADY_PATH,
    RT_STEADY_BEST,
    RT_STEADY_NOW,      /* while a later time is looked at */
    RT_STEADY_SETTLED,  /* nearest to balance while the mechanism settled */
    RT_STEADY_ROUNDING, /* while it is found out whether what is left is rounding */
    RT_STEADY_PLACES
} rt_steady_place;

/* Values, partials (n_rows x n_columns of the whole, column-major) and the sizes of the rows, by
 * which the search goes; own: of rows of balance, the largest single force on the body, by which
 * what is found is judged. */
typedef struct rt_steady_system {
    double *F, *J, *row_unit, *own;
} rt_steady_system;

typedef struct rt_steady_rounding rt_steady_rounding;

typedef struct rt_steady_search {
    rt_search *s;
    const rt_steady *asked;
    rt_arena arena;
    double e[3];    /* axis of the turn, unit, world */
    double *motion; /* n_motion: v_O, Omega, s, a_O, s'; then lambda, variables at the later time */
    int n_motion, n_kept;
    int acceleration;  /* where a_O is in it; -1: there is none */
    bool natural;      /* steps are judged by what is left to move, not by what is out of balance */
    bool driven;       /* joints prescribe it: held until the later time is looked at */
    int *spin_of_body; /* n_bodies: the number of its spin, or -1 */
    bool *drifts;      /* n_x */
    bool *timed;       /* n_rows of the mechanism: its row is a function of time itself too */

    /* unknowns: xi first */
    int at_lambda, at_motion, at_x, at_variable, at_input, n_columns;
    /* equations: r first */
    int in_phi, in_rates, in_signals, in_prescribed, in_turn, in_gauge, in_felt, n_equations;
    /* With `late`, the first in_prescribed equations at a later time follow, and lambda and
     * variables there as unknowns: steady_late.c. In use are so many: */
    bool late;
    double later;
    int n_rows, n_unknowns, most_rows, most_unknowns;

    rt_sensor_row *prescribed; /* n_prescribed */
    rt_steady_system whole, at_later;
    rt_steady_system *filled; /* one of them */
    double *offset;           /* F - offset is made zero; zero but on continuation */
    double *U, *A;            /* n_u x n_motion, column-major: du and du' by the motion */
    double *column_unit;      /* natural sizes of the unknowns */
    double rate;              /* what speeds are measured by, 1/s */
    double least_rate;        /* the same without the motion as it is now, which may run away */
    double *force;            /* n_bodies: what forces on each are measured by, N */
    double *largest;          /* n_bodies: the largest single one on each, N */
    double *rounding;         /* n_bodies: what rounding of places makes of them at most, N */

    /* of accelerations along what is felt (steady_felt.c), at both times only: P, square by a_O and
     * s', and room to find it in */
    bool clocked; /* forces or signals are functions of time itself */
    double *felt, *carried;
    rt_pivoted_qr feel;

    /* of a step (steady_factor.c): the scaled J and its factors, F scaled where the step began */
    double *matrix, *u, *vt, *sigma, *row_scale, *column_scale, *start, *b, *step, *work;
    double *row_factor, *column_factor; /* of a row of F, of a column's part in a step: as J was */
    int *packed;  /* which unknowns are the columns of qr: those that are not held */
    double *room; /* for damped steps; NULL: none yet */
    double *null; /* vectors of the null space, by how much their parts count */
    rt_pivoted_qr qr;
    bool by_values;   /* singular values and vectors are there, not only the factors */
    int rank, n_null; /* of the scaled J; vectors of its null space */

    rt_steady_rounding *judge; /* of what is left of the balance; NULL: none yet */

    bool only_forces; /* steps change lambda, variables and rates of drifting states alone */
    bool own;         /* forces on each body are measured by its own */
    bool plain;       /* those that are nothing but rounding too */
    bool held;        /* steps leave the motion as it is */
    bool settles;     /* the same but for spins that nothing prescribes (steady_settle.c) */
    double per_step;  /* 1/h while the mechanism relaxes, 0 otherwise (steady_relax.c) */
    double damping;   /* 1/s, of it */
    double last_step; /* of the last step in natural units: how far the motion may be off */
    double way;       /* how far motions that last were followed at most, 0 to 1 */
    bool balanced;    /* the state as written is in balance now, with what is prescribed */

    rt_state *kept[RT_STEADY_PLACES]; /* places to come back to */
    double *kept_motion[RT_STEADY_PLACES];
} rt_steady_search;

/* ---- making and kinematics (steady_make.c, steady_motion.c) --------------------------------- */

routh_status rt_steady_create(rt_steady_search *k, rt_search *search, bool accelerated,
                              routh_error *error);
void rt_steady_release(rt_steady_search *k);

/* a_O; zero where there is none. */
const double *rt_steady_acceleration(const rt_steady_search *k);

/* s' of a spin; zero where there is none. */
double rt_steady_spin_acceleration(const rt_steady_search *k, int spin);

/* The angle of a spin after the time t. */
double rt_steady_spin_angle(const rt_steady_search *k, int spin, double t);

/* a_O near the accelerations of the state, as constraints allow it to all bodies together. */
void rt_steady_fit_acceleration(rt_steady_search *k);

/* Do prescribed motions accelerate, whatever moves? At the state as it is. */
routh_status rt_steady_is_driven(rt_search *search, bool *accelerated, routh_error *error);

/* Mass of a body, flexible or not. */
double rt_steady_mass(const rt_steady_search *k, int body);

/* The motion nearest to u as it is; what the file prescribes of it is taken, if `prescribed`. False
 * where u leaves the rate of rotation open. */
bool rt_steady_fit(rt_steady_search *k, bool prescribed);

/* The motion that the search begins at, where it begins at one with as many spins; what the file
 * prescribes of it is taken, if `prescribed`. False: it begins at none. */
bool rt_steady_begin(rt_steady_search *k, bool prescribed);

/* u and u' of the state from the configuration and the motion. */
void rt_steady_rates(rt_steady_search *k);

/* The same for all times: the configuration after the time t of this very motion. */
void rt_steady_carry(rt_steady_search *k, double t);

/* D with a displacement D v in the time t of what moves with v and turns with Omega e, row-major,
 * and its derivative by Omega. */
void rt_steady_displacement(const rt_steady_search *k, double t, double D[9], double by_rate[9]);

/* B with a displacement B a_O in the time t beside that, row-major, and its derivative by Omega. */
void rt_steady_acceleration_displacement(const rt_steady_search *k, double t, double B[9],
                                         double by_rate[9]);

/* ---- sizes (steady_sizes.c) ----------------------------------------------------------------- */

/* The body of column c of u. */
static inline int rt_steady_body_of(const rt_steady_search *k, int c)
{
    const int e = rt_elastic_of_column(k->s->m, c);
    int body = c / 6;
    if (e >= 0) (void)rt_elastic_coordinate(k->s->m, e, &body);
    return body;
}

/* Takes the state as it is for what the file says of speeds. */
void rt_steady_set_least_rate(rt_steady_search *k);

/* k->rate, force, rounding, column_unit and the row_unit of k->filled, with all evaluated. */
void rt_steady_measure(rt_steady_search *k);

/* ---- equations (steady_equations.c) --------------------------------------------------------- */

/* u, u', all that is evaluated, F; with J where it is wanted. */
routh_status rt_steady_evaluate(rt_steady_search *k, bool jacobian, routh_error *error);

/* Room for P; and the equations P (a_O, s') = 0, which are evaluated after the others of both
 * times. P is found where J is, and is that of the last J otherwise. */
routh_status rt_steady_felt_create(rt_steady_search *k, routh_error *error);
routh_status rt_steady_add_felt(rt_steady_search *k, bool jacobian, routh_error *error);

/* The largest part of F - offset, each over its size: forces over the largest single one on that
 * body, lengths, speeds, signals. */
double rt_steady_error(const rt_steady_search *k);

/* ---- rounding (steady_rounding.c) ------------------------------------------------------------ */

/* The largest force out of balance at the equations in use, each over the largest single one on its
 * body. */
double rt_steady_unbalanced(const rt_steady_search *k);

/* What is left of the balance; small: no body is further out of it than rounding may make any. */
typedef struct rt_steady_remainder {
    bool small, is_rounding;
    double left; /* where it is rounding: what is not, in parts of the largest single force */
} rt_steady_remainder;

/* Is it rounding of places, but for `limit` of the largest single force on each body? `now`: of the
 * state that is evaluated in s->w, to which k->whole belongs; otherwise of all times whose
 * equations are in use, which are left evaluated. */
routh_status rt_steady_judge_now(rt_steady_search *k, double limit, rt_steady_remainder *out,
                                 routh_error *error);
routh_status rt_steady_judge(rt_steady_search *k, double limit, rt_steady_remainder *out,
                             routh_error *error);

/* ---- steps (steady_factor.c, steady_step.c) -------------------------------------------------- */

/* Scales J and takes it apart: rank, null space (in the last rows of vt); fully: singular values
 * and vectors too. */
routh_status rt_steady_decompose(rt_steady_search *k, routh_error *error);
routh_status rt_steady_decompose_fully(rt_steady_search *k, routh_error *error);

/* Keeps F - offset, from which steps are made; then k->step with damping mu, in parts of the
 * largest singular value. */
void rt_steady_begin_step(rt_steady_search *k);

/* All that a step is made from, at the state, which is kept (RT_STEADY_STEP). */
routh_status rt_steady_prepare_step(rt_steady_search *k, routh_error *error);

double rt_steady_step_length(const rt_steady_search *k); /* the largest displacement or turn, over
                                                            the typical length */
routh_status rt_steady_make_step(rt_steady_search *k, double mu, routh_error *error);

/* What Newton's method would move by from where F is now, |V (U'F / sigma)|, with J as it was,
 * taken apart fully (Deuflhard's natural level): bent thin beams come nearer by it where their
 * axial forces grow at first. */
double rt_steady_natural_distance(const rt_steady_search *k, const double *unit);

/* Whether the equations at a later time are among those in use. Of that time first they are
 * evaluated by themselves (the state comes back to the present, what is evaluated does not), then,
 * when the present is evaluated, added to the whole. */
void rt_steady_set_late(rt_steady_search *k, bool late);
routh_status rt_steady_evaluate_late(rt_steady_search *k, bool jacobian, routh_error *error);
void rt_steady_add_late(rt_steady_search *k, bool jacobian);

/* The equations at the state as it is, into k->filled. */
routh_status rt_steady_evaluate_here(rt_steady_search *k, bool jacobian, routh_error *error);

/* F alone of the state as it is, no sizes: at a fraction of the cost. */
routh_status rt_steady_evaluate_values(rt_steady_search *k, routh_error *error);

/* du and du' of one body by its own xi, 6 x 6 each, row-major; by the motion, into k->U, k->A. */
typedef struct rt_body_rates {
    double U[36], A[36];
} rt_body_rates;

void rt_steady_rates_by_place(const rt_steady_search *k, int body, rt_body_rates *out);

/* y moved by k->step from where the step began. */
void rt_steady_move(rt_steady_search *k);

/* F = offset from where y is, by damped Gauss-Newton steps, to `good`; *reached is the error. The
 * state is left at the best place. ROUTH_OK also where it ends short of it. */
routh_status rt_steady_newton(rt_steady_search *k, double good, int most, double *reached,
                              routh_error *error);

/* Takes J, as it was evaluated last, apart and goes one step more, where that does no harm. *size:
 * its length in natural units, infinite where there is none. */
routh_status rt_steady_polish(rt_steady_search *k, double *size, routh_error *error);

/* k->step = -J^+ F of the F that is in k->whole, J as taken apart last. */
routh_status rt_steady_solve(rt_steady_search *k, routh_error *error);

void rt_steady_keep(rt_steady_search *k, rt_steady_place place);
void rt_steady_restore(rt_steady_search *k, rt_steady_place place);

/* ---- relaxation (steady_relax.c) ------------------------------------------------------------- */

/* From where y is, lets the mechanism move with much dissipation to near a motion. *reached is the
 * error there. Where it comes to none, the state is left anywhere. */
routh_status rt_steady_relax(rt_steady_search *k, double *reached, routh_error *error);

/* ---- settling (steady_settle.c) -------------------------------------------------------------- */

/* From where y is, lets the mechanism settle at its velocity and rate of rotation: to where spins
 * roll. The state is left where that ends; RT_STEADY_SETTLED is the place nearest to balance on the
 * way. NUMERIC_ERROR: it cannot be evaluated. */
routh_status rt_steady_settle(rt_steady_search *k, routh_error *error);

/* ---- axes along a parameter (steady_axes.c) -------------------------------------------------- */

/* What the axes change by, and with the motion held the rates of all bodies; at the later time
 * their places too. Elastic coordinates: 0. */
typedef struct rt_steady_axes {
    bool move; /* any of the axes */
    double by_e[3], *by_spin /* n_spins x 3 */;
    double *xi, *u, *udot; /* n_u */
} rt_steady_axes;

routh_status rt_steady_axes_create(rt_steady_axes *axes, const rt_steady_search *k, rt_arena *arena,
                                   routh_error *error);
routh_status rt_steady_axes_find(rt_steady_axes *axes, const rt_steady_search *k,
                                 const rt_variation *variation, routh_error *error);
void rt_steady_axes_now(rt_steady_axes *axes, const rt_steady_search *k, const rt_state *now);
void rt_steady_axes_later(rt_steady_axes *axes, const rt_steady_search *k, const rt_state *now,
                          const rt_state *later);

/* ---- the search, and its end (steady_search.c, steady_check.c, steady_lasts.c, steady_words.c) */

routh_status rt_steady_search_motion(rt_steady_search *k, routh_error *error);

/* Where all that failed: from where the mechanism settles at the velocity with which the search
 * began. */
routh_status rt_steady_search_settled(rt_steady_search *k, bool *found, routh_error *error);

/* Where the motion that was found is balanced for an instant only: with the motion held as
 * written, or with none, while the bodies find their balance. What springs and dampers tie to
 * ground may balance with any velocity for an instant, and lasts with none. */
routh_status rt_steady_search_held(rt_steady_search *k, bool at_rest, bool *found,
                                   routh_error *error);

/* Is what was found one motion (no free direction changes it), and does it go on? */
routh_status rt_steady_determined(rt_steady_search *k, routh_error *error);
routh_status rt_steady_goes_on(rt_steady_search *k, double *drift, routh_error *error);

/* Velocities of all together that no equation feels, J as evaluated last: unit vectors, world; how
 * many. */
int rt_steady_unfelt(const rt_steady_search *k, double directions[9]);

/* Names what free directions change of the motion, in text; how many such directions there are. */
int rt_steady_open(const rt_steady_search *k, char *text, size_t room);

/* Says that the motion breaks off, by the equation that no longer holds. */
routh_status rt_steady_stops(rt_steady_search *k, int equation, routh_error *error);

/* Says that what was found does not last, and that motions that do end on the way there. */
routh_status rt_steady_ends(const rt_steady_search *k, double way, routh_error *error);

/* Says that the search ended at the error `reached`. J is taken apart at that place. */
routh_status rt_steady_fail(rt_steady_search *k, double reached, routh_error *error);

/* Steady motion from the assembled state with consistent velocities; point->steady is filled. */
routh_status rt_find_steady(rt_search *search, routh_operating_point *point, routh_error *error);
void rt_steady_free(routh_steady *steady); /* NULL is allowed */

#endif
