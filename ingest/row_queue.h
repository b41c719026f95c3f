#ifndef INGEST_ROW_QUEUE_H
#define INGEST_ROW_QUEUE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"

/* Between two threads: the reader packs rows into lots and puts them, the keeper, who has the
 * knowledge base, takes them in the same order. There are a few lots that go round, so a fast
 * reader waits and memory is bounded. What only the keeper may do, the reader asks it for. */
struct row_queue;

struct row_lot {
	struct kb_run_batch *batch; /* comes to the reader empty, and goes back so */
	uint64_t bytes_done;	    /* of the input, for progress */
};

/* n_lots >= 1, of the writer's batches. Errors: NOMEM. */
enum err_code row_queue_new(const struct kb_run_writer *w, size_t n_lots, struct row_queue **out,
			    struct err *e);
void row_queue_free(struct row_queue *q);

/* ---- the reader ---- */

/* An empty lot; NULL: the keeper has stopped and wants no more. */
struct row_lot *row_queue_empty_lot(struct row_queue *q);
void row_queue_put(struct row_queue *q, struct row_lot *lot);
/* Have the keeper run call(arg, e), after all lots that were put. Its answer, or INTERRUPTED if the
 * keeper has stopped. */
enum err_code row_queue_ask(struct row_queue *q, enum err_code (*call)(void *arg, struct err *e),
			    void *arg, struct err *e);
/* Nothing more will be put. */
void row_queue_end(struct row_queue *q);

/* ---- the keeper ---- */

/* The next lot; questions are answered meanwhile. NULL: the reader has ended (*ended), or nothing
 * came for a tenth of a second. */
struct row_lot *row_queue_take(struct row_queue *q, bool *ended);
void row_queue_give_back(struct row_queue *q, struct row_lot *lot);
/* The reader need not go on. */
void row_queue_stop(struct row_queue *q);

#endif
