/* Words that fields of several elements take. */
#include "model/fields.h"

const char *const rt_axis_names[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
const char *const rt_coordinate_names[] = {"x", "y", "z", "rx", "ry", "rz", NULL};
const char *const rt_orientation_forms[] = {"axis", "angle", "euler",  "rpy",
                                            "x",    "z",     "matrix", NULL};
