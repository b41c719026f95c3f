#include "cli/help.h"

#include <stdbool.h>
#include <string.h>

#include <libsmartcols/libsmartcols.h>

#include "api/session.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static const char program_text[] =
	"lemnos: performance knowledge for parallel codes. It loads measured and modelled runs "
	"and\n"
	"recommends configurations: \"what do I submit so that this problem is done in an hour,\n"
	"and how sure are you?\"\n"
	"\n"
	"usage: lemnos COMMAND [OPTION]... [OPERAND]...\n"
	"\n"
	"commands:\n";
static const char program_end[] =
	"\n"
	"`lemnos help COMMAND` says more of each. `recommend ...` is `lemnos recommend ...`.\n"
	"\n"
	"start here:\n"
	"  lemnos init --with-data\n"
	"  lemnos mine\n"
	"  lemnos recommend --problem 280x280x255 --deadline 1h\n"
	"\n"
	"exit status: 0 done; 1 the honest no; 2 usage; 3 input; 4 knowledge base;\n"
	"5 fault in the system or in lemnos; 130 interrupted\n";

void help_program(FILE *f)
{
	fputs(program_text, f);
	for (size_t i = 0; i < cmd_table_size; i++)
		fprintf(f, "  %-12s %s\n", cmd_table[i]->name, cmd_table[i]->summary);
	fputs(program_end, f);
}

/* "  label   text", further lines of text under the first. */
static void put_item(FILE *f, const char *label, const char *text)
{
	enum { COLUMN = 28 };
	const char *line = text;
	int pad = COLUMN - 2 - (int)strlen(label);

	fprintf(f, "  %s", label);
	if (pad < 2) {
		fputc('\n', f);
		pad = COLUMN;
	}
	while (*line) {
		size_t len = strcspn(line, "\n");

		fprintf(f, "%*s%.*s\n", pad, "", (int)len, line);
		pad = COLUMN;
		line += len + (line[len] == '\n');
	}
}

static void put_option(FILE *f, const struct option_spec *spec)
{
	char label[80];

	snprintf(label, sizeof label, "%s%c%s--%s%s%s", spec->letter ? "-" : "",
		 spec->letter ? spec->letter : ' ', spec->letter ? ", " : "   ", spec->name,
		 spec->arg ? " " : "", spec->arg ? spec->arg : "");
	put_item(f, label, spec->help);
}

static void put_usage(FILE *f, const struct cmd *cmd)
{
	for (size_t i = 0; i < cmd->n_actions; i++) {
		const struct action *a = &cmd->action[i];

		/* The first of several is also what no operand means. */
		fprintf(f, "%s lemnos %s", i ? "      " : "usage:", cmd->name);
		if (a->name)
			fprintf(f, i ? " %s" : " [%s]", a->name);
		fprintf(f, "%s%s\n", a->synopsis[0] ? " " : "", a->synopsis);
	}
}

void help_command(const struct cmd *cmd, FILE *f)
{
	put_usage(f, cmd);
	fprintf(f, "\n%s\n", cmd->description);
	if (cmd->action[0].name) {
		fputs("\nsubcommands:\n", f);
		for (size_t i = 0; i < cmd->n_actions; i++)
			put_item(f, cmd->action[i].name, cmd->action[i].summary);
	}
	fputs("\noptions:\n", f);
	for (const struct option_spec *const *o = cmd->options; o && *o; o++)
		put_option(f, *o);
	if (cmd->app_flags)
		put_item(f, "    --FLAG VALUE",
			 "a flag of the application: --mk 10, --grid 8x16, --iterations 12;\n"
			 "`lemnos apps show NAME` lists them");
	for (const struct option_spec *const *o = options_global; *o; o++)
		put_option(f, *o);
	if (cmd->put_more)
		cmd->put_more(f);
	if (cmd->examples)
		fprintf(f, "\nexamples:\n%s\n", cmd->examples);
}

void help_version(FILE *f)
{
	const struct session_versions v = session_versions();
	const char *smartcols = "unknown";

	scols_get_library_version(&smartcols);
	fprintf(f,
		"lemnos %s\n"
		"schema %d\n"
		"built with %s (%s)\n"
		"libraries: SQLite %s, GSL %s, jansson %s, libsmartcols %s\n",
		LEMNOS_VERSION, v.schema, COMPILER, LEMNOS_BUILT, v.sqlite, v.gsl, v.jansson,
		smartcols);
}
