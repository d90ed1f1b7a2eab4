/* Between the linear model and its record: two functions that know nothing of files. */
#ifndef RT_OUTPUT_EXCHANGE_PACK_H
#define RT_OUTPUT_EXCHANGE_PACK_H

#include "base/linear_holder.h"
#include "output/exchange_record.h"
#include "routh/exchange.h"

/* The record of a model, whose A, B, C and D stand by themselves (exchange_rates.h); matrices are
 * borrowed from it. with_list: also "members", the names of all
 * values, by which a reader sees that none is lost. BAD_ARGUMENT where the model lacks a matrix,
 * NUMERIC_ERROR naming a number that is not finite. *record is zeroed before, and freed by the
 * caller in both cases. */
routh_status rt_record_pack(rt_record *record, const routh_linear *linear,
                            routh_derivatives derivatives, bool with_list, routh_error *error);

/* The model of a record, with a copy of all; MODEL_ERROR where members are missing or do not fit
 * together. *holder is zeroed before, and freed by the caller in both cases. */
routh_status rt_record_unpack(rt_linear_holder *holder, const rt_record *record,
                              routh_error *error);

/* NUMERIC_ERROR naming the first number of the value that is not finite; where so allowed, infinity
 * is. */
routh_status rt_value_check_finite(const rt_value *value, bool may_be_infinite, routh_error *error);

#endif
