/* Colour on a terminal: bold titles, a red word before errors, yellow warnings and unstable modes.
 * What goes to a file or a pipe stays as it is, unless --color always asks for it. */
#ifndef ROUTH_CLI_COLOUR_H
#define ROUTH_CLI_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum colour { COLOUR_TITLE, COLOUR_ERROR, COLOUR_WARNING } colour;

/* "auto", "always" or "never"; false for another word. Without it, auto: where the stream is a
 * terminal, NO_COLOR is unset or empty, and TERM is neither unset nor dumb. */
bool colour_choose(const char *word);

bool colour_on(FILE *to);

/* What is written before and after a coloured piece; "" where there is no colour. */
const char *colour_begin(FILE *to, colour c);
const char *colour_end(FILE *to);

/* A table of the library, its lines coloured by what they are; false where it cannot be written. */
bool colour_write_table(FILE *to, const char *text, size_t length);

#endif
