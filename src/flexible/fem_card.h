/* A card of Nastran's bulk data: fields of 8 or 16 columns or parted by commas, over several
 * lines. */
#ifndef RT_FLEXIBLE_FEM_CARD_H
#define RT_FLEXIBLE_FEM_CARD_H

#include "flexible/fem_text.h"

enum { RT_FE_FIELDS = 64 };

typedef struct rt_fe_field {
    const char *at;
    size_t length;
} rt_fe_field;

typedef struct rt_fe_card {
    char name[9];
    int n; /* fields after the name; continuations follow where they belong, eight a line */
    rt_fe_field field[RT_FE_FIELDS];
    int line;
} rt_fe_card;

/* The present line alone: name ("", "*", "+" of a continuation) and its fields. */
void rt_fe_split(const rt_fe_text *text, rt_fe_card *line);
bool rt_fe_continues(const rt_fe_card *line);

/* The next card; false at the end of the file or ENDDATA. Fields beyond the room are cut off. */
bool rt_fe_next_card(rt_fe_text *text, rt_fe_card *card);
bool rt_fe_card_int(const rt_fe_card *card, int k, int *value); /* false where blank or no number */
bool rt_fe_card_real(const rt_fe_card *card, int k, double *value);
bool rt_fe_card_blank(const rt_fe_card *card, int k);

#endif
