#include "kb/kb.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "kb/kb_record.h"

/* ---- a fit in memory ---- */

void kb_fit_release(struct kb_fit *fit)
{
	free(fit->predictor);
	free(fit->explanation);
	for (size_t i = 0; i < fit->n_param; i++) {
		free(fit->param[i].name);
		free(fit->param[i].unit);
		free(fit->param[i].meaning);
	}
	free(fit->param);
	free(fit->by_name);
	*fit = (struct kb_fit){0};
}

enum err_code kb_fit_add(struct kb_fit *fit, const char *name, double value, double std_error,
			 const char *unit, const char *meaning, struct err *e)
{
	struct kb_param *p;

	free(fit->by_name);
	fit->by_name = NULL;
	/* Grown by doubling: capacities are the powers of two. */
	if ((fit->n_param & (fit->n_param - 1)) == 0) {
		p = realloc(fit->param, (fit->n_param ? 2 * fit->n_param : 1) * sizeof *p);
		if (!p)
			return err_set(e, ERR_NOMEM, "parameter %zu of a fit", fit->n_param + 1);
		fit->param = p;
	}
	p = &fit->param[fit->n_param];
	*p = (struct kb_param){.value = value, .std_error = std_error};
	if (kb_dup(name, &p->name, e) || kb_dup(unit ? unit : "", &p->unit, e) ||
	    kb_dup(meaning ? meaning : "", &p->meaning, e)) {
		free(p->name);
		free(p->unit);
		return ERR_NOMEM;
	}
	fit->n_param++;
	return ERR_OK;
}

static int by_name(const void *a, const void *b)
{
	const struct kb_param *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int by_name_and_place(const void *a, const void *b)
{
	const struct kb_param *const *x = a, *const *y = b;
	const int order = by_name(a, b);

	return order ? order : (*x > *y) - (*x < *y);
}

/* Loading a fit looks a hundred names up, among thousands. */
static enum err_code sort_by_name(struct kb_fit *fit, struct err *e)
{
	fit->by_name = calloc(fit->n_param + 1, sizeof *fit->by_name);
	if (!fit->by_name)
		return err_set(e, ERR_NOMEM, "%zu parameters of a fit", fit->n_param);
	for (size_t i = 0; i < fit->n_param; i++)
		fit->by_name[i] = &fit->param[i];
	qsort(fit->by_name, fit->n_param, sizeof *fit->by_name, by_name_and_place);
	return ERR_OK;
}

static const struct kb_param *find_param(const struct kb_fit *fit, const char *name)
{
	if (fit->by_name) {
		const struct kb_param key = {.name = (char *)(uintptr_t)name}, *at = &key;
		const struct kb_param **found =
			bsearch(&at, fit->by_name, fit->n_param, sizeof *fit->by_name, by_name);

		/* the first of that name */
		while (found && found > fit->by_name && by_name(found - 1, &at) == 0)
			found--;
		return found ? *found : NULL;
	}
	for (size_t i = 0; i < fit->n_param; i++) {
		if (strcmp(fit->param[i].name, name) == 0)
			return &fit->param[i];
	}
	return NULL;
}

double kb_fit_value(const struct kb_fit *fit, const char *name)
{
	const struct kb_param *p = find_param(fit, name);

	return p ? p->value : (double)NAN;
}

const struct kb_param *kb_fit_find(const struct kb_fit *fit, const char *name_format, ...)
{
	char name[128];
	va_list args;

	va_start(args, name_format);
	vsnprintf(name, sizeof name, name_format, args);
	va_end(args);
	return find_param(fit, name);
}

double kb_fit_number(const struct kb_fit *fit, const char *name_format, ...)
{
	char name[128];
	va_list args;

	va_start(args, name_format);
	vsnprintf(name, sizeof name, name_format, args);
	va_end(args);
	return kb_fit_value(fit, name);
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_fit(const struct kb_fit *a, const struct kb_fit *b)
{
	if (!same_text(a->predictor, b->predictor) || !same_text(a->explanation, b->explanation) ||
	    strcmp(a->snapshot, b->snapshot) != 0 || a->n_runs != b->n_runs ||
	    a->n_param != b->n_param)
		return false;
	for (size_t i = 0; i < a->n_param; i++) {
		const struct kb_param *p = &a->param[i];
		const struct kb_param *q = &b->param[i];

		if (!same_text(p->name, q->name) || !same_text(p->unit, q->unit) ||
		    !same_text(p->meaning, q->meaning) || !same_number(p->value, q->value) ||
		    !same_number(p->std_error, q->std_error))
			return false;
	}
	return true;
}

static void digest_parameter(struct digest *d, const struct kb_param *p)
{
	content_put_text(d, p->name);
	content_put_real(d, p->value);
	content_put_real(d, p->std_error);
	content_put_text(d, p->unit ? p->unit : "");
	content_put_text(d, p->meaning ? p->meaning : "");
}

static enum err_code digest_fit(const struct kb_fit *fit, struct digest **out, struct err *e)
{
	struct digest *d = digest_new();

	if (!d)
		return err_set(e, ERR_NOMEM, "a digest of a fit");
	content_put_text(d, fit->predictor);
	content_put_text(d, fit->snapshot);
	content_put_text(d, fit->explanation ? fit->explanation : "");
	content_put_integer(d, fit->n_runs);
	for (size_t i = 0; i < fit->n_param; i++)
		digest_parameter(d, &fit->param[i]);
	*out = d;
	return ERR_OK;
}

/* ---- reading ---- */

/* Columns: application_id, machine_id, predictor, snapshot, explanation, n_runs. */
static enum err_code fit_from_row(sqlite3_stmt *s, struct kb_fit *fit, struct err *e)
{
	enum err_code rc;

	*fit = (struct kb_fit){
		.app_id = sqlite3_column_int64(s, 0),
		.machine_id = sqlite3_column_int64(s, 1),
		.n_runs = sqlite3_column_int64(s, 5),
	};
	strncpy(fit->snapshot, kb_sql_text(s, 3), sizeof fit->snapshot - 1);
	if (!(rc = kb_sql_dup(s, 2, &fit->predictor, e)))
		rc = kb_sql_dup(s, 4, &fit->explanation, e);
	return rc;
}

static enum err_code load_parameters(struct kb *kb, struct kb_fit *fit, struct err *e)
{
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc =
		kb_sql_prepare(kb, &s, e,
			       "SELECT name, value, std_error, unit, meaning FROM fit_parameter "
			       "WHERE application_id = ?1 AND machine_id = ?2 ORDER BY position",
			       "ii", fit->app_id, fit->machine_id);

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row)
		rc = kb_fit_add(fit, kb_sql_text(s, 0), sqlite3_column_double(s, 1),
				kb_sql_real(s, 2), kb_sql_text_or_null(s, 3),
				kb_sql_text_or_null(s, 4), e);
	sqlite3_finalize(s);
	return rc ? rc : sort_by_name(fit, e);
}

/* Is it what was mined? sha256 as stored. */
static enum err_code check_digest(const struct kb_fit *fit, const char *sha256, struct err *e)
{
	struct digest *d = NULL;
	enum err_code rc = digest_fit(fit, &d, e);

	if (!rc)
		rc = content_check(d, sha256, "the predictor", e);
	digest_free(d);
	return rc;
}

/* *found is false when there is none. *sealed (may be NULL): it has a digest. */
static enum err_code load_fit(struct kb *kb, int64_t app_id, int64_t machine_id, struct kb_fit *fit,
			      bool *found, bool *sealed, struct err *e)
{
	sqlite3_stmt *s = NULL;
	enum err_code rc = kb_sql_prepare(kb, &s, e,
					  "SELECT application_id, machine_id, predictor, snapshot, "
					  "explanation, n_runs, sha256 FROM fit "
					  "WHERE application_id = ?1 AND machine_id = ?2",
					  "ii", app_id, machine_id);

	*found = false;
	if (!rc && !(rc = kb_sql_step(kb, s, found, e)) && *found &&
	    !(rc = fit_from_row(s, fit, e)) && !(rc = load_parameters(kb, fit, e)))
		rc = check_digest(fit, kb_sql_text_or_null(s, 6), e);
	if (!rc && sealed)
		*sealed = *found && kb_sql_text_or_null(s, 6);
	sqlite3_finalize(s);
	if (rc)
		kb_fit_release(fit);
	return rc;
}

enum err_code kb_get_fit(struct kb *kb, int64_t app_id, int64_t machine_id, struct kb_fit *out,
			 struct err *e)
{
	struct kb_fit fit = {0};
	bool found;
	bool own;
	enum err_code rc = kb_own_begin_read(kb, &own, e);

	if (rc)
		return rc;
	rc = load_fit(kb, app_id, machine_id, &fit, &found, NULL, e);
	kb_own_end_read(kb, own);
	if (!rc && !found)
		rc = err_set(e, ERR_NOTMINED,
			     "%s knows nothing yet about this application on this machine: run "
			     "`lemnos mine`",
			     kb_path(kb));
	if (!rc)
		*out = fit;
	return rc;
}

enum err_code kb_list_fits(struct kb *kb, struct kb_fit **out, size_t *n, struct err *e)
{
	struct kb_fit *fits = NULL;
	size_t n_fits = 0;
	sqlite3_stmt *s = NULL;
	bool row = true;
	enum err_code rc = kb_sql_prepare(kb, &s, e,
					  "SELECT application_id, machine_id, predictor, snapshot, "
					  "explanation, n_runs FROM fit "
					  "ORDER BY application_id, machine_id",
					  "");

	while (!rc && !(rc = kb_sql_step(kb, s, &row, e)) && row) {
		struct kb_fit *grown = realloc(fits, (n_fits + 1) * sizeof *fits);

		if (!grown) {
			rc = err_set(e, ERR_NOMEM, "list of %zu fits", n_fits + 1);
			break;
		}
		fits = grown;
		rc = fit_from_row(s, &fits[n_fits++], e);
	}
	sqlite3_finalize(s);
	if (!rc) {
		*out = fits;
		*n = n_fits;
		return ERR_OK;
	}
	for (size_t i = 0; i < n_fits; i++)
		kb_fit_release(&fits[i]);
	free(fits);
	return rc;
}

/* ---- writing ---- */

static enum err_code check_fit(const struct kb_fit *fit, struct err *e)
{
	for (size_t i = 0; i < fit->n_param; i++) {
		if (!isfinite(fit->param[i].value))
			return err_set(e, ERR_ARG,
				       "parameter %s of a fit is %g, not a finite number",
				       fit->param[i].name, fit->param[i].value);
		if (fit->param[i].std_error < 0 || isinf(fit->param[i].std_error))
			return err_set(e, ERR_ARG, "the standard error of parameter %s is %g",
				       fit->param[i].name, fit->param[i].std_error);
	}
	return ERR_OK;
}

/* One statement for all: a Gaussian process has some thousand parameters. */
static enum err_code insert_parameters(struct kb *kb, const struct kb_fit *fit, struct err *e)
{
	sqlite3_stmt *s = NULL;
	enum err_code rc = kb_sql_prepare(
		kb, &s, e, "INSERT INTO fit_parameter VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
		"ii", fit->app_id, fit->machine_id);

	for (size_t i = 0; !rc && i < fit->n_param; i++) {
		const struct kb_param *p = &fit->param[i];
		bool row;

		sqlite3_bind_int64(s, 3, (int64_t)i);
		sqlite3_bind_text(s, 4, p->name, -1, SQLITE_STATIC);
		sqlite3_bind_double(s, 5, p->value); /* NaN: NULL */
		sqlite3_bind_double(s, 6, p->std_error);
		sqlite3_bind_text(s, 7, p->unit ? p->unit : "", -1, SQLITE_STATIC);
		sqlite3_bind_text(s, 8, p->meaning ? p->meaning : "", -1, SQLITE_STATIC);
		rc = kb_sql_step(kb, s, &row, e);
		sqlite3_reset(s);
	}
	sqlite3_finalize(s);
	return rc;
}

static enum err_code replace_fit(struct kb *kb, const struct kb_fit *fit, struct err *e)
{
	struct digest *d = NULL;
	char sha256[DIGEST_HEX_SIZE];
	enum err_code rc;

	if ((rc = kb_drop_fit(kb, fit->app_id, fit->machine_id, e)) ||
	    (rc = digest_fit(fit, &d, e)))
		return rc;
	digest_final(d, sha256);
	digest_free(d);
	rc = kb_sql_run(kb, e, "INSERT INTO fit VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", "iitttit",
			fit->app_id, fit->machine_id, fit->predictor, fit->snapshot,
			fit->explanation ? fit->explanation : "", fit->n_runs, sha256);
	return rc ? rc : insert_parameters(kb, fit, e);
}

/* Is exactly this stored, with a digest? What is damaged is not. */
static enum err_code is_stored(struct kb *kb, const struct kb_fit *fit, bool *same, struct err *e)
{
	struct kb_fit old = {0};
	struct err why = {0};
	bool found = false, sealed = false;
	enum err_code rc = load_fit(kb, fit->app_id, fit->machine_id, &old, &found, &sealed, &why);

	if (rc && rc != ERR_DAMAGED)
		return err_set(e, rc, "%s", why.msg);
	*same = !rc && found && sealed && same_fit(&old, fit);
	kb_fit_release(&old);
	return ERR_OK;
}

enum err_code kb_put_fit(struct kb *kb, const struct kb_fit *fit, struct err *e)
{
	bool own;
	bool same = false;
	enum err_code rc;

	if ((rc = check_fit(fit, e)) || (rc = is_stored(kb, fit, &same, e)) || same ||
	    (rc = kb_own_begin(kb, &own, e)))
		return rc;
	return kb_own_end(kb, own, replace_fit(kb, fit, e), e);
}

enum err_code kb_drop_fit(struct kb *kb, int64_t app_id, int64_t machine_id, struct err *e)
{
	bool own;
	enum err_code rc = kb_own_begin(kb, &own, e);

	if (rc)
		return rc;
	rc = kb_sql_run(kb, e, "DELETE FROM fit WHERE application_id = ?1 AND machine_id = ?2",
			"ii", app_id, machine_id);
	return kb_own_end(kb, own, rc, e);
}
