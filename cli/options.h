/* The options of the command line: one table is both what is parsed and what the help says. */
#ifndef ROUTH_CLI_OPTIONS_H
#define ROUTH_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "routh/routh.h"

/* Which options a command takes. */
typedef enum option_group {
    FOR_SETTINGS = 1, /* --set */
    FOR_MODEL = 2,    /* how the model is brought to its operating point */
    FOR_LINEAR = 4,   /* how it is linearized */
    FOR_TABLE = 8,    /* --json, --csv */
    FOR_SHAPES = 16,  /* what only modes shows */
    FOR_OUTPUT = 32,
    FOR_ALL = 64, /* --quiet, --help */
    FOR_WANTED = 128,
    FOR_CHECK = 256,
    FOR_SPARSITY = 512,
    FOR_FORMAT = 1024,     /* --format of a saved linear model */
    FOR_MOTION = 2048,     /* how a mechanism is integrated in time */
    FOR_EXPERIMENT = 4096, /* verify */
    FOR_REPORT = 8192,
    FOR_REDUCE = 16384,          /* matrices of finite elements */
    FOR_RESPONSE = 32768,        /* from inputs to outputs */
    FOR_SWEEP = 65536,           /* along parameters */
    FOR_RESPONSE_ALONE = 131072, /* and not for its section of the report */
    FOR_PERIODIC = 1 << 20,      /* floquet */
    FOR_SENSITIVITY = 1 << 21,
    FOR_OPTIMISE = 1 << 22,
    FOR_COMPARE = 1 << 23,
    FOR_BENCHMARK = 1 << 25,
    FOR_LAYOUT = 1 << 26, /* format */
    FOR_UNITS = 1 << 27,  /* of tables of results */
    FOR_JSON = 1 << 24,   /* --json alone */
    FOR_SYMBOLIC = 1 << 28,
    FOR_DERIVATIVES = 1 << 29, /* equilibrium, linearize */
    FOR_PARTS = 1 << 30        /* --library, --variant */
} option_group;

typedef struct options {
    const char **positional; /* what is not an option, the command left out */
    int n_positional;
    routh_setting *settings; /* of --set and --variant */
    int n_settings;
    bool variant_given;
    routh_setting *versus; /* of each --versus */
    int n_versus;
    const char *coordinates; /* these are NULL where not given */
    const char *method;
    const char *reference;
    const char **at; /* of each --at */
    int n_at;
    const char *from;
    const char *save_state;
    double fit; /* 0 where not given */
    const char *output;
    const char *sparsity;
    const char *format, *form, *derivatives, *animate;
    int threads;
    double alpha, xi, omega; /* of --penalty; 0 where not given */
    int wanted;              /* 0: all eigenvalues */
    double *near;            /* 2 x n_near: real and imaginary parts of each --near */
    int n_near;
    const char *mass, *stiffness, *damping; /* files of matrices; NULL where not given */
    double between[2];                      /* Hz */
    bool between_given;
    const char *integrator, *channels;
    double end, every, tolerance, step; /* of a run in time; 0 where not given */
    double dissipation;
    bool dissipation_given, resume;
    double duration, amplitude, below; /* of an experiment; 0 where not given */
    int seed;                   /* likewise */
    const char *parameters, *of_modes; /* of sensitivity; NULL: all */
    const char *sensitivity_by;        /* names, or "all" */
    const char *frequencies;           /* likewise; NULL: none */
    bool verify, check, response, sensitivity, floquet, distributed;
    const char *period, *period_of, *period_near, *blades; /* of floquet; NULL where not given */
    bool no_shooting;
    const char *boundary, *crossing; /* of floquet, and of a sweep; NULL where not given */
    const char *nodes, *dofs, *stiffness_name, *mass_name; /* of reduce */
    const char *length_unit, *mass_unit, *time_unit, *title;
    const char **along; /* of each --over of a sweep */
    int n_along;
    const char *speed, *orders, *solve; /* of a sweep */
    double sweep_below;                 /* Hz; 0 where not given */
    int points;                         /* likewise */
    const char *study, *log, *resume_log, *write_model, *algorithm; /* of optimise */
    int evaluations;
    double seconds; /* 0 where not given */
    const char **interfaces;    /* of each --interface */
    int n_interfaces;
    int modes, draw;           /* draw -1: not given */
    double cut, damping_ratio; /* 0 where not given */
    const char *input, *of, *base, *as, *psd, *svg; /* of response; NULL where not given */
    double over[2], modes_to, error;          /* Hz; 0 where not given */
    int over_points;
    double frequencies_below, accuracy;
    const char *user_shapes;
    bool free_modes;
    const char *symbols, *independent, *unknown, *chart; /* of symbolic; NULL where not given */
    bool stability, certify;
    int digits; /* 0: not given */
    int parts;  /* of modes: how deep; 0: not given */
    bool list, model_text; /* of benchmark */
    bool accept_unstable, allow_plugins;
    routh_units *units; /* of tables; NULL: SI */
    int width; /* of format; 0 where not given */
    bool write, details, uncounted, json, csv, shapes, branches, realization, energies, quiet, help;
    char *storage; /* of the settings' names */
} options;

/* Parses argv[0..n). groups: the options the command takes; command is its name, for messages.
 * On failure says what is wrong on standard error and returns false. Free with options_free in both
 * cases. */
bool options_parse(options *given, int n, char **argv, int groups, const char *command);
void options_free(options *given);

/* An option given that speaks of the mechanism, its operating point or its linearization, and so
 * means nothing where matrices or a linear model take the place of the model; NULL: none is. */
const char *option_of_mechanism(const options *given);

/* Complex numbers between commas, added to those of a --near before; says what is wrong. */
bool near_parse(options *given, const char *text);

/* Says that what is written in this form is in SI, where --units asks for other units. */
void options_say_si(const options *given, const char *form);

/* "NAME=VALUE" as a setting; the name is copied to *room, which moves on. False when there is no
 * name or no '='. */
bool setting_parse(routh_setting *setting, const char *text, char **room);

/* An option as help, man page and completion show it. */
typedef struct option_shown {
    const char *name;
    char letter;              /* 0: none */
    const char *argument;     /* NULL: takes none */
    const char *help;         /* the names follow it, where there are any */
    const char *(*names)(int k); /* the values it takes, until NULL; NULL: free ones */
} option_shown;

/* The next option of the groups and of all commands, *at being 0 before the first; false past the
 * last. */
bool option_show(option_shown *shown, size_t *at, int groups);

/* Is it one that every command takes? */
bool option_is_common(const option_shown *shown);

/* What its help says: names before a colon once, as "minimal[:sparse|qr]". */
void option_write_help(FILE *to, const option_shown *shown);

/* A line for each option of the groups. */
void options_help(FILE *to, int groups);

#endif
