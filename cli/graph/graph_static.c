#include <inttypes.h>

#include <jansson.h>

#include "cli/graph/graph_output.h"

static const struct out_column class_columns[] = {
	{"class", NULL, OUT_TEXT},    {"kind", NULL, OUT_TEXT},
	{"cost", "each", OUT_TEXT},   {"on", "on processors", OUT_TEXT},
	{"instances", NULL, OUT_INT}, {"total_s", "all of them", OUT_SECONDS},
};

static struct out_table *class_table(const struct wavefront_static *s)
{
	struct out_table *t =
		out_table_new(class_columns, sizeof class_columns / sizeof class_columns[0]);

	for (size_t k = 0; t && k < s->n_classes; k++) {
		const struct wavefront_class *c = &s->class[k];

		out_text(t, wavefront_task_name(c->kind));
		out_text(t, task_kind_name(wavefront_task_kind(c->kind)));
		out_text(t, c->cost);
		out_text(t, c->on);
		out_int(t, (int64_t)c->n_instances);
		out_real(t, c->total_s);
	}
	return t;
}

static const struct out_column dependence_columns[] = {
	{"from", NULL, OUT_TEXT},
	{"to", "lets start", OUT_TEXT},
	{"where", NULL, OUT_TEXT},
	{"message", NULL, OUT_BOOL},
};

static struct out_table *dependence_table(const struct wavefront_static *s)
{
	struct out_table *t = out_table_new(
		dependence_columns, sizeof dependence_columns / sizeof dependence_columns[0]);

	for (size_t k = 0; t && k < s->n_dependences; k++) {
		const struct wavefront_dependence *d = &s->dependence[k];

		out_text(t, wavefront_task_name(d->from));
		out_text(t, wavefront_task_name(d->to));
		out_text(t, d->where);
		out_bool(t, d->is_message);
	}
	return t;
}

static enum err_code print_json(const struct context *c, const struct wavefront_static *s,
				const struct out_table *classes, const struct out_table *between,
				struct err *e)
{
	json_t *answer = out_json_answer(), *loops = json_object();
	enum err_code rc;
	int failed;

	failed = json_object_set_new(loops, "npe_i", json_integer(s->npe_i)) |
		 json_object_set_new(loops, "npe_j", json_integer(s->npe_j)) |
		 json_object_set_new(loops, "octants", json_integer(s->octants)) |
		 json_object_set_new(loops, "angle_groups", json_integer(s->angle_groups)) |
		 json_object_set_new(loops, "k_blocks", json_integer(s->k_blocks)) |
		 json_object_set_new(answer, "loops", loops) |
		 json_object_set_new(answer, "classes", out_table_json(classes)) |
		 json_object_set_new(answer, "dependences", out_table_json(between));
	rc = failed ? err_set(e, ERR_NOMEM, "the answer") : out_json(answer, c->out, e);
	json_decref(answer);
	return rc;
}

static enum err_code print_text(const struct context *c, const struct wavefront_static *s,
				const struct out_table *classes, const struct out_table *between,
				struct err *e)
{
	enum err_code rc;

	fprintf(c->out,
		"on each of %" PRId64 " x %" PRId64 " processors\n"
		"  for octant = 1 .. %" PRId64 "\n"
		"    for angle group = 1 .. %" PRId64 "\n"
		"      for k block = 1 .. %" PRId64 "\n\n",
		s->npe_i, s->npe_j, s->octants, s->angle_groups, s->k_blocks);
	if ((rc = out_table_print(classes, FORMAT_TABLE, "classes", c->out, e)))
		return rc;
	fputc('\n', c->out);
	return out_table_print(between, FORMAT_TABLE, "dependences", c->out, e);
}

enum err_code graph_static_print(const struct context *c, const struct wavefront_static *s,
				 struct err *e)
{
	struct out_table *classes = class_table(s), *between = dependence_table(s);
	enum err_code rc;

	if (!classes || !between)
		rc = err_set(e, ERR_NOMEM, "a static graph");
	else if (c->format == FORMAT_CSV)
		rc = out_table_print(classes, FORMAT_CSV, "classes", c->out, e);
	else if (c->format == FORMAT_JSON)
		rc = print_json(c, s, classes, between, e);
	else
		rc = print_text(c, s, classes, between, e);
	out_table_free(classes);
	out_table_free(between);
	return rc;
}
