#ifndef CLI_BREAKDOWN_OUTPUT_H
#define CLI_BREAKDOWN_OUTPUT_H
#include <stdio.h>
#include "base/err.h"
#include "models/breakdown.h"

/* Where a predicted time goes, as JSON and for people. */
struct json_t;

/* {"compute_s": ..., ...}; NULL: out of memory. */
struct json_t *breakdown_json(const struct breakdown *b);
/* What breakdown_json() made; an absent part is 0. */
struct breakdown breakdown_from_json(const struct json_t *object);

/* A small table: part, time, share of the whole. */
enum err_code breakdown_print(const struct breakdown *b, FILE *f, struct err *e);

#endif
