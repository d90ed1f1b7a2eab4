/* Numbers and expressions of a model as elements of the field.
 *
 * A number in a file is what was meant: 0.1 is 1/10. The reader keeps doubles, so a double is read
 * back as
 *     the decimal of at most 15 digits that rounds to it;
 *     else a fraction with a denominator up to 10^5, the root of one up to 10^4, or a multiple of
 *     pi by one up to 720, within four units in its last place;
 *     else the decimal of at most 12 digits within four units in its last place;
 *     else its 17 digits.
 * What follows from a wrong reading does not fit: the residuals of the operating point are zero
 * exactly, or the model is refused. */
#ifndef RT_SYMBOLIC_NUMBERS_H
#define RT_SYMBOLIC_NUMBERS_H

#include "model/model.h"
#include "symbolic/field.h"

typedef struct rt_exact_numbers {
    rt_exact_field *field;
    const routh_model *model;
    const rt_graph *graph; /* the model's, or one that goes on from it */
    rt_exact **known;      /* by node; room of them */
    int room;
    /* What an input slot is that is no parameter; NULL: such expressions are refused. */
    routh_status (*quantity)(void *context, int slot, rt_exact *z, routh_error *error);
    void *context;
} rt_exact_numbers;

/* Nothing is allocated before the first expression. Free with rt_exact_numbers_end. */
rt_exact_numbers rt_exact_numbers_begin(rt_exact_field *field, const routh_model *model);
void rt_exact_numbers_end(rt_exact_numbers *numbers);

routh_status rt_exact_of_double(rt_exact_field *field, double value, rt_exact *z,
                                routh_error *error);

/* near_zero: nothing less than 4e-16 can be meant, as in entries of rotations. */
routh_status rt_exact_of_number(rt_exact_numbers *numbers, rt_number number, bool near_zero,
                                rt_exact *z, routh_error *error);
/* Of a difference of numbers of that scale, such as a point on a body: 0.42 - 0.43 is 1/100, though
 * rounding leaves more of the first two than units in the last place of the third. */
routh_status rt_exact_of_difference(rt_exact_numbers *numbers, rt_number number, double scale,
                                    rt_exact *z, routh_error *error);
routh_status rt_exact_of_expr(rt_exact_numbers *numbers, rt_expr e, rt_exact *z,
                              routh_error *error);

#endif
