#include "base/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

bool helper_thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	static const int own[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
	sigset_t others;
	sigset_t before;
	int failed;

	sigfillset(&others);
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_BLOCK, &others, &before);
	failed = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !failed;
}

/* More would wait: the caller reads and writes what the jobs are about, which takes its time. */
enum { MAX_HELPERS = 7 };

struct thread_pool {
	pthread_mutex_t lock;		      /* of all below, and of every job's state */
	pthread_cond_t given;		      /* a job, or the end */
	pthread_cond_t done;		      /* a job */
	struct thread_pool_job *first, *last; /* those that wait */
	bool ended;
	size_t n_helpers, max_helpers;
	pthread_t helper[MAX_HELPERS];
};

static size_t spare_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 1 ? (size_t)n - 1 : 0;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

enum err_code thread_pool_new(size_t max_helpers, struct thread_pool **out, struct err *e)
{
	struct thread_pool *c = calloc(1, sizeof *c);

	if (!c)
		return err_set(e, ERR_NOMEM, "threads");
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->given, NULL);
	pthread_cond_init(&c->done, NULL);
	c->max_helpers = least(least(max_helpers, MAX_HELPERS), spare_processors());
	*out = c;
	return ERR_OK;
}

/* Do the job that waits longest. The lock is held before and after, not meanwhile. */
static void do_first(struct thread_pool *c)
{
	struct thread_pool_job *job = c->first;

	c->first = job->next;
	job->state = POOL_RUNNING;
	pthread_mutex_unlock(&c->lock);
	job->run(job->arg);
	pthread_mutex_lock(&c->lock);
	job->state = POOL_DONE;
	pthread_cond_signal(&c->done);
}

static void *help(void *arg)
{
	struct thread_pool *c = arg;

	pthread_mutex_lock(&c->lock);
	while (!c->ended) {
		if (c->first)
			do_first(c);
		else
			pthread_cond_wait(&c->given, &c->lock);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void call_helpers(struct thread_pool *c)
{
	while (c->n_helpers < c->max_helpers &&
	       helper_thread_start(&c->helper[c->n_helpers], help, c))
		c->n_helpers++;
	c->max_helpers = c->n_helpers; /* a thread that could not be started is not tried again */
}

void thread_pool_submit(struct thread_pool *c, struct thread_pool_job *job)
{
	bool others_wait;

	pthread_mutex_lock(&c->lock);
	others_wait = c->first != NULL;
	job->state = POOL_WAITING;
	job->next = NULL;
	if (others_wait)
		c->last->next = job;
	else
		c->first = job;
	c->last = job;
	pthread_cond_signal(&c->given);
	pthread_mutex_unlock(&c->lock);
	if (others_wait && c->n_helpers < c->max_helpers)
		call_helpers(c);
}

void thread_pool_wait(struct thread_pool *c, struct thread_pool_job *job)
{
	pthread_mutex_lock(&c->lock);
	while (job->state == POOL_WAITING || job->state == POOL_RUNNING) {
		/* another that waits, if this one is with a helper or behind it */
		if (c->first)
			do_first(c);
		else
			pthread_cond_wait(&c->done, &c->lock);
	}
	job->state = POOL_IDLE;
	pthread_mutex_unlock(&c->lock);
}

void thread_pool_free(struct thread_pool *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->first = NULL;
	c->ended = true;
	pthread_cond_broadcast(&c->given);
	pthread_mutex_unlock(&c->lock);
	for (size_t i = 0; i < c->n_helpers; i++)
		pthread_join(c->helper[i], NULL);
	pthread_cond_destroy(&c->done);
	pthread_cond_destroy(&c->given);
	pthread_mutex_destroy(&c->lock);
	free(c);
}
