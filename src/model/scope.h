/* The part that something is written in: what names mean there, where its frame stands, and how it
 * is mirrored. Names of what a part has begin with the part's own: front_left.knuckle. */
#ifndef RT_MODEL_SCOPE_H
#define RT_MODEL_SCOPE_H

#include "model/names.h"
#include "model/reader.h"

/* A part file: read once, used as often as it is named. */
typedef struct rt_part_file rt_part_file;
struct rt_part_file {
    const char *path; /* as it is opened, for messages */
    const char *real; /* without links, by which it is known */
    const rt_yaml *root;
    bool of_ground;              /* something in it may speak of the ground */
    const rt_unit_system *units; /* of all that is written in it; NULL: SI */
    const rt_part_file *next;
};

/* A connection of a part: its name there, and the whole name of what it is connected to. */
typedef struct rt_port {
    const char *name, *full;
} rt_port;

typedef struct rt_scope rt_scope;
struct rt_scope {
    const char *prefix;     /* "front_left."; "" of the model itself */
    size_t length;          /* of the prefix */
    const rt_scope *outer;  /* what it is placed in; NULL of the model itself */
    const rt_scope *called; /* in which its own entry is read: the outer one, with an index */
    const rt_part_file *file;
    const rt_yaml *entry;   /* under `parts`, its variant put into it */
    const rt_yaml *variant; /* of the file's own `variants`; NULL: none */
    const rt_port *ports;
    int n_ports;
    int position;       /* in an array, from 0 */
    const char *ground; /* the name of its ground's marker; NULL: the ground itself */
    const char *index;  /* a name for a number; NULL */
    double index_value;
    bool mirrored;
    int D[3];               /* 1 and -1: mirrors of all parts around it, and its own */
    const rt_number *frame; /* p[3] and R[9] in the world; NULL: the world's */
    const rt_number *spin;  /* the velocity of its frame: at the world's origin v[3], and w[3];
                               NULL: none */
};

/* What a part's file has where the part is given something else: a parameter, an input. */
typedef struct rt_replaced {
    const rt_yaml *own;
    const rt_scope *owner;
} rt_replaced;

/* All parts of a model, outer ones first. */
typedef struct rt_part_set {
    rt_scope model;     /* what names mean outside of parts */
    rt_names instances; /* names of parts -> scopes */
    const rt_scope **scopes;
    int n, room;
    const rt_part_file *files;
    bool mixed;  /* a file has other units than the model */
    bool *taken; /* by setting: it chooses a variant */
} rt_part_set;

/* ---- names ----------------------------------------------------------------------------------- */

/* The whole name of what is called so where r->scope is; it stays until the next call. NULL where
 * it is in a part that does not export it, or too long: then why in problem (256). "ground" is
 * "ground", or the name of a marker on it. */
const char *rt_full_name(rt_reader *r, const char *name, char *problem);

/* The same where an empty name, that of nothing, will do: problem is then lost. */
const char *rt_full_name_or_none(rt_reader *r, const char *name);

/* The name is that of a connection where r->scope is. */
bool rt_is_connection(const rt_reader *r, const char *name);

/* The number that a name stands for as the index of an array. */
bool rt_scope_index(const rt_reader *r, const char *name, double *value);

/* A whole name as it is called where r->scope is, to be suggested there. */
const char *rt_name_in_scope(const rt_reader *r, const char *full);

/* The marker of the ground of r->scope: RT_GROUND, or one in the frame of a part. */
int rt_ground_of_scope(rt_reader *r);

/* The name of such a marker, front_left@ground; no name of the user's has its sign. */
bool rt_is_ground_name(const char *full);

/* ---- parts (parts.c, part_frames.c) ---------------------------------------------------------- */

/* The sections with what parts bring, where there are parts. */
routh_status rt_expand_parts(rt_reader *r, const rt_yaml *root, const rt_yaml **flat);

/* The frames of all parts, when parameters are known. */
routh_status rt_place_parts(rt_reader *r);

/* The caller's setting k chooses a variant of a part, or of the model (part_variants.c). */
static inline bool rt_is_variant_setting(const rt_reader *r, size_t k)
{
    return r->parts && r->parts->taken[k];
}

/* ---- mirrors (mirror.c) ---------------------------------------------------------------------- */

/* 1 or -1: det(D), D_k and det(D) D_k of r->scope. */
int rt_mirror_sign(const rt_reader *r);
int rt_polar_sign(const rt_reader *r, int k);
int rt_axial_sign(const rt_reader *r, int k);

/* The same of a coordinate of a joint, in its own axes. Fails where the sign depends on more. */
routh_status rt_coordinate_sign(rt_reader *r, rt_place place, const rt_joint *joint,
                                rt_coordinate which, int *sign);

/* What was read by a kind's table, mirrored and placed. */
void rt_place_fields(rt_reader *r, const rt_kind *kind, rt_given given, void *target);

/* A point or axes in a part's frame, in the world: p + R x, R A. Axes that were the world's, as
 * those of a part: A R. */
void rt_into_world(rt_reader *r, rt_number x[3], rt_number A[9]);
void rt_turn_into_world(rt_reader *r, rt_number A[9]);
void rt_axes_of_part(rt_reader *r, rt_number A[9]);

/* Refuses what is mirrored across axis k of its part (k < 0: at all). */
routh_status rt_refuse_mirror(rt_reader *r, rt_place place, int k, const char *what,
                              const char *why);

/* Whether the marker's axes may be used: not those of a body that a mirrored part is connected to
 * and that are not their own mirror image (mirror_axes.c). */
bool rt_axes_have_image(rt_reader *r, int marker, char *problem, size_t size);
routh_status rt_check_axes(rt_reader *r, rt_place place, int marker, const char *what);

rt_number rt_signed(rt_reader *r, int sign, rt_number x);
rt_expr rt_signed_expr(rt_reader *r, int sign, rt_expr e);

/* ---- units of parts (unit_systems.c, part_units.c) ------------------------------------------- */

/* The units that the text of a scope is written in; NULL: SI. */
const rt_unit_system *rt_units_of_scope(const rt_reader *r, const rt_scope *scope);

/* "N/mm", "t mm^2": what the units make of something; "" of a plain number. Returns text. */
enum { RT_UNIT_NAME = 64 };
const char *rt_unit_name(const rt_unit_system *units, const rt_unit *of, char text[RT_UNIT_NAME]);

/* What a system makes of a unit; NULL: SI. */
rt_unit rt_unit_in_system(const rt_unit_system *units, const rt_unit *of);

/* A number from units into others, by what it is of. */
rt_expr rt_between_units(rt_graph *graph, const rt_unit_system *from, const rt_unit_system *to,
                         const rt_dimension *of, rt_expr e);

/* Parameter k, or the signal, whose number is *out, in the units of what is being read; false,
 * with a problem, where they are others than its own and nothing says what it is of. */
bool rt_parameter_in_units(rt_reader *r, int k, const char *name, rt_expr *out, char *problem);
bool rt_signal_in_units(rt_reader *r, const rt_signal_name *signal, rt_expr *out, char *problem);

/* What a function that was just read gives a signal of a part, in the units of that. */
bool rt_function_for_signal(rt_reader *r, const rt_signal_name *signal, rt_function *f,
                            char *problem);

/* ---- part files (part_files.c) --------------------------------------------------------------- */

/* The file that `name` leads to from the file of `scope`: from its folder or those of libraries. */
routh_status rt_find_part_file(rt_reader *r, const rt_scope *scope, const rt_yaml *name,
                               const rt_part_file **file);

#endif
