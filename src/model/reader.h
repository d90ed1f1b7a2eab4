/* What the parts of the reader share while one model is read. */
#ifndef RT_MODEL_READER_H
#define RT_MODEL_READER_H

#include "model/fields.h"
#include "model/names.h"
#include "model/number.h"

/* Which quantities a function may use; each level includes those before it. */
typedef enum rt_allowed { RT_ALLOW_TIME, RT_ALLOW_POSITIONS, RT_ALLOW_ALL } rt_allowed;

struct rt_model_index {
    rt_names points; /* bodies and the user's markers -> marker */
    rt_names joints;
    rt_names loads;
    rt_names parameters;
};

/* A load whose function asks for the force of another. */
typedef struct rt_load_use {
    int load, used;
    rt_place place;
} rt_load_use;

enum { RT_VALUE_CACHE = 256 };

typedef struct rt_reader {
    routh_model *model;
    struct rt_model_index *index;
    routh_error *error;
    const char *file;
    char element[192]; /* what is being read, for messages: "joint bearing" */
    rt_arena scratch;  /* lives as long as the reading */
    rt_calculator calculator;

    int n_user_points;                         /* bodies and the user's markers */
    int marker_room;                           /* markers there is memory for */
    const rt_yaml **joint_nodes, **load_nodes; /* by index, for messages about them */

    rt_quantity *quantities; /* grows; copied to the model at the end */
    int n_quantities, quantity_room;
    int *quantity_table; /* hash to index + 1 */
    int table_room;

    int n_parameters_known; /* parameters whose value is computed have known[k] */
    unsigned char *parameter_state;
    int wanted; /* the parameter that a parse stopped for, -1 */

    rt_allowed allowed; /* in the function being read */
    int function_load;  /* the load it belongs to, -1 */
    rt_place function_place;
    rt_load_use *uses;
    int n_uses, use_room;

    rt_expr cached[RT_VALUE_CACHE]; /* expression + 1 whose value is in cached_value */
    double cached_value[RT_VALUE_CACHE];
} rt_reader;

/* ---- messages -------------------------------------------------------------------------------- */

routh_status rt_reader_fail(rt_reader *r, rt_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the element for messages: kind "joint", name "bearing". */
void rt_reader_element(rt_reader *r, const char *kind, const char *name);

/* ", did you mean 'x'?" or "" into text. */
const char *rt_did_you_mean(const char *word, const char *const *candidates, char *text,
                            size_t size);

/* Names of bodies and markers (NULL-terminated, in the scratch arena; NULL when out of memory). */
const char *const *rt_reader_point_names(rt_reader *r);
const char *const *rt_reader_keys(rt_reader *r, const rt_yaml *mapping);

/* ---- values (values.c, orientation.c) -------------------------------------------------------- */

routh_status rt_read_number(rt_reader *r, const rt_yaml *node, const char *what, rt_range range,
                            rt_number *out);
routh_status rt_read_numbers(rt_reader *r, const rt_yaml *node, const char *what, int n,
                             rt_number *out);
/* Fails where a number that was computed from what was written has overflowed. */
routh_status rt_check_finite(rt_reader *r, rt_place place, const char *what,
                             const rt_number *numbers, int n);

routh_status rt_read_orientation(rt_reader *r, const rt_yaml *node, rt_number A[9]);

/* The triad whose z lies along the axis; the rest of it follows by one rule. */
routh_status rt_read_axis(rt_reader *r, const rt_yaml *node, double triad[9]);
void rt_triad_of_axis(const double axis[3], double triad[9]);

/* Reads a mapping by its kind's table into target. */
routh_status rt_read_fields(rt_reader *r, const rt_kind *kind, const rt_yaml *node, void *target,
                            rt_given *given);

/* The kind that the node's `type` names; checks that node is a mapping. */
routh_status rt_read_type(rt_reader *r, const rt_section *section, const rt_yaml *node,
                          const rt_kind **kind);

/* A name of the user's: letters, digits, underscores. */
routh_status rt_check_name(rt_reader *r, const rt_yaml *entry);

/* ---- sections -------------------------------------------------------------------------------- */

routh_status rt_read_parameters(rt_reader *r, const rt_yaml *section, const routh_setting *settings,
                                size_t n_settings);
routh_status rt_read_bodies(rt_reader *r, const rt_yaml *section);
routh_status rt_read_markers(rt_reader *r, const rt_yaml *section);
routh_status rt_read_joints(rt_reader *r, const rt_yaml *section);
routh_status rt_read_loads(rt_reader *r, const rt_yaml *section);
routh_status rt_read_states(rt_reader *r, const rt_yaml *list);

/* ---- names to things ------------------------------------------------------------------------- */

/* The marker of that name (a body's own included); -1 for ground. */
routh_status rt_find_point(rt_reader *r, rt_word word, const char *what, int *marker);
int rt_body_of_marker(const routh_model *model, int marker);

/* Markers of a `between`, where `at` (NULL when not given) asks for markers made at a point. */
routh_status rt_read_pair(rt_reader *r, const char *owner, const rt_word between[2],
                          const rt_number *at, rt_place place, int markers[2]);

/* Marker or body position and axes in the world, in the configuration as written. */
void rt_marker_in_world(rt_reader *r, int marker, rt_number position[3], rt_number axes[9]);

/* ---- expressions (parameters.c, measures.c) -------------------------------------------------- */

/* The slot of a quantity, shared between equal ones; -1 when out of memory. */
int rt_quantity_slot(rt_reader *r, const rt_quantity *quantity);
rt_expr rt_measure_dot(rt_reader *r, const rt_vector *a, const rt_vector *b);

/* True for DX, VM, FX, ..., in any letter case. */
bool rt_is_measure(const char *name);

/* A function of measures, time and parameters. */
routh_status rt_read_function(rt_reader *r, const rt_yaml *node, const char *what,
                              rt_allowed allowed, rt_function *out);

/* The value of an expression of parameters alone. */
routh_status rt_evaluate_parameters(rt_reader *r, rt_expr e, double *value);

/* Parses text with the parameters as its only names. */
routh_status rt_parse_parameters(rt_reader *r, const char *text, rt_expr *out,
                                 routh_error *problem);

/* Beam stiffness and damping (beam.c). */
void rt_beam_matrices(rt_calculator *c, const rt_written_load *beam, rt_number stiffness[36],
                      rt_number damping[36]);

#endif
