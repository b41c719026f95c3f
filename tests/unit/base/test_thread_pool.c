#include "tests/support/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/thread_pool.h"

FREEABLE(thread_pool)

enum { JOBS = 1000 };

static struct thread_pool *thread_pool_of(size_t max_helpers)
{
	struct thread_pool *c = NULL;

	must(thread_pool_new(max_helpers, &c, &err));
	return c;
}

static void count(void *arg)
{
	atomic_fetch_add((atomic_int *)arg, 1);
}

TEST(each_job_is_done_once_whoever_does_it)
{
	static struct thread_pool_job job[JOBS];
	static atomic_int n_done[JOBS];

	for (size_t helpers = 0; helpers < 4; helpers++) {
		FREED(thread_pool) *c = thread_pool_of(helpers);

		for (size_t i = 0; i < JOBS; i++) {
			atomic_store(&n_done[i], 0);
			job[i] = (struct thread_pool_job){.run = count, .arg = &n_done[i]};
			thread_pool_submit(c, &job[i]);
		}
		for (size_t i = 0; i < JOBS; i++) {
			thread_pool_wait(c, &job[i]);
			assert_int_equal(atomic_load(&n_done[i]), 1);
		}
	}
}

/* The last first: all before it begin before it does, by whomever. */
TEST(jobs_may_be_finished_in_any_order)
{
	static struct thread_pool_job job[JOBS];
	static atomic_int n_done[JOBS];
	FREED(thread_pool) *c = thread_pool_of(3);

	for (size_t i = 0; i < JOBS; i++) {
		job[i] = (struct thread_pool_job){.run = count, .arg = &n_done[i]};
		thread_pool_submit(c, &job[i]);
	}
	for (size_t i = JOBS; i-- > 0;)
		thread_pool_wait(c, &job[i]);
	for (size_t i = 0; i < JOBS; i++)
		assert_int_equal(atomic_load(&n_done[i]), 1);
}

TEST(a_job_may_be_given_again)
{
	atomic_int n_done = 0;
	struct thread_pool_job job = {.run = count, .arg = &n_done};
	FREED(thread_pool) *c = thread_pool_of(1);

	for (int i = 1; i <= 100; i++) {
		thread_pool_submit(c, &job);
		thread_pool_wait(c, &job);
		assert_int_equal(atomic_load(&n_done), i);
	}
}

static void note_thread(void *arg)
{
	*(pthread_t *)arg = pthread_self();
}

TEST(a_job_alone_is_done_by_the_caller)
{
	pthread_t by;
	struct thread_pool_job job = {.run = note_thread, .arg = &by};
	FREED(thread_pool) *c = thread_pool_of(3);

	thread_pool_submit(c, &job);
	thread_pool_wait(c, &job);
	assert_true(pthread_equal(by, pthread_self()) != 0);
}

/* Ends when the other job is done, or after ten minutes without. */
struct pair {
	atomic_bool other_done;
	bool met;
};

static void wait_for_other(void *arg)
{
	const struct timespec ms = {.tv_nsec = 1000000};
	struct pair *p = arg;

	for (int i = 0; i < 600000 && !atomic_load(&p->other_done); i++)
		nanosleep(&ms, NULL);
	p->met = atomic_load(&p->other_done);
}

static void be_the_other(void *arg)
{
	atomic_store(&((struct pair *)arg)->other_done, true);
}

/* Of the two, one is with the helper; whoever waits for the first must do the second. */
TEST(who_waits_for_a_running_job_does_those_that_wait)
{
	struct pair p = {.met = false};
	struct thread_pool_job first = {.run = wait_for_other, .arg = &p};
	struct thread_pool_job second = {.run = be_the_other, .arg = &p};
	struct thread_pool *c = thread_pool_of(1);

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) { /* then nobody helps */
		thread_pool_free(c);
		skip();
	}
	thread_pool_submit(c, &first);
	thread_pool_submit(c, &second);
	thread_pool_wait(c, &first);
	thread_pool_wait(c, &second);
	assert_true(p.met);
	thread_pool_free(c);
}

TEST(what_was_never_given_is_finished)
{
	struct thread_pool_job job = {.run = NULL};
	FREED(thread_pool) *c = thread_pool_of(1);

	thread_pool_wait(c, &job);
	thread_pool_free(NULL);
}

/* Without helpers nobody begins before somebody waits. */
TEST(jobs_that_nobody_began_are_left_at_the_end)
{
	atomic_int n_done = 0;
	struct thread_pool_job job[3];
	struct thread_pool *c = thread_pool_of(0);

	for (int i = 0; i < 3; i++) {
		job[i] = (struct thread_pool_job){.run = count, .arg = &n_done};
		thread_pool_submit(c, &job[i]);
	}
	thread_pool_wait(c, &job[0]);
	thread_pool_free(c);
	assert_int_equal(atomic_load(&n_done), 1);
}
