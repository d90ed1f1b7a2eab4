/* The parts of a sweep. */
#ifndef RT_STUDIES_SWEEP_H
#define RT_STUDIES_SWEEP_H

#include <pthread.h>

#include <complex.h>
#include <stdbool.h>

#include "base/arena.h"
#include "model/model.h"
#include "operating/operating.h"
#include "routh/sweep.h"
#include "studies/sweep_sources.h"

/* What changes while threads work: held by one at a time. */
typedef struct rt_sweep_counts {
    pthread_mutex_t lock;
    int done, computed; /* points */
    int stop;           /* asked for */
} rt_sweep_counts;

/* What all threads share: nothing of it changes but counts and the request to stop, which are
 * touched under a lock. */
typedef struct rt_sweep_task {
    const routh_model *model; /* as read first; its text is read again for every value */
    routh_sweep_options options;
    const char *parameter[2];
    int n_axes;
    double second;    /* value of the second parameter; of one line */
    double step;      /* the longest between values of the first */
    double low, high; /* of the first */
    bool derivatives; /* there are some, by the first parameter */
    int speed;        /* which parameter of the model is the speed, -1: none */
    rt_sweep_counts *counts;
    rt_sweep_sources *sources; /* of the axes' parameters; NULL: every model is read */
    int all;
} rt_sweep_task;

/* Everything at one value. */
typedef struct rt_solution {
    double value;
    routh_status status; /* other than OK: nothing below, and why: */
    char message[1024];  /* of OK: why derivatives are refused */
    routh_operating_point *point;
    const rt_state *state; /* in absolute coordinates where there is a base */
    rt_state_sizes sizes;
    routh_linear *linear;
    bool followed; /* from the neighbour; false: as written */
    int undetermined; /* ways in which a steady motion may change into others, by equations at this
                         value; it is followed */
    double length;    /* the mechanism's typical one */
    int n;
    double _Complex *lambda; /* n, in the order of routh_modes */
    double _Complex *V;      /* n x n, column-major: right vectors */
    double *bound;
    int *conjugate, *multiplicity;
    bool *rigid;
    double zero_margin;        /* of what was taken as zero, over the smallest that was not */
    double _Complex *slope[2]; /* of lambda by the first parameter and the second; NAN of multiple
                                  ones; NULL where not asked for or refused */
    double speed;              /* NAN where none was asked for */
} rt_solution;

/* The solution at a value; its status is STOPPED where a stop was asked for. from: of another
 * value, a neighbour, where the search begins and whose states are taken; NULL: as written. A value
 * without solution is no failure of the call, which fails for want of memory only. */
routh_status rt_solution_find(const rt_sweep_task *task, double value, const rt_solution *from,
                              rt_solution *solution, routh_error *error);

/* How a solution is found where more is asked for. */
typedef struct rt_solution_way {
    const rt_solution *other; /* one more of the branch: the search begins on the line through it
                                 and `from`, and where that fails as without; NULL: there is none */
    double part;              /* of the way from `from` to it; 0: as the values are */
    int n_slopes;             /* derivatives by so many parameters, where the model has them */
    bool
        extended; /* matrices in extended precision: bounds know what rounding makes of the model */
    bool
        doubles; /* in doubles whatever these leave in doubt: near a limit a mode is all but zero */
    bool
        followed; /* where the neighbours do not lead to a point here there is none: the search does
                      not begin anew */
    bool line;    /* the search begins on the line where something moves freely too */
} rt_solution_way;

routh_status rt_solution_find_by(const rt_sweep_task *task, double value, const rt_solution *from,
                                 const rt_solution_way *way, rt_solution *solution,
                                 routh_error *error);

/* With the derivatives by the first n_slopes parameters, where the model has them. */
routh_status rt_solution_find_slopes(const rt_sweep_task *task, double value,
                                     const rt_solution *from, int n_slopes, rt_solution *solution,
                                     routh_error *error);
void rt_solution_free(rt_solution *solution);

/* The derivatives by the first parameter of the eigenvalues of one that is there, n; NAN where
 * there is none. */
routh_status rt_solution_slopes(const rt_sweep_task *task, const rt_solution *solution,
                                double _Complex *by, routh_error *error);

/* The same of a mechanism; *solution zeroed, modes: all of them, both to be freed in any case. */
routh_status rt_solution_of(const routh_sweep_options *options, const routh_mechanism *mechanism,
                            const rt_solution *from, rt_solution *solution, routh_modes **modes,
                            routh_error *error);

/* Are both there, and in the same states? */
bool rt_solutions_compare(const rt_solution *a, const rt_solution *b);

/* ---- which mode goes on as which ------------------------------------------------------------- */

typedef enum rt_sweep_doubt { RT_CERTAIN, RT_MEETS, RT_EQUAL, RT_UNCERTAIN } rt_sweep_doubt;

typedef struct rt_match {
    int n;
    int *to;               /* n: eigenvalue k of a goes on as to[k] of b */
    rt_sweep_doubt *doubt; /* n: of k */
    int *group;            /* n: those that belong together have the same number */
    int *list;             /* n: scratch */
    double certainty;      /* 0 .. 1: of the least certain */
    bool certain;          /* no k is uncertain */
    double _Complex *X;    /* n x n, column-major: (w_i^H v_j)(w_j^H v_i), bi-orthogonal, whose rows
                           and columns sum to 1 */
    rt_arena arena;
} rt_match;

/* Both solved, of the same n and in the same states. Where eigenvalues of b are equal and leave
 * their shapes open, b's are turned to go on from a's, if b may be touched. */
routh_status rt_match_find(rt_match *match, const rt_solution *a, rt_solution *b, bool touch,
                           routh_error *error);
void rt_match_free(rt_match *match);

/* Where the pair i, j of a is at b, though it may not be known which is which: the two with the
 * largest parts in its space. */
void rt_match_place_pair(const rt_match *match, int i, int j, int to[2]);

/* Of a group of two, in doubt until now, or of two that stand alone: which goes on as which is
 * known after all, with what they were matched with or the other way round. */
void rt_match_settle(rt_match *match, int i, int j, bool swap);

/* A group of these two alone, which is in doubt. */
bool rt_match_is_open_pair(const rt_match *match, int i, int j);

/* What part of the step lies before the value where i and j of a meet by interpolation, or are
 * equal or nearly so though their shapes have something to do with each other; -1 where there is
 * none, and where the step is no longer than finest[0] (of what meets) and finest[1]. */
double rt_match_suspect(const rt_match *match, const rt_solution *a, const rt_solution *b, int i,
                        int j, const double finest[2]);

/* ((lambda_i - lambda_j) / 2)^2: analytic in the parameter, also where the two meet. */
double _Complex rt_discriminant(double _Complex a, double _Complex b);

/* ---- a piece of a line ----------------------------------------------------------------------- */

typedef struct rt_event_list {
    int n, room;
    routh_sweep_event *events; /* branches: numbers of eigenvalues at the start of the piece */
} rt_event_list;

/* A value as kept: eigenvalues by branch. */
typedef struct rt_kept {
    double value;
    bool on_grid, restart; /* restart: branches have nothing to do with those before */
    double certainty, speed;
    char *message;
    bool given; /* the operating point is as the model says, not on a branch that may end */
    int n, steady, unstable;
    double (*eigenvalue)[2];
    double *bound;
    int *partner, *rigid; /* by branch too */
    int *place;           /* of branch k: which eigenvalue */
} rt_kept;

/* What operating points between the values of the grid are for. */
typedef enum rt_sweep_purpose {
    RT_FOR_LIMITS,
    RT_FOR_CROSSINGS,
    RT_FOR_MODES, /* telling them apart */
    RT_N_PURPOSES
} rt_sweep_purpose;

/* How many of them a piece may still compute: the same whatever other pieces do, and how fast. */
typedef struct rt_sweep_store {
    int left[RT_N_PURPOSES];
    bool crossings; /* these are sought: modes that are not told apart leave some out */
    bool refused;   /* one more was wanted since this was cleared */
} rt_sweep_store;

rt_sweep_store rt_sweep_store_of(const routh_sweep_options *options, int n_steps);

/* Takes one; false where none is left. */
bool rt_sweep_take(rt_sweep_store *store, rt_sweep_purpose purpose);

/* A value of the grid, as the first pass over it leaves it to the second. */
typedef struct rt_plain_value {
    rt_solution solution;
    bool there;     /* the solution was kept */
    bool goes_on;   /* from the value before */
    double lost[2]; /* between these the operating point ended; NAN: it did not */
    bool ends;      /* it did, and `at` is the last that there is of it, after the value before */
    rt_solution at;
} rt_plain_value;

/* Values first .. last of the grid; the solutions at both ends are there. */
typedef struct rt_segment {
    const rt_sweep_task *task;
    const double *grid;
    int first, last;
    const rt_solution *begin;
    rt_solution *end;
    int n_kept, room;
    rt_kept *kept; /* of what lies after the first, the last included; the first too in the first */
    rt_event_list list;
    bool beyond;           /* there is another piece behind */
    bool keeps;            /* solutions of the first pass stay there for the second */
    rt_plain_value *plain; /* last - first + 1, of values first .. last */
    bool interrupted;      /* not all values between its ends are done */
    bool refined;          /* the second pass has been here */
    int n_bounded, n_left; /* steps: see routh_sweep */
    routh_status status;
    routh_error error;
} rt_segment;

/* The values of the grid alone. */
void rt_segment_run_grid(rt_segment *segment);
/* Once more, with what lies between them. Stopped, the steps that are done are kept, and the grid
 * of the others. */
void rt_segment_refine(rt_segment *segment);

/* What it has found as bytes, with the number of points that were computed for it; empty without
 * memory. And back, in place of what the piece holds, that number added to *computed. */
void rt_segment_pack(const rt_segment *segment, int computed, routh_text *packed);
routh_status rt_segment_unpack(rt_segment *segment, const routh_text *packed, int *computed,
                               routh_error *error);
void rt_segment_release(rt_segment *segment);
routh_status rt_event_add(rt_event_list *list, const routh_sweep_event *event, routh_error *error);
/* One value more; branch[k]: of eigenvalue k, NULL: numbered anew. */
routh_status rt_segment_keep(rt_segment *segment, const rt_solution *from, const int *branch,
                             bool on_grid, bool restart, double certainty, routh_error *error);
void rt_kept_release(rt_kept *kept);

/* What happens between two neighbouring values, solved for and added to the list; branch[k] is the
 * branch of eigenvalue k of a. */
routh_status rt_events_between(const rt_sweep_task *task, const rt_solution *a,
                               const rt_solution *b, const rt_match *match, const int *branch,
                               rt_sweep_store *store, rt_event_list *list, routh_error *error);

/* The discriminant of two eigenvalues at three values in a row, the middle one that of a. */
typedef struct rt_nearing {
    double value[3];
    double _Complex D[3];
} rt_nearing;

/* Adds the veering of eigenvalues i and j of a, if there is one about a. */
routh_status rt_veering_look(const rt_sweep_task *task, const rt_solution *a, int i, int j,
                             const rt_nearing *nearing, const int *branch, rt_sweep_store *store,
                             rt_event_list *list, routh_error *error);

/* A point is computed, and so many parts of the whole are done; true: stop. */
bool rt_sweep_tell(const rt_sweep_task *task, int done);

/* A step between values is done, without a point of its own. */
bool rt_sweep_step_done(const rt_sweep_task *task);

/* An on_progress for a call within the sweep, with the task as its data. */
int rt_sweep_within(void *task, int done, int all);

bool rt_sweep_stopped(const rt_sweep_task *task);

/* Is a mode looked at, where modes are to be told apart and crossings sought? */
bool rt_sweep_is_below(const rt_sweep_task *task, double _Complex lambda);

#endif
