#include "kb/kb_progress.h"

/* Instructions of SQLite's machine between two calls: about a hundred calls a second. */
enum { INSTRUCTIONS = 1000000 };

static int on_progress(void *arg)
{
	const struct kb_watch *w = arg;

	return !progress_step(w->progress, w->what, 0, 0);
}

static int on_connection(void *arg)
{
	const struct kb *kb = arg;

	return !progress_step(kb->options.progress, NULL, 0, 0);
}

void kb_watch_connection(struct kb *kb)
{
	if (kb->options.progress)
		sqlite3_progress_handler(kb->db, INSTRUCTIONS, on_connection, kb);
	else
		sqlite3_progress_handler(kb->db, 0, NULL, NULL);
}

void kb_watch_start(struct kb *kb, struct kb_watch *w)
{
	if (w->progress)
		sqlite3_progress_handler(kb->db, INSTRUCTIONS, on_progress, w);
}

void kb_watch_stop(struct kb *kb)
{
	kb_watch_connection(kb);
}
