/* A template's lines on their way to a program: the names known at a line, what blocks are open. */
#ifndef RT_MODEL_TEMPLATE_COMPILE_H
#define RT_MODEL_TEMPLATE_COMPILE_H

#include "model/template_program.h"

/* A name of a template, known from its line to the end of its block. */
typedef struct rt_template_name {
    const char *name;
    int slot;
    bool word;                /* else a number */
    const char *const *words; /* those it may be, NULL-terminated; NULL: any */
} rt_template_name;

enum { RT_TEMPLATE_DEEPEST = 16 };

/* An open `if` or `for`. */
typedef struct rt_template_block {
    int line;
    int first;      /* its first op */
    int conditions; /* of an `if`: so many ops that jump to its `else` or `end`; 0: it is a `for` */
    int then;       /* the jump at the end of what `else` follows, or -1 */
    int names;      /* so many were known before it */
} rt_template_block;

typedef struct rt_template_compiler {
    rt_template_program *program;
    rt_graph *graph;
    routh_error *error;
    rt_template_name *names;
    rt_template_table *rows_of; /* the table whose rows may come next, or NULL */
    rt_template_block blocks[RT_TEMPLATE_DEEPEST];
    int n_names, names_room, ops_room, settings_room, depth, line;
    bool no_memory;
} rt_template_compiler;

/* Refuses the template at the line. */
routh_status rt_template_refuse(rt_template_compiler *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The text before the mark, without blanks at its ends; *rest goes on after it. Both are in place.
 * NULL where the mark is not found: *rest then stays. */
char *rt_template_before(char **rest, const char *mark);

/* The next word, "" at the end. */
char *rt_template_next_word(char **rest);

/* The text without blanks at its ends, in place. */
char *rt_template_trim(char *text);

/* A list of room elements with place for one more, in the program's arena. */
routh_status rt_template_room(rt_template_compiler *c, void **list, int n, int *room, size_t size);

/* Appends to the program, with the line as it is now. */
routh_status rt_template_add(rt_template_compiler *c, rt_template_op op);

/* NULL: there is none of this name. */
const rt_template_name *rt_template_find_name(const rt_template_compiler *c, const char *name);
const rt_template_table *rt_template_find_table(const rt_template_compiler *c, const char *name);

/* Makes the name known; the columns of the table from one on, in the slots that come next. */
routh_status rt_template_declare(rt_template_compiler *c, rt_template_name name);
routh_status rt_template_declare_columns(rt_template_compiler *c, const rt_template_table *t,
                                         int from);

/* An expression in the numbers known, compiled. */
routh_status rt_template_expression(rt_template_compiler *c, const char *text,
                                    const rt_tape **tape);

/* The directives: what follows the directive's word in its line. */
routh_status rt_template_declare_setting(rt_template_compiler *c, char *rest);
routh_status rt_template_declare_table(rt_template_compiler *c, char *rest);
routh_status rt_template_declare_row(rt_template_compiler *c, char *rest);
routh_status rt_template_if(rt_template_compiler *c, char *rest);
routh_status rt_template_else(rt_template_compiler *c, char *rest);
routh_status rt_template_end(rt_template_compiler *c, char *rest);
routh_status rt_template_for(rt_template_compiler *c, char *rest);
routh_status rt_template_let(rt_template_compiler *c, char *rest);
routh_status rt_template_mean(rt_template_compiler *c, char *rest);
routh_status rt_template_parameter(rt_template_compiler *c, char *rest);

#endif
