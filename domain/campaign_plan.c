#include "domain/campaign_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <regex.h>

#include "base/digest.h"
#include "base/text_form.h"
#include "base/units.h"
#include "domain/conf.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* More than anybody waits for, and no count overflows. */
static const double most = 1e9;
/* Tukey's "far out": a run that takes so much longer than nearly all tells nothing more. */
static const double usual_quantile = 0.95, usual_factor = 3, usual_fixed_s = 3600,
		    usual_least_s = 10;

static const char *name_of(const char *const *name, int i, int n)
{
	return i >= 0 && i < n ? name[i] : NULL;
}

const char *plan_design_name(int design)
{
	static const char *const name[] = {
		[PLAN_FULL] = "full",
		[PLAN_FRACTIONAL] = "fractional",
		[PLAN_LATIN_HYPERCUBE] = "latin-hypercube",
		[PLAN_ADAPTIVE] = "adaptive",
	};

	return name_of(name, design, PLAN_DESIGNS);
}

static const char *plan_launcher_name(int launcher)
{
	static const char *const name[] = {
		[PLAN_LOCAL] = "local", [PLAN_MPIRUN] = "mpirun", [PLAN_COMMAND] = "command",
		[PLAN_SLURM] = "slurm", [PLAN_SMPI] = "smpi",
	};

	return name_of(name, launcher, PLAN_LAUNCHERS);
}

static const char *plan_result_name(int result)
{
	static const char *const name[] = {
		[PLAN_WALL] = "wall",
		[PLAN_REGEX] = "regex",
		[PLAN_CSV] = "csv",
		[PLAN_LINE] = "line",
	};

	return name_of(name, result, PLAN_RESULTS);
}

const char *campaign_name_fault(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.-";

	if (!*name || strlen(name) > 64)
		return "it has 1 to 64 characters";
	if (name[strspn(name, allowed)] || *name == '.' || *name == '-')
		return "it is of letters, digits and _ . - and starts with none of the last two";
	return NULL;
}

enum err_code campaign_plan_fail(const struct campaign_plan *p, unsigned line, enum err_code code,
				 struct err *e, const char *what)
{
	return err_set(e, code, "%s:%u: %s", p->origin, line, what);
}

/* ---- values ---- */

static unsigned line_of(const config_setting_t *group, const char *key)
{
	return (unsigned)config_setting_source_line(conf_at(group, key));
}

/* A whole number from min on; absent where the key is not there. */
static int64_t read_count(struct conf *c, const config_setting_t *g, const char *key, double min,
			  double absent)
{
	double x = conf_number(c, g, key, absent);

	if (c->rc == ERR_OK && g && config_setting_get_member(g, key) &&
	    (!(x >= min && x <= most) || trunc(x) != x))
		conf_fail(c, conf_at(g, key), "'%s' wants a whole number, %.0f to %.0f", key, min,
			  most);
	return c->rc == ERR_OK ? (int64_t)x : 0;
}

static double read_above_zero(struct conf *c, const config_setting_t *g, const char *key,
			      double absent)
{
	double x = conf_number(c, g, key, absent);

	if (c->rc == ERR_OK && config_setting_get_member(g, key) && !(x > 0 && x <= most))
		conf_fail(c, conf_at(g, key), "'%s' wants a number above 0", key);
	return x;
}

/* "90s", "2h" */
static double read_duration(struct conf *c, const config_setting_t *g, const char *key,
			    double absent)
{
	struct err inner = {0};
	char *text = g ? conf_text(c, g, key) : NULL;
	double time_s = absent;

	if (text && duration_parse(text, &time_s, &inner) != ERR_OK)
		conf_fail_inner(c, conf_at(g, key), "", &inner);
	free(text);
	return time_s;
}

static struct plan_words read_words(struct conf *c, const config_setting_t *g, const char *key)
{
	struct plan_words w = {0};

	if (!g)
		return w;
	w.line = line_of(g, key);
	w.word = conf_texts(c, g, key, &w.n);
	return w;
}

static struct plan_text read_text(struct conf *c, const config_setting_t *g, const char *key)
{
	return (struct plan_text){conf_text(c, g, key), line_of(g, key)};
}

/* ---- factors ---- */

static char *copy_text(struct conf *c, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		conf_fail_memory(c);
	return copy;
}

/* A level as it is typed elsewhere: a text, or a number. */
static char *read_level(struct conf *c, const config_setting_t *s)
{
	struct strbuf text = STRBUF_INIT;
	char *copy = NULL;

	switch (config_setting_type(s)) {
	case CONFIG_TYPE_STRING:
		return copy_text(c, config_setting_get_string(s));
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		strbuf_printf(&text, "%lld", (long long)config_setting_get_int64(s));
		break;
	case CONFIG_TYPE_FLOAT:
		strbuf_put_number(&text, config_setting_get_float(s));
		break;
	default:
		conf_fail(c, s, "a level is a number or a \"text\"");
		return NULL;
	}
	if (text.failed)
		conf_fail_memory(c);
	else
		copy = copy_text(c, strbuf_text(&text));
	strbuf_release(&text);
	return copy;
}

static void read_levels(struct conf *c, const config_setting_t *list, struct plan_factor *f)
{
	if (!config_setting_is_array(list) && !config_setting_is_list(list)) {
		conf_fail(c, list, "'levels' wants a list in brackets: [ 1, 2, 4 ]");
		return;
	}
	if (conf_length(list) == 0) {
		conf_fail(c, list, "'levels' is empty");
		return;
	}
	f->level = calloc(conf_length(list), sizeof *f->level);
	if (!f->level) {
		conf_fail_memory(c);
		return;
	}
	while (f->n_levels < conf_length(list)) {
		char *level = read_level(c, conf_item(list, f->n_levels));

		if (!level)
			return;
		f->level[f->n_levels++] = level;
	}
}

/* from, to and step or factor, in the form of configuration_axes.h. */
static void read_range(struct conf *c, const config_setting_t *g, struct plan_factor *f)
{
	double from = conf_required_number(c, g, "from"), to = conf_required_number(c, g, "to");
	double step = read_above_zero(c, g, "step", NAN), factor = conf_number(c, g, "factor", NAN);
	struct strbuf text = STRBUF_INIT;

	if (c->rc != ERR_OK)
		return;
	if (isnan(step) == isnan(factor))
		conf_fail(c, g, "a range has 'from', 'to' and one of 'step' and 'factor'");
	else if (!(to >= from))
		conf_fail(c, conf_at(g, "to"), "'to' = %g is less than 'from' = %g", to, from);
	else if (!isnan(factor) && !(factor > 1 && from > 0))
		conf_fail(c, conf_at(g, "factor"),
			  "'factor' wants a number above 1, and 'from' one "
			  "above 0");
	strbuf_put_number(&text, from);
	strbuf_puts(&text, "..");
	strbuf_put_number(&text, to);
	strbuf_puts(&text, isnan(factor) ? "+" : "*");
	strbuf_put_number(&text, isnan(factor) ? step : factor);
	f->level = calloc(1, sizeof *f->level);
	if (text.failed || !f->level)
		conf_fail_memory(c);
	else if ((f->level[0] = copy_text(c, strbuf_text(&text))))
		f->n_levels = 1;
	strbuf_release(&text);
}

static void read_factor(struct conf *c, const config_setting_t *g, struct plan_factor *f)
{
	const config_setting_t *levels = config_setting_get_member(g, "levels");

	conf_check_keys(c, g, "column levels from to step factor");
	f->line = (unsigned)config_setting_source_line(g);
	f->column = conf_required_text(c, g, "column");
	if (c->rc != ERR_OK)
		return;
	if (levels && conf_length(g) > 2)
		conf_fail(c, g, "a factor has 'levels', or a range of 'from' and 'to'");
	else if (levels)
		read_levels(c, levels, f);
	else
		read_range(c, g, f);
}

static void read_factors(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	const config_setting_t *list = conf_list(c, top, "factors");

	if (c->rc == ERR_OK && conf_length(list) == 0)
		conf_fail(c, top,
			  "'factors' is missing: ( { column = \"NAME\"; levels = [ 1, 2 ]; } )");
	if (c->rc != ERR_OK)
		return;
	p->factor = calloc(conf_length(list), sizeof *p->factor);
	if (!p->factor) {
		conf_fail_memory(c);
		return;
	}
	while (p->n_factors < conf_length(list) && c->rc == ERR_OK) {
		read_factor(c, conf_item(list, p->n_factors), &p->factor[p->n_factors]);
		p->n_factors++;
	}
}

/* ---- groups ---- */

static void read_budget(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	const config_setting_t *g = conf_group(c, top, "budget");

	conf_check_keys(c, g, "runs node_hours wall");
	if (!g)
		return;
	p->budget.runs = read_count(c, g, "runs", 1, 0);
	p->budget.node_hours = read_above_zero(c, g, "node_hours", 0);
	p->budget.wall_s = read_duration(c, g, "wall", 0);
}

static void read_design(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	const config_setting_t *g = conf_group(c, top, "design");
	bool adaptive;

	conf_check_keys(c, g, "kind size initial batch");
	p->design.line = g ? (unsigned)config_setting_source_line(g) : 0;
	if (!g)
		return;
	p->design.kind = (enum plan_design)conf_word(c, g, "kind", plan_design_name, PLAN_DESIGNS,
						     PLAN_FULL);
	p->design.size = read_count(c, g, "size", 1, 0);
	p->design.initial = read_count(c, g, "initial", 1, 0);
	p->design.batch = read_count(c, g, "batch", 1, 0);
	adaptive = p->design.kind == PLAN_ADAPTIVE;
	if (c->rc != ERR_OK)
		return;
	if (p->design.kind == PLAN_FULL && p->design.size)
		conf_fail(c, conf_at(g, "size"),
			  "a full design has all configurations; a 'size' is "
			  "for the other kinds");
	else if (p->design.kind != PLAN_FULL && !p->design.size && !adaptive)
		conf_fail(c, g, "'size' is missing: so many configurations");
	else if (!adaptive && (p->design.initial || p->design.batch))
		conf_fail(c, g, "'initial' and 'batch' are for the kind adaptive");
	else if (adaptive && !p->design.size && !p->budget.runs && p->budget.node_hours <= 0 &&
		 p->budget.wall_s <= 0)
		conf_fail(c, g, "an adaptive design wants an end: a 'size', or a 'budget'");
}

static const char *name_of_objective(int objective)
{
	return objective_name((enum objective)objective);
}

static void read_question(struct conf *c, const config_setting_t *g, struct plan_question *q)
{
	conf_check_keys(c, g, "problem deadline objective weight");
	q->line = (unsigned)config_setting_source_line(g);
	q->problem = conf_required_text(c, g, "problem");
	q->deadline_s = read_duration(c, g, "deadline", INFINITY);
	q->objective = (enum objective)conf_word(
		c, g, "objective", name_of_objective, OBJECTIVE_TIME + 1,
		isinf(q->deadline_s) ? OBJECTIVE_TIME : OBJECTIVE_NODE_HOURS);
	q->weight = read_above_zero(c, g, "weight", 1);
	if (c->rc == ERR_OK && q->objective == OBJECTIVE_NODES && isinf(q->deadline_s))
		conf_fail(c, g, "the fewest nodes want a 'deadline': without one, one node is");
}

static void read_questions(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	const config_setting_t *list = conf_list(c, top, "questions");

	if (conf_length(list) == 0)
		return;
	if (p->design.kind != PLAN_ADAPTIVE)
		conf_fail(c, list, "'questions' are for the design adaptive");
	p->question = calloc(conf_length(list), sizeof *p->question);
	if (!p->question) {
		conf_fail_memory(c);
		return;
	}
	while (c->rc == ERR_OK && p->n_questions < conf_length(list)) {
		read_question(c, conf_item(list, p->n_questions), &p->question[p->n_questions]);
		p->n_questions++;
	}
}

/* They become lines of a script, or arguments of mpirun. */
static void check_options(struct conf *c, const config_setting_t *g, const struct plan_words *w)
{
	for (size_t i = 0; i < w->n; i++) {
		for (const char *p = w->word[i]; *p; p++) {
			if ((unsigned char)*p < ' ' || *p == '\x7f')
				conf_fail(c, conf_at(g, "options"),
					  "each item of 'options' is one line");
		}
	}
}

static void read_launcher(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	const config_setting_t *g = conf_group(c, top, "launcher");
	enum plan_launcher kind;

	p->launcher.in_flight = p->launcher.runs_per_job = p->launcher.array = 1;
	conf_check_keys(c, g, "kind with options in_flight runs_per_job array cpu_scale");
	if (!g)
		return;
	p->launcher.line = (unsigned)config_setting_source_line(g);
	kind = (enum plan_launcher)conf_word(c, g, "kind", plan_launcher_name, PLAN_LAUNCHERS,
					     PLAN_LOCAL);
	p->launcher.kind = kind;
	p->launcher.with = read_words(c, g, "with");
	p->launcher.options = read_words(c, g, "options");
	check_options(c, g, &p->launcher.options);
	p->launcher.in_flight = read_count(c, g, "in_flight", 1, 1);
	p->launcher.runs_per_job = read_count(c, g, "runs_per_job", 1, 1);
	p->launcher.array = read_count(c, g, "array", 1, 1);
	p->launcher.cpu_scale = read_above_zero(c, g, "cpu_scale", 0);
	if (c->rc != ERR_OK)
		return;
	if (kind == PLAN_COMMAND && !p->launcher.with.n)
		conf_fail(c, g,
			  "'with' is missing: what stands before the program, "
			  "[ \"ssh\", \"host\" ]");
	else if (kind != PLAN_COMMAND && p->launcher.with.n)
		conf_fail(c, conf_at(g, "with"), "'with' is for the kind command");
	else if (kind != PLAN_MPIRUN && kind != PLAN_SLURM && p->launcher.options.n)
		conf_fail(c, conf_at(g, "options"), "'options' are for the kinds mpirun and slurm");
	else if (kind != PLAN_SLURM && p->launcher.in_flight != 1)
		conf_fail(c, conf_at(g, "in_flight"),
			  "runs of one machine would disturb each "
			  "other: 'in_flight' is for the kind slurm");
	else if (kind != PLAN_SLURM && p->launcher.runs_per_job != 1)
		conf_fail(c, conf_at(g, "runs_per_job"), "'runs_per_job' is for the kind slurm");
	else if (kind != PLAN_SLURM && p->launcher.array != 1)
		conf_fail(c, conf_at(g, "array"), "'array' is for the kind slurm");
	else if (kind != PLAN_SMPI && p->launcher.cpu_scale > 0)
		conf_fail(c, conf_at(g, "cpu_scale"), "'cpu_scale' is for the kind smpi");
}

static void check_pattern(struct conf *c, const config_setting_t *at, const char *pattern)
{
	regex_t compiled;
	char why[200];
	int fault = regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE);

	if (fault == REG_ESPACE) {
		conf_fail_memory(c);
	} else if (fault) {
		regerror(fault, &compiled, why, sizeof why);
		conf_fail(c, at, "'%s' is no extended regular expression: %s", pattern, why);
	} else if (compiled.re_nsub != 1) {
		conf_fail(c, at,
			  "'%s' has %zu groups: the time is in the only one, as in "
			  "\"time: ([0-9.]+)\"",
			  pattern, compiled.re_nsub);
	}
	if (!fault)
		regfree(&compiled);
}

static double read_unit(struct conf *c, const config_setting_t *g)
{
	char *unit = conf_text(c, g, "unit");
	double unit_s = unit ? time_unit_s(unit) : 1;

	if (unit && unit_s <= 0)
		conf_fail(c, conf_at(g, "unit"),
			  "'%s' is no unit of time: ns, us, ms, s, min, h or d", unit);
	free(unit);
	return unit_s;
}

static void read_result(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	const config_setting_t *g = conf_group(c, top, "result");
	enum plan_result kind;

	p->result.unit_s = 1;
	conf_check_keys(c, g, "kind pattern starts column field unit");
	if (!g)
		return;
	p->result.line = (unsigned)config_setting_source_line(g);
	kind = (enum plan_result)conf_word(c, g, "kind", plan_result_name, PLAN_RESULTS, -1);
	p->result.kind = kind;
	p->result.unit_s = read_unit(c, g);
	if (c->rc != ERR_OK)
		return;
	if (kind == PLAN_REGEX) {
		p->result.pattern = (struct plan_text){conf_required_text(c, g, "pattern"),
						       line_of(g, "pattern")};
		if (c->rc == ERR_OK)
			check_pattern(c, conf_at(g, "pattern"), p->result.pattern.text);
	} else if (kind == PLAN_CSV) {
		p->result.column = conf_required_text(c, g, "column");
	} else if (kind == PLAN_LINE) {
		p->result.pattern = (struct plan_text){conf_required_text(c, g, "starts"),
						       line_of(g, "starts")};
		p->result.field = read_count(c, g, "field", 1, 0);
		if (c->rc == ERR_OK && p->result.field == 0)
			conf_fail(c, g, "'field' is missing: the number of the field, from 1");
	}
}

static void read_timeout(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	const config_setting_t *g = conf_group(c, top, "timeout");

	p->timeout.quantile = usual_quantile;
	p->timeout.factor = usual_factor;
	p->timeout.fixed_s = usual_fixed_s;
	p->timeout.least_s = usual_least_s;
	conf_check_keys(c, g, "quantile factor fixed least");
	if (!g)
		return;
	p->timeout.quantile = conf_number(c, g, "quantile", usual_quantile);
	p->timeout.factor = conf_number(c, g, "factor", usual_factor);
	p->timeout.fixed_s = read_duration(c, g, "fixed", usual_fixed_s);
	p->timeout.least_s = read_duration(c, g, "least", usual_least_s);
	if (c->rc != ERR_OK)
		return;
	if (!(p->timeout.quantile >= 0.5 && p->timeout.quantile < 1))
		conf_fail(c, conf_at(g, "quantile"), "'quantile' wants 0.5 up to, but not, 1");
	else if (!(p->timeout.factor >= 1 && p->timeout.factor <= most))
		conf_fail(c, conf_at(g, "factor"), "'factor' wants a number from 1 on");
}

/* ---- texts ---- */

static void read_name(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	const char *fault;

	p->name = conf_required_text(c, top, "name");
	fault = p->name ? campaign_name_fault(p->name) : NULL;
	if (fault)
		conf_fail(c, conf_at(top, "name"), "the name '%.80s': %s", p->name, fault);
}

static bool is_variable(const char *text, size_t n)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				      "0123456789";

	return n > 0 && !(*text >= '0' && *text <= '9') && strspn(text, allowed) >= n;
}

static void check_variables(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	for (size_t i = 0; i < p->keep.n; i++) {
		if (!is_variable(p->keep.word[i], strlen(p->keep.word[i])))
			conf_fail(c, conf_at(top, "environment"),
				  "'%s' is no name of an environment variable", p->keep.word[i]);
	}
	for (size_t i = 0; i < p->set.n; i++) {
		size_t n = strcspn(p->set.word[i], "=");

		if (!p->set.word[i][n] || !is_variable(p->set.word[i], n))
			conf_fail(c, conf_at(top, "set"), "'%s' is not NAME=TEXT", p->set.word[i]);
	}
}

static void read_plan(struct conf *c, const config_setting_t *top, struct campaign_plan *p)
{
	conf_check_keys(c, top,
			"name application machine factors problem constants constraints "
			"repeats budget design questions seed command version environment "
			"set launcher result timeout");
	read_name(c, top, p);
	p->application = conf_required_text(c, top, "application");
	p->machine = conf_required_text(c, top, "machine");
	read_factors(c, top, p);
	p->problem = read_text(c, top, "problem");
	p->constants = read_text(c, top, "constants");
	p->constraints = read_words(c, top, "constraints");
	p->repeats = read_count(c, top, "repeats", 1, 1);
	p->seed = (uint64_t)read_count(c, top, "seed", 0, 1);
	read_budget(c, top, p);
	read_design(c, top, p);
	read_questions(c, top, p);
	p->command = read_words(c, top, "command");
	if (c->rc == ERR_OK && p->command.n == 0)
		conf_fail(c, top,
			  "'command' is missing: the program and its arguments, "
			  "[ \"./prog\", \"--mk\", \"{mk}\" ]");
	p->version = read_words(c, top, "version");
	p->keep = read_words(c, top, "environment");
	p->set = read_words(c, top, "set");
	if (c->rc == ERR_OK)
		check_variables(c, top, p);
	read_launcher(c, top, p);
	read_result(c, top, p);
	read_timeout(c, top, p);
}

static void fill_texts(struct conf *c, struct campaign_plan *p, const char *text)
{
	p->text = copy_text(c, text);
	digest_text(text, strlen(text), p->sha256);
}

enum err_code campaign_plan_parse(const char *text, const char *origin, struct campaign_plan **out,
				  struct err *e)
{
	struct campaign_plan *p = calloc(1, sizeof *p);
	const config_setting_t *top;
	struct conf c;

	if (!p || !(p->origin = strdup(origin))) {
		free(p);
		return err_set(e, ERR_NOMEM, "%s: out of memory", origin);
	}
	conf_open(&c, text, origin, e);
	top = conf_top(&c, "campaign");
	if (top) {
		read_plan(&c, top, p);
		fill_texts(&c, p, text);
	}
	conf_close(&c);
	if (c.rc != ERR_OK)
		campaign_plan_free(p);
	else
		*out = p;
	return c.rc;
}

enum err_code campaign_plan_read(const char *path, struct campaign_plan **out, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = conf_read_file(path, &text, e);

	if (rc == ERR_OK)
		rc = campaign_plan_parse(strbuf_text(&text), path, out, e);
	strbuf_release(&text);
	return rc;
}

static void free_words(struct plan_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->word[i]);
	free(w->word);
}

void campaign_plan_free(struct campaign_plan *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_factors; i++) {
		for (size_t k = 0; k < p->factor[i].n_levels; k++)
			free(p->factor[i].level[k]);
		free(p->factor[i].level);
		free(p->factor[i].column);
	}
	free(p->factor);
	for (size_t i = 0; i < p->n_questions; i++)
		free(p->question[i].problem);
	free(p->question);
	free_words(&p->constraints);
	free_words(&p->command);
	free_words(&p->version);
	free_words(&p->keep);
	free_words(&p->set);
	free_words(&p->launcher.with);
	free_words(&p->launcher.options);
	free(p->problem.text);
	free(p->constants.text);
	free(p->result.pattern.text);
	free(p->result.column);
	free(p->name);
	free(p->application);
	free(p->machine);
	free(p->origin);
	free(p->text);
	free(p);
}
