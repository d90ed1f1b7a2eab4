#define _GNU_SOURCE /* dl_iterate_phdr */

#include "output/loaded.h"

#include <stddef.h>
#include <string.h>

#ifdef __linux__
#include <link.h>
#endif

/* Beside OpenSSL (Apache-2.0) and MPFR (LGPL-3.0-or-later), which version 2 of the GPL does not
 * allow, "GPL-2.0-or-later" can only be version 3 or later for the whole. */
static const rt_copyleft known[] = {
    {"libgf2x.so", "GPL-3.0-or-later",
     "FLINT loads libgf2x, which is under GPL-2.0-or-later; with -DROUTH_FLINT=OFF no part is"},
    {"libfftw3.so", "GPL-3.0-or-later",
     "FFTW, which is under GPL-2.0-or-later, is loaded; without -DROUTH_FFTW=ON and "
     "-DROUTH_DISTRIBUTED=ON it is not"},
};
enum { N_KNOWN = sizeof known / sizeof *known };

#ifdef __linux__

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    const rt_copyleft **found = data;
    (void)size;
    if (!info->dlpi_name) return 0;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *file = slash ? slash + 1 : info->dlpi_name;
    for (size_t k = 0; k < N_KNOWN; k++)
        if (strncmp(file, known[k].soname, strlen(known[k].soname)) == 0) *found = &known[k];
    return *found != NULL;
}

const rt_copyleft *rt_copyleft_loaded(void)
{
    const rt_copyleft *found = NULL;
    dl_iterate_phdr(look, &found);
#ifdef ROUTH_FFTW
    if (!found) found = &known[1]; /* linked as an archive */
#endif
    return found;
}

#else

/* What is loaded cannot be asked for: what was built in may be. */
const rt_copyleft *rt_copyleft_loaded(void)
{
#if defined(ROUTH_HAS_FLINT)
    return &known[0];
#elif defined(ROUTH_FFTW)
    return &known[1];
#else
    return NULL;
#endif
}

#endif
