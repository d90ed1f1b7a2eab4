#include "base/hdf5_groups.h"

#include <stdio.h>
#include <string.h>

bool rt_hdf5_make_groups(hid_t file, const char *path)
{
    char name[512];
    const hid_t make = H5Pcreate(H5P_GROUP_CREATE);
    bool done = make >= 0 && H5Pset_obj_track_times(make, 0) >= 0 && strlen(path) < sizeof name;
    for (const char *slash = strchr(path, '/'); slash && done; slash = strchr(slash + 1, '/')) {
        snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
        if (H5Lexists(file, name, H5P_DEFAULT) > 0) continue;
        const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, make, H5P_DEFAULT);
        done = group >= 0;
        if (done) H5Gclose(group);
    }
    if (make >= 0) H5Pclose(make);
    return done;
}
