/* Results by tables. A table says of one kind of result, field by field, what it is called, what it
 * is, its unit, and where it lies. JSON, CSV and terminal table are written from it; the JSON
 * Schema and the reference page describe what is written; from the schema tools/renew.py makes
 * Python's attributes and the types and columns of the report's page. */
#ifndef RT_OUTPUT_DESCRIPTOR_H
#define RT_OUTPUT_DESCRIPTOR_H

#include <stddef.h>

#include "base/csv.h"
#include "output/results.h"
#include "output/shown_units.h"
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
    RT_RESULT_PART     /* the fields of `items`, in place; of CSV no columns */
} rt_result_type;

typedef struct rt_result_table rt_result_table;

typedef struct rt_result_field {
    /* ---- what it is ---- */
    const char *key; /* member in JSON, attribute in Python and on the page; NULL: a column alone */
    rt_result_type type;
    rt_result_type each;          /* of VALUES; VALUES again: lists of TEXT */
    int length;                   /* of REALS; 0: not always the same, and n_at counts */
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
    const void *(*part)(const rt_result_row *row); /* the structure; of COMPLEX the numbers */
    void (*write)(rt_json *json, const char *key, const rt_result_row *row);
    bool (*only)(const rt_result_row *item); /* of LIST: which items; NULL: all */
    size_t n_at, size; /* with `at` a pointer: RT_PLACE of the member that counts; of an item */

    /* ---- when ---- */
    bool (*there)(const rt_result_row *row); /* NULL: always */
    bool sparse;   /* only some items have it: its column is there, and empty for the others */
    bool nullable; /* null where it is not finite, or there is none; of REALS: entries may be */
    bool whole;    /* of COMPLEX: null as a whole, not its parts */
    bool open;                               /* OBJECT and LIST: each member on a line of its own */

    /* ---- as a column ---- */
    const char *csv;              /* its name; NULL: none. What is not always there comes last */
    int csv_rank;                 /* a column stands after those of lower ranks */
    const char *member;           /* of a column without key: the COMPLEX whose part it is */
    int part_of;                  /* 0: real part, 1: imaginary part */
    int out_of;                   /* REAL: number part_of of so many that are at its place */
    const char *head, *head_unit; /* in the terminal table; NULL: none, the unit */
    const char *(*head_of)(const rt_result_row *row); /* its head, where that differs */
    int head_rank;                                    /* as csv_rank */
    char align;                                       /* 'l'; 0: to the right */
    int digits;                                       /* 0: 8 */
    bool percent;
    const char *before;   /* "+-": stands before the number */
    bool sign;            /* a plus before what is not negative */
    const char *infinite; /* in place of an infinite number; NULL: nothing */
    double (*shown)(const rt_result_row *row); /* where what is shown differs from what is saved */
    void (*cell)(rt_table *table, const rt_result_row *row); /* else: the number */
    /* its unit where rows differ; NULL: none */
    const char *(*unit_of)(const rt_result_row *row, char room[RT_UNIT_SIZE]);
    bool one_unit;   /* unit_of gives that of the whole column, of any row */
    bool names_unit; /* of TEXT: the row's unit, which unit_of gives */
    bool per_unit;   /* of REAL: something by what is in this unit */
    bool circular;   /* rad/s of an eigenvalue, beside 1/s: no rotation */
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

enum { RT_RESULT_RANKS = 12 }; /* csv_rank and head_rank are less */

/* ---- what is written ----------------------------------------------------------------------- */

/* Where a member of the structure is; its value; NAN of what is no number. */
const void *rt_result_place(const rt_result_field *field, const rt_result_row *row);
double rt_result_number(const rt_result_field *field, const rt_result_row *row);
double rt_result_shown(const rt_result_field *field, const rt_result_row *row);
int rt_result_count(const rt_result_field *field, const rt_result_row *row);
const char *rt_result_text(const rt_result_field *field, const rt_result_row *row);
bool rt_result_is_there(const rt_result_field *field, const rt_result_row *row);

/* Columns of the CSV stand in the order of this number. */
int rt_result_csv_pass(const rt_result_field *field);

/* The members of the open object. */
void rt_result_json(rt_json *json, const rt_result_table *table, const rt_result_row *row);

/* The whole document. */
routh_status rt_result_document_json(const rt_result_table *document, const rt_result_row *row,
                                     routh_text *text, routh_error *error);

/* The numbers among them as the page shows them, with the digits that it needs. */
void rt_result_page_json(rt_json *json, const rt_result_table *table, const rt_result_row *row);

/* One line of names; one of values. */
void rt_result_csv_heads(rt_csv *csv, const rt_result_table *table, const rt_result_row *row);
void rt_result_csv(rt_csv *csv, const rt_result_table *table, const rt_result_row *row);

/* All of that for a list, as one text. */
routh_status rt_result_list_csv(const rt_result_table *of, const rt_result_row *whole,
                                const void *first, int n, size_t size, routh_text *text,
                                routh_error *error);

/* The terminal table: heads and, where one has a unit, units; then a line for each row. */
typedef struct rt_result_lines {
    const rt_result_table *of;
    char align[RT_TABLE_COLUMNS + 1];
    rt_table cells;
    rt_text *text; /* where they come, with the units that are asked for */
} rt_result_lines;

/* row: of the whole, which decides what columns there are. `lines` and the text, to which
 * rt_result_end appends them, must stay where they are. */
void rt_result_begin(rt_result_lines *lines, rt_text *text, const rt_result_table *of,
                     const rt_result_row *row);
void rt_result_line(rt_result_lines *lines, const rt_result_row *row);
void rt_result_end(rt_result_lines *lines);
void rt_result_drop(rt_result_lines *lines); /* in place of rt_result_end: nothing is written */

/* All of that for a list; where `first` says whether an item is there. */
void rt_result_print(rt_text *text, const rt_result_table *of, const rt_result_row *whole,
                     const void *first, int n, size_t size);

/* Cells that several tables have: "+-2" of a pair, else the number, nothing of 0. */
void rt_result_cell_pair(rt_table *table, double x, bool pair, int digits);

/* ---- what is described ---------------------------------------------------------------------- */

/* What a command writes with --json. */
typedef struct rt_result_document {
    const char *command;
    const rt_result_table *forms[3]; /* one of these, until NULL */
    const rt_result_table *lines;    /* of the CSV, where no table of a form has its columns */
    bool points, models; /* the first also as {"points": [..]}, {"models": [..]} of several */
} rt_result_document;

const rt_result_document *rt_result_document_at(int k); /* NULL after the last */

extern const rt_result_table rt_modes_document, rt_matrix_modes_document, rt_linear_document;
extern const rt_result_table rt_operating_document, rt_check_document, rt_verify_document;
extern const rt_result_table rt_response_document, rt_sweep_document, rt_floquet_document;
extern const rt_result_table rt_boundary_document, rt_sensitivity_document;
extern const rt_result_table rt_response_sensitivity_document, rt_compare_document;
extern const rt_result_table rt_optimise_document, rt_symbolic_document, rt_certificate_document;
extern const rt_result_table rt_version_document, rt_benchmark_document;
extern const rt_result_table rt_mode_table, rt_quantity_table;

/* What documents have in common: of the results; of a linear model; of an operating point. */
extern const rt_result_table rt_origin_table;
extern const rt_result_table rt_method_table, rt_states_list, rt_state_table;
extern const rt_result_table rt_redundant_list, rt_redundant_table, rt_rank_table;
void rt_result_write_program(rt_json *json, const char *key, const rt_result_row *row);
void rt_result_write_warnings(rt_json *json, const char *key, const rt_result_row *row);
extern const rt_result_table rt_steady_fields, rt_body_table, rt_pose_table;
extern const rt_result_table rt_reaction_table, rt_signal_table;
/* Inputs or outputs of a response: their names and units. */
extern const rt_result_table rt_channel_signal_table;
void rt_json_channel_signals(rt_json *json, const char *key, char *const *names,
                             char *const *units, int n);
const char *rt_stability_name(int stable); /* as routh_floquet.stable says it */
extern const char *const rt_stability_names[], *const rt_count_names[];
extern const char *const rt_operating_type_names[], *const rt_signal_kind_names[];

#endif
