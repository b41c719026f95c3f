#include "cli/frame/cmd.h"

#include <string.h>

#include "base/strbuf.h"

#define CMD_ENTRY(name) &cmd_##name,
const struct cmd *const cmd_table[] = {CMD_MAP(CMD_ENTRY)};
#undef CMD_ENTRY
const size_t cmd_table_size = sizeof cmd_table / sizeof cmd_table[0];

const struct cmd *cmd_find(const char *name)
{
	for (size_t i = 0; i < cmd_table_size; i++) {
		if (!strcmp(cmd_table[i]->name, name))
			return cmd_table[i];
	}
	return NULL;
}

static enum err_code unknown_action(const struct cmd *cmd, const char *typed, struct err *e)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < cmd->n_actions; i++)
		strbuf_printf(&list, "%s%s", i ? ", " : "", cmd->action[i].name);
	err_set(e, ERR_USAGE, "'%s' is none of: %s", typed, strbuf_text(&list));
	strbuf_release(&list);
	return ERR_USAGE;
}

static enum err_code count_operands(const struct cmd *cmd, const struct action *a, size_t n,
				    const char *const *operand, struct err *e)
{
	struct strbuf usage = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	strbuf_printf(&usage, "type lemnos %s%s%s %s", cmd->name, a->name ? " " : "",
		      a->name ? a->name : "", a->synopsis);
	if (n < (size_t)a->min_operands)
		rc = err_set(e, ERR_USAGE, "too few operands; %s", strbuf_text(&usage));
	else if (a->max_operands != OPERANDS_ANY && n > (size_t)a->max_operands)
		rc = err_set(e, ERR_USAGE, "unexpected '%s'; %s", operand[a->max_operands],
			     strbuf_text(&usage));
	strbuf_release(&usage);
	return rc;
}

static bool takes(const char *actions, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = actions; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (!strncmp(at, name, len) && (at[len] == ' ' || !at[len]))
			return true;
	}
	return false;
}

static enum err_code not_for(const struct cmd *cmd, const struct action *a,
			     const struct option_spec *spec, struct err *e)
{
	struct strbuf those = STRBUF_INIT;

	for (const char *c = spec->actions; *c; c++) {
		if (*c == ' ')
			strbuf_putc(&those, ',');
		strbuf_putc(&those, *c);
	}
	err_set(e, ERR_USAGE, "`lemnos %s %s` takes no --%s: that is for %s", cmd->name, a->name,
		spec->name, strbuf_text(&those));
	strbuf_release(&those);
	return ERR_USAGE;
}

/* An option that does nothing here would be believed to do something. */
static enum err_code check_options(const struct cmd *cmd, const struct action *a,
				   const struct options *o, struct err *e)
{
	for (size_t i = 0; i < o->n_given; i++) {
		const struct option_spec *spec = o->given[i].spec;

		if (spec->actions && a->name && !takes(spec->actions, a->name))
			return not_for(cmd, a, spec, e);
		/* A script that asks for JSON would wait for what never comes. */
		if (!strcmp(spec->name, "format") && a->name && takes(cmd->plain_actions, a->name))
			return err_set(e, ERR_USAGE,
				       "`lemnos %s %s` prints no table: leave out --format",
				       cmd->name, a->name);
	}
	return ERR_OK;
}

enum err_code cmd_find_action(const struct cmd *cmd, const struct options *o,
			      const struct action **out, size_t *n_skip, struct err *e)
{
	const struct action *found = NULL;
	size_t skip = 0;
	enum err_code rc;

	if (!cmd->action[0].name || o->n_operands == 0)
		found = &cmd->action[0];
	for (size_t i = 0; i < cmd->n_actions && !found; i++) {
		if (!strcmp(cmd->action[i].name, o->operand[0])) {
			found = &cmd->action[i];
			skip = 1;
		}
	}
	if (!found)
		return unknown_action(cmd, o->operand[0], e);
	if ((rc = count_operands(cmd, found, o->n_operands - skip, o->operand + skip, e)) ||
	    (rc = check_options(cmd, found, o, e)))
		return rc;
	*out = found;
	*n_skip = skip;
	return ERR_OK;
}
