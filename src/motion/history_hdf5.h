/* What the writer and the reader of HDF5 files share. */
#ifndef RT_MOTION_HISTORY_HDF5_H
#define RT_MOTION_HISTORY_HDF5_H

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "motion/history_writer.h"

#define RT_HISTORY_FORMAT "routh-history 1"
enum { RT_HISTORY_TEXT = 128 }; /* bytes of an event's name */

/* The library tells errors on stderr unless it is asked not to. */
typedef struct rt_quiet {
    H5E_auto2_t tell;
    void *context;
} rt_quiet;

static inline void rt_history_be_quiet(rt_quiet *before)
{
    H5dont_atexit(); /* after a broken file it would also tell at the end of the program */
    H5Eget_auto2(H5E_DEFAULT, &before->tell, &before->context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static inline void rt_history_as_before(const rt_quiet *before)
{
    H5Eset_auto2(H5E_DEFAULT, before->tell, before->context);
}

/* Texts of so many bytes, padded with zeros. -1 on failure. */
static inline hid_t rt_history_text_type(size_t length)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, length) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    if (type >= 0) H5Tclose(type);
    return -1;
}

#endif
