#include "domain/machine_text.h"

#include <string.h>

#include "domain/conf.h"

static void put_comment(const char *comment, struct strbuf *out)
{
	while (*comment) {
		size_t length = strcspn(comment, "\n");

		strbuf_puts(out, "# ");
		strbuf_add(out, comment, length);
		strbuf_putc(out, '\n');
		comment += length + (comment[length] == '\n');
	}
}

static void put_text(const char *key, const char *value, struct strbuf *out)
{
	if (!value || !*value)
		return;
	strbuf_printf(out, "  %s = ", key);
	conf_put_text(out, value);
	strbuf_puts(out, ";\n");
}

/* libconfig's whole numbers end at 2^31. 0: not known. */
static void put_whole(const char *key, double value, struct strbuf *out)
{
	if (value > 0)
		strbuf_printf(out, "  %s = %.0f%s;\n", key, value,
			      value < 2147483648.0 ? "" : ".0");
}

static void put_us(const char *key, double value_s, struct strbuf *out)
{
	strbuf_printf(out, "%s = %#.6g;", key, 1e6 * value_s);
}

static void put_segments(const char *key, const struct cost_segment *segment, size_t n,
			 struct strbuf *out)
{
	if (n == 0)
		return;
	strbuf_printf(out, "  %s = (\n", key);
	for (size_t i = 0; i < n; i++) {
		/* the first one reaches down to nothing */
		strbuf_printf(out, "    { from_bytes = %.0f%s; ", i ? segment[i].from_bytes : 0.0,
			      segment[i].from_bytes < 2147483648.0 ? "" : ".0");
		put_us("intercept_us", segment[i].intercept_s, out);
		strbuf_putc(out, ' ');
		put_us("us_per_byte", segment[i].s_per_byte, out);
		strbuf_printf(out, " }%s\n", i + 1 < n ? "," : "");
	}
	strbuf_puts(out, "  );\n");
}

static void put_overhead(const char *key, double value_s, struct strbuf *out)
{
	if (!(value_s > 0))
		return;
	strbuf_puts(out, "  ");
	put_us(key, value_s, out);
	strbuf_putc(out, '\n');
}

enum err_code machine_put_text(const struct machine *m, const char *comment, struct strbuf *out,
			       struct err *e)
{
	const char *fault = machine_name_fault(m->name);

	if (fault)
		return err_set(e, ERR_ARG, "the machine's name '%.60s': %s", m->name, fault);
	put_comment(comment, out);
	strbuf_puts(out, "machine = {\n");
	put_text("name", m->name, out);
	put_text("title", m->title, out);
	put_text("origin", m->origin, out);
	strbuf_printf(out, "  simulated = %s;\n", m->simulated ? "true" : "false");
	put_whole("nodes", (double)m->nodes, out);
	put_whole("cores_per_node", (double)m->cores_per_node, out);
	put_whole("memory_bytes_per_node", m->memory_bytes_per_node, out);
	put_whole("blocking_bytes", m->blocking_bytes, out);
	put_overhead("overhead_us", m->overhead_s, out);
	put_segments("segments", m->segment, m->n_segment, out);
	put_whole("blocking_local_bytes", m->blocking_local_bytes, out);
	put_overhead("overhead_local_us", m->overhead_local_s, out);
	put_segments("segments_local", m->segment_local, m->n_segment_local, out);
	strbuf_puts(out, "};\n");
	return out->failed ? err_set(e, ERR_NOMEM, "the definition of a machine") : ERR_OK;
}
