/* A tape as compiled; private to the room. */
#ifndef RT_EXPRESSION_TAPE_H
#define RT_EXPRESSION_TAPE_H

#include "expression/graph.h"

typedef struct rt_instruction {
    rt_operation operation;
    int detail; /* of an INPUT: which of the tape's inputs */
    int argument[RT_MOST_ARGUMENTS];
    double value;
    const rt_curve *curve;
} rt_instruction;

struct rt_tape {
    int n, n_outputs;
    rt_instruction *instructions; /* n; instruction i fills register i */
    int *outputs;                 /* n_outputs registers */
};

#endif
