/* A record of what tests compare with the papers, from which docs/validation is made.
 *
 * Where the environment variable ROUTH_RECORD names a folder, each test program writes the file
 * <test>.jsonl into it (anew at its first record), one JSON object a line:
 *     {"paper": "Trom 1990", "table": "Table 3.5", "quantity": "omega_1^2", "published":
 *      "0.63569205", "reference": 0.6356920512642512, "computed": 0.63569205126425..}
 * published is the text as printed (with a remark where it is wrong: the test knows), null where
 * the paper prints nothing; reference the value computed without this library, null where there is
 * none. Else nothing is written. Recording asserts nothing: tests compare beside it. */
#ifndef SUPPORT_RECORD_H
#define SUPPORT_RECORD_H

#define record_value(paper, table, quantity, published, reference, computed)                       \
    record_value_of(__FILE__, paper, table, quantity, published, reference, computed)

/* file: of the test. published NULL, reference NAN: none. */
void record_value_of(const char *file, const char *paper, const char *table, const char *quantity,
                     const char *published, double reference, double computed);

#endif
