#include "api/pingpong_import.h"

#include <string.h>

#include "ingest/ingest.h"

enum err_code pingpong_file_read(const char *path, struct pingpong_file *out, struct err *e)
{
	struct pingpong_file f = {.path = path};
	enum err_code rc = pingpong_read(path, &f.rows, f.sha256, e);

	if (!rc)
		*out = f;
	else
		pingpong_file_release(&f);
	return rc;
}

void pingpong_file_release(struct pingpong_file *f)
{
	kb_pingpong_release(&f->rows);
}

enum err_code pingpong_import(struct kb *kb, const struct pingpong_file *f, int64_t machine_id,
			      const char *machine, struct pingpong_import *out, struct err *e)
{
	const char *slash = strrchr(f->path, '/');
	/* Names are only read by kb_add_pingpong(); the casts are for struct kb_import, which owns
	 * its texts elsewhere. */
	struct kb_import imp = {
		.file_name = (char *)(slash ? slash + 1 : f->path),
		.mapping = (char *)(f->rows.inside_node ? KB_PINGPONG_INSIDE_MAPPING
							: KB_PINGPONG_MAPPING),
		.machine = (char *)machine,
		.n_taken = (int64_t)f->rows.n,
	};
	struct pingpong_import done = {.n_rows = (int64_t)f->rows.n};
	enum err_code rc;

	memcpy(imp.sha256, f->sha256, sizeof imp.sha256);
	if ((rc = kb_find_import(kb, &imp, &done.import_id, e)))
		return rc;
	done.known = done.import_id != 0;
	if (!done.known) {
		if ((rc = kb_add_pingpong(kb, machine_id, &imp, &f->rows, e)))
			return rc;
		done.import_id = imp.id;
	}
	*out = done;
	return ERR_OK;
}
