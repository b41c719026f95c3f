#include "api/pingpong_import.h"

#include <string.h>

#include "ingest/ingest.h"

enum err_code pingpong_import_file(struct kb *kb, const char *path, int64_t machine_id,
				   const char *machine, struct pingpong_import *out, struct err *e)
{
	const char *slash = strrchr(path, '/');
	/* Names are only read by kb_add_pingpong(); the casts are for struct kb_import, which owns
	 * its texts elsewhere. */
	struct kb_import imp = {
		.file_name = (char *)(slash ? slash + 1 : path),
		.mapping = (char *)"ping-pong",
		.machine = (char *)machine,
	};
	struct kb_pingpong rows = {0};
	struct pingpong_import done = {0};
	enum err_code rc;

	if ((rc = pingpong_read(path, &rows, imp.sha256, e)) ||
	    (rc = kb_find_import(kb, &imp, &done.import_id, e)))
		goto done;
	done.n_rows = (int64_t)rows.n;
	done.known = done.import_id != 0;
	if (!done.known) {
		imp.n_taken = done.n_rows;
		rc = kb_add_pingpong(kb, machine_id, &imp, &rows, e);
		done.import_id = imp.id;
	}
	if (!rc)
		*out = done;
done:
	kb_pingpong_release(&rows);
	return rc;
}
