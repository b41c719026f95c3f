#ifndef API_SESSION_H
#define API_SESSION_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/err.h"
#include "base/progress.h"
#include "domain/application.h"
#include "domain/machine.h"
#include "kb/kb.h"

/* Things that messages name in the words of the front end. */
enum session_term {
	TERM_APPLICATION,    /* "Give ...": "its name" */
	TERM_MACHINE,	     /* likewise */
	TERM_WHAT_IF,	     /* "... is for a machine without runs": "a what if" */
	TERM_WHAT_IF_FACTOR, /* how to ask one, " (...)", at the end of a sentence: "" */
};

/* One front end at work on one knowledge base. Everything in api/ takes a session and keeps no
 * state beside it: several of them, on several bases, may be used at once, each by one thread at a
 * time.
 *
 *	session_init_process();
 *	struct session session = {.kb_path = "project.kb"};
 *	rc = session_open(&session, KB_READ, &e);
 *	...
 *	session_close(&session);
 *
 * A session that is {0} but for kb_path is silent and cannot be interrupted. */
struct session {
	const char *kb_path;		 /* the file that is meant, whether open or not; borrowed */
	struct kb *kb;			 /* NULL: not open */
	bool was_empty;			 /* its file was there, and empty: see shipped_open_kb() */
	mode_t empty_mode;		 /* of that file */
	const struct progress *progress; /* for work that takes long; NULL: go on in silence */
	bool allow_run;	     /* task descriptions may run programs that do not come with Lemnos */
	const char *datadir; /* of what ships with the program; NULL: datadir_find() */
	/* Remarks beside the answer, without a newline. A warning is about the answer, a note
	 * about what was done. NULL: nobody wants to know. */
	void (*warn)(void *arg, const char *text);
	void (*note)(void *arg, const char *text);
	/* How the front end calls what a message asks for: its options, its fields. NULL, here or
	 * from the function: in plain words. */
	const char *(*term)(void *arg, enum session_term term);
	void *arg; /* of warn, note and term */
};

/* Once in a process, before any other call and any thread. */
void session_init_process(void);

/* The makings of answers, for bug reports: the schema of the bases that this program makes, and
 * the libraries that are used. */
struct session_versions {
	int schema;
	const char *sqlite, *gsl, *jansson;
};
struct session_versions session_versions(void);

/* Open session->kb_path in place of the base that was open; a second writer that has to wait notes
 * so once. Errors: those of kb_open(). */
enum err_code session_open(struct session *session, enum kb_mode mode, struct err *e);
void session_close(struct session *session);

void session_warn(const struct session *session, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void session_note(const struct session *session, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* session->term, else plain words. */
const char *session_term(const struct session *session, enum session_term term);

/* The application and the machine that are meant: the one that is named, else (NULL) the base's
 * default, else the only one that has runs, else the only one there is; otherwise ERR_USAGE with
 * the candidates. id may be NULL. Errors: NOTFOUND, those of kb. */
enum err_code session_application(struct session *session, const char *given,
				  struct application **out, int64_t *id, struct err *e);
enum err_code session_machine(struct session *session, const char *given, int64_t app_id,
			      struct machine **out, int64_t *id, struct err *e);

#endif
