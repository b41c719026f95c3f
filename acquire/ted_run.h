#ifndef ACQUIRE_TED_RUN_H
#define ACQUIRE_TED_RUN_H
#include "acquire/ted_private.h"
#include "acquire/work_folder.h"

/* Run the words in the folder; what they print goes to its files "out" and "err". A failure is
 * told with the last line of "err". Errors: NOTFOUND, IO, INTERRUPTED, NOMEM. */
enum err_code ted_run(const struct ted_words *w, const struct work_folder *folder,
		      const struct ted_options *o, struct err *e);

#endif
