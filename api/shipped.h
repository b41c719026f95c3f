#ifndef API_SHIPPED_H
#define API_SHIPPED_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "api/session.h"

/* Load the data that ship (data/) into the open knowledge base. Definitions that the base has under
 * the same name already are left as they are: people may have changed theirs. */
struct shipped_count {
	int64_t n_applications, n_machines; /* added */
	int64_t n_runs, n_pingpong;	    /* rows added */
	int64_t n_known_files;		    /* files that were loaded before */
};

enum err_code shipped_load_applications(struct session *session, struct shipped_count *n,
					struct err *e);
/* session_open(); a base that this makes knows the shipped applications, as after `lemnos init`.
 * *made: whether it was made, which is then the caller's to tell (shipped_tell_new_kb()) or to take
 * back; NULL: it is told. */
enum err_code shipped_open_kb(struct session *session, enum kb_mode mode, bool *made,
			      struct err *e);
void shipped_tell_new_kb(const struct session *session);
/* Remove a base that was made a moment ago, unless somebody has put something into it since. */
void shipped_take_back_kb(struct session *session);
/* The definition that `operand` means: a file, or the name of one that ships in data/classes/,
 * which no base is given by itself. *out is the caller's to free. Errors: NOTFOUND (lists those
 * that ship), IO, NOMEM. */
enum err_code shipped_find_application(struct session *session, const char *operand, char **out,
				       struct err *e);
/* Machines, runs and ping-pong files too. */
enum err_code shipped_load_all(struct session *session, struct shipped_count *n, struct err *e);

#endif
