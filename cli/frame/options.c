#include "cli/frame/options.h"

#include <stdlib.h>
#include <string.h>

/* An own parser, not getopt_long or argp: options that the command does not know belong to the
 * application's definition (--mk 10) and have to be collected with their values, which neither
 * allows, and one table has to feed parsing, help and completions alike. Unlike getopt_long we do
 * not take abbreviations: a script that relies on one breaks when an option is added. */

const struct option_spec opt_app = {.name = "app", .arg = "NAME", .help = "application class"};
const struct option_spec opt_machine = {.name = "machine", .arg = "NAME", .help = "machine"};
const struct option_spec opt_problem = {
	.name = "problem",
	.arg = "SIZE",
	.help = "problem size: 280x280x255, or by name: nx=8,ny=32",
};
const struct option_spec opt_set = {
	.name = "set",
	.arg = "NAME=VALUE,...",
	.help = "fix columns of the configuration: --set mk=10,mmi=3",
};
const struct option_spec opt_deadline = {
	.name = "deadline",
	.arg = "TIME",
	.help = "90s, 15m, 1h, 1:30:00 or 2d",
};
const struct option_spec opt_confidence = {
	.name = "confidence",
	.arg = "P",
	.help = "probability, 0.5 to 0.999 (default 0.9)",
};
const struct option_spec opt_max_nodes = {
	.name = "max-nodes",
	.arg = "N",
	.help = "consider at most N nodes",
};
const struct option_spec opt_format = {
	.name = "format",
	.arg = "FORMAT",
	.values = "table json csv",
	.help = "table (for people), json or csv (exact numbers)",
};
const struct option_spec opt_seed = {
	.name = "seed",
	.arg = "N",
	.help = "seed of what is random; the same seed gives the same bytes (default 1)",
};
const struct option_spec opt_allow_run = {
	.name = "allow-run",
	.help = "let task descriptions run programs that do not come with lemnos",
};
const struct option_spec opt_verbose = {
	.name = "verbose",
	.help = "all that there is to tell people; json and csv always have all",
};
const struct option_spec opt_max_memory = {
	.name = "max-memory",
	.arg = "SIZE",
	.help = "take at most so much memory: 2GiB (default: half of what is free)",
};

const struct option_spec opt_kb = {
	.name = "kb",
	.arg = "FILE",
	.values = "FILE",
	.help = "knowledge base (default: $LEMNOS_KB, else lemnos/lemnos.kb in\n"
		"$XDG_DATA_HOME or ~/.local/share)",
};
const struct option_spec opt_quiet = {
	.name = "quiet",
	.help = "no progress, no notes; errors and warnings only",
};
const struct option_spec opt_color = {
	.name = "color",
	.arg = "WHEN",
	.values = "auto always never",
	.help = "auto (a terminal, and $NO_COLOR is not set), always or never",
};
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
