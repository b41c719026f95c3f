#ifndef INGEST_ROW_QUEUE_H
#define INGEST_ROW_QUEUE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"

/* Between two threads: the producer packs rows into batches and puts them, the consumer, who has
 * the knowledge base, takes them in the same order. There are a few batches that go round, so a
 * fast producer waits and memory is bounded. What only the consumer may do, the producer asks it
 * for. */
struct row_queue;

struct row_batch {
	struct kb_run_batch *runs; /* comes to the producer empty, and goes back so */
	uint64_t bytes_done;	   /* of the input, for progress */
};

/* n_batches >= 1, of the writer's batches. Errors: NOMEM. */
enum err_code row_queue_new(const struct kb_run_writer *w, size_t n_batches, struct row_queue **out,
			    struct err *e);
void row_queue_free(struct row_queue *q);

/* ---- the producer ---- */

/* An empty batch; NULL: the consumer has stopped and wants no more. */
struct row_batch *row_queue_empty_batch(struct row_queue *q);
void row_queue_put(struct row_queue *q, struct row_batch *batch);
/* Have the consumer run call(arg, e), after all batches that were put. Its answer, or INTERRUPTED
 * if the consumer has stopped. */
enum err_code row_queue_ask(struct row_queue *q, enum err_code (*call)(void *arg, struct err *e),
			    void *arg, struct err *e);
/* The consumer has stopped: a producer that puts nothing for long asks. */
bool row_queue_is_stopped(struct row_queue *q);
/* Nothing more will be put. */
void row_queue_end(struct row_queue *q);

/* ---- the consumer ---- */

/* The next batch; questions are answered meanwhile. NULL: the producer has ended (*ended), or
 * nothing came for a tenth of a second. */
struct row_batch *row_queue_take(struct row_queue *q, bool *ended);
void row_queue_give_back(struct row_queue *q, struct row_batch *batch);
/* The producer need not go on. */
void row_queue_stop(struct row_queue *q);

#endif
