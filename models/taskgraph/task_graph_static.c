
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "domain/expr.h"
#include "domain/template.h"
#include "models/taskgraph/task_graph_private.h"

enum { MAX_NESTING = 64 };

/* ---- the program ---- */

enum node_kind { NODE_STATEMENT, NODE_LET, NODE_FOR, NODE_IF, NODE_USE };

struct static_node {
	enum node_kind kind;
	size_t line;
	bool is_edge;	       /* a statement */
	struct template *text; /* a statement; of use what stands behind the graph's name */
	size_t slot;	       /* let, for: of their variable */
	struct expr *a, *b;    /* let: value; for: bounds; if: condition */
	struct graph *graph;   /* use */
	struct static_node *body, *other; /* for, if; else */
	struct static_node *next;
};

struct graph {
	char *name;
	size_t first_slot; /* of its parameters */
	size_t n_parameters;
	char **parameter;
	size_t nesting; /* graphs within graphs below it */
	struct static_node *body;
	struct graph *next;
};

struct static_program {
	char *origin;
	struct static_node *body;
	struct graph *graph; /* the last one first */
};

static void free_nodes(struct static_node *n)
{
	while (n) {
		struct static_node *next = n->next;

		template_free(n->text);
		expr_free(n->a);
		expr_free(n->b);
		free_nodes(n->body);
		free_nodes(n->other);
		free(n);
		n = next;
	}
}

void static_program_free(struct static_program *p)
{
	if (!p)
		return;
	free_nodes(p->body);
	while (p->graph) {
		struct graph *g = p->graph;

		p->graph = g->next;
		for (size_t i = 0; i < g->n_parameters; i++)
			free(g->parameter[i]);
		free(g->parameter);
		free(g->name);
		free_nodes(g->body);
		free(g);
	}
	free(p->origin);
	free(p);
}

/* ---- reading ---- */

/* An open block: where its next node goes. */
struct static_block {
	struct static_node **tail;
	struct static_node *owner; /* for, if; NULL: the program, or a graph */
	size_t n_names;		   /* in sight before it */
	bool has_else;
};

struct static_parser {
	struct static_program *p;
	const char *next, *end;
	size_t line;
	const char *name[STATIC_MAX_NAMES]; /* in sight; borrowed from `owned` */
	size_t n_names;
	char *owned[4096];
	size_t n_owned;
	struct static_block block[MAX_NESTING];
	size_t n_blocks;
	struct graph *in; /* the graph in hand */
	struct err *e;
};

static enum err_code fail(const struct static_parser *s, const char *what, const char *detail)
{
	return err_set(s->e, ERR_PARSE, "%s:%zu: %s%.200s", s->p->origin, s->line, what, detail);
}

static enum err_code no_memory(const struct static_parser *s)
{
	return err_set(s->e, ERR_NOMEM, "a static task graph");
}

/* A word at *text, which moves behind it and its blanks; NULL: there is none. The words of a line
 * are cut in place. */
static char *take_word(char **text)
{
	char *word = *text, *p = word;

	while (*p && *p != ' ')
		p++;
	while (*p == ' ')
		*p++ = '\0';
	*text = p;
	return *word ? word : NULL;
}

static enum err_code parse_expr(struct static_parser *s, const char *text, struct expr **out)
{
	const struct expr_scope scope = {.name = s->name, .n = s->n_names};
	struct err why = {0};
	enum err_code rc = expr_parse(text, &scope, out, &why);

	return rc == ERR_PARSE ? fail(s, why.msg, "") : rc ? err_set(s->e, rc, "%s", why.msg) : rc;
}

static enum err_code parse_template(struct static_parser *s, const char *text,
				    struct template **out)
{
	const struct expr_scope scope = {.name = s->name, .n = s->n_names};
	struct err why = {0};
	enum err_code rc = template_parse(text, &scope, out, &why);

	return rc == ERR_PARSE ? fail(s, why.msg, "") : rc ? err_set(s->e, rc, "%s", why.msg) : rc;
}

/* A name comes into sight. */
static enum err_code declare(struct static_parser *s, const char *name, size_t *slot)
{
	if (!name || !expr_is_name(name))
		return fail(s, "a name of letters, digits and _ belongs here, not ",
			    name ? name : "the end of the line");
	for (size_t i = 0; i < s->n_names; i++) {
		if (!strcasecmp(s->name[i], name)) /* as in expressions */
			return fail(s, "there is another one in sight called ", name);
	}
	if (s->n_names == STATIC_MAX_NAMES || s->n_owned == sizeof s->owned / sizeof s->owned[0])
		return fail(s, "too many names", "");
	s->owned[s->n_owned] = strdup(name);
	if (!s->owned[s->n_owned])
		return no_memory(s);
	*slot = s->n_names;
	s->name[s->n_names++] = s->owned[s->n_owned++];
	return ERR_OK;
}

static enum err_code add_node(struct static_parser *s, enum node_kind kind,
			      struct static_node **out)
{
	struct static_block *b = &s->block[s->n_blocks - 1];
	struct static_node *n = calloc(1, sizeof *n);

	if (!n)
		return no_memory(s);
	n->kind = kind;
	n->line = s->line;
	*b->tail = n;
	b->tail = &n->next;
	*out = n;
	return ERR_OK;
}

static enum err_code open_block(struct static_parser *s, struct static_node **tail,
				struct static_node *owner, size_t n_names)
{
	if (s->n_blocks == MAX_NESTING)
		return fail(s, "blocks within blocks: too deep", "");
	s->block[s->n_blocks++] =
		(struct static_block){.tail = tail, .owner = owner, .n_names = n_names};
	return ERR_OK;
}

static enum err_code read_let(struct static_parser *s, char *rest)
{
	char *name = take_word(&rest), *equals = take_word(&rest);
	struct static_node *n;
	enum err_code rc;

	if (!equals || strcmp(equals, "=") != 0)
		return fail(s, "write let NAME = EXPRESSION", "");
	if ((rc = add_node(s, NODE_LET, &n)) || (rc = parse_expr(s, rest, &n->a)))
		return rc;
	return declare(s, name, &n->slot);
}

static enum err_code read_for(struct static_parser *s, char *rest)
{
	char *name = take_word(&rest), *equals = take_word(&rest), *dots = strstr(rest, "..");
	size_t n_names = s->n_names;
	struct static_node *n;
	enum err_code rc;

	if (!equals || strcmp(equals, "=") != 0 || !dots)
		return fail(s, "write for NAME = FIRST .. LAST", "");
	*dots = '\0';
	if ((rc = add_node(s, NODE_FOR, &n)) || (rc = parse_expr(s, rest, &n->a)) ||
	    (rc = parse_expr(s, dots + 2, &n->b)) || (rc = declare(s, name, &n->slot)))
		return rc;
	return open_block(s, &n->body, n, n_names);
}

static enum err_code read_if(struct static_parser *s, const char *rest)
{
	struct static_node *n;
	enum err_code rc;

	if ((rc = add_node(s, NODE_IF, &n)) || (rc = parse_expr(s, rest, &n->a)))
		return rc;
	return open_block(s, &n->body, n, s->n_names);
}

static enum err_code read_else(struct static_parser *s)
{
	struct static_block *b = &s->block[s->n_blocks - 1];

	if (!b->owner || b->owner->kind != NODE_IF || b->has_else)
		return fail(s, "this else belongs to no if", "");
	b->has_else = true;
	b->tail = &b->owner->other;
	s->n_names = b->n_names;
	return ERR_OK;
}

static enum err_code read_end(struct static_parser *s)
{
	if (s->n_blocks == 1)
		return fail(s, "this end closes nothing", "");
	s->n_names = s->block[--s->n_blocks].n_names;
	if (s->n_blocks == 1)
		s->in = NULL;
	return ERR_OK;
}

static struct graph *find_graph(const struct static_program *p, const char *name)
{
	struct graph *g = p->graph;

	while (g && (!name || strcmp(g->name, name) != 0))
		g = g->next;
	return g;
}

static enum err_code read_graph(struct static_parser *s, char *rest)
{
	char *name = take_word(&rest), *parameter;
	size_t n_names = s->n_names, slot;
	struct graph *g;
	enum err_code rc;

	if (s->n_blocks > 1)
		return fail(s, "a graph stands outside of every for, if and graph", "");
	if (!name || !expr_is_name(name) || find_graph(s->p, name))
		return fail(s, "a graph has a name of its own, of letters, digits and _", "");
	g = calloc(1, sizeof *g);
	if (!g)
		return no_memory(s);
	g->next = s->p->graph;
	s->p->graph = s->in = g;
	g->first_slot = n_names;
	g->name = strdup(name);
	g->parameter = calloc(STATIC_MAX_NAMES, sizeof *g->parameter);
	if (!g->name || !g->parameter)
		return no_memory(s);
	while ((parameter = take_word(&rest))) {
		if ((rc = declare(s, parameter, &slot)))
			return rc;
		g->parameter[g->n_parameters] = strdup(parameter);
		if (!g->parameter[g->n_parameters])
			return no_memory(s);
		g->n_parameters++;
	}
	return open_block(s, &g->body, NULL, n_names);
}

static enum err_code read_use(struct static_parser *s, char *rest)
{
	char *name = take_word(&rest);
	struct graph *g = find_graph(s->p, name);
	struct static_node *n;
	enum err_code rc;

	if (!g || g == s->in)
		return fail(s, "no graph above is called ", name ? name : "so");
	if (s->in && s->in->nesting <= g->nesting)
		s->in->nesting = g->nesting + 1;
	if (g->nesting >= MAX_NESTING)
		return fail(s, "graphs within graphs: too deep", "");
	if ((rc = add_node(s, NODE_USE, &n)))
		return rc;
	n->graph = g;
	return parse_template(s, rest, &n->text);
}

static enum err_code read_statement(struct static_parser *s, const char *line, bool is_edge)
{
	struct static_node *n;
	enum err_code rc = add_node(s, NODE_STATEMENT, &n);

	if (rc)
		return rc;
	n->is_edge = is_edge;
	return parse_template(s, line, &n->text);
}

/* line: without comment and blanks around it. */
static enum err_code read_line(struct static_parser *s, char *line)
{
	char *rest = line + strcspn(line, " ");
	size_t len = (size_t)(rest - line);

	rest += strspn(rest, " ");
#define IS(word) (len == sizeof(word) - 1 && !memcmp(line, word, sizeof(word) - 1))
	if (IS("task") || IS("edge"))
		return read_statement(s, line, IS("edge"));
	if (IS("let"))
		return read_let(s, rest);
	if (IS("for"))
		return read_for(s, rest);
	if (IS("if"))
		return read_if(s, rest);
	if (IS("graph"))
		return read_graph(s, rest);
	if (IS("use"))
		return read_use(s, rest);
	if (!*rest && IS("else"))
		return read_else(s);
	if (!*rest && IS("end"))
		return read_end(s);
#undef IS
	return fail(s, "a line begins with task, edge, let, for, if, else, end, graph or use, not ",
		    line);
}

/* The comment goes, tabs become blanks, blanks at both ends go. */
static char *trim(char *line)
{
	bool quoted = false;
	char *p, *end;

	for (p = line; *p && (quoted || *p != '#'); p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (*p == '\\' && quoted && p[1])
			p++;
		else if (*p == '\t' || *p == '\r')
			*p = ' ';
	}
	*p = '\0';
	line += strspn(line, " ");
	for (end = line + strlen(line); end > line && end[-1] == ' ';)
		*--end = '\0';
	return line;
}

static enum err_code read_lines(struct static_parser *s)
{
	enum err_code rc = ERR_OK;

	for (; s->next < s->end && !rc; s->line++) {
		const char *end = memchr(s->next, '\n', (size_t)(s->end - s->next));
		size_t len = (size_t)((end ? end : s->end) - s->next);
		char *copy = malloc(len + 1), *line;

		if (!copy)
			return no_memory(s);
		memcpy(copy, s->next, len);
		copy[len] = '\0';
		s->next += len + 1;
		if (strlen(copy) < len)
			rc = fail(s, "byte 0x00: a task graph is UTF-8 text", "");
		line = trim(copy);
		if (!rc && *line)
			rc = read_line(s, line);
		free(copy);
	}
	if (!rc && s->n_blocks > 1)
		rc = fail(s, "an end is missing", "");
	return rc;
}

enum err_code static_program_parse(const char *text, size_t len, const char *origin, size_t line,
				   struct static_program **out, struct err *e)
{
	struct static_parser *s = calloc(1, sizeof *s);
	struct static_program *p = calloc(1, sizeof *p);
	enum err_code rc;

	if (!s || !p || !(p->origin = strdup(origin))) {
		rc = err_set(e, ERR_NOMEM, "a static task graph");
		goto done;
	}
	*s = (struct static_parser){
		.p = p, .next = text, .end = text + len, .line = line + 1, .e = e};
	if (!(rc = open_block(s, &p->body, NULL, 0)))
		rc = read_lines(s);
	for (size_t i = 0; i < s->n_owned; i++)
		free(s->owned[i]);
	if (!rc) {
		*out = p;
		p = NULL;
	}
done:
	static_program_free(p);
	free(s);
	return rc;
}

/* ---- unrolling ---- */

struct unroller {
	const struct static_program *p;
	bool edges;
	static_visit *visit;
	void *arg;
	size_t steps;
	struct err *e;
};

/* The names in sight, and the nodes around. */
struct frame {
	double value[STATIC_MAX_NAMES];
	char prefix[TASK_NAME_MAX + 1];
};

static enum err_code run_nodes(struct unroller *u, const struct static_node *n, struct frame *f);

static enum err_code refuse(const struct unroller *u, const struct static_node *n, const char *what)
{
	return err_set(u->e, ERR_PARSE, "%s:%zu: %s", u->p->origin, n->line, what);
}

static enum err_code fill(const struct unroller *u, const struct static_node *n,
			  const struct frame *f, struct strbuf *out)
{
	struct err why = {0};
	enum err_code rc = template_fill(n->text, f->value, TEMPLATE_FILE, out, &why);

	if (rc == ERR_ARG)
		return refuse(u, n, why.msg);
	if (rc || out->failed)
		return err_set(u->e, ERR_NOMEM, "a static task graph");
	return ERR_OK;
}

static enum err_code run_statement(struct unroller *u, const struct static_node *n,
				   const struct frame *f)
{
	struct strbuf text = STRBUF_INIT;
	enum err_code rc;

	if (n->is_edge != u->edges)
		return ERR_OK;
	if (!(rc = fill(u, n, f, &text)))
		rc = u->visit(u->arg, strbuf_text(&text), text.len, f->prefix, n->line, u->e);
	strbuf_release(&text);
	return rc;
}

static enum err_code run_for(struct unroller *u, const struct static_node *n, struct frame *f)
{
	double first = expr_eval(n->a, f->value), last = expr_eval(n->b, f->value);
	enum err_code rc = ERR_OK;

	if (!(floor(first) == first && floor(last) == last && fabs(first) < 1e15 &&
	      fabs(last) < 1e15))
		return refuse(u, n, "the bounds of a for are whole numbers");
	for (double x = first; x <= last && !rc; x++) {
		if (++u->steps > STATIC_MAX_STEPS)
			return refuse(u, n, "unrolled, this graph is too large");
		f->value[n->slot] = x;
		rc = run_nodes(u, n->body, f);
	}
	return rc;
}

/* PARAMETER=VALUE of the line in x. */
static enum err_code read_parameters(const struct unroller *u, const struct static_node *n,
				     struct task_lexer *x, struct frame *inner)
{
	const struct graph *g = n->graph;
	bool given[STATIC_MAX_NAMES] = {false};
	struct task_word w;
	size_t n_given = 0;

	for (task_lexer_word(x, &w); w.len > 0; task_lexer_word(x, &w)) {
		size_t len = w.equals ? (size_t)(w.equals - w.at) : 0, i = 0;
		char number[64] = "";

		while (i < g->n_parameters &&
		       (strlen(g->parameter[i]) != len || memcmp(g->parameter[i], w.at, len) != 0))
			i++;
		if (!w.equals || i == g->n_parameters || given[i])
			return refuse(u, n, "a graph is used with each of its parameters once");
		if (w.len - len - 1 < sizeof number)
			memcpy(number, w.equals + 1, w.len - len - 1);
		if (number_parse(number, &inner->value[g->first_slot + i], NULL))
			return refuse(u, n, "the value of a parameter is a number");
		given[i] = true;
		n_given++;
	}
	if (n_given < g->n_parameters)
		return refuse(u, n, "a graph is used with each of its parameters once");
	return x->rc;
}

static enum err_code run_use(struct unroller *u, const struct static_node *n, const struct frame *f)
{
	struct frame *inner = malloc(sizeof *inner);
	struct strbuf text = STRBUF_INIT;
	struct task_lexer x;
	struct task_word name;
	enum err_code rc;

	if (!inner)
		return err_set(u->e, ERR_NOMEM, "a static task graph");
	if ((rc = fill(u, n, f, &text)))
		goto done;
	x = (struct task_lexer){.origin = u->p->origin,
				.next = strbuf_text(&text),
				.end = strbuf_text(&text) + text.len,
				.e = u->e};
	if (!task_lexer_line(&x)) {
		rc = refuse(u, n, "write use GRAPH NODE PARAMETER=VALUE...");
		goto done;
	}
	x.line = n->line;
	task_lexer_word(&x, &name);
	*inner = *f;
	if (x.rc)
		rc = x.rc;
	else if (name.len == 0 || name.equals)
		rc = refuse(u, n, "the name of the node belongs after that of its graph");
	else if (snprintf(inner->prefix, sizeof inner->prefix, "%s%s/", f->prefix, name.name) >=
		 (int)sizeof inner->prefix)
		rc = refuse(u, n, "a name of more than 255 bytes");
	else if (!(rc = read_parameters(u, n, &x, inner)))
		rc = run_nodes(u, n->graph->body, inner);
done:
	strbuf_release(&text);
	free(inner);
	return rc;
}

static enum err_code run_nodes(struct unroller *u, const struct static_node *n, struct frame *f)
{
	enum err_code rc = ERR_OK;

	for (; n && !rc; n = n->next) {
		if (++u->steps > STATIC_MAX_STEPS)
			return refuse(u, n, "unrolled, this graph is too large");
		switch (n->kind) {
		case NODE_STATEMENT:
			rc = run_statement(u, n, f);
			break;
		case NODE_LET:
			f->value[n->slot] = expr_eval(n->a, f->value);
			break;
		case NODE_FOR:
			rc = run_for(u, n, f);
			break;
		case NODE_IF:
			rc = run_nodes(u, expr_holds(n->a, f->value) ? n->body : n->other, f);
			break;
		case NODE_USE:
			rc = run_use(u, n, f);
			break;
		}
	}
	return rc;
}

enum err_code static_program_run(const struct static_program *p, bool edges, static_visit *visit,
				 void *arg, struct err *e)
{
	struct unroller u = {.p = p, .edges = edges, .visit = visit, .arg = arg, .e = e};
	struct frame f = {.prefix = ""};

	return run_nodes(&u, p->body, &f);
}
