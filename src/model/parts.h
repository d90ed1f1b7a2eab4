/* A part as it is written. */
#ifndef RT_MODEL_PARTS_H
#define RT_MODEL_PARTS_H

#include "model/scope.h"

typedef struct rt_written_part {
    rt_word file, index, variant;
    rt_number at[3], orientation[9], step[3], axis[3], about[3], angle;
    rt_written_turning spin;
    int mirror, count;
    const rt_yaml *set, *connect, *first, *inputs, *variants;
} rt_written_part;

/* An entry of `parts`, and the tree of its file. */
typedef struct rt_part_entry {
    const rt_yaml *node;
    const rt_scope *outer;
    const rt_part_file *file;
    const rt_yaml *set, *connect, *first, *inputs, *ports;
    const rt_yaml *variant; /* of the file's, NULL: none */
    const char *index;
    int mirror, count; /* count 0: no array */
    bool placed;
} rt_part_entry;

/* The sections whose entries a part brings, NULL-terminated. */
extern const char *const rt_part_sections[];

/* A section of a file, NULL where it has none; the first entry of a list or mapping, NULL for
 * none. */
const rt_yaml *rt_section_of(const rt_yaml *root, const char *name);
const rt_yaml *rt_first_in(const rt_yaml *section);

/* A field that is a mapping, NULL where it is not given. */
routh_status rt_read_mapping(rt_reader *r, const rt_yaml *node, const char *name,
                             const rt_yaml **out);

/* The file has something of this name. */
bool rt_part_has(const rt_yaml *root, const char *name, size_t length);

/* Fails where a part is connected to what is not there, or not exported (part_connections.c);
 * sections: all entries, as rt_part_sections. */
routh_status rt_check_connections(rt_reader *r, const rt_yaml *const *sections);

/* Reads an entry and the file it names, and checks one by the other. position: in an array with a
 * choice of its own, -1: of all. */
routh_status rt_read_part_entry(rt_reader *r, const rt_yaml *node, const rt_scope *outer,
                                int position, rt_part_entry *p);

/* ---- variants (part_variants.c) -------------------------------------------------------------- */

/* The entry with what its variant says in it, without `variants`; and the variant of its file that
 * is asked for, text NULL: none. */
routh_status rt_choose_of_entry(rt_reader *r, const rt_scope *outer, const rt_yaml *node,
                                int position, const rt_yaml **with, rt_word *of_file);

/* All variants of a file are checked, whether they are chosen or not; path for messages. */
routh_status rt_check_file_variants(rt_reader *r, const rt_yaml *root, const char *path);

/* The one that the word names, else the file's own choice; NULL: none. */
routh_status rt_choose_of_file(rt_reader *r, const rt_yaml *root, const char *path, rt_word word,
                               const rt_yaml **variant);
/* The same of the model's file, by the caller's setting `variant`. */
routh_status rt_choose_of_model(rt_reader *r, const rt_yaml *root, const rt_yaml **variant);

/* What it sets a parameter of the file to; NULL: nothing. */
const rt_yaml *rt_value_of_variant(const rt_yaml *variant, const char *parameter);

/* A part of an array has a choice of its own; may some have; all that do are among `count`. */
bool rt_has_own_choice(rt_reader *r, const rt_scope *outer, const rt_yaml *node, int position);
bool rt_may_have_own_choices(const rt_reader *r, const rt_scope *outer);
routh_status rt_check_own_choices(rt_reader *r, const rt_scope *outer, const rt_yaml *node,
                                  int count);

#endif
