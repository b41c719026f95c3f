#ifndef KB_KB_CONNECT_H
#define KB_KB_CONNECT_H
#include "kb/kb_sql.h"

/* The connection to the file kb->path: with which rights, and with what set before its first
 * statement. Opened as kb->db; the caller closes it on errors, too. */

/* Leaves no file that would be in the way of those who may write. Errors: as kb_open(). */
enum err_code kb_connect_read(struct kb *kb, struct err *e);
/* Errors: KB (the file, its directory or the files of its journal may not be written). */
enum err_code kb_connect_write(struct kb *kb, enum kb_mode mode, struct err *e);
/* Milliseconds of a clock that nobody sets, to measure waits with. */
int64_t kb_now_ms(void);
/* Is the file written in WAL mode? */
bool kb_connect_says_wal(struct kb *kb);

#endif
