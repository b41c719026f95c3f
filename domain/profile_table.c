#include "domain/profile_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COLUMN_NAME, COLUMN_DOMAIN, COLUMN_PART, COLUMN_PARADIGM, N_RESERVED };
static const char *const reserved[N_RESERVED] = {"name", "domain", "part", "paradigm"};

struct profile_table {
	const struct component_set *set;
	const char **name; /* of column i; borrowed from the set */
	struct levels *text;
	const struct levels **levels;	/* &text[i], or NULL for numbers */
	const struct component **first; /* who has brought column i; NULL for the reserved ones */
	size_t n_columns;
	/* The attributes of all components, one after the other: set->item[i] begins at begin[i].
	 */
	struct profile_cell {
		size_t column;
		double value;
	} * cell;
	size_t *begin, n_cells;
	double *row;
	struct expr_scope scope;
};

enum { MAX_COLUMNS = 1000 }; /* of definitions that people wrote */

bool profile_is_reserved(const char *attribute)
{
	for (size_t i = 0; i < N_RESERVED; i++) {
		if (strcasecmp(attribute, reserved[i]) == 0)
			return true;
	}
	return false;
}

static size_t find_column(const struct profile_table *t, const char *name)
{
	size_t i = 0;

	while (i < t->n_columns && strcasecmp(t->name[i], name) != 0)
		i++;
	return i;
}

/* Room for as many columns and attributes as there can be. */
static bool reserve(struct profile_table *t)
{
	size_t n = N_RESERVED;

	for (size_t i = 0; i < t->set->n; i++)
		n += t->set->item[i]->n_attributes;
	t->cell = calloc(n, sizeof *t->cell);
	t->begin = calloc(t->set->n + 1, sizeof *t->begin);
	n = n < MAX_COLUMNS ? n : MAX_COLUMNS;
	t->name = calloc(n, sizeof *t->name);
	t->text = calloc(n, sizeof *t->text);
	t->levels = calloc(n, sizeof *t->levels);
	t->first = calloc(n, sizeof *t->first);
	t->row = calloc(n, sizeof *t->row);
	return t->cell && t->begin && t->name && t->text && t->levels && t->first && t->row;
}

static void add_column(struct profile_table *t, const char *name, bool is_text,
		       const struct component *first)
{
	size_t i = t->n_columns++;

	t->name[i] = name;
	t->levels[i] = is_text ? &t->text[i] : NULL;
	t->first[i] = first;
}

static enum err_code check_type(const struct profile_table *t, size_t column,
				const struct component *c, const struct component_attribute *a,
				struct err *e)
{
	if ((t->levels[column] != NULL) == (a->text != NULL))
		return ERR_OK;
	return err_set(
		e, ERR_PARSE,
		"%s: the attribute %s of '%s' is a %s, but a %s in the profile of '%s' (%s); "
		"an attribute has one type everywhere",
		c->origin, a->name, c->name, a->text ? "text" : "number",
		a->text ? "number" : "text", t->first[column]->name, t->first[column]->origin);
}

static enum err_code add_attribute(struct profile_table *t, const struct component *c,
				   const struct component_attribute *a, struct err *e)
{
	size_t column = find_column(t, a->name);
	size_t level = 0;
	enum err_code rc;

	if (column == MAX_COLUMNS)
		return err_set(e, ERR_PARSE,
			       "%s: more than %d different attributes in all profiles", c->origin,
			       MAX_COLUMNS);
	if (column == t->n_columns)
		add_column(t, a->name, a->text != NULL, c);
	if ((rc = check_type(t, column, c, a, e)))
		return rc;
	if (a->text && (level = levels_add(&t->text[column], a->text)) == SIZE_MAX)
		return err_set(e, ERR_NOMEM, "the profiles of components");
	t->cell[t->n_cells++] = (struct profile_cell){column, a->text ? (double)level : a->number};
	return ERR_OK;
}

static enum err_code add_component(struct profile_table *t, size_t i, struct err *e)
{
	const struct component *c = t->set->item[i];
	enum err_code rc = ERR_OK;

	if (levels_add(&t->text[COLUMN_NAME], c->name) == SIZE_MAX)
		rc = err_set(e, ERR_NOMEM, "the profiles of components");
	for (size_t k = 0; k < c->n_attributes && !rc; k++)
		rc = add_attribute(t, c, &c->attribute[k], e);
	t->begin[i + 1] = t->n_cells;
	return rc;
}

static int by_identity(const void *a, const void *b)
{
	const struct component *x = *(const struct component *const *)a;
	const struct component *y = *(const struct component *const *)b;

	if (x->domain != y->domain)
		return x->domain < y->domain ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return strcmp(x->name, y->name);
}

static enum err_code check_names(const struct component_set *set, struct err *e)
{
	const struct component **sorted = calloc(set->n + 1, sizeof *sorted);
	enum err_code rc = ERR_OK;

	if (!sorted)
		return err_set(e, ERR_NOMEM, "the names of components");
	for (size_t i = 0; i < set->n; i++)
		sorted[i] = set->item[i];
	qsort(sorted, set->n, sizeof *sorted, by_identity);
	for (size_t i = 1; i < set->n && !rc; i++) {
		if (by_identity(&sorted[i - 1], &sorted[i]) == 0)
			rc = err_set(e, ERR_PARSE,
				     "%s: another component of the %s domain is called '%s' "
				     "(%s); give it a name of its own",
				     sorted[i]->origin, component_domain_name(sorted[i]->domain),
				     sorted[i]->name, sorted[i - 1]->origin);
	}
	free(sorted);
	return rc;
}

static bool add_reserved(struct profile_table *t)
{
	bool done = true;

	for (size_t i = 0; i < N_RESERVED; i++)
		add_column(t, reserved[i], true, NULL);
	for (int i = 0; i < DOMAIN_COUNT && done; i++)
		done = levels_add(&t->text[COLUMN_DOMAIN],
				  component_domain_name((enum component_domain)i)) != SIZE_MAX;
	for (int i = 0; i < PART_COUNT && done; i++)
		done = levels_add(&t->text[COLUMN_PART],
				  component_part_name((enum component_part)i)) != SIZE_MAX;
	for (int i = 0; i < PARADIGM_COUNT && done; i++)
		done = levels_add(&t->text[COLUMN_PARADIGM],
				  component_paradigm_name((enum component_paradigm)i)) != SIZE_MAX;
	return done;
}

enum err_code profile_table_new(const struct component_set *set, struct profile_table **out,
				struct err *e)
{
	struct profile_table *t;
	enum err_code rc = check_names(set, e);

	if (rc)
		return rc;
	t = calloc(1, sizeof *t);
	if (!t)
		return err_set(e, ERR_NOMEM, "the profiles of components");
	t->set = set;
	if (!reserve(t) || !add_reserved(t))
		rc = err_set(e, ERR_NOMEM, "the profiles of components");
	for (size_t i = 0; i < set->n && !rc; i++)
		rc = add_component(t, i, e);
	if (rc) {
		profile_table_free(t);
		return rc;
	}
	t->scope = (struct expr_scope){.name = t->name, .levels = t->levels, .n = t->n_columns};
	*out = t;
	return ERR_OK;
}

void profile_table_free(struct profile_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->text && i < t->n_columns; i++)
		levels_release(&t->text[i]);
	free(t->name);
	free(t->text);
	free(t->levels);
	free(t->first);
	free(t->cell);
	free(t->begin);
	free(t->row);
	free(t);
}

const struct expr_scope *profile_table_scope(const struct profile_table *t)
{
	return &t->scope;
}

const double *profile_table_row(struct profile_table *t, size_t i)
{
	const struct component *c = t->set->item[i];

	for (size_t k = 0; k < t->n_columns; k++)
		t->row[k] = (double)NAN;
	/* the levels were added in the order of the enums */
	t->row[COLUMN_NAME] = (double)levels_find(&t->text[COLUMN_NAME], c->name);
	t->row[COLUMN_DOMAIN] = (double)c->domain;
	if (c->part != PART_NONE)
		t->row[COLUMN_PART] = (double)c->part;
	t->row[COLUMN_PARADIGM] = (double)c->paradigm;
	for (size_t k = t->begin[i]; k < t->begin[i + 1]; k++)
		t->row[t->cell[k].column] = t->cell[k].value;
	return t->row;
}
