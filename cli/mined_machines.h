#ifndef CLI_MINED_MACHINES_H
#define CLI_MINED_MACHINES_H
#include "cli/mined_machine.h"

/* The machines that the rows of a file name, each loaded when it is first met. What is told of one
 * stays where it is until the release. */
struct named_machine;

struct mined_machines {
	struct context *c;
	const struct application *app;
	int64_t app_id;
	struct named_machine **item;
	size_t n;
	size_t last; /* rows of a machine mostly stand together */
	/* The name that failed last, so that a file of a million such rows asks the base once. */
	char *failed;
	struct err why;
};

/* The machine of that name; "" stands for the one of --machine. *out is NULL where the base does
 * not know it or knows nothing of it: m->why.msg says so, and the row is invalid. That no machine
 * is named at all, or nothing was ever mined, is an error. */
enum err_code mined_machines_find(struct mined_machines *m, const char *name,
				  const struct mined_machine **out, struct err *e);
void mined_machines_release(struct mined_machines *m);

#endif
