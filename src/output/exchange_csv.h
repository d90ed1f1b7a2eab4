/* The record as lines of text; Matrix Market's folder has such a file for what is no matrix. */
#ifndef RT_OUTPUT_EXCHANGE_CSV_H
#define RT_OUTPUT_EXCHANGE_CSV_H

#include "base/text.h"
#include "output/exchange_record.h"

/* Those of rank at most most_rank; text is to be freed. */
routh_status rt_csv_record_text(const rt_record *record, int most_rank, rt_text *text,
                                routh_error *error);
routh_status rt_csv_record_read(rt_record *record, const char *path, routh_error *error);

#endif
