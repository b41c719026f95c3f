#ifndef API_FITTED_MACHINES_H
#define API_FITTED_MACHINES_H
#include "api/fitted_machine.h"

/* The machines that the rows of a file name, each loaded when it is first met. What is told of one
 * stays where it is until the release. */
struct named_machine;

struct fitted_machines {
	struct session *session;
	const struct application *app;
	int64_t app_id;
	struct machine_request asked; /* a name that a row has takes the place of asked.name */
	struct named_machine **item;
	size_t n;
	size_t last; /* rows of a machine mostly stand together */
	/* The name that failed last, so that a file of a million such rows asks the base once. */
	char *failed;
	struct err why;
};

/* The machine of that name; "" stands for asked.name. *out is NULL where the base does
 * not know it or knows nothing of it: m->why.msg says so, and the row is invalid. That no machine
 * is named at all, or nothing was ever mined, is an error. */
enum err_code fitted_machines_find(struct fitted_machines *m, const char *name,
				   const struct fitted_machine **out, struct err *e);
void fitted_machines_release(struct fitted_machines *m);

#endif
