/* Groups of HDF5 files. The library notes the time in each that it makes by itself, and two files
 * of the same numbers would differ. */
#ifndef RT_BASE_HDF5_GROUPS_H
#define RT_BASE_HDF5_GROUPS_H

#include <hdf5.h>
#include <stdbool.h>

/* The groups before the last name of a path, made without times where they are not there. False
 * where one cannot be made. */
bool rt_hdf5_make_groups(hid_t file, const char *path);

#endif
