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

/* Read a ping-pong file and keep its rows as facts about a machine. Only facts: the costs are
 * fitted by `calibrate` and `mine`. The base is open for writing. */
enum err_code pingpong_import_file(struct kb *kb, const char *path, int64_t machine_id,
				   const char *machine, struct pingpong_import *out, struct err *e);

#endif
