/* Under a limit of address space (ulimit -v) the program begins again with one thread of OpenBLAS.
 * Other threads of it start before main, take 128 MiB each, and where they are refused try again
 * without end (OpenBLAS 0.3.21); the end of the program waits for them. */
#ifndef CLI_ROOM_H
#define CLI_ROOM_H

/* Returns where nothing is to be done, or the program cannot be begun again. */
void room_for_blas(char **argv);

#endif
