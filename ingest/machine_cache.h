#ifndef INGEST_MACHINE_CACHE_H
#define INGEST_MACHINE_CACHE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/machine.h"
#include "kb/kb.h"
#include "ingest/row_queue.h"

/* The machines that the rows of one import name; unknown ones are created in the knowledge base,
 * and the writer of the rows meets those that it needs. */

enum { MACHINES_MAX = 1000 }; /* in one file: more are node names in the wrong column */

struct known_machine {
	char *name;		/* as the file has it */
	int64_t id;		/* 0: not in the knowledge base (yet) */
	int64_t cores_per_node; /* 0: not known */
	bool met;		/* by the writer */
	bool described;		/* nothing was known of it: it gets the node's description */
};

struct machine_cache {
	struct kb *kb;
	struct kb_run_writer *writer;
	struct machine_node node; /* of those that are created, or of which nothing is known yet */
	struct row_queue *consumer; /* asks the thread that has both; NULL: this one has */
	struct known_machine *machine;
	size_t n;
	size_t last;	/* rows repeat themselves */
	char **created; /* names, in order */
	size_t n_created;
};

/* Look a machine up; *out is good until the next call. Errors: ARG (more than MACHINES_MAX; a known
 * machine with other nodes than c->node), NOMEM,
 * KB. */
enum err_code machine_cache_get(struct machine_cache *c, const char *name,
				struct known_machine **out, struct err *e);
/* A row that names it was taken: create it, if it is not there. Inside kb_begin(). */
enum err_code machine_cache_use(struct machine_cache *c, struct known_machine *m, struct err *e);
/* The names of the created ones become the caller's. */
void machine_cache_release(struct machine_cache *c, char ***created, size_t *n_created);

#endif
