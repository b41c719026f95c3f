#include "domain/campaign_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/template.h"

/* Places that every command has, whatever the class calls its columns. A column of that name goes
 * first. */
enum place { PLACE_PROCS, PLACE_NODES, PLACE_PPN, PLACE_THREADS, PLACE_RUN, PLACES };
static const char *const place_name[PLACES] = {"procs", "nodes", "ppn", "threads", "run"};

struct word_templates {
	struct template **word;
	size_t n;
};

struct campaign_command {
	struct word_templates program, with, set;
	/* the columns of the class, then the places */
	const char **name;
	const struct levels **levels;
	struct expr_scope scope;
};

double campaign_procs(const struct application *a, const double *row)
{
	return a->i_procs < a->n_columns && !isnan(row[a->i_procs]) ? row[a->i_procs] : 1;
}

double campaign_nodes(const struct application *a, const double *row)
{
	return a->i_nodes < a->n_columns && !isnan(row[a->i_nodes]) ? row[a->i_nodes] : 1;
}

static double place_value(const struct application *a, const double *row, enum place place,
			  size_t run)
{
	double procs = campaign_procs(a, row), nodes = campaign_nodes(a, row);

	switch (place) {
	case PLACE_PROCS:
		return procs;
	case PLACE_NODES:
		return nodes;
	case PLACE_PPN:
		return a->i_ppn < a->n_columns && !isnan(row[a->i_ppn]) ? row[a->i_ppn]
									: ceil(procs / nodes);
	case PLACE_THREADS:
		return a->i_threads < a->n_columns && !isnan(row[a->i_threads]) ? row[a->i_threads]
										: 1;
	case PLACE_RUN:
		return (double)run;
	case PLACES:
		break;
	}
	return NAN;
}

/* ---- texts ---- */

void word_list_release(struct word_list *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->word[i]);
	free(w->word);
	*w = (struct word_list){0};
}

enum err_code word_list_add(struct word_list *w, const char *text, struct err *e)
{
	char **grown = realloc(w->word, (w->n + 2) * sizeof *grown);

	if (!grown)
		return err_set(e, ERR_NOMEM, "the arguments of a command");
	w->word = grown;
	grown[w->n + 1] = NULL;
	grown[w->n] = strdup(text);
	if (!grown[w->n])
		return err_set(e, ERR_NOMEM, "the arguments of a command");
	w->n++;
	return ERR_OK;
}

/* ---- compiling ---- */

static enum err_code make_scope(struct campaign_command *c, const struct application *a,
				struct err *e)
{
	size_t n = a->n_columns;

	c->name = calloc(n + PLACES, sizeof *c->name);
	c->levels = calloc(n + PLACES, sizeof *c->levels);
	if (!c->name || !c->levels)
		return err_set(e, ERR_NOMEM, "a campaign's command");
	for (size_t i = 0; i < n; i++) {
		c->name[i] = a->column[i].name;
		c->levels[i] = a->column[i].type == COL_TEXT ? &a->column[i].levels : NULL;
	}
	for (int i = 0; i < PLACES; i++) {
		if (application_column(a, place_name[i]) == SIZE_MAX)
			c->name[n++] = place_name[i];
	}
	c->scope = (struct expr_scope){.name = c->name, .levels = c->levels, .n = n};
	return ERR_OK;
}

static enum err_code compile(const struct campaign_plan *p, const struct plan_words *w,
			     const struct expr_scope *scope, struct word_templates *out,
			     struct err *e)
{
	out->word = calloc(w->n + 1, sizeof *out->word);
	if (!out->word)
		return err_set(e, ERR_NOMEM, "a campaign's command");
	for (; out->n < w->n; out->n++) {
		struct err inner = {0};
		enum err_code rc =
			template_parse(w->word[out->n], scope, &out->word[out->n], &inner);

		if (rc == ERR_NOMEM)
			return err_set(e, rc, "a campaign's command");
		if (rc)
			return campaign_plan_fail(p, w->line, ERR_PARSE, e, inner.msg);
	}
	return ERR_OK;
}

enum err_code campaign_command_new(const struct campaign_plan *p, const struct application *a,
				   struct campaign_command **out, struct err *e)
{
	struct campaign_command *c = calloc(1, sizeof *c);
	enum err_code rc;

	if (!c)
		return err_set(e, ERR_NOMEM, "a campaign's command");
	if ((rc = make_scope(c, a, e)) ||
	    (rc = compile(p, &p->command, &c->scope, &c->program, e)) ||
	    (rc = compile(p, &p->launcher.with, &c->scope, &c->with, e)) ||
	    (rc = compile(p, &p->set, &c->scope, &c->set, e))) {
		campaign_command_free(c);
		return rc;
	}
	*out = c;
	return ERR_OK;
}

static void free_templates(struct word_templates *t)
{
	for (size_t i = 0; i < t->n; i++)
		template_free(t->word[i]);
	free(t->word);
}

void campaign_command_free(struct campaign_command *c)
{
	if (!c)
		return;
	free_templates(&c->program);
	free_templates(&c->with);
	free_templates(&c->set);
	free(c->name);
	free(c->levels);
	free(c);
}

/* ---- filling in ---- */

static enum err_code fill(const struct campaign_space *s, const struct word_templates *t,
			  const double *row, size_t run, struct word_list *out, struct err *e)
{
	const struct application *a = s->app;
	double *value = calloc(a->n_columns + PLACES, sizeof *value);
	size_t n = a->n_columns;
	enum err_code rc = ERR_OK;

	if (!value)
		return err_set(e, ERR_NOMEM, "a command");
	memcpy(value, row, n * sizeof *value);
	for (int i = 0; i < PLACES; i++) {
		if (application_column(a, place_name[i]) == SIZE_MAX)
			value[n++] = place_value(a, row, (enum place)i, run);
	}
	for (size_t i = 0; i < t->n && !rc; i++) {
		struct strbuf text = STRBUF_INIT;

		/* ssh gives it to a shell over there, sbatch to one in its script */
		rc = template_fill(t->word[i], value,
				   s->plan->launcher.kind == PLAN_COMMAND ? TEMPLATE_COMMAND
									  : TEMPLATE_FILE,
				   &text, e);
		if (!rc)
			rc = word_list_add(out, strbuf_text(&text), e);
		strbuf_release(&text);
	}
	free(value);
	return rc;
}

enum err_code campaign_space_command(const struct campaign_space *s, const double *row, size_t run,
				     struct word_list *out, struct err *e)
{
	return fill(s, &s->command->program, row, run, out, e);
}

enum err_code campaign_space_with(const struct campaign_space *s, const double *row, size_t run,
				  struct word_list *out, struct err *e)
{
	return fill(s, &s->command->with, row, run, out, e);
}

enum err_code campaign_space_variables(const struct campaign_space *s, const double *row,
				       size_t run, struct word_list *out, struct err *e)
{
	return fill(s, &s->command->set, row, run, out, e);
}

enum err_code campaign_space_check_command(const struct campaign_space *s, const double *row,
					   struct err *e)
{
	const struct campaign_plan *p = s->plan;
	const struct {
		const struct word_templates *words;
		unsigned line;
	} part[] = {
		{&s->command->program, p->command.line},
		{&s->command->with, p->launcher.with.line},
		{&s->command->set, p->set.line},
	};

	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		struct word_list words = {0};
		struct err why = {0};
		enum err_code rc = fill(s, part[i].words, row, 1, &words, &why);

		word_list_release(&words);
		if (rc == ERR_NOMEM)
			return err_set(e, rc, "a campaign's command");
		if (rc)
			return campaign_plan_fail(p, part[i].line, ERR_PARSE, e, why.msg);
	}
	return ERR_OK;
}
