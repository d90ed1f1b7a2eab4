/* Names that users wrote before the first release. */
#ifndef RT_BASE_RENAMED_H
#define RT_BASE_RENAMED_H

/* The one of `names` (which end with NULL) that a command, an option or a field of a file has now,
 * or NULL where `old` is no old name of any. */
const char *rt_new_name(const char *old, const char *const *names);

#endif
