/* Which object belongs to which: numbers of 64 bits that are compared, and never shown. A model has
 * one of its own; what is made of it carries it on, mixed with its own contents. 0: not known, of
 * what the library did not make. */
#ifndef RT_BASE_IDENTITY_H
#define RT_BASE_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "routh/linear.h"

/* A number of its own for an object that is made now, at this address: two objects of one address
 * are not made at one time. */
uint64_t rt_identity_new(const void *object);

/* The number, then what follows it; never 0. */
uint64_t rt_identity_mix(uint64_t identity, uint64_t next);
uint64_t rt_identity_of_doubles(uint64_t identity, const double *numbers, size_t n);
uint64_t rt_identity_of_text(uint64_t identity, const char *text);

/* A linear model by the A that its modes are of; without one, by its operating point. Files keep
 * A, so that the modes of a linear model are those of its file too. */
uint64_t rt_identity_of_linear(const routh_linear *linear);

#endif
