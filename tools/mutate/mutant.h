/* In the first line of every mutated source. Mutant k is one place where other code may run: with
 * ROUTH_MUTANT=k,... in the environment it does. With ROUTH_MUTANT_RECORD=<file of one byte a
 * mutant> the original runs, and byte k becomes 1 where the place was reached, 3 where the mutated
 * code would have given another value. Byte 0: the tests asked for their effort. */
#ifndef RT_MUTANT_H
#define RT_MUTANT_H

/* 0: the original, 1: the mutated code, 2: the original, recorded */
extern unsigned char mutants[];
void mutant_reached(int k, int how);

/* of values that can both be worked out */
#define RT_MUTANT_VALUE(k, original, mutated) \
    (mutants[k] == 0 ? (original) : mutants[k] == 1 ? (mutated) : __extension__({ \
        __typeof__(original) mutant_a = (original); \
        __typeof__(mutated) mutant_b = (mutated); \
        mutant_reached(k, mutant_a != mutant_b ? 3 : 1); \
        mutant_a; \
    }))

/* of what may have effects: reached counts as another value */
#define RT_MUTANT_CHOICE(k, original, mutated) \
    (mutants[k] == 0   ? (original) \
     : mutants[k] == 1 ? (mutated) \
                          : (mutant_reached(k, 3), (original)))

#endif
