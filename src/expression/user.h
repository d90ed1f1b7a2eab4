/* Functions of the caller in expressions: f(x_1 .. x_n), whose formula nobody but the caller knows.
 *
 * A node of such a function carries by how many orders it is differentiated by each argument. What
 * the caller gives no derivative for is taken by central differences of what is given: steps of
 * t s_i grow by factors of four from very small ones, Richardson's extrapolation of four of them
 * (Fornberg, SIAM Review 40, 1998, gives the weights of such formulas; here they follow from the
 * even powers of t) leaves an error of t^8, and the step is kept at which what the last term of it
 * changes, and rounding, are together the smallest. That is the error that is stated. A step at
 * which the function is not defined ends the search. */
#ifndef RT_EXPRESSION_USER_H
#define RT_EXPRESSION_USER_H

#include <stdbool.h>
#include <stddef.h>

/* Arguments, and the highest order of derivative, of all arguments together. */
enum { RT_USER_ARGUMENTS = 8, RT_USER_ORDER = 4 };

/* Each function gives 0, or another number where it fails there. */
typedef struct rt_user_function {
    const char *name;
    int n; /* arguments */
    int (*value)(void *user, const double *x, double *f);
    int (*gradient)(void *user, const double *x, double *g); /* n; or NULL */
    int (*hessian)(void *user, const double *x, double *H);  /* n x n, symmetric; or NULL */
    int (*complex_value)(void *user, const double *x,
                         double *f); /* of 2 n and 2 numbers; or NULL */
    void *user;
    double scale[RT_USER_ARGUMENTS]; /* over which f changes; 0: not known */
} rt_user_function;

/* Orders by argument in one number, three bits each. */
static inline int rt_user_order(int orders, int argument) { return orders >> 3 * argument & 7; }
static inline int rt_user_one(int argument) { return 1 << 3 * argument; }
int rt_user_total(int orders);

/* Is the derivative given by the caller, itself or by complex numbers? */
bool rt_user_gives(const rt_user_function *function, int orders);

/* How good a difference is: what it may be off by, and how large the slopes that it is made of are
 * (of a derivative that vanishes at x, as that of x^2 at 0); 0 where nothing changes. */
typedef struct rt_user_accuracy {
    double error, size;
} rt_user_accuracy;

/* The derivative of these orders at x, NAN where it is not defined. */
double rt_user_partial(const rt_user_function *function, int orders, const double *x);

/* By differences, also where the caller gives it: then of what is given one order lower. */
double rt_user_difference(const rt_user_function *function, int orders, const double *x,
                          rt_user_accuracy *accuracy);

/* "the function tyre has no finite value at (1, 2): ..": what is to be done. Returns text. */
const char *rt_user_blame(const rt_user_function *function, int orders, const double *x, char *text,
                          size_t size);

/* "the function tyre", "the derivative of tyre by its argument 2". Returns text. */
const char *rt_user_describe(const rt_user_function *function, int orders, char *text, size_t size);

#endif
