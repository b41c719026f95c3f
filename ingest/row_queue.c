#include "ingest/row_queue.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { PATIENCE_NS = 100 * 1000 * 1000 }; /* how long an interruption may go unnoticed */

/* A ring of pointers to batches, first in, first out. */
struct ring {
	struct row_batch **batch; /* [n_batches] */
	size_t first, n;
};

struct queued_call {
	enum err_code (*call)(void *arg, struct err *e);
	void *arg;
	struct err *e;
	enum err_code answer;
};

struct row_queue {
	struct row_batch *batch; /* [n_batches] all there are */
	size_t n_batches;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t for_producer, for_consumer;
	struct ring empty, full;
	struct queued_call *question; /* NULL: none is open */
	bool ended, stopped;
};

static void push(struct row_queue *q, struct ring *r, struct row_batch *batch)
{
	assert(r->n < q->n_batches);
	r->batch[(r->first + r->n++) % q->n_batches] = batch;
}

static struct row_batch *pop(const struct row_queue *q, struct ring *r)
{
	struct row_batch *batch = r->batch[r->first];

	assert(r->n > 0);
	r->first = (r->first + 1) % q->n_batches;
	r->n--;
	return batch;
}

/* ---- making one ---- */

static bool make_batches(struct row_queue *q, const struct kb_run_writer *w, size_t n_batches)
{
	q->batch = calloc(n_batches, sizeof *q->batch);
	q->empty.batch = calloc(n_batches, sizeof(struct row_batch *));
	q->full.batch = calloc(n_batches, sizeof(struct row_batch *));
	if (!q->batch || !q->empty.batch || !q->full.batch)
		return false;
	while (q->n_batches < n_batches) {
		struct row_batch *batch = &q->batch[q->n_batches];

		batch->runs = kb_run_batch_new(w);
		if (!batch->runs)
			return false;
		q->n_batches++;
	}
	for (size_t i = 0; i < n_batches; i++)
		push(q, &q->empty, &q->batch[i]);
	return true;
}

static void make_conditions(struct row_queue *q)
{
	pthread_condattr_t attributes;

	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->for_producer, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&q->for_consumer, &attributes);
	pthread_condattr_destroy(&attributes);
}

enum err_code row_queue_new(const struct kb_run_writer *w, size_t n_batches, struct row_queue **out,
			    struct err *e)
{
	struct row_queue *q = calloc(1, sizeof *q);

	if (!q)
		return err_set(e, ERR_NOMEM, "a queue of rows");
	make_conditions(q);
	if (!make_batches(q, w, n_batches)) {
		row_queue_free(q);
		return err_set(e, ERR_NOMEM, "a queue of rows");
	}
	*out = q;
	return ERR_OK;
}

void row_queue_free(struct row_queue *q)
{
	if (!q)
		return;
	for (size_t i = 0; i < q->n_batches; i++)
		kb_run_batch_free(q->batch[i].runs);
	pthread_cond_destroy(&q->for_producer);
	pthread_cond_destroy(&q->for_consumer);
	pthread_mutex_destroy(&q->lock);
	free(q->batch);
	free(q->empty.batch);
	free(q->full.batch);
	free(q);
}

/* ---- the producer ---- */

struct row_batch *row_queue_empty_batch(struct row_queue *q)
{
	struct row_batch *batch = NULL;

	pthread_mutex_lock(&q->lock);
	while (q->empty.n == 0 && !q->stopped)
		pthread_cond_wait(&q->for_producer, &q->lock);
	if (!q->stopped)
		batch = pop(q, &q->empty);
	pthread_mutex_unlock(&q->lock);
	return batch;
}

void row_queue_put(struct row_queue *q, struct row_batch *batch)
{
	pthread_mutex_lock(&q->lock);
	push(q, &q->full, batch);
	pthread_cond_signal(&q->for_consumer);
	pthread_mutex_unlock(&q->lock);
}

enum err_code row_queue_ask(struct row_queue *q, enum err_code (*call)(void *arg, struct err *e),
			    void *arg, struct err *e)
{
	struct queued_call question = {.call = call, .arg = arg, .e = e};
	bool answered;

	pthread_mutex_lock(&q->lock);
	q->question = &question;
	pthread_cond_signal(&q->for_consumer);
	while (q->question && !q->stopped)
		pthread_cond_wait(&q->for_producer, &q->lock);
	answered = !q->question;
	q->question = NULL;
	pthread_mutex_unlock(&q->lock);
	return answered ? question.answer : err_set(e, ERR_INTERRUPTED, "stopped");
}

bool row_queue_is_stopped(struct row_queue *q)
{
	bool stopped;

	pthread_mutex_lock(&q->lock);
	stopped = q->stopped;
	pthread_mutex_unlock(&q->lock);
	return stopped;
}

void row_queue_end(struct row_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->ended = true;
	pthread_cond_signal(&q->for_consumer);
	pthread_mutex_unlock(&q->lock);
}

/* ---- the consumer ---- */

/* The producer waits meanwhile, so its question stays where it is. */
static void answer(struct row_queue *q)
{
	struct queued_call *question = q->question;

	question->answer = question->call(question->arg, question->e);
	q->question = NULL;
	pthread_cond_signal(&q->for_producer);
}

/* False: nothing came in time. */
static bool wait_for_producer(struct row_queue *q)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += PATIENCE_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return pthread_cond_timedwait(&q->for_consumer, &q->lock, &until) != ETIMEDOUT;
}

struct row_batch *row_queue_take(struct row_queue *q, bool *ended)
{
	struct row_batch *batch = NULL;

	pthread_mutex_lock(&q->lock);
	while (q->full.n == 0 && !q->ended) {
		if (q->question)
			answer(q);
		else if (!wait_for_producer(q))
			break;
	}
	if (q->full.n > 0)
		batch = pop(q, &q->full);
	*ended = !batch && q->ended;
	pthread_mutex_unlock(&q->lock);
	return batch;
}

void row_queue_give_back(struct row_queue *q, struct row_batch *batch)
{
	pthread_mutex_lock(&q->lock);
	push(q, &q->empty, batch);
	pthread_cond_signal(&q->for_producer);
	pthread_mutex_unlock(&q->lock);
}

void row_queue_stop(struct row_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->stopped = true;
	pthread_cond_signal(&q->for_producer);
	pthread_mutex_unlock(&q->lock);
}
