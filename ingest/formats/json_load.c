#include "ingest/formats/json_load.h"

#include <pthread.h>
#include <stdlib.h>

#include <jansson.h>

enum { POLL_BYTES = 1 << 22 }; /* a few hundredths of a second of work */

/* A text under way. It is handed over byte by byte, and the first allocation that fails gets what
 * was put aside, which is as much as the buffer of a string can want; from then on the text is at
 * its end. So the buffer never meets a failure: it has grown, or there is nothing more to go in. */
struct load {
	const char *at, *block_end, *end; /* the next byte; where something is to be done */
	bool (*goes_on)(void *);
	void *arg;
	char *aside;
	size_t aside_size;
	bool stopped, no_memory;
};

/* jansson has one allocator for the whole process, which gets no argument; it is set once. */
static _Thread_local struct load *loading;
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void end_text(struct load *l)
{
	l->end = l->block_end = l->at;
}

static void *watched_malloc(size_t size)
{
	void *p = malloc(size);
	bool is_first;

	if (p || !loading)
		return p;
	is_first = !loading->no_memory;
	loading->no_memory = true;
	end_text(loading);
	return is_first && size <= loading->aside_size ? loading->aside : NULL;
}

static void watched_free(void *p)
{
	if (!loading || p != loading->aside)
		free(p);
}

static void watch(void)
{
	json_set_alloc_funcs(watched_malloc, watched_free);
}

/* At the end of a block: is there another one? */
static bool next_block(struct load *l)
{
	if (l->at == l->end)
		return false;
	l->stopped = l->goes_on && !l->goes_on(l->arg);
	if (l->stopped)
		end_text(l);
	else
		l->block_end = l->end - l->at > POLL_BYTES ? l->at + POLL_BYTES : l->end;
	return !l->stopped;
}

static size_t feed(void *buf, size_t cap, void *arg)
{
	struct load *l = arg;

	(void)cap; /* a kilobyte */
	if (l->at == l->block_end && !next_block(l))
		return 0;
	*(char *)buf = *l->at++;
	return 1;
}

enum err_code json_load(const char *text, size_t n, size_t flags, bool (*goes_on)(void *),
			void *arg, json_t **out, json_error_t *why)
{
	struct load l = {.at = text,
			 .block_end = text,
			 .end = text + n,
			 .goes_on = goes_on,
			 .arg = arg,
			 .aside_size = 2 * n + 64};
	json_t *root;

	*why = (json_error_t){0};
	pthread_once(&watched, watch);
	l.aside = malloc(l.aside_size);
	if (!l.aside)
		return ERR_NOMEM;
	loading = &l;
	root = json_load_callback(feed, &l, flags, why);
	if (l.stopped || l.no_memory) {
		json_decref(root); /* some of it may lie in what was put aside */
		root = NULL;
	}
	loading = NULL;
	free(l.aside);
	if (root)
		*out = root;
	else if (l.stopped)
		return ERR_INTERRUPTED;
	else
		return l.no_memory ? ERR_NOMEM : ERR_PARSE;
	return ERR_OK;
}
