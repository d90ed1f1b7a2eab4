/* How one folder is reached from another. */
#ifndef RT_BASE_FOLDER_H
#define RT_BASE_FOLDER_H

#include "base/text.h"

#include "base/error.h"

/* Appends what leads from the folder of file `to` to that of file `from`, "../models/": empty where
 * they are the same. A file without a folder in its name is in the working directory. FILE_ERROR
 * where one of the folders is not there, OUT_OF_MEMORY. */
routh_status rt_folder_way(const char *from, const char *to, rt_text *way, routh_error *error);

#endif
