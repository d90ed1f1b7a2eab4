/* A linear model in which nothing is left out, with numbers and texts that are hard to keep. */
#ifndef TESTS_EXCHANGE_FULL_MODEL_H
#define TESTS_EXCHANGE_FULL_MODEL_H

#include "routh/linear.h"

enum {
    FULL_POSITION = 2,
    FULL_VELOCITY = 1,
    FULL_CONTROL = 1,
    FULL_STATES = 4,
    FULL_INPUTS = 2,
    FULL_OUTPUTS = 3
};

/* The model; its parts are static. */
routh_linear full_model(void);

/* Fails the test unless both hold the same, to the bit. */
void assert_same_model(const routh_linear *a, const routh_linear *b);

#endif
