/* The page of the report, made from viewer/ when the library is built. */
#ifndef RT_OUTPUT_REPORT_PAGE_H
#define RT_OUTPUT_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char rt_report_page[];
extern const size_t rt_report_page_size; /* 0: the page was not built in */

#endif
