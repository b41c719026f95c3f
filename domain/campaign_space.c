#include "domain/campaign_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/configuration.h"
#include "domain/template.h"

/* ---- the commands of the runs ---- */

/* Places that every command has, whatever the application calls its columns. A column of that name
 * goes first. */
enum template_place { PLACE_PROCS, PLACE_NODES, PLACE_PPN, PLACE_THREADS, PLACE_RUN, PLACES };
static const char *const place_name[PLACES] = {"procs", "nodes", "ppn", "threads", "run"};

struct word_templates {
	struct template **word;
	size_t n;
};

struct campaign_command {
	struct word_templates program, with, set;
	/* the columns of the application, then the places */
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

static double place_value(const struct application *a, const double *row, enum template_place place,
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

static void free_templates(struct word_templates *t)
{
	for (size_t i = 0; i < t->n; i++)
		template_free(t->word[i]);
	free(t->word);
}

static void campaign_command_free(struct campaign_command *c)
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

/* The templates of a plan, compiled. */
static enum err_code campaign_command_new(const struct campaign_plan *p,
					  const struct application *a,
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
			value[n++] = place_value(a, row, (enum template_place)i, run);
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

/* Memory that gave out is nobody's mistake; all else is one at that line of the plan. */
static enum err_code at_line(const struct campaign_plan *p, unsigned line, enum err_code rc,
			     const struct err *inner, struct err *e)
{
	if (rc == ERR_NOMEM)
		return err_set(e, rc, "%s", inner->msg);
	return rc ? campaign_plan_fail(p, line, ERR_PARSE, e, inner->msg) : ERR_OK;
}

/* ---- factors ---- */

static enum err_code join(const struct plan_factor *f, struct strbuf *out, struct err *e)
{
	for (size_t i = 0; i < f->n_levels; i++)
		strbuf_printf(out, "%s%s", i ? "," : "", f->level[i]);
	return out->failed ? err_set(e, ERR_NOMEM, "the levels of %s", f->column) : ERR_OK;
}

/* Words may be new, and have commas and blanks: they are no list that somebody typed. */
static enum err_code add_words(struct campaign_space *s, const struct plan_factor *f,
			       size_t i_column, struct err *e)
{
	struct configuration_axes *axes = &s->axes;
	struct configuration_axis *grown = realloc(axes->axis, (axes->n + 1) * sizeof *grown);
	struct configuration_axis *axis;

	if (!grown)
		return err_set(e, ERR_NOMEM, "the levels of %s", f->column);
	axes->axis = grown;
	axis = &grown[axes->n];
	*axis = (struct configuration_axis){.column = calloc(1, sizeof *axis->column),
					    .n_columns = 1,
					    .value = calloc(f->n_levels, sizeof *axis->value)};
	axes->n++;
	if (!axis->column || !axis->value)
		return err_set(e, ERR_NOMEM, "the levels of %s", f->column);
	axis->column[0] = i_column;
	for (size_t i = 0; i < f->n_levels; i++) {
		size_t code = levels_add(&s->app->column[i_column].levels, f->level[i]);

		if (code == SIZE_MAX)
			return err_set(e, ERR_NOMEM, "the levels of %s", f->column);
		for (size_t k = 0; k < axis->n; k++) {
			if (axis->value[k] == (double)code)
				return err_set(e, ERR_ARG, "'%s' is there twice", f->level[i]);
		}
		axis->value[axis->n++] = (double)code;
	}
	return ERR_OK;
}

static enum err_code no_such_column(const struct application *a, const char *name, struct err *e)
{
	struct strbuf all = STRBUF_INIT;

	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role != COL_DERIVED)
			strbuf_printf(&all, "%s, ", a->column[i].name);
	}
	for (size_t g = 0; g < a->n_group; g++)
		strbuf_printf(&all, "%s, ", a->group[g].flag);
	err_set(e, ERR_ARG, "%s has no column '%s'; a factor can be %sproblem", a->name, name,
		strbuf_text(&all));
	strbuf_release(&all);
	return ERR_ARG;
}

static bool is_taken(const struct campaign_space *s, size_t i_column)
{
	for (size_t i = 0; i < s->axes.n; i++) {
		if (configuration_axis_has(&s->axes.axis[i], i_column))
			return true;
	}
	return false;
}

static enum err_code add_factor(struct campaign_space *s, const struct plan_factor *f,
				struct err *e)
{
	struct application *a = s->app;
	size_t i = application_column(a, f->column);
	const struct group_flag *g = application_flag_group(a, f->column);
	struct strbuf list = STRBUF_INIT;
	enum err_code rc;

	if (i != SIZE_MAX && a->column[i].role == COL_DERIVED)
		return err_set(e, ERR_ARG, "%s is computed from other columns", f->column);
	if (i != SIZE_MAX && is_taken(s, i))
		return err_set(e, ERR_ARG, "%s is a factor twice", f->column);
	if (i != SIZE_MAX && a->column[i].type == COL_TEXT)
		return add_words(s, f, i, e);
	if ((rc = join(f, &list, e)))
		;
	else if (i != SIZE_MAX)
		rc = configuration_axes_add_column(&s->axes, a, i, strbuf_text(&list), e);
	else if (g)
		rc = configuration_axes_add_group(&s->axes, a, g, strbuf_text(&list), e);
	else if (strcmp(f->column, "problem") == 0)
		rc = configuration_axes_add_problem(&s->axes, a, strbuf_text(&list), e);
	else
		rc = no_such_column(a, f->column, e);
	strbuf_release(&list);
	return rc;
}

static enum err_code add_factors(struct campaign_space *s, struct err *e)
{
	const struct campaign_plan *p = s->plan;
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < p->n_factors && !rc; i++) {
		struct err inner = {0};

		rc = add_factor(s, &p->factor[i], &inner);
		rc = at_line(p, p->factor[i].line, rc, &inner, e);
	}
	s->n_levels = calloc(p->n_factors + 1, sizeof *s->n_levels);
	s->nominal = calloc(p->n_factors + 1, sizeof *s->nominal);
	if (!rc && (!s->n_levels || !s->nominal))
		rc = err_set(e, ERR_NOMEM, "a campaign's factors");
	for (size_t i = 0; i < s->axes.n && !rc; i++) {
		const struct configuration_axis *axis = &s->axes.axis[i];

		s->n_levels[i] = axis->n;
		s->nominal[i] = s->app->column[axis->column[0]].type == COL_TEXT;
	}
	return rc;
}

/* ---- constants, constraints ---- */

/* Not what is a factor, too: one of the two would be forgotten. */
static enum err_code refuse_twice(const struct campaign_space *s, unsigned line, struct err *e)
{
	const struct campaign_plan *p = s->plan;

	for (size_t i = 0; i < s->app->n_columns; i++) {
		if (!isnan(s->constant[i]) && is_taken(s, i))
			return err_set(e, ERR_PARSE, "%s:%u: %s is a factor already", p->origin,
				       line, s->app->column[i].name);
	}
	return ERR_OK;
}

static enum err_code read_constants(struct campaign_space *s, struct err *e)
{
	const struct campaign_plan *p = s->plan;
	enum err_code rc = ERR_OK;
	struct err inner = {0};

	s->constant = calloc(s->app->n_columns + 1, sizeof *s->constant);
	if (!s->constant)
		return err_set(e, ERR_NOMEM, "a campaign's constants");
	configuration_clear(s->app, s->constant);
	if (p->problem.text) {
		rc = configuration_set_problem(s->app, p->problem.text, false, s->constant, &inner);
		if ((rc = at_line(p, p->problem.line, rc, &inner, e)) ||
		    (rc = refuse_twice(s, p->problem.line, e)))
			return rc;
	}
	if (p->constants.text) {
		rc = configuration_set(s->app, p->constants.text, s->constant, &inner);
		if ((rc = at_line(p, p->constants.line, rc, &inner, e)) ||
		    (rc = refuse_twice(s, p->constants.line, e)))
			return rc;
	}
	return ERR_OK;
}

static enum err_code read_constraints(struct campaign_space *s, struct err *e)
{
	const struct campaign_plan *p = s->plan;
	enum err_code rc = ERR_OK;

	s->constraint = calloc(p->constraints.n + 1, sizeof(struct expr *));
	if (!s->constraint)
		return err_set(e, ERR_NOMEM, "a campaign's constraints");
	for (size_t i = 0; i < p->constraints.n && !rc; i++) {
		struct err inner = {0};

		rc = expr_parse(p->constraints.word[i], &s->app->scope, &s->constraint[i], &inner);
		rc = at_line(p, p->constraints.line, rc, &inner, e);
	}
	return rc;
}

static enum err_code check_questions(const struct campaign_space *s, struct err *e)
{
	const struct campaign_plan *p = s->plan;
	double *row = calloc(s->app->n_columns + 1, sizeof *row);
	enum err_code rc = ERR_OK;

	if (!row)
		return err_set(e, ERR_NOMEM, "a campaign's questions");
	for (size_t i = 0; i < p->n_questions && !rc; i++) {
		struct err inner = {0};

		configuration_clear(s->app, row);
		rc = configuration_set_problem(s->app, p->question[i].problem, true, row, &inner);
		rc = at_line(p, p->question[i].line, rc, &inner, e);
	}
	free(row);
	return rc;
}

/* ---- opening ---- */

enum err_code campaign_space_open(const struct campaign_plan *p, struct application *a,
				  const struct machine *m, struct campaign_space *out,
				  struct err *e)
{
	struct campaign_space s = {
		.plan = p,
		.app = a,
		.cores_per_node = m ? (double)m->cores_per_node : 0,
		.one_node = p->launcher.kind == PLAN_LOCAL || p->launcher.kind == PLAN_MPIRUN ||
			    p->launcher.kind == PLAN_COMMAND,
	};
	enum err_code rc;

	if ((rc = add_factors(&s, e)) || (rc = read_constants(&s, e)) ||
	    (rc = read_constraints(&s, e)) || (rc = check_questions(&s, e)) ||
	    (rc = campaign_command_new(p, a, &s.command, e)))
		campaign_space_release(&s);
	else
		*out = s;
	return rc;
}

void campaign_space_release(struct campaign_space *s)
{
	configuration_axes_release(&s->axes);
	for (size_t i = 0; s->constraint && i < s->plan->constraints.n; i++)
		expr_free(s->constraint[i]);
	free(s->constraint);
	free(s->constant);
	free(s->n_levels);
	free(s->nominal);
	campaign_command_free(s->command);
	*s = (struct campaign_space){0};
}

/* ---- configurations ---- */

static bool all_there(const struct application *a, const double *row, struct strbuf *why)
{
	for (size_t i = 0; i < a->n_columns; i++) {
		if (a->column[i].role == COL_DERIVED || !isnan(row[i]))
			continue;
		if (why)
			strbuf_printf(why, "%s is neither a factor nor a constant",
				      a->column[i].name);
		return false;
	}
	return true;
}

static bool keeps_constraints(const struct campaign_space *s, const double *row, struct strbuf *why)
{
	const struct plan_words *c = &s->plan->constraints;

	for (size_t i = 0; i < c->n; i++) {
		if (expr_holds(s->constraint[i], row))
			continue;
		if (why)
			strbuf_printf(why, "the plan's constraint %s does not hold", c->word[i]);
		return false;
	}
	return true;
}

bool campaign_space_row(const struct campaign_space *s, const size_t *level, double *row,
			struct strbuf *why)
{
	const struct application *a = s->app;

	memcpy(row, s->constant, a->n_columns * sizeof *row);
	for (size_t i = 0; i < s->axes.n; i++)
		configuration_axis_put(&s->axes.axis[i], level[i], row);
	configuration_default_workload(a, row);
	configuration_derive(a, row);
	/* On this machine it is one node, whatever is known of its cores. */
	if (s->one_node && a->i_nodes < a->n_columns && isnan(row[a->i_nodes]))
		row[a->i_nodes] = 1;
	configuration_derive(a, row);
	configuration_complete_resources(a, s->cores_per_node, row);
	return all_there(a, row, why) && configuration_legal(a, row, why) &&
	       keeps_constraints(s, row, why);
}

void campaign_space_put(const struct campaign_space *s, const double *row, struct strbuf *out)
{
	for (size_t i = 0; i < s->axes.n; i++) {
		const struct configuration_axis *axis = &s->axes.axis[i];

		for (size_t k = 0; k < axis->n_columns; k++) {
			strbuf_printf(out, "%s%s=", i + k ? " " : "",
				      s->app->column[axis->column[k]].name);
			configuration_put_value(s->app, axis->column[k], row[axis->column[k]], out);
		}
	}
}

bool campaign_space_asks(const struct campaign_space *s, size_t i_question, const double *row,
			 struct err *e)
{
	const struct application *a = s->app;
	double *asked = calloc(a->n_columns + 1, sizeof *asked);
	bool same = asked != NULL;

	if (!asked) {
		err_set(e, ERR_NOMEM, "a campaign's question");
		return false;
	}
	configuration_clear(a, asked);
	/* it was checked when the plan was opened */
	if (configuration_set_problem(a, s->plan->question[i_question].problem, true, asked, e))
		same = false;
	for (size_t i = 0; i < a->n_columns && same; i++)
		same = isnan(asked[i]) || asked[i] == row[i];
	free(asked);
	return same;
}
