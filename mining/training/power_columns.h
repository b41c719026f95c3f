#ifndef MINING_POWER_COLUMNS_H
#define MINING_POWER_COLUMNS_H
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/strbuf.h"
#include "kb/kb.h"
#include "mining/training/config_table.h"

/* Columns of which only powers of two were ever run, three of them at least. What lies between them
 * is not only another value but another kind of value: transforms, trees of messages, alignment and
 * ways to divide a grid may suit powers of two only, and no held-out run can tell, as all of them
 * are. Where a question has another value, ln time is taken to be off by POWER_SD more: some codes
 * take 1.5 to 3 times as long there, most no longer.
 *
 * So it is with sizes of which only multiples of 64 were run: one that is no multiple of 16 may fit
 * no cache line and no vector. Sizes of the problem and tunables, up to 2^16: larger numbers count
 * what no line of an array is as long as. */
#define POWER_SD 0.2

enum { POWER_COLUMNS = 16 };
struct power_columns {
	size_t n;
	size_t column[POWER_COLUMNS]; /* of the class, ascending */
	bool aligned[POWER_COLUMNS];  /* multiples of 64, not powers of two */
};

/* Numeric columns of the problem, resources and tunables. */
void power_columns_find(const struct config_table *t, struct power_columns *out);
/* Has the row a value of another kind in one of them? What is missing is of any. */
bool power_columns_leaves(const struct power_columns *m, const double *row);
/* A sentence with a blank before it; nothing where there are no such columns. */
void power_columns_explain(const struct power_columns *m, const struct application *app,
			   struct strbuf *out);

/* Errors: NOMEM. */
enum err_code power_columns_store(const struct power_columns *m, const struct application *app,
				  struct kb_fit *fit, struct err *e);
void power_columns_load(const struct kb_fit *fit, const struct application *app,
			struct power_columns *out);

#endif
