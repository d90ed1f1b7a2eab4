/* Results by tables. A table says of one kind of result, field by field, what it is called, what it
 * is, its unit, and where it lies. JSON, CSV and terminal table are written from it; the JSON
 * Schema and the reference page describe what is written; from the schema tools/renew.py makes
 * Python's attributes and the types and columns of the report's page. */
#ifndef RT_OUTPUT_DESCRIPTOR_H
#define RT_OUTPUT_DESCRIPTOR_H

#include <stddef.h>

#include "base/csv.h"
#include "output/results.h"
#include "output/table.h"

/* What a writer is at: a structure, which may be one of a list. */
typedef struct rt_result_row {
    const routh_results *results;
    const void *of;     /* the structure that `at` counts from */
    const void *parent; /* that the list is a member of */
    int index;          /* in its list, from 0 */
    int number;         /* in the terminal table, from 1 */
    void *work;         /* room of the writer */
} rt_result_row;

typedef enum rt_result_type {
    RT_RESULT_REAL,    /* double */
    RT_RESULT_COUNT,   /* int */
    RT_RESULT_TRUTH,   /* int: 0 or not */
    RT_RESULT_TEXT,    /* char * */
    RT_RESULT_COMPLEX, /* double[2] */
    RT_RESULT_REALS,   /* double[length] */
    RT_RESULT_VALUES,  /* list of `each`: with `at` a pointer to TEXT or COMPLEX */
    RT_RESULT_MATRIX,  /* list of rows: double *, n_at x n_at */
    RT_RESULT_MAP,     /* object: a number for each name */
    RT_RESULT_OBJECT,  /* object with the fields of `items` */
    RT_RESULT_LIST,    /* list of such objects */
    RT_RESULT_PART     /* the fields of `items`, in place */
} rt_result_type;

typedef struct rt_result_table rt_result_table;

typedef struct rt_result_field {
    /* ---- what it is ---- */
    const char *key; /* member in JSON, attribute in Python and on the page; NULL: a column alone */
    rt_result_type type;
    rt_result_type each;          /* of VALUES */
    int length;                   /* of REALS; 0: not always the same */
    const char *unit;             /* "1/s"; NULL: none */
    const char *meaning;          /* one sentence without its full stop, in Markdown */
    const char *const *words;     /* of TEXT: the values that it may have, until NULL */
    const rt_result_table *items; /* of OBJECT, LIST and PART */

    /* ---- where it is: one of these; of OBJECT and PART none means the same structure ---- */
    size_t at; /* RT_AT(structure, member): 1 more than its offset; 0: none */
    char stored; /* its type in C, which a test compares with `type` */
    double (*real)(const rt_result_row *row);
    int (*count)(const rt_result_row *row); /* also of TRUTH */
    const char *(*text)(const rt_result_row *row);
    const void *(*part)(const rt_result_row *row); /* of OBJECT and PART: the structure */
    void (*write)(rt_json *json, const char *key, const rt_result_row *row);
    bool (*only)(const rt_result_row *item); /* of LIST: which items; NULL: all */
    size_t n_at, size; /* with `at` a pointer: RT_PLACE of the member that counts; of an item */

    /* ---- when ---- */
    bool (*there)(const rt_result_row *row); /* NULL: always */
    bool nullable;                           /* null where it is not finite, or there is none */
    bool open;                               /* OBJECT and LIST: each member on a line of its own */

    /* ---- as a column ---- */
    const char *csv;              /* its name; NULL: none. What is not always there comes last */
    int csv_rank;                 /* 1: after those of rank 0 */
    const char *member;           /* of a column without key: the COMPLEX whose part it is */
    int part_of;                  /* 0: real part, 1: imaginary part */
    const char *head, *head_unit; /* in the terminal table; NULL: none, the unit */
    char align;                   /* 'l'; 0: to the right */
    int digits;                   /* 0: 8 */
    bool percent;
    double (*shown)(const rt_result_row *row); /* where what is shown differs from what is saved */
    void (*cell)(rt_table *table, const rt_result_row *row); /* else: the number */
    const char *page, *page_help; /* title in the page's table, NULL: none; NULL: as `page` */
    int page_digits, page_rank;   /* 0: 4; the columns are in the order of their ranks */
    int data_digits;              /* of a number in the page's data; 0: 12 */
} rt_result_field;

struct rt_result_table {
    const char *name;               /* "mode": in the schema */
    const char *title;              /* heading on the reference page */
    const char *meaning;            /* below the heading; "" */
    const rt_result_field *fields;  /* n */
    int n;
};

#define RT_PLACE(structure, member) (1 + offsetof(structure, member))
#define RT_AT(structure, member)                                                                   \
    .at = RT_PLACE(structure, member), .stored = RT_STORED(((structure *)0)->member)
#define RT_STORED(member)                                                                          \
    _Generic((member), double: 'd', int: 'i', char *: 't', const char *: 't', double *: 'v',       \
             default: 'o')
#define RT_FIELDS(array) (array), (int)(sizeof(array) / sizeof *(array))

/* ---- what is written ----------------------------------------------------------------------- */

/* The value of a number; NAN of others. */
double rt_result_number(const rt_result_field *field, const rt_result_row *row);

/* The members of the open object. */
void rt_result_json(rt_json *json, const rt_result_table *table, const rt_result_row *row);

/* The numbers among them as the page shows them, with the digits that it needs. */
void rt_result_page_json(rt_json *json, const rt_result_table *table, const rt_result_row *row);

/* One line of names; one of values. */
void rt_result_csv_heads(rt_csv *csv, const rt_result_table *table, const rt_result_row *row);
void rt_result_csv(rt_csv *csv, const rt_result_table *table, const rt_result_row *row);

/* Letters for rt_table.align; two lines of heads; a line of cells. */
void rt_result_align(char align[RT_TABLE_COLUMNS + 1], const rt_result_table *table,
                     const rt_result_row *row);
void rt_result_heads(rt_table *out, const rt_result_table *table, const rt_result_row *row);
void rt_result_cells(rt_table *out, const rt_result_table *table, const rt_result_row *row);

/* ---- what is described ---------------------------------------------------------------------- */

/* What commands write with --json: the name of the table is the command's. NULL after the last. */
const rt_result_table *rt_result_document(int k);

extern const rt_result_table rt_modes_document, rt_operating_document, rt_sweep_document;
extern const rt_result_table rt_floquet_document, rt_sensitivity_document, rt_response_document;
extern const rt_result_table rt_mode_table;

/* What documents have in common: of the results; of a linear model; of an operating point. */
extern const rt_result_table rt_origin_table;
extern const rt_result_table rt_method_table, rt_states_list, rt_state_table;
extern const rt_result_table rt_redundant_list, rt_redundant_table;
void rt_result_write_program(rt_json *json, const char *key, const rt_result_row *row);
void rt_result_write_warnings(rt_json *json, const char *key, const rt_result_row *row);
extern const rt_result_table rt_steady_fields, rt_body_table, rt_pose_table;
extern const rt_result_table rt_reaction_table, rt_signal_table;
extern const char *const rt_operating_type_names[], *const rt_signal_kind_names[];

#endif
