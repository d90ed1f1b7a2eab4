/* A record of what tests compare with the papers, from which docs/validation.md is made.
 *
 * Where the environment variable ROUTH_RECORD names a folder, each test program writes the file
 * <test>.jsonl into it (anew at its first record), one JSON object a line:
 *     {"paper": "Trom 1990", "table": "Table 3.5", "quantity": "omega_1^2", "published":
 *      "0.63569205", "reference": 0.6356920512642512, "computed": 0.63569205126425..,
 *      "coordinates": "relative", "method": "minimal:qr", "scale": 0.635.., "bound": 0}
 * Else nothing is written. Recording asserts nothing: tests compare beside it. */
#ifndef SUPPORT_RECORD_H
#define SUPPORT_RECORD_H

typedef struct paper_record {
    const char *paper, *table, *quantity;
    const char *published; /* as printed, also where it is wrong; NULL: not printed */
    double reference;      /* computed without this library; NAN: there is none */
    double computed;
    const char *coordinates; /* NULL: the program's own choice */
    const char *method;      /* likewise */
    double scale;            /* what a difference is relative to; 0: the reference */
    double bound;            /* of an approximate method: its own bound of the error; else 0 */
} paper_record;

/* record_line(.paper = "Trom 1990", ...) */
#define record_line(...) record_line_of(__FILE__, &(paper_record){__VA_ARGS__})

#define record_value(paper_, table_, quantity_, published_, reference_, computed_)                 \
    record_line(.paper = (paper_), .table = (table_), .quantity = (quantity_),                     \
                .published = (published_), .reference = (reference_), .computed = (computed_))

/* file: of the test. */
void record_line_of(const char *file, const paper_record *record);

#endif
