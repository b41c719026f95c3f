#include "domain/component.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "domain/conf.h"
#include "domain/expr.h"
#include "domain/machine.h"
#include "domain/profile_table.h"

enum { MAX_ATTRIBUTES = 100, MAX_COMPONENTS = 1000 }; /* of a file that a person wrote */

/* Names are typed on command lines and printed on terminals, like those of machines. */
static char *read_name(struct conf *c, const config_setting_t *g, const char *key)
{
	char *name = conf_required_text(c, g, key);
	const char *fault = name ? machine_name_fault(name) : NULL;

	if (fault)
		conf_fail(c, conf_at(g, key), "the %s '%.60s': %s", key, name, fault);
	return name;
}

static const char *domain_at(int i)
{
	return component_domain_name((enum component_domain)i);
}

static const char *part_at(int i)
{
	return component_part_name((enum component_part)i);
}

static const char *paradigm_at(int i)
{
	return component_paradigm_name((enum component_paradigm)i);
}

static void read_part(struct conf *c, const config_setting_t *g, struct component *out)
{
	out->part = (enum component_part)conf_word(c, g, "part", part_at, PART_COUNT, PART_NONE);
	if (out->domain == DOMAIN_HARDWARE && out->part == PART_NONE)
		conf_fail(c, g,
			  "'part' is missing: in the hardware domain, one of processor, "
			  "memory, transport, storage");
	else if (out->domain != DOMAIN_HARDWARE && out->part != PART_NONE)
		conf_fail(c, conf_at(g, "part"), "'part' is for the hardware domain only");
}

static void check_attribute_name(struct conf *c, const config_setting_t *s,
				 const struct component *out)
{
	const char *name = config_setting_name(s);

	if (profile_is_reserved(name))
		conf_fail(c, s, "'%s' is in every profile already, from the component's own keys",
			  name);
	else if (!expr_is_name(name))
		conf_fail(c, s,
			  "the attribute '%.60s' could not be named in a selector: letters, digits "
			  "and _ are wanted, and no word of its language (and, or, not, in, is, "
			  "null, between)",
			  name);
	else if (component_attribute(out, name))
		conf_fail(c, s, "the attribute '%.60s' is given twice (case does not matter)",
			  name);
}

static void read_attribute(struct conf *c, const config_setting_t *g, const config_setting_t *s,
			   struct component *out)
{
	const char *name = config_setting_name(s);
	bool stored = true;

	check_attribute_name(c, s, out);
	if (c->rc != ERR_OK)
		return;
	if (config_setting_type(s) == CONFIG_TYPE_STRING) {
		stored = component_put_text(out, name, config_setting_get_string(s));
	} else if (config_setting_type(s) == CONFIG_TYPE_BOOL) {
		stored = component_put_number(out, name, config_setting_get_bool(s));
	} else if (config_setting_is_number(s)) {
		double number = conf_required_number(c, g, name);

		if (!isfinite(number))
			conf_fail(c, s, "'%.60s' wants a finite number", name);
		stored = component_put_number(out, name, number);
	} else {
		conf_fail(c, s, "'%.60s' wants a \"text\", a number, or true or false", name);
	}
	if (!stored)
		conf_fail_memory(c);
}

static void read_profile(struct conf *c, const config_setting_t *g, struct component *out)
{
	const config_setting_t *profile = conf_group(c, g, "profile");

	if (conf_length(profile) > MAX_ATTRIBUTES)
		conf_fail(c, profile, "a profile has %d attributes at most", MAX_ATTRIBUTES);
	for (size_t i = 0; i < conf_length(profile) && c->rc == ERR_OK; i++)
		read_attribute(c, profile, conf_item(profile, i), out);
}

/* Is the name that of one of the first n requests? */
static bool is_requested(const struct component *c, size_t n, const char *name)
{
	for (size_t i = 0; i < n && name; i++) {
		if (c->request[i].name && strcmp(c->request[i].name, name) == 0)
			return true;
	}
	return false;
}

static void read_requests(struct conf *c, const config_setting_t *g, struct component *out)
{
	const config_setting_t *list = conf_list(c, g, "requests");

	if (conf_length(list) > MAX_ATTRIBUTES)
		conf_fail(c, list, "a component has %d requests at most", MAX_ATTRIBUTES);
	if (c->rc != ERR_OK || conf_length(list) == 0)
		return;
	out->request = calloc(conf_length(list), sizeof *out->request);
	if (!out->request) {
		conf_fail_memory(c);
		return;
	}
	for (size_t i = 0; i < conf_length(list) && c->rc == ERR_OK; i++) {
		const config_setting_t *item = conf_item(list, i);
		struct component_request *r = &out->request[out->n_requests++];

		conf_check_keys(c, item, "name selector");
		r->name = read_name(c, item, "name");
		r->selector = conf_required_text(c, item, "selector");
		r->line = (unsigned)config_setting_source_line(conf_at(item, "selector"));
		if (is_requested(out, i, r->name))
			conf_fail(c, item,
				  "'%.60s' is requested twice; join the selectors with 'and'",
				  r->name);
	}
}

static void read_origin(struct conf *c, const config_setting_t *g, struct component *out)
{
	struct strbuf origin = STRBUF_INIT;

	strbuf_printf(&origin, "%s:%u", c->origin, (unsigned)config_setting_source_line(g));
	if (origin.failed)
		conf_fail_memory(c);
	out->origin = origin.buf;
}

static void read_component(struct conf *c, const config_setting_t *g, struct component *out)
{
	conf_check_keys(c, g, "name title domain part paradigm code takes profile requests");
	out->name = read_name(c, g, "name");
	out->title = conf_text(c, g, "title");
	out->domain = (enum component_domain)conf_word(c, g, "domain", domain_at, DOMAIN_COUNT, -1);
	out->paradigm = (enum component_paradigm)conf_word(c, g, "paradigm", paradigm_at,
							   PARADIGM_COUNT, -1);
	read_part(c, g, out);
	out->code = conf_text(c, g, "code");
	out->takes = conf_text(c, g, "takes");
	read_profile(c, g, out);
	read_requests(c, g, out);
	read_origin(c, g, out);
	if (c->rc != ERR_OK)
		return;
	if (!out->title)
		out->title = strdup("");
	if (!out->code)
		out->code = strdup(out->name);
	if (!out->title || !out->code)
		conf_fail_memory(c);
}

static void read_components(struct conf *c, struct component_set *set)
{
	const config_setting_t *root = config_root_setting(&c->config);
	const config_setting_t *list;

	conf_check_keys(c, root, "components");
	list = conf_list(c, root, "components");
	if (c->rc == ERR_OK && conf_length(list) == 0)
		c->rc = err_set(c->e, ERR_PARSE,
				"%s: 'components = ( { ... }, { ... } );' is wanted", c->origin);
	else if (conf_length(list) > MAX_COMPONENTS)
		conf_fail(c, list, "a file has %d components at most", MAX_COMPONENTS);
	for (size_t i = 0; i < conf_length(list) && c->rc == ERR_OK; i++) {
		struct component *item = calloc(1, sizeof *item);

		if (!item) {
			conf_fail_memory(c);
			return;
		}
		read_component(c, conf_item(list, i), item);
		if (c->rc != ERR_OK)
			component_free(item);
		else
			c->rc = component_set_add(set, item, c->e);
	}
}

enum err_code component_parse(const char *text, const char *origin, struct component_set *set,
			      struct err *e)
{
	struct conf c;
	size_t n_before = set->n;

	conf_open(&c, text, origin, e);
	if (c.rc == ERR_OK)
		read_components(&c, set);
	conf_close(&c);
	while (c.rc != ERR_OK && set->n > n_before)
		component_free(set->item[--set->n]);
	return c.rc;
}

enum err_code component_read(const char *path, struct component_set *set, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = conf_read_file(path, &text, e);

	if (rc == ERR_OK)
		rc = component_parse(strbuf_text(&text), path, set, e);
	strbuf_release(&text);
	return rc;
}

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
