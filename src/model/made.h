/* Numbers of the model that a computation makes of others, where no expression says how: of the
 * sections of a beam the stiffness of its elements. The computation is compiled twice, as the
 * equations are (base/scalar.h), so what it makes carries derivatives as expressions do: every
 * number made is an input of the graph (RT_QUANTITY_MADE), and numbers written in terms of it are
 * expressions again. */
#ifndef RT_MODEL_MADE_H
#define RT_MODEL_MADE_H

#include <stddef.h>

#include "flexible/beam.h"
#include "model/model.h"

typedef enum rt_making_kind {
    RT_MAKE_ROD,           /* nodes and elements of a beam; plan: rt_rod_plan (rod_shape.h) */
    RT_MAKE_ROD_LOAD,      /* one element between two markers; no plan */
    RT_MAKE_SPECTRAL_LOAD, /* one of higher order through markers; plan: rt_rod_plan, its order */
    RT_MAKE_PLACES,        /* of a beam's nodes (rt_beam_places); plan: rt_beam_writing */
    RT_MAKE_LINEAR,        /* zero, with derivatives that are known; plan: rt_linear_plan */
} rt_making_kind;

typedef struct rt_making {
    rt_making_kind kind;
    const void *plan; /* what is no number that varies */
    int n_in, n_out;
    const rt_number *in;
    const int *made; /* n_out: which of the model's made numbers it is; -1: depends on nothing */
} rt_making;

/* A beam of finite elements as written: whole numbers, and those that vary (rt_beam_take). */
typedef struct rt_beam_writing {
    rt_beam_choices choices;
    rt_number numbers[RT_BEAM_NUMBERS];
} rt_beam_writing;

/* out = by (in - at) */
typedef struct rt_linear_plan {
    int n_in, n_out;
    const double *at; /* n_in */
    double *by;       /* n_out x n_in, column-major */
} rt_linear_plan;

/* out of in; work: rt_make_work numbers. 0, or what is wrong, as the kind says. Nothing is
 * allocated. */
int rt_make(const rt_making *making, const rt_scalar *in, rt_scalar *out, rt_scalar *work);
size_t rt_make_work(const rt_making *making);

/* What the largest of them needs: numbers in, out, and for work. */
typedef struct rt_make_sizes {
    size_t in, out, work;
} rt_make_sizes;
rt_make_sizes rt_make_most(const rt_making *makings, int n);

/* The derivatives of what is made along those of what goes in, both times the same small number
 * (system/variation.c); work: rt_make_slopes_work bytes. */
void rt_make_slopes(const rt_making *making, const double *in, double *out, void *work);
size_t rt_make_slopes_work(const rt_making *making);

#endif
