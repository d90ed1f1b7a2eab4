/* libhdf5 loses memory where a file is broken: the leak sanitizer is to tell of our own leaks. */
#ifndef TESTS_SUPPORT_LOST_MEMORY_H
#define TESTS_SUPPORT_LOST_MEMORY_H

/* found by the sanitizer's own library */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

#endif
