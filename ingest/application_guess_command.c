#include "ingest/application_guess.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_form.h"
#include "ingest/cell_number.h"
#include "ingest/foreign_file.h"
#include "ingest/header_match.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* A message has room for no more. */
enum { COMMAND_MAX = 600 };

struct listing {
	const struct text_table *table;
	const struct guessed_column *column;
	struct strbuf *out;
};

/* " --flag a,b": the columns of these roles, where words_only those with words. otherwise: what
 * stands for them where there are none; NULL: no flag. */
static void put_columns(const struct listing *l, const char *flag, unsigned roles, bool words_only,
			const char *otherwise)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		const struct guessed_column *c = &l->column[i];

		if (!(roles & 1u << c->role) || (words_only && !c->words))
			continue;
		if (l->out->len + list.len > COMMAND_MAX) {
			strbuf_puts(&list, list.len ? ",..." : "...");
			break;
		}
		strbuf_printf(&list, "%s%s", list.len ? "," : "", text_table_column(l->table, i));
		if (c->role == GUESS_RESOURCE)
			strbuf_printf(&list, "=%s", c->resource);
	}
	if (list.len > 0) {
		strbuf_printf(l->out, " %s ", flag);
		text_put_shell_word(l->out, strbuf_text(&list));
	} else if (otherwise) {
		strbuf_printf(l->out, " %s %s", flag, otherwise);
	}
	l->out->failed |= list.failed;
	strbuf_release(&list);
}

static void put_role(const struct listing *l, enum guessed_role role, const char *why)
{
	size_t n = 0;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		if (l->column[i].role != role || l->out->len > COMMAND_MAX)
			continue;
		strbuf_puts(l->out, n++ ? ", " : why);
		text_put_safe(l->out, text_table_column(l->table, i), false);
	}
}

static void put_left_out(const struct listing *l)
{
	size_t n = 0;

	put_role(l, GUESS_RESULT, "\nleft out, for a result gives the answer away: ");
	put_role(l, GUESS_NAME, "\nleft out, for each row has its own: ");
	put_role(l, GUESS_CIRCUMSTANCE, "\nleft out, for no submission can ask for it: ");
	/* the first may be the index that programs write */
	for (size_t i = 1; i < text_table_n_columns(l->table); i++) {
		if (!*text_table_column(l->table, i) && l->out->len <= COMMAND_MAX)
			strbuf_printf(l->out, "%s%zu",
				      n++ ? ", " : "\nleft out, for it has no name: column ",
				      i + 1);
	}
}

/* "1 node" and "2 nodes" are "node"; "" where there is no number. */
static void without_number(const char *stem, char *out)
{
	const char *digits = strpbrk(stem, "0123456789");
	size_t n = 0;

	for (const char *p = stem; digits && *p; p++) {
		if (!strchr("0123456789 _", *p))
			out[n++] = *p;
	}
	n -= n > 0 && out[n - 1] == 's';
	out[n] = '\0';
}

/* Do the numbers in such headers count processors? */
static bool counts_processors(const char *rest)
{
	return text_has_word("node proc process rank core cpu np task", rest);
}

/* "time_1node" and "t_p16", but not "t_solve2" */
static bool times_by_processors(const char *rest)
{
	const char *of = rest + (strncmp(rest, "time", 4) == 0 ? 4 : *rest == 't');

	return of > rest && (strcmp(of, "p") == 0 || counts_processors(of));
}

/* Tables that are none of runs: one column for each number of nodes, or for each repeat. */
static bool has_a_run_in_each_column(const struct listing *l)
{
	size_t n_numbers = 0, n_repeats = 0, n_nodes = 0;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		char rest[HEADER_NAME_MAX];
		struct header_name h;
		double x;

		n_numbers += cell_number(text_table_column(l->table, i), &x) == NUMBER_OK;
		if (!header_name_read_plain(text_table_column(l->table, i), &h))
			continue;
		n_repeats +=
			application_guess_repeat_number(h.stem) > 0 || /* "time (1)" */
			(h.bracketed && *h.unit && h.unit[strspn(h.unit, "0123456789")] == '\0');
		without_number(h.stem, rest);
		n_nodes += counts_processors(rest) || times_by_processors(rest);
	}
	return n_numbers > 1 || n_repeats > 1 || n_nodes > 1;
}

static void put_doubt(const struct listing *l)
{
	size_t n = 0;

	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		if (!l->column[i].may_be_target || l->out->len > COMMAND_MAX)
			continue;
		strbuf_puts(l->out, n++ ? " or " : "\nwhich is the time of the whole run: ");
		text_put_safe(l->out, text_table_column(l->table, i), false);
	}
	if (n > 0) {
		strbuf_puts(l->out, "? Where all are parts of it, make a column of their sum");
		return;
	}
	for (size_t i = 0; i < text_table_n_columns(l->table); i++) {
		if (l->column[i].role == GUESS_TARGET)
			return;
	}
	strbuf_puts(l->out,
		    "\nno column has the name of a run time: which is it? Where only a rate "
		    "was kept, or when runs began and ended, make a column of times from it "
		    "(work / rate, end - start)");
}

static void put_mark(struct strbuf *out, const char *flag, char mark)
{
	struct strbuf word = STRBUF_INIT;

	strbuf_printf(out, " %s ", flag);
	if (mark == '\t')
		strbuf_puts(&word, "tab");
	else
		strbuf_putc(&word, mark);
	text_put_shell_word(out, strbuf_text(&word));
	out->failed |= word.failed;
	strbuf_release(&word);
}

static void put_option(struct strbuf *out, const char *flag, const char *value)
{
	if (!value)
		return;
	strbuf_printf(out, " %s ", flag);
	text_put_shell_word(out, value);
}

static void put_options(struct strbuf *out, const char *flag, const char *const *value)
{
	for (; value && *value; value++)
		put_option(out, flag, *value);
}

/* What was said of the file holds for the command, too. */
static void put_what_was_said(struct strbuf *out, const struct ingest_options *o)
{
	if (o->format && strcmp(o->format, foreign_format_auto) != 0)
		put_option(out, "--input-format", o->format);
	put_option(out, "--patterns", o->patterns);
	put_option(out, "--region", o->region);
	put_option(out, "--metric", o->metric);
	put_options(out, "--match", o->match);
	put_options(out, "--map", o->map);
	put_options(out, "--unit", o->unit);
	if (o->source >= 0)
		put_option(out, "--source", run_source_name((enum run_source)o->source));
	if (o->node.cores > 0)
		strbuf_printf(out, " --cores-per-node %lld", (long long)o->node.cores);
	if (o->keep_personal)
		strbuf_puts(out, " --keep-personal");
	if (o->delimiter)
		put_mark(out, "--delimiter", o->delimiter);
	if (o->decimal)
		put_mark(out, "--decimal", o->decimal);
}

/* What a template takes apart is no column of its own. */
static void leave_out_matched(const struct text_table *t, const char *const *match,
			      struct guessed_column *column)
{
	for (; match && *match; match++) {
		for (size_t i = 0; i < text_table_n_columns(t); i++) {
			const size_t n = strlen(text_table_column(t, i));

			if (strncmp(*match, text_table_column(t, i), n) == 0 && (*match)[n] == '=')
				column[i].role = GUESS_NONE;
		}
	}
}

static bool reads_as_time(const char *letters, size_t n)
{
	char name[HEADER_NAME_MAX];

	snprintf(name, sizeof name, "%.*s", (int)n, letters);
	return application_guess_is_time(name);
}

/* "lu_n{n}_t{tval}" of "lu_n800_t16": numbers in the names of jobs become columns called as the
 * letters before them. False: there are none, or two of one name. */
static bool put_template(const char *text, struct strbuf *out)
{
	const char *name[8];
	size_t len[8], n = 0;

	for (const char *p = text; *p;) {
		const size_t digits = strspn(p, "0123456789");
		const char *from = p;

		if (digits == 0) {
			strbuf_putc(out, *p++);
			continue;
		}
		while (from > text && isalpha((unsigned char)from[-1]))
			from--;
		if (from == p || n == COUNT(name))
			return false;
		for (size_t i = 0; i < n; i++) {
			if (len[i] == (size_t)(p - from) && memcmp(name[i], from, len[i]) == 0)
				return false;
		}
		name[n] = from;
		len[n++] = (size_t)(p - from);
		strbuf_printf(out, "{%.*s%s}", (int)(p - from), from,
			      reads_as_time(from, (size_t)(p - from)) ? "val" : "");
		p += digits;
	}
	return n > 0;
}

/* Names of jobs that say what was solved. first: the row at hand */
static void put_match_hint(const struct text_table *t, const struct table_record *first,
			   const struct guessed_column *column, struct strbuf *out)
{
	struct strbuf match = STRBUF_INIT;

	for (size_t i = 0; text_table_is_foreign(t) && first->raw && !first->bad &&
			   match.len == 0 && i < text_table_n_columns(t);
	     i++) {
		if (column[i].role != GUESS_PROBLEM || !column[i].words)
			continue;
		strbuf_printf(&match, "%s=", text_table_column(t, i));
		if (!put_template(first->field[i], &match)) {
			strbuf_clear(&match);
			continue;
		}
		strbuf_puts(
			out,
			"\ndo the names say what was solved or chosen? Say, with the same file, "
			"--match ");
		text_put_shell_word(out, strbuf_text(&match));
		strbuf_puts(out, ", which makes columns of the numbers");
	}
	out->failed |= match.failed;
	strbuf_release(&match);
}

enum err_code application_guess_put_command(struct text_table *t, const struct table_record *first,
					    const struct ingest_options *o, const char *app,
					    bool machine_known, struct strbuf *out, struct err *e)
{
	struct guessed_column *column = calloc(text_table_n_columns(t) + 1, sizeof *column);
	const struct listing l = {t, column, out};
	struct strbuf hint = STRBUF_INIT;
	enum err_code rc;

	if (!column)
		return err_set(e, ERR_NOMEM, "%s: no memory", text_table_name(t));
	application_guess_columns(t, first, column);
	leave_out_matched(t, o->match, column);
	put_match_hint(t, first, column, &hint);
	if ((rc = application_guess_names(t, column, e)))
		goto done;
	if (has_a_run_in_each_column(&l)) {
		strbuf_puts(out,
			    "(none yet: its rows seem to be of several runs each. Make one row of "
			    "each run, with a column for what the header says of it, nodes or "
			    "repeat, and one of times)");
		goto done;
	}
	strbuf_puts(out, "lemnos ingest ");
	text_put_shell_word(out, o->path);
	strbuf_puts(out, " --app ");
	text_put_shell_word(out, app ? app : "NAME");
	if (!machine_known || o->machine) {
		strbuf_puts(out, " --machine ");
		text_put_shell_word(out, o->machine ? o->machine : "NAME");
	}
	put_what_was_said(out, o);
	put_columns(&l, "--target", 1u << GUESS_TARGET, false, "COLUMN");
	put_columns(&l, "--problem", 1u << GUESS_PROBLEM, false, NULL);
	put_columns(&l, "--tunable", 1u << GUESS_TUNABLE, false, NULL);
	put_columns(&l, "--resource", 1u << GUESS_RESOURCE, false, NULL);
	put_left_out(&l);
	put_doubt(&l);
	strbuf_puts(out, strbuf_text(&hint));
	out->failed |= hint.failed;
done:
	free(column);
	strbuf_release(&hint);
	return rc;
}
