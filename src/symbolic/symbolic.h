/* What a symbolic linearization holds. */
#ifndef RT_SYMBOLIC_SYMBOLIC_H
#define RT_SYMBOLIC_SYMBOLIC_H

#include "symbolic/reduce.h"
#include "symbolic/routh_array.h"
#include "routh/symbolic.h"

struct routh_symbolic {
    const routh_model *model; /* the caller's, for names */
    char *title;              /* "" where there is none */
    rt_exact_field *field;
    rt_symbolic_reduction reduction;
    rt_exact *characteristic; /* 2 n + 1; NULL: too many coordinates */
    bool has_stability;       /* likewise, or not asked for */
    rt_stability stability;
    rt_exact *A; /* 2 n x 2 n of (z, z')' = A (z, z'), row-major; NULL where M is singular, or n too
                    large for the polynomial too */
};

#endif
