#include "cli/frame/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* An own parser, not getopt_long or argp: options that the command does not know belong to the
 * application's definition (--mk 10) and have to be collected with their values, which neither
 * allows, and one table has to feed parsing, help and completions alike. Unlike getopt_long we do
 * not take abbreviations: a script that relies on one breaks when an option is added. */

OPTION(opt_app, "app", "NAME", .help = "application");
OPTION(opt_machine, "machine", "NAME", .help = "machine");
OPTION(opt_problem, "problem", "SIZE",
       .help = "problem size: 280x280x255, 320^3, or by name: nx=8,ny=32");
OPTION(opt_set, "set", "NAME=VALUE,...",
       .help = "fix columns of the configuration: --set mk=10,mmi=3");
OPTION(opt_deadline, "deadline", "TIME", .help = "90s, 15m, 1h, 1:30:00 or 2d");
OPTION(opt_confidence, "confidence", "P", .help = "probability, 0.5 to 0.999 (default 0.9)");
OPTION(opt_max_nodes, "max-nodes", "N", .help = "consider at most N nodes");
OPTION(opt_format, "format", "FORMAT", .values = "table json csv",
       .help = "table (for people), json or csv (exact numbers)");
OPTION(opt_seed, "seed", "N",
       .help = "seed of what is random; the same seed gives the same bytes (default 1)");
OPTION(opt_allow_run, "allow-run", NULL,
       .help = "let task descriptions run programs that do not come with lemnos");
OPTION(opt_verbose, "verbose", NULL,
       .help = "all that there is to tell people; json and csv always have all");
OPTION(opt_max_memory, "max-memory", "SIZE",
       .help = "take at most so much memory: 2GiB (default: half of what is free)");

OPTION(opt_kb, "kb", "FILE", .values = "FILE",
       .help = "knowledge base (default: $LEMNOS_KB, else lemnos/lemnos.kb in\n"
	       "$XDG_DATA_HOME or ~/.local/share)");
OPTION(opt_quiet, "quiet", NULL, .help = "no progress, no notes; errors and warnings only");
OPTION(opt_color, "color", "WHEN", .values = "auto always never",
       .help = "auto (a terminal, and $NO_COLOR is not set), always or never");
const struct option_spec opt_help = {.name = "help", .letter = 'h', .help = "this help"};

const struct option_spec *const options_global[] = {&opt_kb, &opt_quiet, &opt_color, &opt_help,
						    NULL};

struct parser {
	const struct option_spec *const *own;
	bool app_flags;
	int argc;
	char **argv;
	int at;
	struct options *out;
};

static const struct option_spec *find_in(const struct option_spec *const *list, const char *name,
					 size_t len, char letter)
{
	for (; list && *list; list++) {
		if (letter ? (*list)->letter == letter
			   : strlen((*list)->name) == len && !strncmp((*list)->name, name, len))
			return *list;
	}
	return NULL;
}

static const struct option_spec *find_spec(const struct parser *p, const char *name, size_t len,
					   char letter)
{
	const struct option_spec *spec = find_in(p->own, name, len, letter);

	return spec ? spec : find_in(options_global, name, len, letter);
}

static enum err_code unknown_option(const struct parser *p, const char *name, size_t len,
				    struct err *e)
{
	const char *known[64];
	size_t n = 0;
	struct strbuf typed = STRBUF_INIT, hint = STRBUF_INIT;

	for (size_t i = 0; p->own && p->own[i] && n < 60; i++)
		known[n++] = p->own[i]->name;
	for (size_t i = 0; options_global[i]; i++)
		known[n++] = options_global[i]->name;
	strbuf_add(&typed, name, len);
	options_suggest(strbuf_text(&typed), "--", known, n, &hint);
	err_set(e, ERR_USAGE, "unknown option --%s%s", strbuf_text(&typed), strbuf_text(&hint));
	strbuf_release(&typed);
	strbuf_release(&hint);
	return ERR_USAGE;
}

static void give(struct parser *p, const struct option_spec *spec, const char *value)
{
	p->out->given[p->out->n_given++] = (struct option_value){.spec = spec, .value = value};
}

/* The value of the option at argv[at]: behind '=', or the next argument. */
static const char *take_value(struct parser *p, const char *eq)
{
	if (eq)
		return eq + 1;
	return p->at + 1 < p->argc ? p->argv[++p->at] : NULL;
}

/* --name[=value] of the application: a following "--other" is not its value, because a mistyped
 * option without value ("--dry-rum --strict") must not swallow its neighbour. */
static enum err_code parse_app_flag(struct parser *p, char *name, char *eq)
{
	const char *value = NULL;

	if (eq)
		*eq = '\0';
	if (eq || (p->at + 1 < p->argc && strncmp(p->argv[p->at + 1], "--", 2)))
		value = take_value(p, eq);
	p->out->flag[p->out->n_flags++] = (struct app_flag){.name = name, .value = value};
	return ERR_OK;
}

static enum err_code parse_long(struct parser *p, struct err *e)
{
	char *name = p->argv[p->at] + 2;
	char *eq = strchr(name, '=');
	size_t len = eq ? (size_t)(eq - name) : strlen(name);
	const struct option_spec *spec = find_spec(p, name, len, 0);
	const char *value = "";

	if (!spec)
		return p->app_flags && len > 0 ? parse_app_flag(p, name, eq)
					       : unknown_option(p, name, len, e);
	if (!spec->arg && eq)
		return err_set(e, ERR_USAGE, "--%s takes no value", spec->name);
	if (spec->arg && !(value = take_value(p, eq)))
		return err_set(e, ERR_USAGE, "--%s needs a value: --%s %s", spec->name, spec->name,
			       spec->arg);
	give(p, spec, value);
	return ERR_OK;
}

static enum err_code parse_letter(struct parser *p, struct err *e)
{
	const char *arg = p->argv[p->at];
	const struct option_spec *spec = find_spec(p, NULL, 0, arg[1]);

	if (!spec || arg[2])
		return err_set(e, ERR_USAGE, "unknown option %s; long options start with --", arg);
	give(p, spec, "");
	return ERR_OK;
}

enum err_code options_parse(int argc, char **argv, const struct option_spec *const *own,
			    bool app_flags, struct options *out, struct err *e)
{
	struct parser p = {
		.own = own, .app_flags = app_flags, .argc = argc, .argv = argv, .out = out};
	size_t most = (size_t)argc + 1; /* each argument gives at most one of anything */
	bool only_operands = false;
	enum err_code rc = ERR_OK;

	*out = (struct options){
		.given = calloc(most, sizeof *out->given),
		.flag = calloc(most, sizeof *out->flag),
		.operand = calloc(most, sizeof *out->operand),
	};
	if (!out->given || !out->flag || !out->operand)
		return err_set(e, ERR_NOMEM, "%d command line arguments", argc);
	for (; p.at < argc && !rc; p.at++) {
		const char *arg = argv[p.at];

		if (only_operands || arg[0] != '-' || !arg[1])
			out->operand[out->n_operands++] = arg;
		else if (!strcmp(arg, "--"))
			only_operands = true;
		else if (arg[1] == '-')
			rc = parse_long(&p, e);
		else
			rc = parse_letter(&p, e);
	}
	return rc;
}

void options_release(struct options *o)
{
	free(o->given);
	free(o->flag);
	free(o->operand);
	*o = (struct options){0};
}

/* ---- values ---- */

const char *options_get(const struct options *o, const struct option_spec *spec)
{
	for (size_t i = o->n_given; i-- > 0;) {
		if (o->given[i].spec == spec)
			return o->given[i].value;
	}
	return NULL;
}

bool options_has(const struct options *o, const struct option_spec *spec)
{
	return options_get(o, spec) != NULL;
}

/* First pass (list NULL) sizes, second pass copies. */
static enum err_code split(const struct options *o, const struct option_spec *spec, char **list,
			   char *text, size_t *n, size_t *n_bytes, struct err *e)
{
	*n = *n_bytes = 0;
	for (size_t i = 0; i < o->n_given; i++) {
		const char *item = o->given[i].value;

		if (o->given[i].spec != spec)
			continue;
		for (;;) {
			size_t len = strcspn(item, ",");

			if (len == 0)
				return err_set(e, ERR_USAGE,
					       "--%s %s: an empty item; write --%s %s", spec->name,
					       o->given[i].value, spec->name, spec->arg);
			if (list) {
				list[*n] = memcpy(text + *n_bytes, item, len);
				list[*n][len] = '\0';
			}
			++*n;
			*n_bytes += len + 1;
			if (!item[len])
				break;
			item += len + 1;
		}
	}
	return ERR_OK;
}

enum err_code options_list(const struct options *o, const struct option_spec *spec, char ***out,
			   size_t *n, struct err *e)
{
	size_t n_items, n_bytes;
	char **list;
	enum err_code rc = split(o, spec, NULL, NULL, &n_items, &n_bytes, e);

	if (rc)
		return rc;
	list = calloc(1, (n_items + 1) * sizeof *list + n_bytes);
	if (!list)
		return err_set(e, ERR_NOMEM, "the values of --%s", spec->name);
	split(o, spec, list, (char *)(list + n_items + 1), &n_items, &n_bytes, e);
	*out = list;
	if (n)
		*n = n_items;
	return ERR_OK;
}

static enum err_code bad_value(const struct option_spec *spec, const struct err *why, struct err *e)
{
	return err_set(e, ERR_USAGE, "--%s: %s", spec->name, why->msg);
}

enum err_code options_integer(const struct options *o, const struct option_spec *spec,
			      long long min, long long max, long long *out, struct err *e)
{
	const char *text = options_get(o, spec);
	struct err why = {0};
	int64_t value;

	if (!text)
		return ERR_OK;
	if (integer_parse(text, min, max, &value, &why))
		return bad_value(spec, &why, e);
	*out = value;
	return ERR_OK;
}

enum err_code options_seed(const struct options *o, unsigned *out, struct err *e)
{
	long long seed = 1;
	enum err_code rc = options_integer(o, &opt_seed, 0, UINT32_MAX, &seed, e);

	*out = (unsigned)seed;
	return rc;
}

enum err_code options_number(const struct options *o, const struct option_spec *spec, double min,
			     double max, double *out, struct err *e)
{
	const char *text = options_get(o, spec);
	struct err why = {0};
	double value;

	if (!text)
		return ERR_OK;
	if (number_parse(text, &value, &why))
		return bad_value(spec, &why, e);
	if (max <= 1 && value > max && value / 100 >= min && value / 100 <= max)
		return err_set(e, ERR_USAGE, "--%s %s is not between %g and %g: for %g %% write %g",
			       spec->name, text, min, max, value, value / 100);
	if (value < min || value > max)
		return err_set(e, ERR_USAGE, "--%s %s is not between %g and %g", spec->name, text,
			       min, max);
	*out = value;
	return ERR_OK;
}

enum err_code options_duration(const struct options *o, const struct option_spec *spec,
			       double *out_s, struct err *e)
{
	const char *text = options_get(o, spec);
	struct err why = {0};

	if (text && duration_parse(text, out_s, &why))
		return bad_value(spec, &why, e);
	return ERR_OK;
}

enum err_code options_choice(const struct options *o, const struct option_spec *spec, int *out,
			     struct err *e)
{
	const char *text = options_get(o, spec);
	int index = 0;

	if (!text)
		return ERR_OK;
	for (const char *v = spec->values; *v; index++) {
		size_t len = strcspn(v, " ");

		if (strlen(text) == len && !strncmp(v, text, len)) {
			*out = index;
			return ERR_OK;
		}
		v += len;
		v += strspn(v, " ");
	}
	return err_set(e, ERR_USAGE, "--%s %s: it is one of: %s", spec->name, text, spec->values);
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edits (insert, delete, replace) that turn a into b; a and b shorter than 32, else "far". */
static size_t edits(const char *a, const char *b)
{
	size_t row[33];
	size_t len_a = strlen(a), len_b = strlen(b);

	if (len_a > 31 || len_b > 31)
		return 99;
	for (size_t j = 0; j <= len_b; j++)
		row[j] = j;
	for (size_t i = 1; i <= len_a; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= len_b; j++) {
			size_t replace = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = smaller(replace, smaller(row[j], row[j - 1]) + 1);
		}
	}
	return row[len_b];
}

void options_suggest(const char *typed, const char *prefix, const char *const *name, size_t n,
		     struct strbuf *out)
{
	size_t near = strlen(typed) <= 3 ? 1 : 2; /* more edits than that is another word */
	size_t n_found = 0;

	for (size_t i = 0; i < n; i++) {
		bool begins = strlen(typed) >= 3 && !strncmp(name[i], typed, strlen(typed));

		if (!begins && edits(typed, name[i]) > near)
			continue;
		strbuf_printf(out, "%s%s%s", n_found++ ? " or " : "; did you mean ", prefix,
			      name[i]);
	}
	if (n_found)
		strbuf_putc(out, '?');
}
