#include "ingest/formats/foreign_json.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { POLL_BYTES = 1 << 22 }; /* a few hundredths of a second of work */

/* ---- jansson, and memory that gives out in the midst of a text ---- */

/* A text under way. It is handed over byte by byte, and the first allocation that fails gets what
 * was put aside, which is as much as the buffer of a string can want; from then on the text is at
 * its end. So the buffer never meets a failure: it has grown, or there is nothing more to go in. */
struct load {
	const char *at, *block_end, *end; /* the next byte; where something is to be done */
	bool (*goes_on)(void *);
	void *arg;
	char *aside;
	size_t aside_size;
	bool stopped, no_memory;
};

/* jansson has one allocator for the whole process, which gets no argument; it is set once. */
static _Thread_local struct load *loading;
static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void end_text(struct load *l)
{
	l->end = l->block_end = l->at;
}

static void *watched_malloc(size_t size)
{
	void *p = malloc(size);
	bool is_first;

	if (p || !loading)
		return p;
	is_first = !loading->no_memory;
	loading->no_memory = true;
	end_text(loading);
	return is_first && size <= loading->aside_size ? loading->aside : NULL;
}

static void watched_free(void *p)
{
	if (!loading || p != loading->aside)
		free(p);
}

static void watch(void)
{
	json_set_alloc_funcs(watched_malloc, watched_free);
}

/* At the end of a block: is there another one? */
static bool next_block(struct load *l)
{
	if (l->at == l->end)
		return false;
	l->stopped = l->goes_on && !l->goes_on(l->arg);
	if (l->stopped)
		end_text(l);
	else
		l->block_end = l->end - l->at > POLL_BYTES ? l->at + POLL_BYTES : l->end;
	return !l->stopped;
}

static size_t feed(void *buf, size_t cap, void *arg)
{
	struct load *l = arg;

	(void)cap; /* a kilobyte */
	if (l->at == l->block_end && !next_block(l))
		return 0;
	*(char *)buf = *l->at++;
	return 1;
}

enum err_code json_load(const char *text, size_t n, size_t flags, bool (*goes_on)(void *),
			void *arg, json_t **out, json_error_t *why)
{
	struct load l = {.at = text,
			 .block_end = text,
			 .end = text + n,
			 .goes_on = goes_on,
			 .arg = arg,
			 .aside_size = 2 * n + 64};
	json_t *root;

	*why = (json_error_t){0};
	pthread_once(&watched, watch);
	l.aside = malloc(l.aside_size);
	if (!l.aside)
		return ERR_NOMEM;
	loading = &l;
	root = json_load_callback(feed, &l, flags, why);
	if (l.stopped || l.no_memory) {
		json_decref(root); /* some of it may lie in what was put aside */
		root = NULL;
	}
	loading = NULL;
	free(l.aside);
	if (root)
		*out = root;
	else if (l.stopped)
		return ERR_INTERRUPTED;
	else
		return l.no_memory ? ERR_NOMEM : ERR_PARSE;
	return ERR_OK;
}

/* ---- a tree that knows its lines ---- */

struct object_line {
	const json_t *object;
	uint64_t line;
};

struct foreign_json {
	json_t *root;
	struct object_line *at; /* [n_at], by address once all are known */
	size_t n_at;
};

static enum err_code no_memory_for(const struct foreign_input *in, struct err *e)
{
	return err_set(e, ERR_NOMEM, "%s: no memory for its JSON", foreign_input_name(in));
}

/* ---- before jansson: depth, lines, and what Python writes that is no JSON ---- */

struct json_scan {
	const char *text;
	size_t n;
	uint64_t line;
	uint64_t *object_line; /* of every '{' in order */
	size_t n_objects, cap_objects;
	char *mended; /* text with gaps for NaN and Infinity; NULL: it has none */
};

static bool note_object(struct json_scan *s)
{
	if (s->n_objects == s->cap_objects) {
		size_t cap = s->cap_objects ? 2 * s->cap_objects : 64;
		uint64_t *grown = realloc(s->object_line, cap * sizeof *grown);

		if (!grown)
			return false;
		s->object_line = grown;
		s->cap_objects = cap;
	}
	s->object_line[s->n_objects++] = s->line;
	return true;
}

/* Behind the string that begins at i. A string has no line breaks; jansson refuses those. */
static size_t skip_string(const struct json_scan *s, size_t i)
{
	for (i++; i < s->n && s->text[i] != '"' && s->text[i] != '\n'; i++)
		i += s->text[i] == '\\' && i + 1 < s->n && s->text[i + 1] != '\n';
	return i < s->n && s->text[i] == '"' ? i + 1 : i;
}

/* Bytes of the word at i that Python writes for what is not finite; 0: another word. */
static size_t not_finite(const struct json_scan *s, size_t i)
{
	static const char *const word[] = {"NaN", "Infinity", "-Infinity"};

	for (size_t k = 0; k < sizeof word / sizeof word[0]; k++) {
		size_t n = strlen(word[k]);

		if (s->n - i >= n && memcmp(s->text + i, word[k], n) == 0)
			return n;
	}
	return 0;
}

/* "" and blanks, as long as what stood there: columns of messages stay right. */
static bool mend(struct json_scan *s, size_t i, size_t n)
{
	if (!s->mended) {
		s->mended = malloc(s->n + 1);
		if (!s->mended)
			return false;
		memcpy(s->mended, s->text, s->n);
		s->mended[s->n] = '\0';
	}
	memset(s->mended + i, ' ', n);
	memset(s->mended + i, '"', 2);
	return true;
}

static enum err_code scan(struct json_scan *s, const struct foreign_input *in, struct err *e)
{
	size_t depth = 0, n;
	bool room = true;

	enum err_code rc = ERR_OK;
	size_t next_poll = POLL_BYTES;

	for (size_t i = 0; i < s->n && room && !rc;) {
		if (i >= next_poll) {
			rc = foreign_input_poll(in, e);
			next_poll += POLL_BYTES;
		}
		switch (s->text[i]) {
		case '"':
			i = skip_string(s, i);
			continue;
		case '\n':
			s->line++;
			break;
		case '{':
			room = note_object(s);
			/* fall through */
		case '[':
			if (++depth > FOREIGN_JSON_DEPTH_MAX)
				return foreign_input_fault(
					in, s->line, e,
					"objects and arrays within each other, more than %d deep",
					FOREIGN_JSON_DEPTH_MAX);
			break;
		case '}':
		case ']':
			depth -= depth > 0;
			break;
		case 'N':
		case 'I':
		case '-':
			if ((n = not_finite(s, i)) == 0)
				break;
			room = mend(s, i, n);
			i += n;
			continue;
		default:
			break;
		}
		i++;
	}
	return room ? rc : no_memory_for(in, e);
}

/* ---- the lines of objects ---- */

/* Objects are met in the order in which they stand in the file: jansson keeps that of members, and
 * refuses what is there twice. The depth was limited. */
static void number_objects(struct foreign_json *j, const json_t *value, const uint64_t *line)
{
	const char *key;
	json_t *member;
	size_t i;

	if (json_is_object(value)) {
		j->at[j->n_at] = (struct object_line){value, line[j->n_at]};
		j->n_at++;
		json_object_foreach((json_t *)value, key, member)
		{
			number_objects(j, member, line);
		}
	} else if (json_is_array(value)) {
		json_array_foreach(value, i, member)
		{
			number_objects(j, member, line);
		}
	}
}

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct object_line *)a)->object;
	uintptr_t y = (uintptr_t)((const struct object_line *)b)->object;

	return (x > y) - (x < y);
}

static enum err_code find_lines(struct foreign_json *j, const struct json_scan *s,
				const struct foreign_input *in, struct err *e)
{
	j->at = calloc(s->n_objects + 1, sizeof *j->at);
	if (!j->at)
		return no_memory_for(in, e);
	if (s->object_line) /* there is an object at all */
		number_objects(j, j->root, s->object_line);
	qsort(j->at, j->n_at, sizeof *j->at, by_address);
	return ERR_OK;
}

uint64_t foreign_json_line(const struct foreign_json *j, const json_t *object)
{
	const struct object_line key = {object, 0};
	const struct object_line *found =
		j->n_at ? bsearch(&key, j->at, j->n_at, sizeof *j->at, by_address) : NULL;

	return found ? found->line : 1;
}

/* ---- parsing ---- */

static enum err_code refuse_json(const struct foreign_input *in, const json_error_t *why,
				 uint64_t first_line, struct err *e)
{
	const char *name = foreign_input_name(in);
	uint64_t line = first_line - 1 + (uint64_t)(why->line > 0 ? why->line : 1);

	switch (json_error_code(why)) {
	case json_error_duplicate_key:
		return err_set(e, ERR_PARSE,
			       "%s:%" PRIu64 ":%d: a member is there twice (%s): which one holds?",
			       name, line, why->column, why->text);
	case json_error_premature_end_of_input:
		return err_set(e, ERR_PARSE,
			       "%s:%" PRIu64 ":%d: the JSON ends early: was the file cut off?",
			       name, line, why->column);
	default:
		return err_set(e, ERR_PARSE, "%s:%" PRIu64 ":%d: no valid JSON: %s", name, line,
			       why->column, why->text);
	}
}

/* The user can stop it. */
struct stop {
	const struct foreign_input *in;
	enum err_code rc;
	struct err *e;
};

static bool goes_on(void *arg)
{
	struct stop *s = arg;

	s->rc = foreign_input_poll(s->in, s->e);
	return s->rc == ERR_OK;
}

static enum err_code load(struct foreign_json *j, const struct foreign_input *in, const char *text,
			  size_t n, uint64_t line, struct err *e)
{
	struct stop stop = {.in = in, .e = e};
	json_error_t why;

	switch (json_load(text, n, JSON_REJECT_DUPLICATES, goes_on, &stop, &j->root, &why)) {
	case ERR_OK:
		return ERR_OK;
	case ERR_NOMEM:
		return no_memory_for(in, e);
	case ERR_INTERRUPTED:
		return stop.rc;
	default:
		return refuse_json(in, &why, line, e);
	}
}

enum err_code foreign_json_parse(const struct foreign_input *in, const char *text, size_t n,
				 uint64_t line, struct foreign_json **out, struct err *e)
{
	struct json_scan s = {.text = text, .n = n, .line = line};
	struct foreign_json *j = calloc(1, sizeof *j);
	enum err_code rc;

	if (!j)
		return no_memory_for(in, e);
	if ((rc = scan(&s, in, e)))
		goto done;
	if (!(rc = load(j, in, s.mended ? s.mended : text, n, line, e)))
		rc = find_lines(j, &s, in, e);
done:
	free(s.object_line);
	free(s.mended);
	if (rc)
		foreign_json_free(j);
	else
		*out = j;
	return rc;
}

enum err_code foreign_json_read(struct foreign_input *in, struct foreign_json **out, struct err *e)
{
	const char *text = NULL;
	size_t n = 0;
	enum err_code rc = foreign_input_text(in, &text, &n, e);

	return rc ? rc : foreign_json_parse(in, text, n, 1, out, e);
}

const json_t *foreign_json_root(const struct foreign_json *j)
{
	return j->root;
}

void foreign_json_free(struct foreign_json *j)
{
	if (!j)
		return;
	json_decref(j->root);
	free(j->at);
	free(j);
}

/* ---- members and cells ---- */

static const char *type_name(int type)
{
	static const char *const name[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text"};

	return type >= 0 && type <= JSON_STRING ? name[type] : "a number";
}

const json_t *foreign_json_member(const struct foreign_input *in, const struct foreign_json *j,
				  const json_t *object, const char *key, int type, struct err *e)
{
	const json_t *member = json_object_get(object, key);

	if (member && (int)json_typeof(member) == type)
		return member;
	foreign_input_fault(in, foreign_json_line(j, object), e, "%s \"%s\": %s is wanted",
			    member ? "the member" : "no member", key, type_name(type));
	return NULL;
}

bool foreign_json_put(struct foreign_table *t, const char *column, const json_t *value)
{
	char number[32];

	if (!*column)
		return false;
	switch (json_typeof(value)) {
	case JSON_STRING:
		foreign_table_put(t, column, json_string_value(value));
		return true;
	case JSON_INTEGER:
		snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
		foreign_table_put(t, column, number);
		return true;
	case JSON_REAL:
		foreign_table_put_number(t, column, json_real_value(value));
		return true;
	case JSON_TRUE:
	case JSON_FALSE:
		foreign_table_put(t, column, json_is_true(value) ? "true" : "false");
		return true;
	case JSON_NULL:
		foreign_table_put(t, column, "");
		return true;
	default:
		return false;
	}
}

void foreign_json_put_members(struct foreign_table *t, const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)(void) foreign_json_put(t, key, value);
}

static bool is_word(const json_t *value)
{
	const char *text = json_string_value(value);

	return text && *text && strlen(text) <= 64 && !strpbrk(text, " \t\r\n/[]{}()'\"$");
}

void foreign_json_put_words(struct foreign_table *t, const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)
	{
		if (is_word(value) || json_is_number(value) || json_is_boolean(value))
			(void)foreign_json_put(t, key, value);
	}
}

const char *foreign_json_string(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* ---- recognition ---- */

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t\r\n");
}

bool foreign_json_begins(const char *head, char bracket)
{
	if (strncmp(head, "\xef\xbb\xbf", 3) == 0)
		head += 3;
	return *skip_blanks(head) == bracket;
}

bool foreign_json_has_key(const char *head, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = strchr(head, '"'); p; p = strchr(p + 1, '"')) {
		if (strncmp(p + 1, key, n) == 0 && p[1 + n] == '"' &&
		    *skip_blanks(p + n + 2) == ':')
			return true;
	}
	return false;
}
