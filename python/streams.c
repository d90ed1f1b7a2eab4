/* Debian's archives of HDF5 and matio are compiled for programs, and take the addresses of the C
 * library's streams as a program has them; in a module that is loaded the linker refuses that. It
 * is told (--wrap) to give them these instead, which hold the same streams. */
#include <stdio.h>

extern FILE *__real_stderr, *__real_stdout;

__attribute__((visibility("hidden"))) FILE *__wrap_stderr, *__wrap_stdout;

__attribute__((constructor)) static void take_streams(void)
{
    __wrap_stderr = __real_stderr;
    __wrap_stdout = __real_stdout;
}
