/* Which libraries under the GPL this process has loaded. */
#ifndef RT_OUTPUT_LOADED_H
#define RT_OUTPUT_LOADED_H

typedef struct rt_copyleft {
    const char *soname;  /* how the name of its file begins */
    const char *licence; /* that the whole is under with it */
    const char *why;     /* a sentence */
} rt_copyleft;

/* The first of those known that is loaded, or that was linked on purpose; NULL: none. */
const rt_copyleft *rt_copyleft_loaded(void);

#endif
