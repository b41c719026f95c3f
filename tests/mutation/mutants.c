#include "tests/mutation/mutants.h"

#include <stdlib.h>
#include <string.h>

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

bool mutants_find(const struct c_tokens *t, struct mutant **out, size_t *n)
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
