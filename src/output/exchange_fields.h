/* The members of a saved linear model: one table that writing, reading and checking go by. */
#ifndef RT_OUTPUT_EXCHANGE_FIELDS_H
#define RT_OUTPUT_EXCHANGE_FIELDS_H

#include "output/exchange_record.h"
#include "routh/linear.h"

/* How many there are along one dimension. */
typedef enum rt_exchange_axis {
    RT_ONE,
    RT_THREE,
    RT_NINE,
    RT_STATES,
    RT_SAMPLE_ROWS, /* those of all samples, one below the other */
    RT_POSITION,
    RT_VELOCITY,
    RT_CONTROL,
    RT_INPUTS,
    RT_OUTPUTS,
    RT_BODIES,
    RT_MARKERS,
    RT_MARKER_ROWS, /* six a marker */
    RT_SHARES,
    RT_SHARE_ROWS,    /* those of all shares, one below the other */
    RT_SHARE_WEIGHTS, /* entries of all weights, one after the other */
    RT_BOUNDS,
    RT_WARNINGS
} rt_exchange_axis;

/* Which structure a member is in: the model, or each item of one of its lists. */
typedef enum rt_owner {
    RT_OF_MODEL,
    RT_OF_STATE,
    RT_OF_INPUT,
    RT_OF_OUTPUT,
    RT_OF_BODY,
    RT_OF_MARKER,
    RT_OF_SHARE
} rt_owner;

typedef enum rt_store {
    RT_INSIDE,     /* the numbers or the text's pointer stand in the structure */
    RT_BEHIND,     /* it has a pointer to them */
    RT_AS_SCHEMA,  /* RT_SCHEMA itself */
    RT_AS_PROGRAM, /* "routh " and the version */
    RT_AS_KIND,    /* a routh_energy_kind by its name */
    RT_AS_NOTE,    /* what rt_rates_note says; not kept when read */
    RT_AS_E        /* diag(I, mass, I), written where there is a mass; not kept when read */
} rt_store;

typedef enum rt_exchange_need {
    RT_OPTIONAL = 0, /* where it is not there: 0, "", or no matrix */
    RT_ESSENTIAL = 1,
    RT_WHERE_SIZED = 2,  /* essential where it has entries */
    RT_UNLESS_EMPTY = 4, /* left out where it has no entries */
    RT_UNLESS_ZERO = 8,  /* left out where it is 0 */
    RT_MAY_BE_INFINITE = 16,
    RT_UNLESS_ABSENT = 32, /* left out where the model has none */
    RT_NULL_IN_JSON = 64,  /* there null, where others leave it out */
    RT_WITH_RATES = 128,   /* written where rates of inputs act */
    RT_ONLY_READ = 256     /* never written */
} rt_exchange_need;

typedef struct rt_exchange_field {
    const char *name;
    rt_value_kind kind;
    rt_exchange_axis rows, columns;
    rt_owner owner;
    rt_store store;
    size_t offset;
    int need; /* rt_exchange_need, or-ed */
} rt_exchange_field;

/* Field k, NULL past the last. Counts come before what they count. */
const rt_exchange_field *rt_field_at(int k);

/* The field of that name (as rt_record_find compares), or NULL. */
const rt_exchange_field *rt_field_find(const char *name);

/* Is it of a field, or "members", the list of all? */
bool rt_name_is_known(const char *name);

/* Of the model and BEHIND: its numbers, or NULL. */
const double *rt_field_reals(const rt_exchange_field *field, const routh_linear *linear);

int rt_field_rank(const rt_exchange_field *field);

/* The size of a dimension in a model whose counts are known. */
size_t rt_axis_size(const routh_linear *linear, rt_exchange_axis axis);

/* The list of an owner: its first item, how large one is, and how many there are. */
typedef struct rt_items {
    char *first;
    size_t size;
    int n;
} rt_items;
rt_items rt_items_of(const routh_linear *linear, rt_owner owner);

/* How many numbers of the field item k has. */
size_t rt_item_count(const routh_linear *linear, const rt_exchange_field *field, int k);

#endif
