/* The document of a linear model in JSON, which `routh linearize --json` prints too. */
#ifndef RT_EXCHANGE_JSON_H
#define RT_EXCHANGE_JSON_H

#include "base/json.h"
#include "exchange/record.h"

/* Writes the whole object; rt_json_finish is the caller's. */
void rt_json_record(rt_json *json, const rt_record *record);

#endif
