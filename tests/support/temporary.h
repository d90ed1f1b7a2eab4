/* Files that a test writes for a call that reads files. */
#ifndef TESTS_SUPPORT_TEMPORARY_H
#define TESTS_SUPPORT_TEMPORARY_H

/* The path of a new file that holds the text, in the folder TMPDIR or the system's own; the caller
 * unlinks and frees it. Fails the test where it cannot be written. */
char *write_temporary(const char *text);

#endif
