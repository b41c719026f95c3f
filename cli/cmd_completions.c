#include <string.h>

#include "cli/frame/cmd.h"
#include "cli/frame/context.h"

/* Completion scripts, written from the command table: they cannot fall behind it. */

static void put_words(const struct option_spec *const *list, FILE *f)
{
	for (; list && *list; list++)
		fprintf(f, " --%s", (*list)->name);
}

static bool is_file(const struct option_spec *spec)
{
	return spec->values && !strcmp(spec->values, "FILE");
}

/* One bash case arm per option whose values are known: "--format) ...". */
static void bash_values(const struct option_spec *const *list, FILE *f)
{
	for (; list && *list; list++) {
		if (!(*list)->arg)
			continue;
		fprintf(f, "\t%s) ", (*list)->name);
		if (is_file(*list))
			fputs("COMPREPLY=($(compgen -f -- \"$cur\"))", f);
		else
			fprintf(f, "COMPREPLY=($(compgen -W '%s' -- \"$cur\"))",
				(*list)->values ? (*list)->values : "");
		fputs("; return ;;\n", f);
	}
}

static void bash_command(const struct cmd *cmd, FILE *f)
{
	fprintf(f,
		"_lemnos_%s() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n",
		cmd->name);
	fputs("\tcase ${prev#--} in\n", f);
	bash_values(cmd->options, f);
	bash_values(options_global, f);
	fputs("\tesac\n\tif [[ $cur == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W '", f);
	put_words(cmd->options, f);
	put_words(options_global, f);
	fputs("' -- \"$cur\"))\n\telse\n\t\tCOMPREPLY=($(compgen -f", f);
	if (cmd->action[0].name) {
		fputs(" -W '", f);
		for (size_t i = 0; i < cmd->n_actions; i++)
			fprintf(f, "%s%s", i ? " " : "", cmd->action[i].name);
		fputs("'", f);
	}
	fputs(" -- \"$cur\"))\n\tfi\n}\n", f);
}

static void put_command_names(FILE *f)
{
	fputs("help", f);
	for (size_t i = 0; i < cmd_table_size; i++)
		fprintf(f, " %s", cmd_table[i]->name);
}

static void put_bash(FILE *f)
{
	fputs("# bash completion of lemnos and recommend; made by `lemnos completions bash`\n", f);
	for (size_t i = 0; i < cmd_table_size; i++)
		bash_command(cmd_table[i], f);
	fputs("_lemnos() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]}\n"
	      "\tif ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == help ]]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W '--help --version ",
	      f);
	put_command_names(f);
	fputs("' -- \"$cur\"))\n"
	      "\telif declare -F \"_lemnos_${COMP_WORDS[1]}\" >/dev/null; then\n"
	      "\t\t\"_lemnos_${COMP_WORDS[1]}\"\n"
	      "\tfi\n"
	      "}\n"
	      "complete -o filenames -F _lemnos lemnos\n",
	      f);
	if (cmd_find("recommend"))
		fputs("complete -o filenames -F _lemnos_recommend recommend\n", f);
}

/* Text between single quotes of a zsh specification: quotes, colons and brackets mean something
 * there, and only the first line of a help text fits. */
static void put_zsh_text(const char *text, FILE *f)
{
	for (; *text && *text != '\n'; text++) {
		if (*text == '\'')
			fputs("'\\''", f);
		else if (strchr(":[]\\", *text))
			fprintf(f, "\\%c", *text);
		else
			fputc(*text, f);
	}
}

static void zsh_options(const struct option_spec *const *list, FILE *f)
{
	for (; list && *list; list++) {
		const struct option_spec *spec = *list;

		fprintf(f, "\t\t'*--%s[", spec->name);
		put_zsh_text(spec->help, f);
		fputc(']', f);
		if (spec->arg) {
			fputc(':', f);
			put_zsh_text(spec->arg, f);
			if (is_file(spec))
				fputs(":_files", f);
			else if (spec->values)
				fprintf(f, ":(%s)", spec->values);
			else
				fputs(": ", f);
		}
		fputs("' \\\n", f);
	}
}

static void zsh_command(const struct cmd *cmd, FILE *f)
{
	fprintf(f, "_lemnos_%s() {\n\t_arguments \\\n", cmd->name);
	zsh_options(cmd->options, f);
	zsh_options(options_global, f);
	if (cmd->action[0].name) {
		fputs("\t\t'1:subcommand:(", f);
		for (size_t i = 0; i < cmd->n_actions; i++)
			fprintf(f, "%s%s", i ? " " : "", cmd->action[i].name);
		fputs(")' \\\n", f);
	}
	fputs("\t\t'*:file:_files'\n}\n", f);
}

static void put_zsh(FILE *f)
{
	fputs("#compdef lemnos recommend\n"
	      "# zsh completion; made by `lemnos completions zsh`\n",
	      f);
	for (size_t i = 0; i < cmd_table_size; i++)
		zsh_command(cmd_table[i], f);
	fputs("_lemnos() {\n"
	      "\tif [[ $service == recommend ]]; then\n"
	      "\t\t_lemnos_recommend\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tlocal -a commands=(\n",
	      f);
	for (size_t i = 0; i < cmd_table_size; i++) {
		fprintf(f, "\t\t'%s:", cmd_table[i]->name);
		put_zsh_text(cmd_table[i]->summary, f);
		fputs("'\n", f);
	}
	fputs("\t)\n"
	      "\tif ((CURRENT == 2)); then\n"
	      "\t\t_describe command commands\n"
	      "\telif ((${+functions[_lemnos_${words[2]}]})); then\n"
	      "\t\tshift words\n"
	      "\t\t((CURRENT--))\n"
	      "\t\t\"_lemnos_${words[1]}\"\n"
	      "\tfi\n"
	      "}\n"
	      "_lemnos \"$@\"\n",
	      f);
}

static enum err_code completions_run(struct context *c, struct err *e)
{
	const char *shell = c->operand[0];

	if (!strcmp(shell, "bash"))
		put_bash(c->out);
	else if (!strcmp(shell, "zsh"))
		put_zsh(c->out);
	else
		return err_set(e, ERR_USAGE, "no completions for '%s': it is bash or zsh", shell);
	return ERR_OK;
}

static const struct action completions_actions[] = {
	{NULL, "bash|zsh", NULL, 1, 1, NEEDS_NOTHING, completions_run},
};

const struct cmd cmd_completions = {
	.name = "completions",
	.summary = "print the completion script of a shell",
	.description =
		"Prints a script that teaches bash or zsh the commands and options of lemnos.\n"
		"`make install` puts both where the shells look for them.",
	.examples = "  eval \"$(lemnos completions bash)\"",
	.action = completions_actions,
	.n_actions = 1,
};
