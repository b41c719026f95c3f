#ifndef KB_KB_CONTENT_H
#define KB_KB_CONTENT_H
#include <stdint.h>
#include "base/digest.h"
#include "kb/kb_sql.h"

/* Digests of what was mined, over the values as SQLite keeps them: alike on every machine that
 * reads the file, and other after any change of it. */

void content_put_integer(struct digest *d, int64_t value);
void content_put_real(struct digest *d, double value);	   /* all NaNs are one, -0 is 0 */
void content_put_text(struct digest *d, const char *text); /* NULL is not "" */

/* Is what was read what was mined? stored NULL: from before there were digests, so nobody
 * knows. what: "the predictor", begins the message. Errors: DAMAGED. */
enum err_code content_check(struct digest *d, const char *stored, const char *what, struct err *e);

#endif
