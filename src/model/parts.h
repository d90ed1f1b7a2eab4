/* A part as it is written. */
#ifndef RT_MODEL_PARTS_H
#define RT_MODEL_PARTS_H

#include "model/scope.h"

typedef struct rt_written_part {
    rt_word file, index;
    rt_number at[3], orientation[9], step[3], axis[3], about[3], angle;
    rt_written_turning spin;
    int mirror, count;
    const rt_yaml *set, *connect, *first, *inputs;
} rt_written_part;

/* An entry of `parts`, and the tree of its file. */
typedef struct rt_part_entry {
    const rt_yaml *node;
    const rt_scope *outer;
    const rt_part_file *file;
    const rt_yaml *set, *connect, *first, *inputs, *ports;
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

/* Reads an entry and the file it names, and checks one by the other. */
routh_status rt_read_part_entry(rt_reader *r, const rt_yaml *node, const rt_scope *outer,
                                rt_part_entry *p);

#endif
