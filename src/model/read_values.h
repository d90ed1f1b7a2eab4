/* The values that a field can have (rt_field_type says what each is stored as), for the reader of
 * fields; `what` names the field in messages. Numbers and lists that others read too: reader.h. */
#ifndef RT_MODEL_READ_VALUES_H
#define RT_MODEL_READ_VALUES_H

#include "model/reader.h"

/* ---- numbers (values.c) ---------------------------------------------------------------------- */

/* A whole number; the range holds for it. */
routh_status rt_read_count(rt_reader *r, const rt_yaml *node, const char *what, rt_range range,
                           int *out);

/* Fails where the node is no list of n. */
routh_status rt_expect_numbers(rt_reader *r, const rt_yaml *node, const char *what, int n);

/* A number for all three, or a list of three. */
routh_status rt_read_triple(rt_reader *r, const rt_yaml *node, const char *what, rt_number out[3]);
routh_status rt_read_matrix6(rt_reader *r, const rt_yaml *node, const char *what,
                             rt_number out[36]);
routh_status rt_read_ratios(rt_reader *r, const rt_yaml *node, const char *what, rt_number out[3]);

/* [Ixx, Iyy, Izz] or with Ixy, Ixz, Iyz, into the whole matrix. */
routh_status rt_read_inertia(rt_reader *r, const rt_yaml *node, rt_number out[9]);

/* ---- words (words.c) ------------------------------------------------------------------------- */

/* Which of the choices (NULL-terminated) the word is; -1: none. */
int rt_word_position(const char *word, const char *const *choices);

routh_status rt_read_word(rt_reader *r, const rt_yaml *node, const char *what, rt_word *out);
routh_status rt_read_between(rt_reader *r, const rt_yaml *node, rt_word out[2]);

/* Two or three words. */
routh_status rt_read_word_list(rt_reader *r, const rt_yaml *node, const char *what,
                               rt_word_list *out);

/* One of the field's choices, or two or three of them, by their positions. */
routh_status rt_read_choice(rt_reader *r, const rt_yaml *node, const rt_field *field, int *out);
routh_status rt_read_choices(rt_reader *r, const rt_yaml *node, const rt_field *field,
                             rt_word_list *out);

routh_status rt_read_text(rt_reader *r, const rt_yaml *node, const char *what, const char **out);

/* true or false as YAML 1.2 has it: text in quotes is text. */
routh_status rt_read_truth(rt_reader *r, const rt_yaml *node, const char *what, bool *out);

#endif
