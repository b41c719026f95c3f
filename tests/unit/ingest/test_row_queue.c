#include "ingest_fixture.h"

#include <pthread.h>

#include "ingest/row_queue.h"

/* A queue of one batch, the smallest there is, between this thread and another. */

struct pair {
	struct scratch s;
	struct kb_run_writer *writer;
	struct row_queue *q;
	pthread_t producer;
	/* what the producer saw */
	int n_batches;
	enum err_code answer;
	struct err e;
};

static int setup(void **state)
{
	struct pair *p = zeroed(1, sizeof *p);
	struct kb_import imp = {.file_name = (char *)(uintptr_t) "t.csv"};

	scratch_open(&p->s);
	memset(imp.sha256, '0', 64);
	must(kb_begin(p->s.kb, &err));
	must(kb_run_writer_open(p->s.kb, p->s.sweep3d, p->s.sweep3d_id, &imp, &p->writer, &err));
	must(row_queue_new(p->writer, 1, &p->q, &err));
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	HEAP struct pair *p = *state;

	row_queue_free(p->q);
	kb_run_writer_free(p->writer);
	kb_rollback(p->s.kb);
	scratch_close(&p->s);
	return 0;
}

static void begin(struct pair *p, void *(*producer)(void *arg))
{
	assert_int_equal(pthread_create(&p->producer, NULL, producer, p), 0);
}

static void *put_a_hundred(void *arg)
{
	struct pair *p = arg;
	struct row_batch *batch;

	while (p->n_batches < 100 && (batch = row_queue_empty_batch(p->q))) {
		batch->bytes_done = (uint64_t)p->n_batches++;
		row_queue_put(p->q, batch);
	}
	row_queue_end(p->q);
	return NULL;
}

#define QUEUE_TEST(name) TEST_WITH(name, setup, teardown)

QUEUE_TEST(batches_arrive_in_their_order)
{
	struct pair *p = *state;
	uint64_t wanted = 0;
	bool ended = false;

	begin(p, put_a_hundred);
	while (!ended) {
		struct row_batch *batch = row_queue_take(p->q, &ended);

		if (batch) {
			assert_false(ended);
			assert_int_equal(batch->bytes_done, wanted++);
			row_queue_give_back(p->q, batch);
		}
	}
	pthread_join(p->producer, NULL);
	assert_int_equal(wanted, 100);
}

QUEUE_TEST(a_producer_that_waits_for_room_is_sent_home)
{
	struct pair *p = *state;
	bool ended;

	begin(p, put_a_hundred);
	while (!row_queue_take(p->q, &ended)) /* kept: there is no other batch */
		assert_false(ended);
	row_queue_stop(p->q);
	pthread_join(p->producer, NULL);
	assert_int_equal(p->n_batches, 1);
}

struct call {
	pthread_t by;
	int n;
};

static enum err_code note_caller(void *arg, struct err *e)
{
	struct call *call = arg;

	call->by = pthread_self();
	return ++call->n == 1 ? ERR_OK : err_set(e, ERR_KB, "asked once too often");
}

static void *ask_twice(void *arg)
{
	struct pair *p = arg;
	struct call call = {0};

	p->answer = row_queue_ask(p->q, note_caller, &call, &p->e);
	if (!p->answer && !pthread_equal(call.by, pthread_self()))
		p->answer = row_queue_ask(p->q, note_caller, &call, &p->e);
	row_queue_end(p->q);
	return NULL;
}

QUEUE_TEST(questions_are_answered_by_the_consumer_errors_too)
{
	struct pair *p = *state;
	bool ended = false;

	begin(p, ask_twice);
	while (!ended)
		assert_null(row_queue_take(p->q, &ended));
	pthread_join(p->producer, NULL);
	assert_int_equal(p->answer, ERR_KB);
	assert_string_equal(p->e.msg, "asked once too often");
}

QUEUE_TEST(a_question_to_a_consumer_who_has_stopped_is_given_up)
{
	struct pair *p = *state;

	assert_false(row_queue_is_stopped(p->q));
	row_queue_stop(p->q);
	assert_true(row_queue_is_stopped(p->q));
	begin(p, ask_twice);
	pthread_join(p->producer, NULL);
	assert_int_equal(p->answer, ERR_INTERRUPTED);
	assert_null(row_queue_empty_batch(p->q));
}

QUEUE_TEST(a_consumer_does_not_wait_for_ever)
{
	struct pair *p = *state;
	bool ended = true;

	assert_null(row_queue_take(p->q, &ended)); /* nobody reads */
	assert_false(ended);
}
