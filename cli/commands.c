#include "commands.h"

#include <string.h>

#define MODEL_OPTIONS (FOR_SETTINGS | FOR_MODEL | FOR_OUTPUT)
#define LINEAR_OPTIONS (MODEL_OPTIONS | FOR_LINEAR)

const command commands[] = {
    {"modes", "MODEL...", "modes at the operating point: frequencies, damping, where the energy is",
     "MODEL may also be a linear model that routh linearize has saved. Large matrices from files\n"
     "  take its place: routh modes --mass M.mtx --stiffness K.mtx --wanted 10\n"
     "  Several models are gone through one after another, or by several processes "
     "(--distributed).",
     LINEAR_OPTIONS | FOR_TABLE | FOR_SHAPES | FOR_WANTED, 0, 100000, run_modes},
    {"linearize", "MODEL", "the linear model: states, mass, damping, stiffness, state space",
     "Where FILE ends in .json, .mat, .h5, .npz, .csv or is a folder, all of the linear model is\n"
     "  saved in it, for other programs and for routh; MODEL may also be such a file.",
     LINEAR_OPTIONS | FOR_TABLE | FOR_SPARSITY | FOR_FORMAT, 1, 1, run_linearize},
    {"equilibrium", "MODEL", "the operating point: bodies, reactions, redundant constraints", NULL,
     MODEL_OPTIONS | FOR_TABLE, 1, 1, run_equilibrium},
    {"simulate", "MODEL", "time histories: motion, reactions, energies, in a file",
     "FILE ends in .h5 (HDF5) or .csv. Ctrl-C leaves it whole up to the last step; --resume goes "
     "on.",
     MODEL_OPTIONS | FOR_MOTION, 1, 1, run_simulate},
    {"check", "MODEL...", "is the model in order, and do all coordinates and methods agree",
     "Several models are checked one after another, or by several processes (--distributed).\n"
     "  Exit status 1 also where an answer is no; \"cannot tell\" is not a fault.",
     FOR_SETTINGS | FOR_CHECK | FOR_OUTPUT, 1, 100000, run_check},
    {"confirm", "MODEL", "eigenvalues beside what the simulated motion of the model itself shows",
     "The model is set swinging a little, simulated, and frequencies and damping are read from "
     "its\n"
     "  motion. Exit status 1 also where an eigenvalue is contradicted; \"not seen\" is not a "
     "fault.",
     LINEAR_OPTIONS | FOR_TABLE | FOR_EXPERIMENT, 1, 1, run_confirm},
    {"response", "MODEL", "frequency response from inputs to outputs: gains, peaks, Bode, Nyquist",
     "MODEL may also be a saved linear model.",
     LINEAR_OPTIONS | FOR_TABLE | FOR_RESPONSE | FOR_RESPONSE_ALONE, 1, 1, run_response},
    {"sweep", "MODEL", "eigenvalues against a parameter, and where stability ends, solved for",
     "routh sweep MODEL --over spin=0:2*pi:41; also log:1:1e6:25 and lists: --over \"k=1, 2, 5\".\n"
     "  A second --over makes a map. Ctrl-C keeps what is done; exit status 1 then.",
     FOR_SETTINGS | FOR_SWEEP | FOR_LINEAR | FOR_TABLE | FOR_OUTPUT, 1, 1, run_sweep},
    {"floquet", "MODEL",
     "stability of a periodic motion: Floquet multipliers, multi-blade coordinates",
     "The motion begins at the operating point and comes back after --period or --period-of; a "
     "periodic\n"
     "  motion near it is searched for, with --period-near its period too.",
     MODEL_OPTIONS | FOR_TABLE | FOR_PERIODIC, 1, 1, run_floquet},
    {"sensitivity", "MODEL", "exact derivatives of eigenvalues with respect to parameters",
     "At a static equilibrium, or at a state as written. The operating point moves along.",
     MODEL_OPTIONS | FOR_TABLE | FOR_SENSITIVITY, 1, 1, run_sensitivity},
    {"optimise", "MODEL", "parameters for which frequencies, damping and peaks are as wanted",
     "The study says which parameters may change within which bounds, and what is wanted. Ctrl-C "
     "keeps\n"
     "  the best so far. Exit status 1 also where bounds cannot be kept or nothing converged.",
     FOR_SETTINGS | FOR_OPTIMISE | FOR_OUTPUT, 1, 1, run_optimise},
    {"compare", "A [B]", "two models or settings: which term or parameter moved which mode",
     "routh compare A.yaml B.yaml, or one model twice: routh compare A.yaml --set k=1 --versus "
     "k=2\n"
     "  (--set is for both, --versus for the second one alone).",
     MODEL_OPTIONS | FOR_LINEAR | FOR_TABLE | FOR_COMPARE, 1, 2, run_compare},
    {"symbolic", "MODEL", "M, C and K as formulas: exact, in closed form",
     "At the positions that the model is written with; parameters stay symbols. Springs, dampers,\n"
     "  forces, gravity, rigid bodies and most joints are in its class.",
     FOR_SETTINGS | FOR_SYMBOLIC | FOR_OUTPUT, 1, 1, run_symbolic},
    {"report", "MODEL [B]",
     "one HTML page: modes animated in 3-D, table, eigenvalues, operating point",
     "Without --output the page is MODEL's name with .html, in the current folder. With a second "
     "model\n"
     "  or --versus it also shows what moved the modes, as routh compare does.",
     LINEAR_OPTIONS | FOR_EXPERIMENT | FOR_REPORT | FOR_RESPONSE | FOR_COMPARE, 1, 2, run_report},
    {"reduce", "STIFFNESS MASS", "a flexible body from matrices of finite elements, and its health",
     "Files: Matrix Market or Abaqus (.mtx), CalculiX (.sti .mas), Nastran (.pch, text .op4).\n"
     "  The body is written to the FILE of --output, for {type: modal, file: FILE} in models.",
     FOR_REDUCE | FOR_OUTPUT, 2, 2, run_reduce},
    {"template", "[NAME [KEY=VALUE]...]", "write a ready model file; without NAME list them",
     "KEY=VALUE shapes the model: routh template four-bar N=20", FOR_SETTINGS | FOR_OUTPUT, 0, 1000,
     run_template},
    {"schema", "[COMMAND]", "the JSON Schema of model files, for editors",
     "With the name of a COMMAND that of what it writes with --json: routh schema modes",
     FOR_OUTPUT, 0, 1, run_schema},
    {"reference", "[results]", "all that a model file may hold, as a page in Markdown",
     "routh reference results: what commands write with --json and --csv", FOR_OUTPUT, 0, 1,
     run_reference},
    {"version", "", "the version, the libraries that are built in, and the licence of the whole",
     "routh --version prints the version alone.", FOR_JSON | FOR_OUTPUT, 0, 0, run_version},
    {"completion", "bash|zsh|fish", "what a shell needs to complete commands, options and values",
     "bash: source <(routh completion bash), or the text as a file of\n"
     "  /usr/share/bash-completion/completions called routh.",
     FOR_OUTPUT, 1, 1, run_completion},
    {"man", "", "the manual page; routh man | man -l - shows it", NULL, FOR_OUTPUT, 0, 0, run_man},
    {"help", "[COMMAND]", "this text, or that of a command", NULL, 0, 0, 1, run_help},
    {.name = NULL},
};

const command *command_find(const char *name)
{
    for (const command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

const char *command_suggest(const char *name)
{
    const char *names[sizeof commands / sizeof *commands];
    size_t n = 0;
    for (const command *c = commands; c->name; c++) names[n++] = c->name;
    names[n] = NULL;
    return routh_suggest(name, names);
}
