#include "domain/objective.h"

#include <string.h>

static const char *const name[] = {
	[OBJECTIVE_NODES] = "nodes",
	[OBJECTIVE_NODE_HOURS] = "node-hours",
	[OBJECTIVE_TIME] = "time",
};
enum { N_OBJECTIVES = sizeof name / sizeof *name };

const char *objective_name(enum objective o)
{
	return name[o];
}

int objective_from(const char *text)
{
	for (int i = 0; i < N_OBJECTIVES; i++) {
		if (strcmp(name[i], text) == 0)
			return i;
	}
	return -1;
}
