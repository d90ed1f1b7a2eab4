/* A public call, while its arguments are looked at: src/entry defines the public functions, which
 * look at what they are given and then call the function inside of the same name, ri_... for
 * routh_... (names.h). Nothing here allocates. */
#ifndef RT_ENTRY_CALL_H
#define RT_ENTRY_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "routh/routh.h"

typedef struct rt_call {
    const char *name; /* of the public function */
    routh_error *error;
    routh_status status; /* BAD_ARGUMENT once an argument is refused: the first one counts */
} rt_call;

/* Clears the error, which may be NULL. */
rt_call rt_call_begin(const char *name, routh_error *error);

/* The status of the whole, with an error that is empty where it is OK. */
routh_status rt_call_end(const rt_call *call, routh_status status);

/* STOPPED: the caller asked for an end, and has what was done until then. */
routh_status rt_call_stopped(routh_error *error);

/* Refuses an argument: "argument 'point': it is of another mechanism; ..". Once refused, further
 * calls do nothing. */
void rt_call_refuse(rt_call *call, const char *argument, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Is it there? */
bool rt_call_given(rt_call *call, const void *argument, const char *name);
/* A text that is to be written: there, and empty from now on. */
void rt_call_text(rt_call *call, routh_text *text, const char *name);
/* 0 .. n - 1 */
void rt_call_index(rt_call *call, long long k, long long n, const char *name);
/* A value of an enum that has n, from 0. */
void rt_call_choice(rt_call *call, long long value, int n, const char *name);
/* A count or another number that may not be below `least`. */
void rt_call_least(rt_call *call, long long value, long long least, const char *name);
/* Numbers: finite; or NAN and INFINITY as they come, but not below 0. */
void rt_call_finite(rt_call *call, double value, const char *name);
void rt_call_all_finite(rt_call *call, const double *values, size_t n, const char *name);
void rt_call_not_negative(rt_call *call, double value, const char *name);
/* n elements at list, which may be NULL where n is 0. */
void rt_call_list(rt_call *call, const void *list, long long n, const char *name,
                  const char *name_of_n);
/* n texts, none of them NULL. */
void rt_call_words(rt_call *call, const char *const *words, long long n, const char *name,
                   const char *name_of_n);
void rt_call_settings(rt_call *call, const routh_setting *settings, size_t n, const char *name,
                      const char *name_of_n);

/* For the functions of this module, where the call is `call` and an argument has its own name.
 * What an argument before was refused for is not looked at any more: other checks may read it. */
#define RT_CALL(error) rt_call call = rt_call_begin(__func__, error)
#define RT_CHECK(check) (call.status ? (void)0 : (void)(check))
#define RT_GIVEN(argument) RT_CHECK(rt_call_given(&call, argument, #argument))
/* What is to be made or written is nothing from now on, whatever else is refused. */
#define RT_MADE(argument)                                                                          \
    do {                                                                                           \
        if (argument) *(argument) = NULL;                                                          \
        RT_GIVEN(argument);                                                                        \
    } while (0)
#define RT_TEXT(text) rt_call_text(&call, text, #text)
#define RT_INDEX(k, n) RT_CHECK(rt_call_index(&call, k, n, #k))
#define RT_CHOICE(value, n) RT_CHECK(rt_call_choice(&call, (long long)(value), n, #value))
#define RT_LEAST(value, least) RT_CHECK(rt_call_least(&call, value, least, #value))
#define RT_FINITE(value) RT_CHECK(rt_call_finite(&call, value, #value))
#define RT_ALL_FINITE(values, n) RT_CHECK(rt_call_all_finite(&call, values, (size_t)(n), #values))
#define RT_LIST(list, n) RT_CHECK(rt_call_list(&call, list, (long long)(n), #list, #n))
#define RT_WORDS(words, n) RT_CHECK(rt_call_words(&call, words, n, #words, #n))
#define RT_SETTINGS(list, n) RT_CHECK(rt_call_settings(&call, list, n, #list, #n))
/* The status of the function inside, unless an argument was refused. */
#define RT_RUN(inside) rt_call_end(&call, call.status ? call.status : (inside))

#endif
