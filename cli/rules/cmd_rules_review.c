#include <ctype.h>
#include <stdlib.h>

#include "cli/rules/rule_evidence.h"
#include "cli/rules/rule_keys.h"
#include "cli/rules/rules_actions.h"

/* A walk through the rules that nobody has decided upon, those to look at again first. Each
 * decision is committed before the next key is read, so that ending it at any point loses nothing.
 */
struct review {
	struct context *c;
	struct rule_book book;
	struct rule_view **item; /* points into the book */
	size_t n, at;
	size_t n_decided;
	struct rule_keys keys;
};

static const char help_text[] =
	"  a accept    r refuse    n note (a line of text)    s skip\n"
	"  b back      q quit      ? this help\n"
	"  Each decision is kept at once; `lemnos rules undo ID` takes it back.\n";

static enum err_code choose_rules(struct review *w, struct err *e)
{
	w->item = calloc(w->book.n + 1, sizeof(struct rule_view *));
	if (!w->item)
		return err_set(e, ERR_NOMEM, "%zu rules", w->book.n);
	for (int again = 1; again >= 0; again--) {
		for (size_t i = 0; i < w->book.n; i++) {
			struct rule_view *v = &w->book.item[i];

			if (v->verdict.state == VERDICT_NEW &&
			    (v->verdict.look_again != NULL) == (again == 1))
				w->item[w->n++] = v;
		}
	}
	return ERR_OK;
}

static enum err_code show(const struct review *w, struct err *e)
{
	const struct rule_view *v = w->item[w->at];
	struct strbuf text = STRBUF_INIT;
	enum err_code rc = ERR_OK;

	strbuf_printf(&text, "\n[%zu of %zu] ", w->at + 1, w->n);
	rule_put_head(v, &text);
	rule_put_evidence(&w->book, v, &text);
	rule_put_decisions(&w->book, v->rule, &text);
	if (text.failed)
		rc = err_set(e, ERR_NOMEM, "rule %s", v->rule->id);
	else
		fputs(strbuf_text(&text), w->c->out);
	strbuf_release(&text);
	return rc;
}

static enum err_code decide(struct review *w, enum kb_decision_kind kind, const char *why,
			    struct err *e)
{
	struct rule_view *v = w->item[w->at];
	enum err_code rc;

	if (rules_is_decided(v, kind)) {
		fputs("so it is already\n", w->c->out);
		return ERR_OK;
	}
	if ((rc = rules_decide(w->c, &w->book, v, kind, why, e)))
		return rc;
	fprintf(w->c->out, "%s %s\n", v->rule->id, rules_decision_means(kind));
	w->n_decided++;
	return ERR_OK;
}

static enum err_code take_note(struct review *w, struct err *e)
{
	struct strbuf line = STRBUF_INIT;
	enum err_code rc;

	fputs("note: ", w->c->out);
	fflush(w->c->out);
	rc = rule_keys_line(&w->keys, &line, e);
	if (!rc && line.len > 0)
		rc = decide(w, DECISION_NOTE, strbuf_text(&line), e);
	else if (!rc)
		fputs("no note\n", w->c->out);
	strbuf_release(&line);
	return rc;
}

/* Move on by so many rules; before the first there is none. */
static void move(struct review *w, int by)
{
	if (by > 0 || w->at > 0)
		w->at += (size_t)(by > 0 ? 1 : -1);
	else
		fputs("this is the first\n", w->c->out);
}

/* Ask until a key moves on, or ends it all. */
static enum err_code ask(struct review *w, bool *quit, struct err *e)
{
	size_t at = w->at;
	int key;
	enum err_code rc = ERR_OK;

	while (!rc && !*quit && w->at == at) {
		fputs("a/r/n/s/b/q/? ", w->c->out);
		fflush(w->c->out);
		if ((rc = rule_keys_next(&w->keys, &key, e)))
			break;
		fprintf(w->c->out, "%c\n", isgraph(key) ? key : ' ');
		switch (key) {
		case 'a':
			if (!(rc = decide(w, DECISION_ACCEPT, NULL, e)))
				move(w, 1);
			break;
		case 'r':
			if (!(rc = decide(w, DECISION_REFUSE, NULL, e)))
				move(w, 1);
			break;
		case 'n':
			rc = take_note(w, e);
			break;
		case 's':
			move(w, 1);
			break;
		case 'b':
			move(w, -1);
			break;
		case 'q':
		case KEY_END:
			*quit = true;
			break;
		default:
			fputs(help_text, w->c->out);
		}
	}
	return rc;
}

static size_t count_new(const struct review *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += w->item[i]->verdict.state == VERDICT_NEW;
	return n;
}

static enum err_code walk(struct review *w, struct err *e)
{
	bool quit = false;
	enum err_code rc = rule_keys_open(&w->keys, e);

	if (rc)
		return rc;
	if (w->n > 0)
		fputs(help_text, w->c->out);
	while (!rc && !quit && w->at < w->n) {
		if (!(rc = show(w, e)))
			rc = ask(w, &quit, e);
	}
	rule_keys_close(&w->keys);
	if (rc)
		fputc('\n', w->c->out);
	fprintf(w->c->out, "decisions: %zu; rules still new: %zu\n", w->n_decided, count_new(w));
	return rc;
}

enum err_code rules_review_run(struct context *c, struct err *e)
{
	struct review w = {.c = c};
	struct rule_filter f;
	enum err_code rc;

	if ((rc = rule_book_open(c, &w.book, e)) || (rc = rule_filter_read(c, w.book.app, &f, e)))
		goto done;
	rule_book_keep(&w.book, &f);
	rule_book_warn_stale(c, &w.book);
	if (w.book.n == 0)
		rules_say_how_many(c, &w.book, 0);
	if (!(rc = choose_rules(&w, e)))
		rc = walk(&w, e);
done:
	free(w.item);
	rule_book_release(&w.book);
	return rc;
}
