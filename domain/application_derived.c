#include "domain/application_private.h"

#include <stdlib.h>
#include <string.h>

/* Compile an expression; the message gets the definition's file and line. */
static struct expr *compile(struct conf *c, const config_setting_t *at, const char *text,
			    const struct expr_scope *scope, const char *remark)
{
	struct err inner = {0};
	struct expr *x = NULL;

	if (!text || c->rc != ERR_OK)
		return NULL;
	if (expr_parse(text, scope, &x, &inner) != ERR_OK)
		conf_fail_inner(c, at, remark, &inner);
	return x;
}

/* A derived column sees the columns above it only, so there are no cycles, and one pass in order
 * computes them all. */
void application_read_derived(struct conf *c, const config_setting_t *top, struct application *a)
{
	const config_setting_t *list = conf_list(c, top, "derived");
	size_t first = a->n_columns - conf_length(list);
	bool *integer = calloc(a->n_columns + 1, sizeof *integer);

	if (!integer) {
		conf_fail_memory(c);
		return;
	}
	for (size_t i = 0; i < a->n_columns && c->rc == ERR_OK; i++) {
		struct column *col = &a->column[i];

		if (i >= first) {
			const config_setting_t *g = conf_item(list, i - first);
			struct expr_scope above = a->scope;
			char *text = conf_required_text(c, g, "expr");

			above.n = i;
			col->derived = compile(c, conf_at(g, "expr"), text, &above,
					       "(a derived column may use the columns above it) ");
			free(text);
			if (!col->derived)
				break;
			col->type = expr_is_integer(col->derived, integer) ? COL_INT : COL_REAL;
		}
		integer[i] = col->type == COL_INT;
	}
	free(integer);
}

void application_read_rules(struct conf *c, const config_setting_t *group, const char *key,
			    const struct application *a, struct legality **out, size_t *n)
{
	static const char *const known[] = {"rule", "why", NULL};
	const config_setting_t *list = conf_list(c, group, key);

	if (conf_length(list) == 0)
		return;
	*out = calloc(conf_length(list), sizeof **out);
	if (!*out) {
		conf_fail_memory(c);
		return;
	}
	while (*n < conf_length(list) && c->rc == ERR_OK) {
		const config_setting_t *g = conf_item(list, *n);
		struct legality *rule = &(*out)[(*n)++];

		conf_check_keys(c, g, known);
		rule->text = conf_required_text(c, g, "rule");
		rule->why = conf_required_text(c, g, "why");
		rule->condition = compile(c, conf_at(g, "rule"), rule->text, &a->scope, "");
	}
}

void application_free_rules(struct legality *rule, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		expr_free(rule[i].condition);
		free(rule[i].text);
		free(rule[i].why);
	}
	free(rule);
}

void application_read_legality(struct conf *c, const config_setting_t *top, struct application *a)
{
	application_read_rules(c, top, "legality", a, &a->legality, &a->n_legality);
}

void application_read_memory(struct conf *c, const config_setting_t *top, struct application *a)
{
	char *text = conf_text(c, top, "memory_bytes_per_proc");

	a->memory_bytes_per_proc =
		compile(c, conf_at(top, "memory_bytes_per_proc"), text, &a->scope, "");
	free(text);
}
