/* A tape as compiled; private to the room. */
#ifndef RT_EXPRESSION_TAPE_H
#define RT_EXPRESSION_TAPE_H

#include "expression/graph.h"

typedef struct rt_instruction {
    rt_operation operation;
    int n;      /* of arguments */
    int detail; /* of an INPUT: which of the tape's inputs */
    int argument[RT_MOST_ARGUMENTS];
    double value;
    double off[RT_GRAPH_SHAKES]; /* of a constant: what a shaken graph adds to it */
    const rt_curve *curve;
    const rt_user_function *user;
} rt_instruction;

struct rt_tape {
    const rt_graph *graph; /* for numbers of 113 bits alone, while the graph is there */
    int n, n_outputs;
    rt_instruction *instructions; /* n; instruction i fills register i */
    int *outputs;                 /* n_outputs registers */
};

#endif
