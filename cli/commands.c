#include "commands.h"

#include <string.h>

#define MODEL_OPTIONS (FOR_SETTINGS | FOR_PARTS | FOR_MODEL | FOR_OUTPUT)
#define LINEAR_OPTIONS (MODEL_OPTIONS | FOR_LINEAR)

const command commands[] = {
    {"modes", "MODEL...", "modes at the operating point: frequency, damping, energy distribution",
     "MODEL may also be a linear model saved by routh linearize. Large matrices from files are\n"
     "  given instead of it: routh modes --mass M.mtx --stiffness K.mtx --wanted 10\n"
     "  Several models run one after another, or in several processes (--distributed).",
     LINEAR_OPTIONS | FOR_TABLE | FOR_SHAPES | FOR_WANTED | FOR_UNITS, 0, 100000, run_modes},
    {"linearize", "MODEL", "linear model: states, mass, damping and stiffness matrices, A B C D",
     "If FILE of --output ends in .json, .mat, .h5, .npz, .csv or is a folder, the complete\n"
     "  linear model is saved there, for other programs and for routh. MODEL may be such a file.",
     LINEAR_OPTIONS | FOR_TABLE | FOR_SPARSITY | FOR_FORMAT | FOR_DERIVATIVES | FOR_UNITS, 1, 1,
     run_linearize},
    {"equilibrium", "MODEL", "operating point: positions, reactions, redundant constraints", NULL,
     MODEL_OPTIONS | FOR_TABLE | FOR_DERIVATIVES | FOR_UNITS, 1, 1, run_equilibrium},
    {"simulate", "MODEL", "time histories of motion, reactions and energies, in a file",
     "FILE ends in .h5 (HDF5) or .csv. After Ctrl-C it is complete up to the last step, and\n"
     "  --resume continues it.",
     MODEL_OPTIONS | FOR_MOTION, 1, 1, run_simulate},
    {"check", "MODEL...", "model check: constraints, singularity, agreement of all formulations",
     "Several models are checked one after another, or in several processes (--distributed).\n"
     "  The exit status is 1 if an answer is no; \"cannot tell\" is not an error.",
     FOR_SETTINGS | FOR_PARTS | FOR_CHECK | FOR_OUTPUT | FOR_UNITS, 1, 100000, run_check},
    {"verify", "MODEL", "verify eigenvalues by simulation of the nonlinear model",
     "Routh excites all modes a little, simulates, and identifies frequencies and damping from\n"
     "  the motion. The exit status is 1 if an eigenvalue is contradicted; \"not seen\" is not an\n"
     "  error.",
     LINEAR_OPTIONS | FOR_TABLE | FOR_EXPERIMENT | FOR_UNITS, 1, 1, run_verify},
    {"response", "MODEL", "frequency response from inputs to outputs: gains, peaks, Bode, Nyquist",
     "MODEL may also be a saved linear model.",
     LINEAR_OPTIONS | FOR_TABLE | FOR_RESPONSE | FOR_RESPONSE_ALONE | FOR_UNITS, 1, 1,
     run_response},
    {"sweep", "MODEL", "eigenvalues over parameters: Campbell diagram, stability limits",
     "routh sweep MODEL --over spin=0:2*pi:41; also log:1:1e6:25 and lists: --over \"k=1, 2, 5\".\n"
     "  A second --over makes a map. Routh computes these values first, then solves for stability\n"
     "  limits and critical speeds between them. After Ctrl-C the values computed so far are\n"
     "  written, and the exit status is 130 (SIGTERM: 143); a second Ctrl-C ends at once.",
     FOR_SETTINGS | FOR_PARTS | FOR_SWEEP | FOR_LINEAR | FOR_TABLE | FOR_UNITS | FOR_OUTPUT, 1, 1,
     run_sweep},
    {"floquet", "MODEL",
     "stability of a periodic motion: Floquet multipliers, multi-blade "
     "coordinates",
     "The motion starts at the operating point; its period is --period or --period-of. Routh\n"
     "  searches for a periodic motion near it, with --period-near for its period too.",
     MODEL_OPTIONS | FOR_TABLE | FOR_PERIODIC | FOR_UNITS, 1, 1, run_floquet},
    {"sensitivity", "MODEL", "exact derivatives of eigenvalues with respect to parameters",
     "The derivatives include the change of the operating point: a static equilibrium, a steady\n"
     "  motion, or the initial state.",
     MODEL_OPTIONS | FOR_TABLE | FOR_SENSITIVITY | FOR_UNITS, 1, 1, run_sensitivity},
    {"optimise", "MODEL", "optimise parameters for frequencies, damping, response peaks",
     "The study lists the design parameters, their bounds, and the goals. After Ctrl-C the best\n"
     "  values so far are written. The exit status is 1 if a bound is violated or the run did not\n"
     "  converge.",
     FOR_SETTINGS | FOR_PARTS | FOR_OPTIMISE | FOR_OUTPUT | FOR_UNITS, 1, 1, run_optimise},
    {"compare", "A [B]", "two models or settings: attribution of every mode's change",
     "routh compare A.yaml B.yaml, or one model twice: routh compare A.yaml --set k=1 --versus "
     "k=2\n"
     "  (--set applies to both, --versus to the second only).",
     MODEL_OPTIONS | FOR_LINEAR | FOR_TABLE | FOR_COMPARE | FOR_UNITS, 1, 2, run_compare},
    {"symbolic", "MODEL", "M, C and K as exact formulas in the parameters",
     "Linearized in the reference configuration; parameters stay symbols. Supported: springs,\n"
     "  dampers, forces, gravity, rigid bodies and most joints.",
     FOR_SETTINGS | FOR_PARTS | FOR_SYMBOLIC | FOR_OUTPUT, 1, 1, run_symbolic},
    {"report", "MODEL [B]", "HTML report: animated modes in 3-D, tables, diagrams",
     "The default file is MODEL's name with .html, in the current folder. With a second model or\n"
     "  --versus the report also shows the comparison of routh compare.",
     LINEAR_OPTIONS | FOR_EXPERIMENT | FOR_REPORT | FOR_RESPONSE | FOR_COMPARE, 1, 2, run_report},
    {"reduce", "STIFFNESS MASS", "flexible body from finite-element matrices (Craig-Bampton)",
     "Files: Matrix Market or Abaqus (.mtx), CalculiX (.sti .mas), Nastran (.pch, text .op4).\n"
     "  --output FILE is the body, for {type: modal, file: FILE} in models.",
     FOR_REDUCE | FOR_OUTPUT, 2, 2, run_reduce},
    {"benchmark", "[PROBLEM...]", "problems with published answers, computed and compared",
     "PROBLEM is a name, a part of names or a pattern with * and ?; without it all are computed.\n"
     "  The exit status is 1 if a number disagrees with its source.",
     FOR_TABLE | FOR_BENCHMARK | FOR_OUTPUT, 0, 1000, run_benchmark},
    {"template", "[NAME [KEY=VALUE]...]", "write an example model; without NAME, list them",
     "KEY=VALUE sets its size and parameters: routh template four-bar N=20",
     FOR_SETTINGS | FOR_OUTPUT, 0, 1000, run_template},
    {"format", "MODEL...", "lay out model files anew, with their comments",
     "Indentation, spaces, quotes that are not needed, lines that are too long; what is read\n"
     "  stays the same. Part files and studies too. With --check the exit status is 1 if a file\n"
     "  would change.",
     FOR_LAYOUT | FOR_OUTPUT, 1, 100000, run_format},
    {"schema", "[COMMAND]", "JSON Schema of model files, for editors",
     "routh schema modes: that of what the command modes prints with --json", FOR_OUTPUT, 0, 1,
     run_schema},
    {"reference", "[results]", "reference of model files, in Markdown",
     "routh reference results: what commands print with --json and --csv", FOR_OUTPUT, 0, 1,
     run_reference},
    {"version", "", "version, libraries of the build, and licence of the whole",
     "routh --version prints the version alone.", FOR_JSON | FOR_OUTPUT, 0, 0, run_version},
    {"completion", "bash|zsh|fish", "shell completion of commands, options and values",
     "bash: source <(routh completion bash), or store the output as the file routh in\n"
     "  /usr/share/bash-completion/completions.",
     FOR_OUTPUT, 1, 1, run_completion},
    {"man", "", "manual page; routh man | man -l - shows it", NULL, FOR_OUTPUT, 0, 0, run_man},
    {"help", "[COMMAND]", "list of commands, or options of one command", NULL, 0, 0, 1, run_help},
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
