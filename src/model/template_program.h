/* A template as a program: what its lines say, in order, with jumps for `if` and `for`. */
#ifndef RT_MODEL_TEMPLATE_PROGRAM_H
#define RT_MODEL_TEMPLATE_PROGRAM_H

#include "expression/expression.h"
#include "model/template.h"

/* A setting `name=value`: a number, a whole number, or one of some words. */
typedef struct rt_template_setting {
    const char *name;
    const char *fallback;
    const char *about;
    bool whole;
    double least, most;
    const char *const *words; /* the values it may have, NULL-terminated; NULL: numbers */
    int slot;
    int line;
} rt_template_setting;

/* Its value: the number, and the text as the user gave it. */
typedef struct rt_template_value {
    double number;
    const char *text;
} rt_template_value;

typedef struct rt_template_row {
    const char **words;
    double *numbers;
    struct rt_template_row *next;
} rt_template_row;

/* Its columns of words come first, then those of numbers. */
typedef struct rt_template_table {
    const char *name;
    const char *const *columns; /* n_words + n_numbers */
    int n_words, n_numbers;
    rt_template_row *first, *last;
    struct rt_template_table *next;
} rt_template_table;

typedef enum rt_template_action {
    RT_TEMPLATE_TEXT,        /* writes text[0 .. length) */
    RT_TEMPLATE_WORD,        /* writes the word in the slot */
    RT_TEMPLATE_NUMBER,      /* writes a, with so many digits, or decimals */
    RT_TEMPLATE_PARAMETER,   /* writes the line of a setting in the section parameters */
    RT_TEMPLATE_LET,         /* slot = a */
    RT_TEMPLATE_MEAN,        /* slot, slot + 1, ..: the means of the table's columns from a to b */
    RT_TEMPLATE_UNLESS,      /* jumps unless a and b compare so */
    RT_TEMPLATE_UNLESS_WORD, /* jumps unless the word in the slot is the text */
    RT_TEMPLATE_JUMP,
    RT_TEMPLATE_COUNT,    /* slot from a to b, b kept in slot + 1; jumps when there is none */
    RT_TEMPLATE_ROWS,     /* the first row of the table, into slots; jumps when there is none */
    RT_TEMPLATE_NEXT,     /* the next number of a COUNT: jumps when there is one more */
    RT_TEMPLATE_NEXT_ROW, /* likewise of ROWS */
} rt_template_action;

typedef enum rt_template_comparison {
    RT_TEMPLATE_EQUAL,
    RT_TEMPLATE_NOT_EQUAL,
    RT_TEMPLATE_LESS,
    RT_TEMPLATE_LESS_EQUAL,
    RT_TEMPLATE_GREATER,
    RT_TEMPLATE_GREATER_EQUAL,
} rt_template_comparison;

typedef struct rt_template_op {
    rt_template_action action;
    rt_template_comparison comparison;
    int line;
    int slot;
    int target;           /* of a jump: the op that comes next then */
    int digits, decimals; /* decimals < 0: digits */
    double unit;          /* 10 to the power of them */
    size_t length;
    const char *text;
    const rt_template_table *table;
    const rt_tape *a, *b;
} rt_template_op;

/* Lives in the arena, but for the list of ops. Slots hold the values of names while it runs. */
typedef struct rt_template_program {
    rt_arena arena;
    char file[80]; /* "<name>.template", for errors */
    const char *name;
    rt_template_setting *settings;
    rt_template_table *tables;
    rt_template_op *ops;
    int n_settings, n_ops, n_slots;
    size_t work; /* numbers of work space of its tapes */
} rt_template_program;

/* *program is to be freed also after an error. */
routh_status rt_template_compile(rt_template_program *program, const rt_template_source *source,
                                 routh_error *error);
void rt_template_free(rt_template_program *program);

/* The values of its settings: their own, and then the user's. */
routh_status rt_template_settings(const rt_template_program *program, const routh_setting *given,
                                  size_t n, rt_template_value *values, routh_error *error);

routh_status rt_template_run(const rt_template_program *program, const rt_template_value *values,
                             rt_text *out, routh_error *error);

/* The value of an expression without names, such as 2*pi*0.5. */
routh_status rt_template_evaluate(const char *text, double *value, routh_error *error);

#endif
