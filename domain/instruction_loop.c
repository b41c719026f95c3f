#include "domain/instruction_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/instruction_loop_read.h"

void instruction_loop_free(struct instruction_loop *l)
{
	if (!l)
		return;
	for (size_t i = 0; l->unit && i < l->n_units; i++)
		free(l->unit[i].name);
	for (size_t i = 0; l->kind && i < l->n_kinds; i++)
		free(l->kind[i].name);
	free(l->unit);
	free(l->kind);
	free(l->body);
	free(l);
}

/* After an error names may be missing. */
static bool same_name(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static int64_t read_whole(struct conf *c, const config_setting_t *g, const char *key, double absent,
			  int64_t min, int64_t max)
{
	const double x =
		isnan(absent) ? conf_required_number(c, g, key) : conf_number(c, g, key, absent);

	if (c->rc == ERR_OK && !(x >= (double)min && x <= (double)max && trunc(x) == x))
		conf_fail(c, conf_at(g, key), "'%s' wants a whole number from %lld to %lld", key,
			  (long long)min, (long long)max);
	return c->rc == ERR_OK ? (int64_t)x : min;
}

/* The items of a list that must not be empty, and no longer than most; zeroed room for each. */
static const config_setting_t *open_list(struct conf *c, const config_setting_t *g, const char *key,
					 size_t most, size_t size, size_t *n, void **room)
{
	const config_setting_t *list = conf_list(c, g, key);

	*n = list ? conf_length(list) : 0;
	if (c->rc == ERR_OK && (*n == 0 || *n > most))
		conf_fail(c, conf_at(g, key), "'%s' wants a list of 1 to %zu groups", key, most);
	if (c->rc != ERR_OK || *n == 0) {
		*n = 0;
		return NULL;
	}
	*room = calloc(*n, size);
	if (!*room) {
		*n = 0;
		conf_fail_memory(c);
	}
	return list;
}

static void read_units(struct conf *c, const config_setting_t *g, struct instruction_loop *l)
{
	void *room = NULL;
	const config_setting_t *list = open_list(c, g, "units", INSTRUCTION_MAX_UNITS,
						 sizeof *l->unit, &l->n_units, &room);

	l->unit = room;
	for (size_t i = 0; i < l->n_units && c->rc == ERR_OK; i++) {
		const config_setting_t *item = conf_item(list, i);

		conf_check_keys(c, item, "name per_cycle");
		l->unit[i].name = conf_required_text(c, item, "name");
		l->unit[i].per_cycle =
			read_whole(c, item, "per_cycle", 1, 1, INSTRUCTION_MAX_WIDTH);
		for (size_t k = 0; c->rc == ERR_OK && k < i; k++) {
			if (same_name(l->unit[k].name, l->unit[i].name))
				conf_fail(c, conf_at(item, "name"), "a second unit '%.60s'",
					  l->unit[i].name);
		}
	}
}

static size_t unit_by_name(struct conf *c, const config_setting_t *item,
			   const struct instruction_loop *l)
{
	char *name = conf_required_text(c, item, "unit");
	size_t found = 0;

	while (found < l->n_units && !same_name(l->unit[found].name, name))
		found++;
	if (c->rc == ERR_OK && found == l->n_units)
		conf_fail(c, conf_at(item, "unit"), "no unit is called '%.60s'", name);
	free(name);
	return found;
}

static size_t kind_by_name(const struct instruction_loop *l, size_t n, const char *name)
{
	size_t found = 0;

	while (found < n && !same_name(l->kind[found].name, name))
		found++;
	return found;
}

static void read_kinds(struct conf *c, const config_setting_t *g, struct instruction_loop *l)
{
	void *room = NULL;
	const config_setting_t *list = open_list(c, g, "kinds", INSTRUCTION_MAX_KINDS,
						 sizeof *l->kind, &l->n_kinds, &room);

	l->kind = room;
	for (size_t i = 0; i < l->n_kinds && c->rc == ERR_OK; i++) {
		const config_setting_t *item = conf_item(list, i);

		conf_check_keys(c, item, "name unit latency occupies");
		l->kind[i].name = conf_required_text(c, item, "name");
		l->kind[i].unit = unit_by_name(c, item, l);
		l->kind[i].latency = read_whole(c, item, "latency", NAN, 0, INSTRUCTION_MAX_CYCLES);
		l->kind[i].occupies = read_whole(c, item, "occupies", 1, 1, INSTRUCTION_MAX_CYCLES);
		if (c->rc == ERR_OK && kind_by_name(l, i, l->kind[i].name) < i)
			conf_fail(c, conf_at(item, "name"), "a second kind '%.60s'",
				  l->kind[i].name);
	}
}

/* ---- the loop ---- */

/* Words of the text of an instruction, cut in place. */
static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " \t");
	const size_t n = strcspn(word, " \t");

	if (!n)
		return NULL;
	*at = word + n + (word[n] != '\0');
	word[n] = '\0';
	return word;
}

/* The instruction that makes a name, before the i-th if there is one, else the last of all; n:
 * none. Results stand between the kind and "=". */
static size_t maker_of(char *const *text, size_t n, size_t i, const char *name)
{
	const size_t length = strlen(name);

	for (size_t back = 1; back <= n; back++) {
		const size_t k = (i + n - back) % n;
		const char *at = text[k];

		/* The first word is the kind. */
		at += strspn(at, " \t");
		at += strcspn(at, " \t");
		for (;;) {
			size_t word;

			at += strspn(at, " \t");
			word = strcspn(at, " \t");
			if (!word || (word == 1 && *at == '='))
				break;
			if (word == length && strncmp(at, name, length) == 0)
				return k;
			at += word;
		}
	}
	return n;
}

static void read_instruction(struct conf *c, const config_setting_t *g, char *const *text, size_t i,
			     char *cut, struct instruction_loop *l)
{
	struct instruction *in = &l->body[i];
	char *word = next_word(&cut);
	bool sources = false;

	in->kind = word ? kind_by_name(l, l->n_kinds, word) : l->n_kinds;
	if (in->kind == l->n_kinds) {
		conf_fail(c, conf_at(g, "loop"), "\"%.60s\": no kind is called '%.60s'", text[i],
			  word ? word : "");
		return;
	}
	while ((word = next_word(&cut))) {
		size_t maker;

		if (strcmp(word, "=") == 0 && !sources) {
			sources = true;
			continue;
		}
		maker = sources ? maker_of(text, l->n, i, word) : l->n;
		if (maker == l->n)
			continue;
		if (in->n_sources == INSTRUCTION_MAX_SOURCES) {
			conf_fail(c, conf_at(g, "loop"), "\"%.60s\": more than %d sources", text[i],
				  INSTRUCTION_MAX_SOURCES);
			return;
		}
		in->source[in->n_sources++] = maker;
	}
	if (!sources)
		conf_fail(c, conf_at(g, "loop"),
			  "\"%.60s\": an instruction is KIND RESULTS = SOURCES", text[i]);
}

static void read_loop(struct conf *c, const config_setting_t *g, struct instruction_loop *l)
{
	size_t n;
	char **text = conf_texts(c, g, "loop", &n);

	if (c->rc == ERR_OK && (n == 0 || n > INSTRUCTION_MAX_LOOP))
		conf_fail(c, conf_at(g, "loop"), "'loop' wants 1 to %d instructions",
			  INSTRUCTION_MAX_LOOP);
	l->body = c->rc == ERR_OK && n > 0 ? calloc(n, sizeof *l->body) : NULL;
	if (c->rc == ERR_OK && !l->body)
		conf_fail_memory(c);
	l->n = l->body ? n : 0;
	for (size_t i = 0; i < l->n && c->rc == ERR_OK; i++) {
		char *cut = strdup(text[i]);

		if (cut)
			read_instruction(c, g, text, i, cut, l);
		else
			conf_fail_memory(c);
		free(cut);
	}
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

struct instruction_loop *instruction_loop_read(struct conf *c, const config_setting_t *g)
{
	struct instruction_loop *l;

	if (c->rc != ERR_OK || !g)
		return NULL;
	l = calloc(1, sizeof *l);
	if (!l) {
		conf_fail_memory(c);
		return NULL;
	}
	conf_check_keys(c, g, "issue_width window in_order units kinds loop");
	l->issue_width = read_whole(c, g, "issue_width", NAN, 1, INSTRUCTION_MAX_WIDTH);
	l->window = read_whole(c, g, "window", NAN, 1, INSTRUCTION_MAX_WINDOW);
	l->in_order = conf_bool(c, g, "in_order", false);
	read_units(c, g, l);
	read_kinds(c, g, l);
	read_loop(c, g, l);
	if (c->rc == ERR_OK)
		return l;
	instruction_loop_free(l);
	return NULL;
}
