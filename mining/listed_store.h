#ifndef MINING_LISTED_STORE_H
#define MINING_LISTED_STORE_H
#include "mining/point_model.h"

/* struct point_model's store and load of a listed model: the formula's numbers, then its own. */
enum err_code listed_store(const void *state, struct kb_fit *fit, struct err *e);
enum err_code listed_load(const struct kb_fit *fit, const struct application *app, void **state,
			  struct err *e);

#endif
