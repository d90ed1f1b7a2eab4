/* All public functions as a table, which tests/entry/write_calls.py makes of the headers. */
#ifndef TESTS_ENTRY_CALLS_H
#define TESTS_ENTRY_CALLS_H

#include <stddef.h>

typedef enum call_kind {
    CALL_ERROR,    /* routh_error * */
    CALL_PLACE,    /* of a pointer to what is made */
    CALL_TEXT,     /* that is written */
    CALL_STRING,   /* const char * */
    CALL_WORDS,    /* const char *const * */
    CALL_NUMBERS,  /* const double * */
    CALL_INTEGERS, /* const int * */
    CALL_OUT,      /* numbers that are filled */
    CALL_OPTIONS,  /* ..._options or ..._request */
    CALL_OBJECT,   /* any other pointer */
    CALL_CHOICE,   /* an enum */
    CALL_WHOLE,
    CALL_SIZE,
    CALL_REAL,
    CALL_STATUS, /* what is returned, and so on */
    CALL_POINTER,
    CALL_NOTHING
} call_kind;

typedef struct call_value {
    void *p;
    long long i;
    double d;
} call_value;

typedef call_value (*call_thunk)(const call_value *values);

typedef struct call_parameter {
    const char *name;
    const char *type; /* without const and stars */
    call_kind kind;
    int values;      /* of an enum */
    call_thunk free; /* of what is made; NULL: none */
} call_parameter;

enum { CALL_MOST = 8 };

typedef struct public_call {
    const char *name, *header;
    call_kind returns;
    int n;
    call_thunk run;
    call_parameter parameters[CALL_MOST];
} public_call;

/* A number among options. */
typedef struct option_member {
    const char *type, *name; /* "routh_check_options", "operating.tolerance" */
    call_kind kind;
    int values;
    size_t offset, size; /* size: of the whole */
} option_member;

/* Each ends with a name of NULL. */
extern const public_call public_calls[];
extern const option_member option_members[];

#endif
