#include "domain/component.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const domain_name[DOMAIN_COUNT] = {"application", "runtime", "hardware"};
static const char *const part_name[PART_COUNT] = {"", "processor", "memory", "transport",
						  "storage"};
static const char *const paradigm_name[PARADIGM_COUNT] = {"analytic", "simulated", "measured"};

const char *component_domain_name(enum component_domain d)
{
	return domain_name[d];
}

const char *component_part_name(enum component_part p)
{
	return part_name[p];
}

const char *component_paradigm_name(enum component_paradigm p)
{
	return paradigm_name[p];
}

enum err_code component_paradigm_parse(const char *text, enum component_paradigm *out,
				       struct err *e)
{
	for (int i = 0; i < PARADIGM_COUNT; i++) {
		if (strcmp(text, paradigm_name[i]) == 0) {
			*out = (enum component_paradigm)i;
			return ERR_OK;
		}
	}
	return err_set(e, ERR_ARG, "'%s' is no paradigm: analytic, simulated or measured", text);
}

enum err_code component_set_add(struct component_set *set, struct component *c, struct err *e)
{
	struct component **longer = realloc(set->item, (set->n + 1) * sizeof *longer);

	if (!longer) {
		component_free(c);
		return err_set(e, ERR_NOMEM, "%zu components", set->n + 1);
	}
	set->item = longer;
	set->item[set->n++] = c;
	return ERR_OK;
}

void component_set_release(struct component_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		component_free(set->item[i]);
	free(set->item);
	*set = (struct component_set){0};
}

/* The next attribute, with a name; NULL: out of memory. */
static struct component_attribute *grow(struct component *c, const char *name)
{
	struct component_attribute *longer =
		realloc(c->attribute, (c->n_attributes + 1) * sizeof *longer);
	struct component_attribute *a;

	if (!longer)
		return NULL;
	c->attribute = longer;
	a = &longer[c->n_attributes];
	*a = (struct component_attribute){.name = strdup(name)};
	if (!a->name)
		return NULL;
	c->n_attributes++;
	return a;
}

bool component_put_text(struct component *c, const char *attribute, const char *text)
{
	char *copy = strdup(text);
	struct component_attribute *a = copy ? grow(c, attribute) : NULL;

	if (!a) {
		free(copy);
		return false;
	}
	a->text = copy;
	return true;
}

bool component_put_number(struct component *c, const char *attribute, double number)
{
	struct component_attribute *a = grow(c, attribute);

	if (a)
		a->number = number;
	return a != NULL;
}

void component_put_name(const struct component *c, struct strbuf *out)
{
	bool is_word = !strpbrk(c->name, " ,;'\"");

	strbuf_printf(out, is_word ? "%s" : "'%s'", c->name);
	if (c->takes)
		strbuf_printf(out, ":%s", c->takes);
}

const struct component_attribute *component_attribute(const struct component *c, const char *name)
{
	for (size_t i = 0; i < c->n_attributes; i++) {
		if (strcasecmp(c->attribute[i].name, name) == 0)
			return &c->attribute[i];
	}
	return NULL;
}

void component_free(struct component *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_attributes; i++) {
		free(c->attribute[i].name);
		free(c->attribute[i].text);
	}
	for (size_t i = 0; i < c->n_requests; i++) {
		free(c->request[i].name);
		free(c->request[i].selector);
	}
	free(c->attribute);
	free(c->request);
	free(c->name);
	free(c->title);
	free(c->code);
	free(c->takes);
	free(c->origin);
	free(c);
}
