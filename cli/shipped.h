#ifndef CLI_SHIPPED_H
#define CLI_SHIPPED_H
#include <stdint.h>
#include "base/err.h"
#include "cli/context.h"

/* What ships in data/, into the open knowledge base. Definitions that the base has under the same
 * name already are left as they are: people may have changed theirs. */
struct shipped_count {
	int64_t n_applications, n_machines; /* added */
	int64_t n_runs, n_pingpong;	    /* rows added */
	int64_t n_known_files;		    /* files that were loaded before */
};

enum err_code shipped_load_applications(struct context *c, struct shipped_count *n, struct err *e);
/* context_open_kb(); a base that this makes knows the shipped classes, as after `lemnos init`. */
enum err_code shipped_open_kb(struct context *c, enum cmd_needs needs, struct err *e);
/* Machines, runs and ping-pong files too. */
enum err_code shipped_load_all(struct context *c, struct shipped_count *n, struct err *e);

#endif
