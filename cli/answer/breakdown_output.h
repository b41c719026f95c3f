#ifndef CLI_BREAKDOWN_OUTPUT_H
#define CLI_BREAKDOWN_OUTPUT_H
#include <stdio.h>
#include "api/answer_json.h"
#include "base/err.h"
#include "domain/breakdown.h"

/* Where a predicted time goes, for people. */

/* A small table: part, time, share of the whole. */
enum err_code breakdown_print(const struct breakdown *b, FILE *f, struct err *e);

#endif
