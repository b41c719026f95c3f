/* Small changes of C sources, each of which a test should notice.
 * usage: mutate list SEED FILE...    all mutants of all files in a random order that SEED decides,
 *                                    one a line: FILE, NUMBER, LINE, KIND, BEFORE, AFTER, with tabs
 *        mutate make FILE NUMBER     the source with that change, on standard output; lines stay */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mutation/c_tokens.h"

/* One small change of a source: len bytes at `at` become put_before, themselves if they are kept,
 * put_after. A removed statement leaves its semicolon. */
struct mutant {
	const char *kind;
	size_t line;
	size_t at, len;
	bool keeps;
	const char *put_before, *put_after;
};

#define TYPES                                                                                     \
	" void char short int long float double signed unsigned bool size_t ssize_t time_t FILE " \
	"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t "
#define BEGINS_DECLARATION TYPES "const static extern volatile struct enum union typedef inline "
#define BEGINS_OTHER \
	" if else for while do switch case default return goto break continue sizeof assert "
#define ALLOCATES " malloc calloc realloc "
#define ASSIGNS " = += -= *= /= %= &= |= ^= <<= >>= ++ -- "

struct finder {
	const struct c_tokens *t;
	struct mutant *list; /* NULL: only count */
	size_t n;
	size_t allocation_ends; /* tokens before this one say how much memory is asked for */
	size_t label_colon;	/* of the last case or label */
	bool *begins;		/* [t->n] whether a statement may begin at this token */
};

static void add(struct finder *f, size_t from, size_t to, struct mutant m)
{
	const struct token *first = &f->t->token[from], *last = &f->t->token[to];

	m.line = first->line;
	m.at = first->at;
	m.len = last->at + last->len - first->at;
	if (f->list)
		f->list[f->n] = m;
	f->n++;
}

static void add_replaced(struct finder *f, const char *kind, size_t from, size_t to, const char *by)
{
	add(f, from, to, (struct mutant){.kind = kind, .put_before = by, .put_after = ""});
}

static void add_wrapped(struct finder *f, const char *kind, size_t from, size_t to,
			const char *before, const char *after)
{
	add(f, from, to, (struct mutant){kind, 0, 0, 0, true, before, after});
}

/* Whether a value ends before token i, so that + - * / there joins two. */
static bool value_before(const struct c_tokens *t, size_t i)
{
	const struct token *k = i > 0 ? &t->token[i - 1] : NULL;

	if (!k || k->kind == TOKEN_TEXT)
		return false;
	if (k->kind == TOKEN_NUMBER || c_tokens_is(t, i - 1, ")") || c_tokens_is(t, i - 1, "]"))
		return true;
	/* struct x * is a type */
	return k->kind == TOKEN_WORD && !c_tokens_in(t, i - 1, BEGINS_DECLARATION) &&
	       !c_tokens_in(t, i - 1, BEGINS_OTHER) &&
	       !c_tokens_in(t, i - 2, " struct enum union ");
}

static void find_operator(struct finder *f, size_t i)
{
	static const struct {
		const char *before, *after, *kind;
		bool joins; /* has another meaning before its first operand */
	} swaps[] = {
		{"+", "-", "arithmetic", true},	      {"-", "+", "arithmetic", true},
		{"*", "/", "arithmetic", true},	      {"/", "*", "arithmetic", true},
		{"%", "*", "arithmetic", true},	      {"+=", "-=", "arithmetic", false},
		{"-=", "+=", "arithmetic", false},    {"*=", "/=", "arithmetic", false},
		{"/=", "*=", "arithmetic", false},    {"<", "<=", "comparison", false},
		{"<=", "<", "comparison", false},     {">", ">=", "comparison", false},
		{">=", ">", "comparison", false},     {"==", "!=", "comparison", false},
		{"!=", "==", "comparison", false},    {"&&", "||", "and/or", false},
		{"||", "&&", "and/or", false},	      {"!", "", "negation removed", false},
		{"true", "false", "constant", false}, {"false", "true", "constant", false},
	};

	for (size_t s = 0; s < sizeof swaps / sizeof *swaps; s++) {
		if (c_tokens_is(f->t, i, swaps[s].before) &&
		    (!swaps[s].joins || value_before(f->t, i)))
			add_replaced(f, swaps[s].kind, i, i, swaps[s].after);
	}
}

/* type name[3]: more room changes nothing. */
static bool is_array_size(const struct c_tokens *t, size_t i)
{
	return i >= 3 && c_tokens_is(t, i - 1, "[") && c_tokens_is(t, i + 1, "]") &&
	       t->token[i - 2].kind == TOKEN_WORD &&
	       (c_tokens_in(t, i - 3, TYPES) || c_tokens_in(t, i - 4, " struct enum union "));
}

/* 0 -> 1, 3 -> (3 + 1), 1e-3 -> (2 * 1e-3) */
static void find_constant(struct finder *f, size_t i)
{
	const struct c_tokens *t = f->t;
	const struct token *k = &t->token[i];
	const char *text = t->source + k->at;
	bool hex = k->len > 1 && (text[1] == 'x' || text[1] == 'X');
	bool real = !hex && strcspn(text, ".eE") < k->len;

	if (k->kind != TOKEN_NUMBER || i < f->allocation_ends || is_array_size(t, i) ||
	    (c_tokens_is(t, i - 1, "{") && c_tokens_is(t, i + 1, "}")))
		return;
	if (strtod(text, NULL) == 0)
		add_replaced(f, "constant", i, i, "1");
	else if (real)
		add_wrapped(f, "constant", i, i, "(2 * ", ")");
	else
		add_wrapped(f, "constant", i, i, "(", " + 1)");
}

/* if (x) -> if (!(x)); while likewise. And where a statement begins after if, for, switch. */
static void find_condition(struct finder *f, size_t i)
{
	const struct c_tokens *t = f->t;
	size_t open = i + 1, close;

	if (!c_tokens_in(t, i, " if while for switch ") || !c_tokens_is(t, open, "("))
		return;
	close = t->token[open].match;
	f->begins[close + 1] = true;
	if (c_tokens_in(t, i, " if while "))
		add_wrapped(f, "condition negated", open, close, "(!", ")");
}

/* The semicolon that ends what begins at token i; t->n if a brace closes before. */
static size_t statement_end(const struct c_tokens *t, size_t i)
{
	for (; i < t->n && !c_tokens_is(t, i, ";"); i++) {
		if (t->token[i].match < i)
			return t->n;
		i = t->token[i].match;
	}
	return i;
}

static bool assigns(const struct c_tokens *t, size_t i, size_t end)
{
	for (; i < end; i++) {
		if (c_tokens_in(t, i, ASSIGNS))
			return true;
		i = t->token[i].match;
	}
	return false;
}

static void find_return(struct finder *f, size_t i)
{
	const struct c_tokens *t = f->t;
	size_t end = statement_end(t, i);

	if (end == t->n || end == i + 1)
		return;
	if (end == i + 2 && c_tokens_in(t, i + 1, " 0 NULL false ERR_OK "))
		add_replaced(f, "returned value", i + 1, end - 1, "1");
	else
		add_replaced(f, "returned value", i + 1, end - 1, "0");
}

static void find_statement(struct finder *f, size_t i)
{
	const struct c_tokens *t = f->t;
	size_t end;
	bool declares;

	if (c_tokens_in(t, i, " break continue ")) {
		add_replaced(f, "jump removed", i, i, "");
		return;
	}
	if (c_tokens_is(t, i, "return")) {
		find_return(f, i);
		return;
	}
	/* name name is a declaration whatever the type; (void)x says that x is not used */
	declares = c_tokens_in(t, i, BEGINS_DECLARATION) ||
		   (t->token[i].kind == TOKEN_WORD && i + 1 < t->n &&
		    t->token[i + 1].kind == TOKEN_WORD);
	if (declares || c_tokens_in(t, i, BEGINS_OTHER) ||
	    (c_tokens_is(t, i, "(") && c_tokens_is(t, i + 1, "void")) ||
	    (t->token[i].kind == TOKEN_SIGN && !c_tokens_in(t, i, " * ( ++ -- ")))
		return;
	end = statement_end(t, i);
	if (end == t->n || end == i)
		return;
	add_replaced(f, assigns(t, i, end) ? "assignment removed" : "call removed", i, end - 1, "");
}

/* A statement may begin after ; { } else do and a label, and where find_condition() said. */
static void mark_beginning(struct finder *f, size_t i)
{
	const struct c_tokens *t = f->t;

	if (c_tokens_in(t, i, " case default ")) {
		for (f->label_colon = i + 1; f->label_colon < t->n; f->label_colon++) {
			if (c_tokens_is(t, f->label_colon, ":"))
				break;
		}
	} else if (f->begins[i] && t->token[i].kind == TOKEN_WORD && c_tokens_is(t, i + 1, ":")) {
		f->label_colon = i + 1;
	}
	if (c_tokens_in(t, i, " ; { } else do ") || (i > 0 && i == f->label_colon))
		f->begins[i + 1] = true;
}

static size_t walk(struct finder *f)
{
	const struct c_tokens *t = f->t;
	size_t function_ends = 0, brackets_end = 0;

	f->n = 0;
	f->allocation_ends = f->label_colon = 0;
	memset(f->begins, 0, (t->n + 2) * sizeof *f->begins);
	for (size_t i = 0; i < t->n; i++) {
		if (c_tokens_in(t, i, " assert static_assert ") && c_tokens_is(t, i + 1, "(")) {
			i = t->token[i + 1].match;
			continue;
		}
		if (c_tokens_in(t, i, ALLOCATES) && c_tokens_is(t, i + 1, "("))
			f->allocation_ends = t->token[i + 1].match;
		if (i >= function_ends && c_tokens_is(t, i, "{") && i > 0 &&
		    c_tokens_is(t, i - 1, ")"))
			function_ends = t->token[i].match;
		if (c_tokens_is(t, i, "(") && t->token[i].match > brackets_end)
			brackets_end = t->token[i].match;
		mark_beginning(f, i);
		find_condition(f, i);
		if (i < function_ends && i >= brackets_end && f->begins[i])
			find_statement(f, i);
		find_operator(f, i);
		find_constant(f, i);
	}
	return f->n;
}

/* All of a source, in its order. Left alone, because no test could tell: comments, texts,
 * preprocessor lines, assertions, {0}, the sizes of arrays, and how much more than needed is
 * allocated. false: no memory. The caller frees *out. */
static bool mutants_find(const struct c_tokens *t, struct mutant **out, size_t *n)
{
	struct finder f = {.t = t, .begins = calloc(t->n + 2, sizeof *f.begins)};
	struct mutant *list = NULL;

	if (f.begins)
		list = calloc(walk(&f) + 1, sizeof *list);
	if (list) {
		f.list = list;
		*n = walk(&f);
		*out = list;
	}
	free(f.begins);
	return list != NULL;
}

struct source {
	const char *path;
	char *text;
	struct mutant *mutant;
	size_t n;
};

static _Noreturn void die(const char *path, const char *why)
{
	fprintf(stderr, "mutate: %s: %s\n", path, why);
	exit(2);
}

static char *read_text(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text;
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET))
		die(path, "cannot be read");
	text = malloc((size_t)size + 1);
	if (!text || fread(text, 1, (size_t)size, f) != (size_t)size)
		die(path, "cannot be read");
	fclose(f);
	text[size] = '\0';
	return text;
}

static struct source read_source(const char *path)
{
	struct source s = {.path = path, .text = read_text(path)};
	struct c_tokens t;

	if (!c_tokens_read(s.text, &t) || !mutants_find(&t, &s.mutant, &s.n))
		die(path, "its brackets do not match");
	free(t.token);
	return s;
}

static void free_source(struct source *s)
{
	free(s->text);
	free(s->mutant);
}

/* The bytes as one line of a table: white space of any length is one blank. */
static void put_line(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!strchr(" \t\n", text[i]))
			putchar(text[i]);
		else if (i > 0 && !strchr(" \t\n", text[i - 1]))
			putchar(' ');
	}
}

static void put_row(const struct source *s, size_t i)
{
	const struct mutant *m = &s->mutant[i];

	printf("%s\t%zu\t%zu\t%s\t", s->path, i, m->line, m->kind);
	put_line(s->text + m->at, m->len);
	printf("\t%s", m->put_before);
	if (m->keeps)
		put_line(s->text + m->at, m->len);
	printf("%s\n", m->put_after);
}

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void list(uint64_t seed, char **path, size_t n_files)
{
	struct source *s = calloc(n_files + 1, sizeof *s);
	struct place {
		size_t file, mutant;
	} * order;
	size_t n = 0;

	if (!s)
		die(path[0], "no memory");
	for (size_t f = 0; f < n_files; f++) {
		s[f] = read_source(path[f]);
		n += s[f].n;
	}
	order = calloc(n + 1, sizeof *order);
	if (!order)
		die(path[0], "no memory");
	n = 0;
	for (size_t f = 0; f < n_files; f++) {
		for (size_t m = 0; m < s[f].n; m++)
			order[n++] = (struct place){f, m};
	}
	/* Fisher and Yates; 64 bits leave no bias that could be seen in so few */
	for (size_t i = n; i > 1; i--) {
		size_t j = splitmix64(&seed) % i;
		struct place keep = order[i - 1];

		order[i - 1] = order[j];
		order[j] = keep;
	}
	for (size_t i = 0; i < n; i++)
		put_row(&s[order[i].file], order[i].mutant);
	for (size_t f = 0; f < n_files; f++)
		free_source(&s[f]);
	free(s);
	free(order);
}

static void make(const char *path, const char *number)
{
	struct source s = read_source(path);
	size_t i = strtoul(number, NULL, 10), end;
	const struct mutant *m;

	if (i >= s.n)
		die(path, "has not so many mutants");
	m = &s.mutant[i];
	end = m->at + m->len;
	fwrite(s.text, 1, m->at, stdout);
	fputs(m->put_before, stdout);
	/* what goes leaves its lines: assertions name theirs */
	for (size_t at = m->at; at < end; at++) {
		if (m->keeps || s.text[at] == '\n')
			putchar(s.text[at]);
	}
	fputs(m->put_after, stdout);
	fputs(s.text + end, stdout);
	free_source(&s);
}

int main(int argc, char **argv)
{
	if (argc >= 4 && strcmp(argv[1], "list") == 0) {
		list(strtoull(argv[2], NULL, 10), argv + 3, (size_t)argc - 3);
	} else if (argc == 4 && strcmp(argv[1], "make") == 0) {
		make(argv[2], argv[3]);
	} else {
		fputs("usage: mutate list SEED FILE...\n       mutate make FILE NUMBER\n", stderr);
		return 2;
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
