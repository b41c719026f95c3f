#include "mining/predictor/system_change.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

/* Changes of the system, told to people and kept with a fit. */

#define MOST_S 1e11 /* no date is as far from 1970 */

static void put_date(double at_s, char out[11])
{
	const time_t t = (time_t)at_s;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(out, 11, "%Y-%m-%d", &tm))
		snprintf(out, 11, "a date");
}

static const char *word_of(const struct column *c, double value)
{
	return value >= 0 && value < (double)c->levels.n ? c->levels.name[(size_t)value] : "";
}

static void put_level(const struct confounded_level *level, const struct application *app,
		      struct strbuf *out)
{
	const struct column *c = &app->column[level->column];

	strbuf_printf(out, "%s ", c->name);
	if (c->type == COL_TEXT)
		strbuf_puts(out, word_of(c, level->value));
	else
		strbuf_printf(out, "%g", level->value);
}

void system_changes_explain_level(const struct confounded_level *level,
				  const struct application *app, struct strbuf *out)
{
	char last[11], next[11];

	put_date(level->last_s, last);
	put_date(level->next_s, next);
	put_level(level, app, out);
	strbuf_printf(out,
		      " was last run on %s and others only from %s on: a change of the system "
		      "between would not show",
		      last, next);
}

void system_changes_explain(const struct system_changes *c, const struct application *app,
			    struct strbuf *out)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct system_change *one = &c->item[i];
		char date[11];

		put_date(one->since_s, date);
		strbuf_printf(out,
			      " From %s on (%zu runs) like runs take %.2f times as long as before "
			      "(%zu runs): the system changed, and older times are multiplied.",
			      date, one->n_after, one->ratio, one->n_before);
	}
	if (c->suspected.chance > 0) {
		char date[11];

		put_date(c->suspected.since_s, date);
		strbuf_printf(out,
			      " Rerun since %s: %zu configuration%s take%s %.2f times as long as "
			      "before; with a chance of %.2f the system changed, and promises "
			      "allow for it.",
			      date, c->suspected.n_reruns, c->suspected.n_reruns == 1 ? "" : "s",
			      c->suspected.n_reruns == 1 ? "s" : "", c->suspected.ratio,
			      c->suspected.chance);
	}
	for (size_t i = 0; i < c->n_confounded; i++) {
		strbuf_putc(out, ' ');
		system_changes_explain_level(&c->confounded[i], app, out);
		strbuf_printf(out,
			      " (promises count with a chance of %.2f that it is slower today).",
			      c->confounded[i].chance / 2);
	}
}

static enum err_code store_level(const struct confounded_level *level,
				 const struct application *app, size_t i, struct kb_fit *fit,
				 struct err *e)
{
	const struct column *c = &app->column[level->column];
	const struct {
		const char *part, *unit, *meaning;
		double value;
	} number[] = {
		{"level", "", c->type == COL_TEXT ? word_of(c, level->value) : "", level->value},
		{"last", "s", "since 1970, of its last run", level->last_s},
		{"next", "s", "since 1970, of the first run after it", level->next_s},
		{"chance", "", c->name, level->chance},
	};
	enum err_code rc = ERR_OK;

	for (size_t k = 0; k < sizeof number / sizeof number[0] && !rc; k++) {
		char name[48];

		snprintf(name, sizeof name, "confounded_%s_%zu", number[k].part, i);
		rc = kb_fit_add(fit, name, number[k].value, NAN, number[k].unit, number[k].meaning,
				e);
	}
	return rc;
}

static enum err_code store_suspected(const struct suspected_change *c, struct kb_fit *fit,
				     struct err *e)
{
	char date[11];
	enum err_code rc;

	put_date(c->since_s, date);
	if ((rc = kb_fit_add(fit, "suspected_change", c->ratio, NAN, "", date, e)))
		return rc;
	return kb_fit_add(fit, "suspected_chance", c->chance, NAN, "", "that the system changed",
			  e);
}

enum err_code system_changes_store(const struct system_changes *c, const struct application *app,
				   struct kb_fit *fit, struct err *e)
{
	enum err_code rc = ERR_OK;

	for (size_t i = 0; i < c->n && !rc; i++) {
		char name[48], date[11];

		put_date(c->item[i].since_s, date);
		snprintf(name, sizeof name, "system_change_%zu", i);
		if ((rc = kb_fit_add(fit, name, c->item[i].ratio, NAN, "", date, e)))
			return rc;
		snprintf(name, sizeof name, "system_since_%zu", i);
		rc = kb_fit_add(fit, name, c->item[i].since_s, NAN, "s", "since 1970", e);
	}
	if (c->suspected.chance > 0 && !rc)
		rc = store_suspected(&c->suspected, fit, e);
	for (size_t i = 0; i < c->n_confounded && !rc; i++)
		rc = store_level(&c->confounded[i], app, i, fit, e);
	return rc;
}

static const struct kb_param *find_part(const struct kb_fit *fit, const char *part, size_t i)
{
	return kb_fit_find(fit, "confounded_%s_%zu", part, i);
}

static void load_levels(const struct kb_fit *fit, const struct application *app,
			struct system_changes *out)
{
	for (size_t i = 0; i < CONFOUNDED_LEVELS; i++) {
		const struct kb_param *level = find_part(fit, "level", i),
				      *last = find_part(fit, "last", i),
				      *next = find_part(fit, "next", i),
				      *chance = find_part(fit, "chance", i);
		struct confounded_level one;

		if (!level || !last || !next || !chance || !chance->meaning)
			return;
		one = (struct confounded_level){application_column(app, chance->meaning),
						level->value, last->value, next->value,
						chance->value};
		if (one.column == SIZE_MAX || !(one.chance >= 0 && one.chance <= 1) ||
		    !(fabs(one.last_s) < MOST_S && fabs(one.next_s) < MOST_S))
			continue;
		if (app->column[one.column].type == COL_TEXT)
			one.value = level->meaning
					    ? (double)levels_find(&app->column[one.column].levels,
								  level->meaning)
					    : (double)NAN;
		out->confounded[out->n_confounded++] = one;
	}
}

static void load_suspected(const struct kb_fit *fit, struct suspected_change *out)
{
	const double ratio = kb_fit_value(fit, "suspected_change"),
		     chance = kb_fit_value(fit, "suspected_chance");

	if (ratio > 1 && ratio < INFINITY && chance > 0 && chance < 1)
		*out = (struct suspected_change){.chance = chance, .ratio = ratio};
}

void system_changes_load(const struct kb_fit *fit, const struct application *app,
			 struct system_changes *out)
{
	*out = (struct system_changes){.n = 0};
	load_levels(fit, app, out);
	load_suspected(fit, &out->suspected);
	while (out->n < SYSTEM_CHANGES) {
		const struct kb_param *ratio = kb_fit_find(fit, "system_change_%zu", out->n),
				      *since = kb_fit_find(fit, "system_since_%zu", out->n);

		if (!ratio || !since || !(ratio->value > 0))
			return;
		out->item[out->n++] =
			(struct system_change){.since_s = since->value, .ratio = ratio->value};
	}
}
