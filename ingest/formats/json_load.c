#include "ingest/formats/json_load.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/* jansson has one allocator for the whole process and gives it no argument. So ours is set once and
 * notes for each thread that an allocation failed; who reads looks at that afterwards. */
static _Thread_local bool one_failed;
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void *watched_malloc(size_t size)
{
	void *p = malloc(size);

	one_failed = one_failed || !p;
	return p;
}

static void watch(void)
{
	json_set_alloc_funcs(watched_malloc, free);
}

json_t *json_load_feed(size_t (*feed)(void *, size_t, void *), void *arg, size_t flags,
		       json_error_t *why, bool *no_memory)
{
	json_t *root;

	pthread_once(&watched, watch);
	one_failed = false;
	root = json_load_callback(feed, arg, flags, why);
	*no_memory = one_failed;
	if (!one_failed)
		return root;
	json_decref(root);
	return NULL;
}

static size_t feed_text(void *buf, size_t cap, void *arg)
{
	const char **rest = arg;
	size_t n = strnlen(*rest, cap);

	memcpy(buf, *rest, n);
	*rest += n;
	return n;
}

json_t *json_load_text(const char *text, json_error_t *why, bool *no_memory)
{
	const char *rest = text;

	return json_load_feed(feed_text, &rest, 0, why, no_memory);
}
