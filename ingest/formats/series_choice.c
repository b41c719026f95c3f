#include "ingest/formats/series_choice.h"

#include <stdlib.h>
#include <string.h>

static bool wants_all(const struct series_choice *c)
{
	return c->may_be_all && c->wanted && strcmp(c->wanted, "*") == 0;
}

static void note_name(struct series_choice *c, const char *name)
{
	/* Rows of one series follow each other: the last name first. */
	for (size_t i = c->n_names; i-- > 0;) {
		if (strcmp(c->name[i], name) == 0)
			return;
	}
	if (c->n_names == SERIES_NAMED_MAX) {
		c->more = true;
		return;
	}
	c->name[c->n_names] = strdup(name);
	if (c->name[c->n_names])
		c->n_names++;
	else
		c->no_memory = true;
}

bool series_choice_take(struct series_choice *c, const char *name)
{
	bool taken = !c->wanted || wants_all(c) || strcmp(c->wanted, name) == 0;

	note_name(c, name);
	c->n_taken += taken;
	return taken;
}

static void put_names(const struct series_choice *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->n_names; i++)
		strbuf_printf(out, "%s'%.60s'", i ? ", " : "", c->name[i]);
	if (c->more)
		strbuf_puts(out, " and others");
}

enum err_code series_choice_judge(const struct series_choice *c, const struct foreign_input *in,
				  struct err *e)
{
	const char *name = foreign_input_name(in);
	struct strbuf names = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	put_names(c, &names);
	if (c->no_memory || names.failed)
		rc = err_set(e, ERR_NOMEM, "%s: the names of its %ss", name, c->what);
	else if (!c->wanted && c->n_names > 1)
		rc = err_set(e, ERR_PARSE,
			     "%s: several %ss, %s: which one is the run? %s NAME takes it%s", name,
			     c->what, strbuf_text(&names), c->flag,
			     c->may_be_all
				     ? "; --region '*' makes rows of all, with a column region"
				     : "");
	else if (c->wanted && c->n_taken == 0)
		rc = err_set(e, ERR_PARSE, "%s: no %s '%.60s'%s%s", name, c->what, c->wanted,
			     c->n_names ? "; there are " : "", strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

void series_choice_put_note(const struct series_choice *c, struct strbuf *out)
{
	if (c->n_names == 0)
		return;
	strbuf_printf(out, "%ss that %s NAME takes the values of: ", c->what, c->flag);
	put_names(c, out);
	strbuf_putc(out, '\n');
}

void series_choice_release(struct series_choice *c)
{
	for (size_t i = 0; i < c->n_names; i++)
		free(c->name[i]);
	c->n_names = 0;
}
