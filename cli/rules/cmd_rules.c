#include <stdint.h>

#include "cli/frame/cmd.h"
#include "cli/rules/rules_actions.h"

static OPTION(opt_kind, "kind", "KIND", .values = "choice setting time invariant",
	      .help = "only rules of this kind: choice, setting, time or invariant",
	      .actions = "list review export");
static OPTION(opt_state, "state", "STATE", .values = "new accepted refused",
	      .help = "only rules in this state: new, accepted or refused",
	      .actions = "list review export");
static OPTION(opt_column, "column", "NAME",
	      .help = "only rules that use this column: mk, procs, ...",
	      .actions = "list review export");

enum err_code rule_book_open(struct context *c, struct rule_book *out, struct err *e)
{
	return rule_book_load(&c->session, options_get(&c->opt, &opt_app),
			      options_get(&c->opt, &opt_machine), out, e);
}

void rule_book_warn_stale(const struct context *c, const struct rule_book *b)
{
	if (b->stale)
		context_warn(c,
			     "facts about %s on %s changed since these rules were mined; run "
			     "`lemnos mine`",
			     b->app->name, b->machine->name);
}

enum err_code rule_filter_read(const struct context *c, const struct application *a,
			       struct rule_filter *out, struct err *e)
{
	struct rule_filter f = {.kind = -1, .state = -1, .i_column = SIZE_MAX};
	const char *column = options_get(&c->opt, &opt_column);
	enum err_code rc;

	if ((rc = options_choice(&c->opt, &opt_kind, &f.kind, e)) ||
	    (rc = options_choice(&c->opt, &opt_state, &f.state, e)))
		return rc;
	if (column && (f.i_column = application_column(a, column)) == SIZE_MAX)
		return err_set(e, ERR_USAGE,
			       "--column %s: %s has no such column (`lemnos apps show %s` lists "
			       "them)",
			       column, a->name, a->name);
	*out = f;
	return ERR_OK;
}

OPTION(opt_rules_format, "format", "FORMAT", .values = "table json csv text sql",
       .help = "table (for people), json or csv (exact numbers); export: text,\n"
	       "json, csv or sql");
OPTION(opt_rules_limit, "limit", "N",
       .help = "at most N rules, show: runs (0: all; default: list all, show 10)",
       .actions = "list show export");
OPTION(opt_rules_why, "why", "TEXT",
       .help = "accept, refuse, undo: the reason, kept with the decision",
       .actions = "accept refuse undo");
OPTION(opt_yes, "yes", NULL, .help = "accept, refuse, undo: yes, several at once",
       .actions = "accept refuse undo");

enum err_code rules_table_format(struct context *c, struct err *e)
{
	static const enum out_format table_format[] = {
		[RULES_TABLE] = FORMAT_TABLE, [RULES_JSON] = FORMAT_JSON, [RULES_CSV] = FORMAT_CSV};
	int format = RULES_TABLE;
	enum err_code rc = options_choice(&c->opt, &opt_rules_format, &format, e);

	if (rc)
		return rc;
	if (format > RULES_CSV)
		return err_set(e, ERR_USAGE,
			       "--format %s is for `lemnos rules export`; here it is one of: table "
			       "json csv",
			       options_get(&c->opt, &opt_rules_format));
	c->format = table_format[format];
	return ERR_OK;
}

static const struct option_spec *const rules_options[] = {
	&opt_app,	  &opt_machine,	  &opt_kind, &opt_state,	&opt_column,
	&opt_rules_limit, &opt_rules_why, &opt_yes,  &opt_rules_format, NULL};

static const struct action rules_actions[] = {
	{"list", "[--kind KIND] [--state STATE] [--column NAME] [--limit N]",
	 "the rules, most useful first (the default)", 0, 0, NEEDS_KB_READ, rules_list_run},
	{"show", "ID [--limit N]", "one rule: evidence, decisions, counter-examples, runs", 1, 1,
	 NEEDS_KB_READ, rules_show_run},
	{"accept", "ID... [--why TEXT] [--yes]", "prefer these rules where rules disagree", 1,
	 OPERANDS_ANY, NEEDS_KB_WRITE, rules_accept_run},
	{"refuse", "ID... [--why TEXT] [--yes]", "follow these rules no longer", 1, OPERANDS_ANY,
	 NEEDS_KB_WRITE, rules_refuse_run},
	{"note", "ID TEXT", "remark on a rule; its state stays", 2, 2, NEEDS_KB_WRITE,
	 rules_note_run},
	{"undo", "ID... [--why TEXT] [--yes]", "take back the latest decision about each", 1,
	 OPERANDS_ANY, NEEDS_KB_WRITE, rules_undo_run},
	{"review", "[--kind KIND] [--column NAME]", "decide upon the new ones, a key each", 0, 0,
	 NEEDS_KB_WRITE, rules_review_run},
	{"export", "[--format text|json|csv|sql]",
	 "all rules: one a line with its id unless --format says otherwise", 0, 0, NEEDS_KB_READ,
	 rules_export_run},
	{"profile", "", "the runs that were mined, column by column", 0, 0, NEEDS_KB_READ,
	 rules_profile_run},
	{"effects", "", "which columns matter, and which pairs", 0, 0, NEEDS_KB_READ,
	 rules_effects_run},
	{"hypotheses", "", "the best value of each attribute, all else equal", 0, 0, NEEDS_KB_READ,
	 rules_hypotheses_run},
	{"rankings", "", "the choices ranked over all cases, ties told", 0, 0, NEEDS_KB_READ,
	 rules_rankings_run},
	{"scaling", "", "what predicted time does with each parameter, machine by machine", 0, 0,
	 NEEDS_KB_READ, rules_scaling_run},
};

const struct cmd cmd_rules = {
	.name = "rules",
	.summary = "read, check, accept or refuse what was mined",
	.description =
		"The rules that `lemnos mine` found: choices that are slow, settings that are good, and\n"
		"formulas for time, each with its evidence. Those that hold on all machines are listed with\n"
		"those of the machine. ID is the number in the list, or the first digits (4 or more) of the id,\n"
		"which stays the same when runs are added and mined again.\n"
		"\n"
		"Predictions and advice no longer follow a rule that was refused, and prefer one that was\n"
		"accepted. Decisions are kept with who, when and why; who is taken from $LEMNOS_USER or $USER.\n"
		"They survive mining again, and `undo` takes back the latest.\n"
		"\n"
		"An effect is a time ratio: of choices over the best known of the same case (one problem on one\n"
		"number of processors), of a formula over the structural prediction or the typical time.",
	.examples = "  lemnos rules --machine sp2like --column mk\n"
		    "  lemnos rules show 1 --machine sp2like\n"
		    "  lemnos rules refuse 2 --why \"an old compiler\" --machine sp2like\n"
		    "  lemnos rules export --format sql --machine sp2like >rules.sql",
	.options = rules_options,
	.action = rules_actions,
	.n_actions = sizeof rules_actions / sizeof rules_actions[0],
	.plain_actions = "accept refuse note undo review",
};
