/* Values in a study file, each told with its place where it is not what it should be. */
#ifndef RT_STUDIES_OPTIMISE_STUDY_FIELDS_H
#define RT_STUDIES_OPTIMISE_STUDY_FIELDS_H

#include "model/yaml.h"
#include "studies/optimise_study.h"

typedef struct rt_study_reader {
    rt_study *study;
    const routh_model *model;
    const rt_yaml *root;
    routh_error *error;
    char element[192]; /* "goal ride" */
} rt_study_reader;

/* Units that a number is in, and what it is of where that is known. */
typedef struct rt_study_unit {
    const rt_unit_system *units; /* NULL: SI */
    rt_dimension dimension;
    bool bare;      /* nobody knows its units: a number with a unit is refused */
    bool frequency; /* in Hz: a number in rad/s, deg/s or rpm becomes one */
} rt_study_unit;

extern const rt_study_unit rt_study_rate, rt_study_frequency, rt_study_time; /* 1/s, Hz and s */

routh_status rt_study_fail(const rt_study_reader *r, rt_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A mapping with no other keys than these. */
routh_status rt_study_keys(const rt_study_reader *r, const rt_yaml *node, const char *const *keys);

/* what: the key, for messages. */
routh_status rt_study_word(const rt_study_reader *r, const rt_yaml *node, const char *what,
                           const char **text);
routh_status rt_study_truth(const rt_study_reader *r, const rt_yaml *node, const char *what,
                            bool *truth);
/* of: what the number is of, and in which units; NULL: a plain number. */
routh_status rt_study_number(const rt_study_reader *r, const rt_yaml *node, const char *what,
                             const rt_study_unit *of, double *number);
routh_status rt_study_numbers(const rt_study_reader *r, const rt_yaml *node, const char *what,
                              const rt_study_unit *of, int n, double *numbers);
routh_status rt_study_count(const rt_study_reader *r, const rt_yaml *node, const char *what,
                            int least, int most, int *count);

/* node NULL: choice stays as it is. */
routh_status rt_study_choice(const rt_study_reader *r, const rt_yaml *node, const char *what,
                             const char *const *names, int *choice);

#endif
