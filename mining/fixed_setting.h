#ifndef MINING_FIXED_SETTING_H
#define MINING_FIXED_SETTING_H
#include <stdbool.h>
#include "base/err.h"
#include "mining/slowdown_table.h"

/* The one setting of all tunables that was best over the cases in which it was run: what people do
 * who try once and keep it. */
struct fixed_setting {
	const struct application *app; /* borrowed */
	double *row;		       /* [app->n_columns]; only the tunables count; NULL: none */
};

/* Only settings that were run in at least half as many cases as the one run in most: else the
 * luckiest of many would win. Errors: NOMEM. */
enum err_code fixed_setting_find(const struct slowdown_table *t, struct fixed_setting *out,
				 struct err *e);
void fixed_setting_release(struct fixed_setting *f);
bool fixed_setting_holds(const struct fixed_setting *f, const double *row);

#endif
