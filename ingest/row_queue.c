#include "ingest/row_queue.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { PATIENCE_NS = 100 * 1000 * 1000 }; /* how long an interruption may go unnoticed */

/* A ring of pointers to lots, first in, first out. */
struct ring {
	struct row_lot **lot; /* [n_lots] */
	size_t first, n;
};

struct question {
	enum err_code (*call)(void *arg, struct err *e);
	void *arg;
	struct err *e;
	enum err_code answer;
};

struct row_queue {
	struct row_lot *lot; /* [n_lots] all there are */
	size_t n_lots;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t for_reader, for_keeper;
	struct ring empty, full;
	struct question *question; /* NULL: none is open */
	bool ended, stopped;
};

static void push(struct row_queue *q, struct ring *r, struct row_lot *lot)
{
	assert(r->n < q->n_lots);
	r->lot[(r->first + r->n++) % q->n_lots] = lot;
}

static struct row_lot *pop(const struct row_queue *q, struct ring *r)
{
	struct row_lot *lot = r->lot[r->first];

	assert(r->n > 0);
	r->first = (r->first + 1) % q->n_lots;
	r->n--;
	return lot;
}

/* ---- making one ---- */

static bool make_lots(struct row_queue *q, const struct kb_run_writer *w, size_t n_lots)
{
	q->lot = calloc(n_lots, sizeof *q->lot);
	q->empty.lot = calloc(n_lots, sizeof(struct row_lot *));
	q->full.lot = calloc(n_lots, sizeof(struct row_lot *));
	if (!q->lot || !q->empty.lot || !q->full.lot)
		return false;
	while (q->n_lots < n_lots) {
		struct row_lot *lot = &q->lot[q->n_lots];

		lot->batch = kb_run_batch_new(w);
		if (!lot->batch)
			return false;
		q->n_lots++;
	}
	for (size_t i = 0; i < n_lots; i++)
		push(q, &q->empty, &q->lot[i]);
	return true;
}

static void make_conditions(struct row_queue *q)
{
	pthread_condattr_t attributes;

	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->for_reader, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&q->for_keeper, &attributes);
	pthread_condattr_destroy(&attributes);
}

enum err_code row_queue_new(const struct kb_run_writer *w, size_t n_lots, struct row_queue **out,
			    struct err *e)
{
	struct row_queue *q = calloc(1, sizeof *q);

	if (!q)
		return err_set(e, ERR_NOMEM, "a queue of rows");
	make_conditions(q);
	if (!make_lots(q, w, n_lots)) {
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
	for (size_t i = 0; i < q->n_lots; i++)
		kb_run_batch_free(q->lot[i].batch);
	pthread_cond_destroy(&q->for_reader);
	pthread_cond_destroy(&q->for_keeper);
	pthread_mutex_destroy(&q->lock);
	free(q->lot);
	free(q->empty.lot);
	free(q->full.lot);
	free(q);
}

/* ---- the reader ---- */

struct row_lot *row_queue_empty_lot(struct row_queue *q)
{
	struct row_lot *lot = NULL;

	pthread_mutex_lock(&q->lock);
	while (q->empty.n == 0 && !q->stopped)
		pthread_cond_wait(&q->for_reader, &q->lock);
	if (!q->stopped)
		lot = pop(q, &q->empty);
	pthread_mutex_unlock(&q->lock);
	return lot;
}

void row_queue_put(struct row_queue *q, struct row_lot *lot)
{
	pthread_mutex_lock(&q->lock);
	push(q, &q->full, lot);
	pthread_cond_signal(&q->for_keeper);
	pthread_mutex_unlock(&q->lock);
}

enum err_code row_queue_ask(struct row_queue *q, enum err_code (*call)(void *arg, struct err *e),
			    void *arg, struct err *e)
{
	struct question question = {.call = call, .arg = arg, .e = e};
	bool answered;

	pthread_mutex_lock(&q->lock);
	q->question = &question;
	pthread_cond_signal(&q->for_keeper);
	while (q->question && !q->stopped)
		pthread_cond_wait(&q->for_reader, &q->lock);
	answered = !q->question;
	q->question = NULL;
	pthread_mutex_unlock(&q->lock);
	return answered ? question.answer : err_set(e, ERR_INTERRUPTED, "stopped");
}

void row_queue_end(struct row_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->ended = true;
	pthread_cond_signal(&q->for_keeper);
	pthread_mutex_unlock(&q->lock);
}

/* ---- the keeper ---- */

/* The reader waits meanwhile, so its question stays where it is. */
static void answer(struct row_queue *q)
{
	struct question *question = q->question;

	question->answer = question->call(question->arg, question->e);
	q->question = NULL;
	pthread_cond_signal(&q->for_reader);
}

/* False: nothing came in time. */
static bool wait_for_reader(struct row_queue *q)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += PATIENCE_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return pthread_cond_timedwait(&q->for_keeper, &q->lock, &until) != ETIMEDOUT;
}

struct row_lot *row_queue_take(struct row_queue *q, bool *ended)
{
	struct row_lot *lot = NULL;

	pthread_mutex_lock(&q->lock);
	while (q->full.n == 0 && !q->ended) {
		if (q->question)
			answer(q);
		else if (!wait_for_reader(q))
			break;
	}
	if (q->full.n > 0)
		lot = pop(q, &q->full);
	*ended = !lot && q->ended;
	pthread_mutex_unlock(&q->lock);
	return lot;
}

void row_queue_give_back(struct row_queue *q, struct row_lot *lot)
{
	pthread_mutex_lock(&q->lock);
	push(q, &q->empty, lot);
	pthread_cond_signal(&q->for_reader);
	pthread_mutex_unlock(&q->lock);
}

void row_queue_stop(struct row_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->stopped = true;
	pthread_cond_signal(&q->for_reader);
	pthread_mutex_unlock(&q->lock);
}
