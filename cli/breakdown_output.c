#include "cli/breakdown_output.h"

#include <stddef.h>

#include <jansson.h>

#include "cli/output.h"

static const struct part {
	const char *key;
	const char *name;
	size_t offset;
} parts[] = {
	{"compute_s", "compute", offsetof(struct breakdown, compute_s)},
	{"comm_s", "communication", offsetof(struct breakdown, comm_s)},
	{"fill_s", "pipeline fill", offsetof(struct breakdown, fill_s)},
	{"sync_s", "synchronisation", offsetof(struct breakdown, sync_s)},
	{"other_s", "other", offsetof(struct breakdown, other_s)},
};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

static double *part_of(struct breakdown *b, const struct part *p)
{
	return (double *)(void *)((char *)b + p->offset);
}

struct json_t *breakdown_json(const struct breakdown *b)
{
	struct breakdown copy = *b;
	json_t *object = json_object();
	int failed = 0;

	for (size_t i = 0; i < N_PARTS; i++)
		failed |= json_object_set_new(object, parts[i].key,
					      out_json_real(*part_of(&copy, &parts[i])));
	if (failed) {
		json_decref(object);
		return NULL;
	}
	return object;
}

struct breakdown breakdown_from_json(const struct json_t *object)
{
	struct breakdown b = {0};

	for (size_t i = 0; i < N_PARTS; i++)
		*part_of(&b, &parts[i]) = json_number_value(json_object_get(object, parts[i].key));
	return b;
}

enum err_code breakdown_print(const struct breakdown *b, FILE *f, struct err *e)
{
	static const struct out_column columns[] = {
		{"part", "where the time goes", OUT_TEXT},
		{"time_s", "time", OUT_SECONDS},
		{"share", NULL, OUT_PERCENT},
	};
	struct out_table *t = out_table_new(columns, sizeof columns / sizeof columns[0]);
	struct breakdown copy = *b;
	double total_s = breakdown_total_s(b);
	enum err_code rc;

	if (!t)
		return err_set(e, ERR_NOMEM, "where the time goes");
	for (size_t i = 0; i < N_PARTS; i++) {
		double part_s = *part_of(&copy, &parts[i]);

		out_text(t, parts[i].name);
		out_real(t, part_s);
		out_real(t, part_s / total_s);
	}
	rc = out_table_print(t, FORMAT_TABLE, "breakdown", f, e);
	out_table_free(t);
	return rc;
}
