#ifndef SUPPORT_SP2_H
#define SUPPORT_SP2_H
#include "tests/support/check.h"

#include "models/message_cost.h"

/* The SP/2: Sundaram-Stukel and Vernon, PPoPP 1999, Table 1. */
static const struct loggp sp2_fortran = {23e-6, 23e-6, 47e-6, 0.07e-6, 0.03e-6, 1024, 4096};
static const struct loggp sp2_c = {23e-6, 16e-6, 36e-6, 0.07e-6, 0.03e-6, 1024, 4096};

static inline struct message_cost cost_of(const struct loggp *p)
{
	struct message_cost cost;

	must(message_cost_from_loggp(p, &cost, &err));
	return cost;
}

#endif
