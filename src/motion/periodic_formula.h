/* An explicit Runge-Kutta formula of order 8 with 11 stages (Cooper and Verner 1972). */
#ifndef RT_MOTION_PERIODIC_FORMULA_H
#define RT_MOTION_PERIODIC_FORMULA_H

enum { RT_FORMULA_STAGES = 11, RT_FORMULA_ORDER = 8 };

typedef struct rt_formula {
    double a[RT_FORMULA_STAGES][RT_FORMULA_STAGES], b[RT_FORMULA_STAGES], c[RT_FORMULA_STAGES];
} rt_formula;

void rt_formula_fill(rt_formula *f);

#endif
