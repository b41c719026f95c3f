#include "domain/machine.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/text_form.h"
#include "base/units.h"
#include "domain/conf.h"

#define LETTERS_AND_DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Reading input, wiring up the network, writing: minutes are what Slurm counts in, and a run that
 * is killed for a slow start is dearer than a minute asked for and not used. */
static const double usual_startup_s = 60;

static bool is_one_line(const char *text)
{
	for (; *text; text++) {
		if (((unsigned char)*text < ' ' && *text != '\t') || *text == '\x7f')
			return false;
	}
	return true;
}

/* NULL when absent, "" is refused; of these characters only. */
static char *read_plain(struct conf *c, const config_setting_t *g, const char *key,
			const char *allowed, const char *what)
{
	char *text = conf_text(c, g, key);

	if (text && (!*text || text[strspn(text, allowed)]))
		conf_fail(c, conf_at(g, key), "'%s' wants %s", key, what);
	return text;
}

/* "--qos=debug" is the option `name` if it goes on with = or ends. */
static bool is_option(const char *text, const char *name)
{
	size_t len = strlen(name);

	return strncmp(text, name, len) == 0 && (!text[len] || strchr("= \t", text[len]));
}

static void check_option(struct conf *c, const config_setting_t *at, const char *text)
{
	static const char *const ours[] = {"--job-name",	"--nodes",	   "--ntasks",
					   "--ntasks-per-node", "--cpus-per-task", "--time",
					   "--partition",	"--account",	   NULL};

	if (strncmp(text, "--", 2) != 0 || !text[2] || !is_one_line(text))
		conf_fail(c, at,
			  "'%s' is no option of sbatch: one line, \"--NAME\" or \"--NAME=VALUE\"",
			  text);
	for (const char *const *name = ours; *name; name++) {
		if (is_option(text, *name))
			conf_fail(c, at, "the job script sets %s itself", *name);
	}
}

static void read_options(struct conf *c, const config_setting_t *g, struct slurm *out)
{
	out->option = conf_texts(c, g, "options", &out->n_option);
	for (size_t i = 0; i < out->n_option; i++)
		check_option(c, conf_at(g, "options"), out->option[i]);
}

static void read_setup(struct conf *c, const config_setting_t *g, struct slurm *out)
{
	out->setup = conf_texts(c, g, "setup", &out->n_setup);
	for (size_t i = 0; i < out->n_setup; i++) {
		if (!is_one_line(out->setup[i]))
			conf_fail(c, conf_at(g, "setup"), "each item of 'setup' is one line");
	}
}

static void read_startup(struct conf *c, const config_setting_t *g, struct slurm *out)
{
	const double longest = 86400;

	out->startup_s = conf_number(c, g, "startup_s", usual_startup_s);
	if (!(out->startup_s >= 0 && out->startup_s <= longest))
		conf_fail(c, conf_at(g, "startup_s"), "'startup_s' wants seconds, 0 to %.0f",
			  longest);
}

/* The group `slurm` of a machine's definition; absent, the defaults. What was
 * read is in out also after an error. */
static void machine_slurm_read(struct conf *c, const config_setting_t *machine, struct slurm *out)
{
	const config_setting_t *g = conf_group(c, machine, "slurm");

	conf_check_keys(c, g, "partition account launcher options setup startup_s");
	out->partition = read_plain(c, g, "partition", LETTERS_AND_DIGITS "_.,+@-",
				    "letters, digits and _ . , + @ -");
	out->account = read_plain(c, g, "account", LETTERS_AND_DIGITS "_.,+@-",
				  "letters, digits and _ . , + @ -");
	out->launcher = read_plain(c, g, "launcher", LETTERS_AND_DIGITS "_.,:+=/@%- ",
				   "a command and its options, without anything that a shell would "
				   "interpret");
	read_options(c, g, out);
	read_setup(c, g, out);
	read_startup(c, g, out);
	if (!out->launcher && !(out->launcher = strdup("srun")))
		conf_fail_memory(c);
}

static void free_texts(char **text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

static void machine_slurm_release(struct slurm *s)
{
	free(s->partition);
	free(s->account);
	free(s->launcher);
	free_texts(s->option, s->n_option);
	free_texts(s->setup, s->n_setup);
}

/* The largest count or size that a definition may give: what a double holds exactly. */
static const double largest = 9007199254740992.0; /* 2^53 */

/* A number >= 0 (0: not known), whole if asked. */
static double read_known(struct conf *c, const config_setting_t *g, const char *key, bool whole)
{
	double x = conf_number(c, g, key, 0);

	if (x < 0 || x > largest || !isfinite(x) || (whole && trunc(x) != x))
		conf_fail(c, conf_at(g, key), "'%s' wants a %snumber >= 0 (0: not known)", key,
			  whole ? "whole " : "");
	return c->rc == ERR_OK ? x : 0;
}

/* A known number of bytes that must be there. */
static double read_bytes(struct conf *c, const config_setting_t *g, const char *key)
{
	conf_required_number(c, g, key);
	return read_known(c, g, key, true);
}

/* A cost in microseconds that must be there, in seconds. */
static double read_us(struct conf *c, const config_setting_t *g, const char *key)
{
	double us = conf_required_number(c, g, key);

	if (us < 0 || !isfinite(us))
		conf_fail(c, conf_at(g, key), "'%s' wants a number >= 0", key);
	return us * 1e-6;
}

static void read_loggp(struct conf *c, const config_setting_t *g, struct loggp *out)
{
	conf_check_keys(c, g,
			"L_us o_small_us o_large_us G_small_us_per_byte G_large_us_per_byte "
			"small_max_bytes handshake_bytes");
	out->L_s = read_us(c, g, "L_us");
	out->o_small_s = read_us(c, g, "o_small_us");
	out->o_large_s = read_us(c, g, "o_large_us");
	out->G_small_s_per_byte = read_us(c, g, "G_small_us_per_byte");
	out->G_large_s_per_byte = read_us(c, g, "G_large_us_per_byte");
	out->small_max_bytes = read_bytes(c, g, "small_max_bytes");
	out->handshake_bytes = read_bytes(c, g, "handshake_bytes");
	if (out->handshake_bytes < out->small_max_bytes)
		conf_fail(c, conf_at(g, "handshake_bytes"),
			  "'handshake_bytes' = %.0f is less than 'small_max_bytes' = %.0f",
			  out->handshake_bytes, out->small_max_bytes);
}

static void read_segment(struct conf *c, const config_setting_t *g, struct cost_segment *out)
{
	conf_check_keys(c, g, "from_bytes intercept_us us_per_byte");
	out->from_bytes = read_bytes(c, g, "from_bytes");
	/* Not read_us(): a fitted line may cross zero left of its range. */
	out->intercept_s = conf_required_number(c, g, "intercept_us") * 1e-6;
	out->s_per_byte = read_us(c, g, "us_per_byte");
	if (out->intercept_s + out->s_per_byte * out->from_bytes < 0 || !isfinite(out->intercept_s))
		conf_fail(c, conf_at(g, "intercept_us"),
			  "the cost of a message of %.0f bytes would be negative", out->from_bytes);
}

static void read_segments(struct conf *c, const config_setting_t *top, const char *key,
			  struct cost_segment **segment, size_t *n)
{
	const config_setting_t *list = conf_list(c, top, key);

	if (conf_length(list) == 0)
		return;
	*segment = calloc(conf_length(list), sizeof **segment);
	if (!*segment) {
		conf_fail_memory(c);
		return;
	}
	for (size_t i = 0; i < conf_length(list); i++) {
		struct cost_segment *s = &(*segment)[(*n)++];
		const config_setting_t *item = conf_item(list, i);

		read_segment(c, item, s);
		if (i == 0 && s->from_bytes != 0)
			conf_fail(c, item, "the first segment starts at 'from_bytes = 0'");
		if (i > 0 && s->from_bytes <= s[-1].from_bytes)
			conf_fail(c, item, "'from_bytes' must grow: %.0f comes after %.0f",
				  s->from_bytes, s[-1].from_bytes);
	}
}

/* memory_bytes_per_node = 68719476736.0, or memory_per_node = "64 GiB". */
static double read_memory(struct conf *c, const config_setting_t *top)
{
	double bytes = read_known(c, top, "memory_bytes_per_node", false);
	char *size = conf_text(c, top, "memory_per_node");
	struct err inner = {0};

	if (!size)
		return bytes;
	if (config_setting_get_member(top, "memory_bytes_per_node"))
		conf_fail(c, conf_at(top, "memory_per_node"),
			  "'memory_per_node' and 'memory_bytes_per_node' say the same; keep one");
	else if (size_parse(size, &bytes, &inner) != ERR_OK)
		conf_fail(c, conf_at(top, "memory_per_node"), "%s", inner.msg);
	free(size);
	return bytes;
}

/* C0, DEL, and C1 (U+0080 to U+009F, C2 80 to C2 9F in UTF-8): terminals obey them. */
static bool has_control(const unsigned char *text)
{
	for (; *text; text++) {
		if (*text < 0x20 || *text == 0x7F || (*text == 0xC2 && text[1] < 0xA0))
			return true;
	}
	return false;
}

const char *machine_name_fault(const char *name)
{
	size_t len = strlen(name);

	if (len == 0)
		return "empty";
	if (len > 100)
		return "longer than 100 bytes";
	if (utf8_first_invalid(name, len) < len)
		return "not valid UTF-8";
	if (has_control((const unsigned char *)name))
		return "has a control character";
	if (name[0] == ' ' || name[len - 1] == ' ')
		return "begins or ends with a blank";
	return NULL;
}

static char *read_name(struct conf *c, const config_setting_t *top)
{
	char *name = conf_required_text(c, top, "name");
	const char *fault = name ? machine_name_fault(name) : NULL;

	if (fault)
		conf_fail(c, conf_at(top, "name"), "the name '%.60s': %s", name, fault);
	return name;
}

static void read_machine(struct conf *c, const config_setting_t *top, struct machine *m)
{
	const config_setting_t *g;

	conf_check_keys(c, top,
			"name title origin simulated nodes cores_per_node "
			"memory_bytes_per_node memory_per_node blocking_bytes loggp "
			"loggp_local segments overhead_us segments_local "
			"blocking_local_bytes overhead_local_us slurm");
	m->name = read_name(c, top);
	m->title = conf_text(c, top, "title");
	m->origin = conf_text(c, top, "origin");
	m->simulated = conf_bool(c, top, "simulated", false);
	m->nodes = (int64_t)read_known(c, top, "nodes", true);
	m->cores_per_node = (int64_t)read_known(c, top, "cores_per_node", true);
	m->memory_bytes_per_node = read_memory(c, top);
	m->blocking_bytes = read_known(c, top, "blocking_bytes", true);
	m->overhead_s = read_known(c, top, "overhead_us", false) * 1e-6;
	m->blocking_local_bytes = read_known(c, top, "blocking_local_bytes", true);
	m->overhead_local_s = read_known(c, top, "overhead_local_us", false) * 1e-6;
	if ((g = conf_group(c, top, "loggp"))) {
		m->has_loggp = true;
		read_loggp(c, g, &m->loggp);
	}
	if ((g = conf_group(c, top, "loggp_local"))) {
		m->has_loggp_local = true;
		read_loggp(c, g, &m->loggp_local);
	}
	read_segments(c, top, "segments", &m->segment, &m->n_segment);
	read_segments(c, top, "segments_local", &m->segment_local, &m->n_segment_local);
	machine_slurm_read(c, top, &m->slurm);
}

/* Absent texts read as "". */
static void fill_texts(struct conf *c, struct machine *m, const char *text)
{
	if (!m->title)
		m->title = strdup("");
	if (!m->origin)
		m->origin = strdup("");
	m->definition = strdup(text);
	if (!m->title || !m->origin || !m->definition)
		conf_fail_memory(c);
	digest_text(text, strlen(text), m->sha256);
}

enum err_code machine_parse(const char *text, const char *origin, struct machine **out,
			    struct err *e)
{
	struct machine *m = calloc(1, sizeof *m);
	const config_setting_t *top;
	struct conf c;

	if (!m)
		return err_set(e, ERR_NOMEM, "%s: out of memory", origin);
	conf_open(&c, text, origin, e);
	top = conf_top(&c, "machine");
	if (top) {
		read_machine(&c, top, m);
		fill_texts(&c, m, text);
	}
	conf_close(&c);
	if (c.rc != ERR_OK)
		machine_free(m);
	else
		*out = m;
	return c.rc;
}

enum err_code machine_read(const char *path, struct machine **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = conf_read_file(path, &text, e);

	if (rc == ERR_OK)
		rc = machine_parse(strbuf_text(&text), path, out, e);
	strbuf_release(&text);
	return rc;
}

enum err_code machine_unknown_text(const char *name, struct strbuf *out, struct err *e)
{
	return machine_node_text(name, NULL, out, e);
}

enum err_code machine_node_text(const char *name, const struct machine_node *node,
				struct strbuf *out, struct err *e)
{
	const char *fault = machine_name_fault(name);

	if (fault)
		return err_set(e, ERR_ARG, "the machine's name '%.60s': %s", name, fault);
	strbuf_puts(out,
		    "# Made by an import. Fill in what is known: nodes, cores_per_node,\n"
		    "# memory_per_node, loggp or segments; then `lemnos machines add` this file.\n"
		    "machine = {\n  name = ");
	conf_put_text(out, name);
	if (node && node->cores > 0)
		strbuf_printf(out, ";\n  cores_per_node = %lld", (long long)node->cores);
	if (node && node->memory_bytes > 0) {
		strbuf_puts(out, ";\n  memory_bytes_per_node = ");
		strbuf_put_number(out, node->memory_bytes);
		strbuf_puts(out,
			    node->memory_bytes == (double)(int64_t)node->memory_bytes ? ".0" : "");
	}
	strbuf_puts(out, ";\n};\n");
	return out->failed ? err_set(e, ERR_NOMEM, "out of memory") : ERR_OK;
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	free(m->name);
	free(m->title);
	free(m->origin);
	free(m->segment);
	free(m->segment_local);
	machine_slurm_release(&m->slurm);
	free(m->definition);
	free(m);
}

/* ---- as text ---- */

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
