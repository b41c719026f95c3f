#ifndef API_PINGPONG_IMPORT_H
#define API_PINGPONG_IMPORT_H
#include <stdint.h>
#include "base/err.h"
#include "kb/kb.h"

struct pingpong_import {
	int64_t import_id; /* the new import, or the earlier one of the same content */
	int64_t n_rows;
	bool known; /* the file was imported before: nothing was added */
};

/* A ping-pong file that was read: the base need not be locked meanwhile, which may take long (a
 * pipe). */
struct pingpong_file {
	const char *path; /* the caller's */
	struct kb_pingpong rows;
	char sha256[65];
};

enum err_code pingpong_file_read(const char *path, struct pingpong_file *out, struct err *e);
void pingpong_file_release(struct pingpong_file *f);

/* Keep its rows as facts about a machine. Only facts: the costs are fitted by `calibrate` and
 * `mine`. The base is open for writing. */
enum err_code pingpong_import(struct kb *kb, const struct pingpong_file *f, int64_t machine_id,
			      const char *machine, struct pingpong_import *out, struct err *e);

#endif
