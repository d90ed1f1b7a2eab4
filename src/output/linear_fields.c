/* What routh linearize --json writes, by the list that it is written by. */
#include "output/descriptor.h"
#include "output/exchange_fields.h"
#include "output/matrix_changes.h"

static bool linear_sometimes(const rt_result_row *row) { return row != NULL; }

#define LEFT_OUT (RT_UNLESS_EMPTY | RT_UNLESS_ZERO | RT_UNLESS_ABSENT | RT_WITH_RATES)

/* One number or text; a list; or rows. */
#define SCALAR(kind)                                                                               \
    ((kind) == RT_TEXTS      ? RT_RESULT_TEXT                                                      \
     : (kind) == RT_INTEGERS ? RT_RESULT_COUNT                                                     \
     : (kind) == RT_FLAGS    ? RT_RESULT_TRUTH                                                     \
                             : RT_RESULT_REAL)
#define TYPE(kind, rows, columns)                                                                  \
    ((columns) != RT_ONE  ? RT_RESULT_MATRIX                                                       \
     : (rows) == RT_ONE   ? SCALAR(kind)                                                           \
     : (kind) == RT_REALS ? RT_RESULT_REALS                                                        \
                          : RT_RESULT_VALUES)

#define ENTRY(name, kind_, rows, columns, need, unit_, meaning_)                                   \
    {.key = #name,                                                                                 \
     .type = TYPE(kind_, rows, columns),                                                           \
     .each = SCALAR(kind_),                                                                        \
     .unit = (unit_),                                                                              \
     .meaning = (meaning_),                                                                        \
     .nullable = ((need) & (RT_MAY_BE_INFINITE | RT_NULL_IN_JSON)) != 0,                           \
     .there = ((need)&LEFT_OUT) && !((need)&RT_NULL_IN_JSON) ? linear_sometimes : NULL},

/* Those of one group: IN_group is the line for it, the others are nothing. */
#define NONE(...)
#define LINE(...) __VA_ARGS__
#define FIELD_LINE(group, name, kind, rows, columns, place, need, unit, meaning)                   \
    IN_##group(ENTRY(name, RT_##kind, RT_##rows, RT_##columns, need, unit, meaning))

static const rt_result_field freedom_fields[] = {
#define IN_TOP NONE
#define IN_FREEDOM LINE
#define IN_POINT NONE
#define IN_RATES NONE
#define IN_BOUNDS NONE
#define IN_MARKERS NONE
#define IN_SHARES NONE
#define GROUP(group, name, when, meaning)
#define FIELD FIELD_LINE
#define READ(...)
#include "output/exchange_list.h"
};
static const rt_result_table FREEDOM = {"degrees_of_freedom", "Degrees of freedom", "",
                                        RT_FIELDS(freedom_fields)};

static const rt_result_field point_fields[] = {
#undef IN_FREEDOM
#define IN_FREEDOM NONE
#undef IN_POINT
#define IN_POINT LINE
#define GROUP(group, name, when, meaning)
#define FIELD FIELD_LINE
#define READ(...)
#include "output/exchange_list.h"
};
static const rt_result_table POINT = {"linear_operating_point",
                                      "Operating point of a saved linear model", "",
                                      RT_FIELDS(point_fields)};

static const rt_result_field rates_fields[] = {
#undef IN_POINT
#define IN_POINT NONE
#undef IN_RATES
#define IN_RATES LINE
#define GROUP(group, name, when, meaning)
#define FIELD FIELD_LINE
#define READ(...)
#include "output/exchange_list.h"
};
static const rt_result_table RATES = {"rates", "Rates of inputs", "", RT_FIELDS(rates_fields)};

static const rt_result_field bounds_fields[] = {
#undef IN_RATES
#define IN_RATES NONE
#undef IN_BOUNDS
#define IN_BOUNDS LINE
#define GROUP(group, name, when, meaning)
#define FIELD FIELD_LINE
#define READ(...)
#include "output/exchange_list.h"
};
static const rt_result_table BOUNDS = {"bounds", "Bounds of eigenvalues", "",
                                       RT_FIELDS(bounds_fields)};

static const rt_result_field markers_fields[] = {
#undef IN_BOUNDS
#define IN_BOUNDS NONE
#undef IN_MARKERS
#define IN_MARKERS LINE
#define GROUP(group, name, when, meaning)
#define FIELD FIELD_LINE
#define READ(...)
#include "output/exchange_list.h"
};
static const rt_result_table MARKERS = {"markers", "Motions of markers", "",
                                        RT_FIELDS(markers_fields)};

static const rt_result_field shares_fields[] = {
#undef IN_MARKERS
#define IN_MARKERS NONE
#undef IN_SHARES
#define IN_SHARES LINE
#define GROUP(group, name, when, meaning)
#define FIELD FIELD_LINE
#define READ(...)
#include "output/exchange_list.h"
};
static const rt_result_table SHARES = {"shares", "Energy forms", "", RT_FIELDS(shares_fields)};

#define ALWAYS NULL
#define SOMETIMES linear_sometimes

static const rt_result_field document_fields[] = {
#undef IN_SHARES
#define IN_SHARES NONE
#undef IN_TOP
#define IN_TOP LINE
#define GROUP(group, name, when, meaning_)                                                         \
    {.key = #name,                                                                                 \
     .type = RT_RESULT_OBJECT,                                                                     \
     .items = &(group),                                                                            \
     .there = when,                                                                                \
     .meaning = (meaning_)},
#define FIELD FIELD_LINE
#define READ(...)
#include "output/exchange_list.h"
    {.key = "derivatives",
     .type = RT_RESULT_OBJECT,
     .items = &rt_matrix_changes_list,
     .there = linear_sometimes,
     .meaning = "with `--sensitivity`: exact derivatives of the matrices"},
};
const rt_result_table rt_linear_document = {
    "linearize", "routh linearize --json",
    "All of the linear model, in the form `routh-linear/1`: this document can be given to `routh "
    "modes` in place of a model\n([Linear models as files](../guide/exchange.md)). Lists of "
    "numbers "
    "and names go by states, inputs, outputs, bodies,\nmarkers or shares, in one order; matrices "
    "are lists of rows. `null` stands for a matrix that there is not, and for a\nnumber that is "
    "infinite.",
    RT_FIELDS(document_fields)};
