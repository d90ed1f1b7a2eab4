/* Which transforms there are. */
#include "answers/identify_transform.h"

#include <stddef.h>

#ifdef ROUTH_FFTW
const rt_transform *const rt_transforms[] = {&rt_transform_fftw, &rt_transform_own, NULL};
#else
const rt_transform *const rt_transforms[] = {&rt_transform_own, NULL};
#endif
