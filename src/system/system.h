/* Neck 2: the equations of a mechanism and their exact first partials.
 *
 *     r    = M u' + c + G' lambda - f                       motion            n_u rows
 *     Phi, Phi' = G u + Phi_t, Phi'' = G u' + g              constraints   n_rows at each level
 *     M    = dr/du'     D = dr/du     K = dr/dxi             n_u x n_u
 *     G    = dPhi/dxi = dPhi'/du = dPhi''/du'                n_rows x n_u
 *     V_x  = dPhi'/dxi,   A_u = dPhi''/du,   A_x = dPhi''/dxi
 *     L    = dr/dlambda - G'                                 only where loads use joint reactions
 *     R    = dr/dsignal                                      n_u x n_signals
 * Rows of Phi that hold velocities only (nonholonomic) have no value of position level: theirs is
 * zero there. Signals are the states of controllers, their rates, variables and inputs
 * (model/model.h); functions of them that are no loads are read by sensors (sensor.h).
 *
 * A mechanism is immutable: patterns and symbolic work are made once. A workspace holds every
 * number that changes and may be used by one thread at a time. */
#ifndef RT_SYSTEM_SYSTEM_H
#define RT_SYSTEM_SYSTEM_H

#include "base/identity.h"
#include "base/sparse.h"
#include "coordinates/coordinates.h"
#include "coordinates/joined.h"
#include "elements/joints.h"
#include "elements/flexible_inertia.h"
#include "elements/loads.h"
#include "routh/mechanism.h"

/* Where an element stands in the matrices: its frames, and the columns of u they depend on. */
typedef struct rt_block {
    int n_frames;
    const int *frames; /* markers, ground left out */
    int n_columns;
    const int *columns;  /* of u, ascending */
    int width;           /* the most columns of one of the frames */
    const int *local;    /* n_frames x width: which local column the frame's map column is */
    const int *position; /* n_columns x n_columns: where the entry is in pattern_K */
    const int *mass;     /* the same in pattern_M; NULL where the element has no part in M */
} rt_block;

typedef struct rt_constraint_block {
    rt_constraint constraint;
    rt_block block;
    const int *position;        /* n_rows x n_columns: where the entry is in pattern_G */
    int first_driven, n_driven; /* its pairs of rows and inputs among the mechanism's */
} rt_constraint_block;

typedef struct rt_load_block {
    int load;
    rt_block block;
    int place[3];       /* local frame of the first and second marker and of resolved_in; -1:
                            ground or none */
    const int *node_place; /* the same of the load's nodes, where they are more than two */
    int n_numbers;
    rt_scalar *numbers; /* as its class lists them (model/load_class.h) */
    int angle;      /* its own among the model's that count turns; -1: none */
    int n_programs; /* functions the user gave: 0, 1, 3 or 6 */
    rt_program program[RT_LOAD_FUNCTIONS];
    int n_lambda;      /* multipliers its expressions depend on, through joint reactions, and
                            signals */
    const int *lambda; /* the multipliers' rows of Phi; of signals n_rows + their place */
    const int *lambda_position; /* n_columns x n_lambda: where the entry is in pattern_L */
} rt_load_block;

typedef struct rt_body_block {
    rt_block block; /* one frame: the body's own marker, which is the body's number */
    rt_scalar mass;
    rt_scalar inertia[9];
    const int *own_position; /* n_columns: the coordinates' own row in pattern_G; or NULL */
} rt_body_block;

/* A flexible body: its frame is the body's, its elastic coordinates follow those of the coordinate
 * set, body by body. Positions in pattern_K and pattern_M of the partials: of what acts on the
 * frame by the elastic coordinates (frame's columns x n), of the elastic rows by the frame (n x
 * frame's columns), of the elastic rows by the elastic coordinates (on shape->pattern). */
typedef struct rt_flexible_places {
    const int *by_elastic, *by_frame, *inner;
} rt_flexible_places;

typedef struct rt_flexible_block {
    int body;
    const rt_flexible *shape;
    int first; /* its first elastic coordinate, among all */
    rt_flexible_places K, M;
} rt_flexible_block;

/* A marker on a node that moves in its body's frame: its columns are the body's, then
 * the node's. */
typedef struct rt_flexible_marker {
    int marker, body;
    int index; /* of the node, among the body's */
    const rt_flexible_node *node;
    int first; /* the body's first elastic coordinate, among all */
    int n_columns;
    const int *position; /* n_columns x n_columns in pattern_K */
} rt_flexible_marker;

/* A motion that follows an input: dPhi = a din, a with its jet in workspace->drive. */
typedef struct rt_driven_row {
    int row, input;
    int number; /* which signal of the row's program the input is */
} rt_driven_row;

/* The histories of inputs: one tape for values, first and second time derivatives of them all. */
typedef struct rt_histories {
    int n;
    const int *input;
    const rt_tape *tape;      /* inputs: the quantities of slot; outputs: n x 3 */
    int n_slots;
    const rt_quantity **slot; /* parameters and time */
    size_t work;              /* doubles that an evaluation needs in a state */
} rt_histories;

struct routh_mechanism {
    rt_arena arena;
    rt_graph *graph; /* the model's expressions and their derivatives */
    const routh_model *model;
    const char *coordinates;      /* name of the coordinate set */
    struct routh_mechanism *base; /* the same in absolute coordinates; NULL where these are */
    struct routh_mechanism *auxiliary; /* the same with mass and inertia for bodies that have none
                                          (auxiliary.h); NULL where all have */
    const struct routh_mechanism *plain; /* of an auxiliary one: the one that it is beside */
    const rt_coordinate_set *set; /* NULL where the set is a joined one, and then: */
    const rt_joined *joined;
    struct rt_joined_tables *tables;
    struct routh_mechanism *inner; /* on spatial frames, without the rows that hold of themselves */
    int n_q, n_u, n_rows;
    int n_bodies, n_markers, n_constraints, n_loads;
    /* Elastic coordinates of flexible bodies: they follow the coordinate set's, in q and in u (u is
     * q' there), those of body b from elastic_start[b] on. */
    int n_elastic, first_elastic, first_elastic_q; /* first: in u and in q */
    int *elastic_start;                            /* n_bodies + 1 */
    int n_flexible, n_flexible_markers;
    rt_flexible_block *flexible;
    rt_flexible_marker *flexible_markers;
    int *flexible_marker; /* n_markers: which of them, or -1 */
    int map_columns;      /* the most columns of one marker */
    int n_signals;      /* states of controllers, their rates, variables, inputs */
    int n_nonholonomic; /* rows that hold velocities only */
    bool *nonholonomic; /* n_rows */
    rt_slopes *along; /* of a variation: the direction its numbers are taken along; else NULL */
    rt_scalar gravity[3];
    rt_scalar *parameters;      /* values by quantity index */
    int *marker_body;           /* n_markers */
    rt_scalar *marker_position; /* n_markers x 3, body axes */
    rt_scalar *marker_orientation; /* n_markers x 9 */
    rt_body_block *bodies;
    rt_constraint_block *constraints;
    rt_load_block *loads;
    int n_joint_rows;     /* rows of joints; the coordinates' own rows follow */
    const unsigned *held; /* inner: rows that the coordinates hold, by joint; NULL: none */
    bool no_inertia;      /* inner: the coordinates bring their own mass and weight */
    bool *touched;        /* n_bodies: joints that have rows, or loads, act on it */
    int n_used;           /* markers that elements look at */
    int *used;
    rt_scalar origin[3];  /* inner: O, where its spatial vectors are taken; others: 0 */
    int *row_constraint;  /* n_joint_rows: which constraint the row belongs to */
    int *joint_rows;      /* 0, 1, ... n_joint_rows - 1 */
    rt_pattern pattern_K; /* K and D; block pairs of every element */
    rt_pattern pattern_M;
    int *mass_in_K;       /* entry of pattern_M -> the same entry in pattern_K */
    rt_pattern pattern_G; /* G, V_x, A_u, A_x */
    rt_pattern pattern_L; /* dr/dlambda beyond G': n_u x n_rows; often empty */
    rt_pattern pattern_R; /* dr/dsignal: n_u x n_signals, values in workspace->L after those of
                             pattern_L (its start[0] is where) */
    int n_driven;         /* pairs of a row and an input that moves it */
    rt_driven_row *driven;
    rt_histories histories;
    struct rt_sensors *sensors; /* of the equations of controllers, variables, outputs, kinks */
    rt_scalar *start_q, *start_u; /* where the bodies begin */
    double *start_near;           /* n_angles of the model, there */
    rt_scalar *reference_q, *reference_u; /* where joints with coordinates moved them from, at rest;
                                             NULL: they begin there */
    double length;           /* a typical length of the mechanism, for scaling rotations against
                           displacements */
    int max_frames;             /* of one element */
    int max_lambda;             /* of one load */
    int force_depth;            /* how deep force measures of loads refer to other loads' */
    size_t program_work;        /* doubles for any program */
    rt_analyses *analyses; /* of who made it and uses it again and again; NULL: none are kept */
};

/* One element's wrenches on its frames (n_frames x 6) and their partials: by the variations of
 * its frames (3 levels of (6 n_frames)^2) and by the multipliers of its list (6 n_frames x
 * n_lambda). */
typedef struct rt_element_result {
    rt_scalar *wrench, *partial, *lambda;
} rt_element_result;

enum { RT_FORCE_DEPTH = 4 };

/* How a marker moves with its columns of u: 6 x n each, row-major, as rt_map; that of a marker
 * fixed in its body's frame lies in `fixed`. */
typedef struct rt_marker_map {
    int n;
    bool still;
    rt_scalar *J, *J1, *J2u, *J2x;
    rt_scalar *wide; /* 24 map_columns; NULL where there are no flexible bodies */
    rt_map fixed;
} rt_marker_map;

/* All mechanisms that one model gives in one coordinate set are one. */
static inline uint64_t rt_mechanism_identity(const routh_mechanism *m)
{
    return rt_identity_of_text(m->model->identity, m->coordinates ? m->coordinates : "");
}

/* An operating state: what the equations are evaluated at. */
struct routh_state {
    uint64_t of;   /* the mechanism, by rt_mechanism_identity */
    size_t n;      /* numbers from q on to the end of signal, one after the other */
    rt_scalar t;
    rt_scalar *q, *u, *udot, *lambda;
    rt_scalar *signal; /* 3 n_signals: values, and first and second time derivatives (looked at for
                       inputs only, in motions) */
    double *near;   /* what each angle of the model that counts turns is near to, at time near[2 n]:
                       the n angles, then their n rates */
    bool *held;     /* n_inputs: an event gave the input its value, its history is over */
    rt_scalar *work; /* histories.work */
};
typedef struct routh_state rt_state;

enum {
    RT_EVALUATE_PHI = 1,      /* Phi and its two rates */
    RT_EVALUATE_JACOBIAN = 2, /* G */
    RT_EVALUATE_RESIDUAL = 4, /* r */
    RT_EVALUATE_MASS = 8,     /* M and L */
    RT_EVALUATE_TANGENT = 16, /* K and D */
    RT_EVALUATE_LEVELS = 32,  /* V_x, A_u, A_x */
    RT_EVALUATE_ALL = 63,
};

typedef struct rt_workspace {
    rt_arena arena;
    rt_frame *bodies;  /* n_bodies */
    rt_frame *markers; /* n_markers */
    rt_scalar *residual; /* r, n_u */
    double *scale;     /* n_u: largest single contribution to each row of r (absolute value) */
    rt_scalar *phi[3];   /* n_rows each: Phi, Phi', Phi'' */
    rt_scalar *M;        /* values on pattern_M */
    rt_scalar *K, *D;    /* values on pattern_K */
    rt_scalar *G, *Vx, *Au, *Ax; /* values on pattern_G */
    rt_scalar *L;                /* values on pattern_L, then on pattern_R */
    rt_scalar *drive;            /* n_driven x 3: jets of dPhi/din */
    double *near;       /* n_angles: what each is near to at the state that the frames are of */
    rt_scalar *wrench; /* n_bodies x 6: everything that acts on the body, residual sense, world */
    rt_scalar *carry;  /* n_bodies x 9: sum of f~ s~ over the markers of the body */
    /* flexible bodies */
    rt_scalar *elastic[3]; /* n_elastic: q, q', q'' of the state that the frames are of */
    rt_frame *nodes;     /* n_flexible_markers: the frames of their nodes */
    rt_scalar
        *node_wrench; /* n_flexible_markers x 6: all that acts on the marker, residual sense */
    rt_flexible_result *flexible; /* of one body */
    /* scratch of one element */
    rt_element_result result[RT_FORCE_DEPTH]; /* [0] is the element at hand; the others serve
                                                 force measures */
    rt_scalar *element_wrench;                /* result[0].wrench */
    rt_scalar *element_partial;               /* result[0].partial */
    rt_scalar *element_map;                   /* products */
    rt_scalar *element_product;               /* map_columns^2 */
    rt_marker_map *maps;                      /* max_frames */
    rt_marker_map *motion;                    /* of rt_marker_motion, with its columns */
    int *motion_columns;
    rt_scalar *motion_values;        /* the same in joined coordinates */
    struct rt_joined_work *joined;   /* NULL else */
    rt_scalar *program[RT_FORCE_DEPTH]; /* program_work */
    /* rt_evaluate_once: what it evaluated, 0 since anything else was; and where: the numbers of the
     * state, its time, what its angles are near to */
    int evaluated;
    rt_scalar *evaluated_at;
} rt_workspace;

/* What programs need at a state, with the frames of the workspace and work space for one. */
static inline rt_program_input rt_input_at(const routh_mechanism *m, const rt_workspace *w,
                                           const rt_state *state, rt_scalar *work)
{
    return (rt_program_input){.frames = {w->markers},
                              .time = state->t,
                              .near = w->near,
                              .parameters = m->parameters,
                              .signals = state->signal,
                              .rates = state->signal ? state->signal + m->n_signals : NULL,
                              .n_signals = m->n_signals,
                              .work = work};
}

/* Entries of L and R. */
static inline int rt_count_L(const routh_mechanism *m) { return m->pattern_R.start[m->n_signals]; }

/* Of the mechanism and all numbers of the state, for comparison (base/identity.h). */
uint64_t rt_state_identity(const rt_state *state);

routh_status rt_workspace_create(rt_workspace **workspace, const routh_mechanism *mechanism,
                                 routh_error *error);
void rt_workspace_free(rt_workspace *workspace);

routh_status rt_state_create(rt_state **state, const routh_mechanism *mechanism,
                             routh_error *error);
void rt_state_free(rt_state *state);

/* The state as a new one has it: where the mechanism begins. Allocates nothing. */
routh_status rt_state_start(const routh_mechanism *mechanism, rt_state *state, routh_error *error);
/* The signals as the model has them; rates are zero. */
void rt_signals_as_written(const routh_model *model, rt_scalar *signal);
void rt_state_copy(const routh_mechanism *mechanism, rt_state *to, const rt_state *from);

/* Angles that count turns (angles.c). `near` holds 2 n + 1 numbers, of a state. What the angles are
 * near to at the state's time, for the frames that are evaluated in the workspace. */
void rt_angles_refer(const routh_mechanism *mechanism, rt_workspace *workspace,
                     const rt_state *state);

/* The evaluated state is one that the mechanism was brought to: from here its angles go on, by
 * their rates as time does; `still`: as if they had none. */
void rt_angles_settle(const routh_mechanism *mechanism, rt_workspace *workspace, rt_state *state,
                      bool still);

void rt_take_angles(const routh_mechanism *mechanism, rt_state *to, const rt_state *from);
static inline size_t rt_count_near(const routh_mechanism *m)
{
    return m->model->n_angles ? 2 * (size_t)m->model->n_angles + 1 : 0;
}

/* The signals of a state, and which inputs are held. */
void rt_take_signals(const routh_mechanism *mechanism, rt_state *to, const rt_state *from);

/* Values and rates of the inputs with histories at the state's time (a new state has them at the
 * model's), but for those that an event holds. NUMERIC_ERROR names the input where one is not
 * finite. Allocates nothing. */
routh_status rt_input_histories_set(const routh_mechanism *mechanism, rt_state *state,
                                    routh_error *error);

/* Evaluates what is asked for at the state. ROUTH_NUMERIC_ERROR names the element where a number
 * is not finite or a direction does not exist (a spring of zero length). Allocates nothing. */
routh_status rt_evaluate(const routh_mechanism *mechanism, rt_workspace *workspace,
                         const rt_state *state, int what, routh_error *error);

/* The same, where it is not known that the workspace has it already, of this state and by this
 * function, so that nothing is evaluated then. */
routh_status rt_evaluate_once(const routh_mechanism *mechanism, rt_workspace *workspace,
                              const rt_state *state, int what, routh_error *error);

/* What row r of Phi is: its element ("joint bearing"), place and label. */
void rt_row_describe(const routh_mechanism *mechanism, int row, char element[192], rt_place *place,
                     const char **label);

/* The same with the frames as they are; state->q, u and u' are not looked at where bodies have
 * spatial frames. */
routh_status rt_evaluate_elements(const routh_mechanism *mechanism, rt_workspace *workspace,
                                  const rt_state *state, int what, routh_error *error);

/* The rows of joints on the bodies' spatial frames, values on inner->pattern_G. */
const rt_scalar *rt_inner_jacobian(const rt_workspace *workspace);

/* Of a ball with first column c: its three screws, and S Gamma = 2 J1 - J2u, as evaluated. */
void rt_joint_screws(const rt_workspace *workspace, int c, rt_scalar S[3][6], rt_scalar SG[3][6]);

/* q and u from the bodies' frames. */
void rt_take_frames(const routh_mechanism *mechanism, rt_workspace *workspace,
                    const rt_frame *bodies, rt_state *state);

/* The elastic coordinates and their rates, from a state of a mechanism of the same model. */
void rt_take_elastic(const routh_mechanism *mechanism, rt_state *to, const routh_mechanism *of,
                     const rt_state *from);

/* Do expressions of loads use accelerations, so that M is not of the bodies alone? */
bool rt_loads_have_mass(const routh_mechanism *mechanism);

/* q moved along xi. */
void rt_advance(const routh_mechanism *mechanism, rt_scalar *q, const rt_scalar *xi);

/* Whose column c of u is: the body (the one to name), and whether it is an angle (or of that
 * size). per_radian: a turn by a small angle moves it by so much; 1 for lengths. */
void rt_column(const routh_mechanism *mechanism, int c, int *body, bool *angle,
               rt_scalar *per_radian);

/* What a column of a displacement counts against the length 1, and of a rotation against the
 * typical length: variations divided by it are lengths. */
rt_scalar rt_column_unit(const routh_mechanism *mechanism, int c);

/* The elastic coordinate that column c of u is, among all; -1: it is none. */
static inline int rt_elastic_of_column(const routh_mechanism *m, int c)
{
    return c >= m->first_elastic && c < m->first_elastic + m->n_elastic ? c - m->first_elastic : -1;
}

/* Of elastic coordinate e: its body, and what it is. */
const rt_elastic *rt_elastic_coordinate(const routh_mechanism *mechanism, int e, int *body);

/* One marker's frame from its body's. rt_evaluate leaves those of markers that no element looks at
 * as they were, in coordinates that bodies share. */
void rt_evaluate_marker(const routh_mechanism *mechanism, rt_workspace *workspace, int marker);

/* Only the poses and twists of bodies and markers. */
void rt_evaluate_frames(const routh_mechanism *mechanism, rt_workspace *workspace,
                        const rt_state *state);

/* How a marker moves with u: as rt_map, 6 x n each, row-major, on the columns of u in `columns`
 * (ascending). It lives in the workspace until the next call. */
typedef struct rt_motion {
    int n;
    const int *columns;
    const rt_scalar *J, *J1, *J2u, *J2x;
} rt_motion;

/* How many columns of u move the body. */
int rt_count_columns(const routh_mechanism *mechanism, int body);

/* Does every body have six columns of its own? */
bool rt_has_six_columns(const routh_mechanism *mechanism);

/* Of a marker (any, also a body's own; ground gives n = 0) at the evaluated state. */
void rt_marker_motion(const routh_mechanism *mechanism, const rt_workspace *workspace,
                      const rt_state *state, int marker, rt_motion *motion);

/* One load's wrenches and partials on its block's frames, into workspace->element_*; false when
 * it has no direction. Frames must be evaluated. */
bool rt_load_block_evaluate(const routh_mechanism *mechanism, rt_workspace *workspace,
                            const rt_load_block *load, const rt_state *state, bool partials);

/* Do load k's expressions use the force of the joint that has the row? */
bool rt_load_uses_force(const routh_mechanism *mechanism, int k, int row);

/* Load k's wrenches and partials on its frames, as evaluated, with lambda and the signals of the
 * state: rt_load_numbers of them. */
size_t rt_load_numbers(const routh_mechanism *mechanism, int k);
void rt_load_read(const routh_mechanism *mechanism, rt_workspace *workspace, const rt_state *state,
                  int k, rt_scalar *out);

/* What a load stores of energy, but for its functions. Frames must be evaluated. */
rt_scalar rt_load_energy(const routh_mechanism *mechanism, const rt_workspace *workspace,
                         const rt_load_block *load);

/* Force and torque of a load on its first marker, on the ground too; zero where it has no
 * direction. */
void rt_load_on_first(const routh_mechanism *mechanism, rt_workspace *workspace,
                      const rt_load_block *load, const rt_state *state, rt_scalar wrench[6]);

/* Force and torque of a joint (constraint c) on its first marker: -G' lambda there. */
void rt_joint_reaction(const routh_mechanism *mechanism, rt_workspace *workspace,
                       const rt_state *state, int constraint, rt_scalar wrench[6]);

#endif
