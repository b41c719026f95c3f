#include "cli/answer/breakdown_output.h"

#include "cli/frame/output.h"

enum err_code breakdown_print(const struct breakdown *b, FILE *f, struct err *e)
{
	static const struct out_column columns[] = {
		{"part", "where the time goes", OUT_TEXT},
		{"time_s", "time", OUT_SECONDS},
		{"share", NULL, OUT_PERCENT},
	};
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	const struct {
		const char *name;
		double time_s;
	} part[] = {
		{"compute", b->compute_s},    {"communication", b->comm_s},
		{"pipeline fill", b->fill_s}, {"synchronisation", b->sync_s},
		{"other", b->other_s},
	};
	/* terms tell computation from communication, and no more */
	const bool whole = b->fill_s + b->sync_s + b->other_s > 0;
	const size_t n = whole ? sizeof part / sizeof part[0] : 2;
	double total_s = breakdown_total_s(b);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "where the time goes");
	for (size_t i = 0; i < n; i++) {
		out_text(t, part[i].name);
		out_real(t, part[i].time_s);
		out_real(t, part[i].time_s / total_s);
	}
	rc = out_table_print(t, FORMAT_TABLE, "breakdown", f, e);
	out_table_free(t);
	return rc;
}
