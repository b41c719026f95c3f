#include "api/import_runs.h"

enum err_code import_runs(struct session *session, const struct ingest_options *o,
			  struct ingest_result *out, struct err *e)
{
	struct ingest_options reported = *o;

	reported.progress = session->progress;
	return ingest_file(session->kb, &reported, out, e);
}
