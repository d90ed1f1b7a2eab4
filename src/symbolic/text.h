/* Elements as text: a number, times factors, over factors. */
#ifndef RT_SYMBOLIC_TEXT_H
#define RT_SYMBOLIC_TEXT_H

#include "base/text.h"
#include "symbolic/field.h"

typedef enum rt_notation {
    RT_NOTATION_PLAIN,    /* g*(m1 + m2)/(2*L1), sqrt(2), cos(phi) */
    RT_NOTATION_LATEX,    /* \frac{...}{...} */
    RT_NOTATION_C,        /* whole numbers are doubles, roots and cosines are names */
    RT_NOTATION_PYTHON,   /* ** for powers */
    RT_NOTATION_MATLAB,   /* ^ */
    RT_NOTATION_MODELICA, /* whole numbers are Real, as its Integer has 32 bits; ^ */
} rt_notation;

/* Sums that stand in several places, and are given a name there: "shared_1". */
typedef struct rt_shared_sums {
    int n, room;
    fmpz_mpoly_struct *sums; /* of the field's context */
    int *times;              /* how often each is met; only those met twice or more are named */
    int *names;              /* 1.., or 0 */
} rt_shared_sums;

/* Counts the sums in x. False: out of memory. Free with rt_shared_free. */
bool rt_shared_count(rt_shared_sums *shared, const rt_exact_field *field, const rt_exact *x);
void rt_shared_name(rt_shared_sums *shared); /* once all are counted */
void rt_shared_free(rt_shared_sums *shared, const rt_exact_field *field);
/* Sum k written out. */
void rt_shared_write(const rt_shared_sums *shared, int k, const rt_exact_field *field,
                     rt_notation notation, rt_text *text);

/* Failure of an allocation is kept in the text. shared: NULL: all is written out. */
void rt_exact_write(const rt_exact_field *field, const rt_exact *x, rt_notation notation,
                    const rt_shared_sums *shared, rt_text *text);

/* The name of a symbol in code ("root_2", "cos_phi"), or what it is ("sqrt(2)", "cos(phi)"). */
void rt_symbol_write(const rt_exact_field *field, const rt_symbol *symbol, rt_notation notation,
                     rt_text *text);

/* What a root is drawn from, as in what it is defined by. */
void rt_square_write(const rt_exact_field *field, const rt_symbol *root, rt_notation notation,
                     rt_text *text);

/* Cut to size, for messages. */
void rt_exact_describe(const rt_exact_field *field, const rt_exact *x, char *text, size_t size);

#endif
