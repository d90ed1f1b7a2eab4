/* The document of a linear model in JSON, which `routh linearize --json` prints too. */
#ifndef RT_OUTPUT_EXCHANGE_JSON_H
#define RT_OUTPUT_EXCHANGE_JSON_H

#include "base/json.h"
#include "output/exchange_record.h"

/* Writes the whole object; rt_json_finish is the caller's. */
void rt_json_record(rt_json *json, const rt_record *record);
/* The same without its end: more members may follow, then rt_json_end. */
void rt_json_record_open(rt_json *json, const rt_record *record);

#endif
