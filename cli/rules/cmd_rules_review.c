#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "api/rule_book.h"
#include "cli/frame/fold.h"
#include "cli/frame/progress_bar.h"
#include "cli/rules/rule_output.h"
#include "cli/rules/rules_actions.h"

/* ---- accept, refuse, note, undo ---- */

/* "refused: predictions and advice no longer follow it" */
static const char *rules_decision_means(enum kb_decision_kind kind)
{
	static const char *const meaning[] = {
		[DECISION_ACCEPT] = "accepted: preferred where rules disagree",
		[DECISION_REFUSE] = "refused: predictions and advice no longer follow it",
		[DECISION_NOTE] = "noted",
		[DECISION_UNDO] = "taken back",
	};

	return meaning[kind];
}

/* Is the rule accepted, or refused, by its own decision already? */
static bool rules_is_decided(const struct rule_view *v, enum kb_decision_kind kind)
{
	return v->verdict.decision && v->verdict.decision->kind == kind;
}

/* Put one decision on record (why may be NULL); the verdicts of the book follow. */
static enum err_code rules_decide(struct context *c, struct rule_book *b, const struct rule_view *v,
				  enum kb_decision_kind kind, const char *why, struct err *e)
{
	struct rule_subject s = {0};
	enum err_code rc;

	/* Somebody else may have decided the same since the book was read. */
	if ((rc = rule_subject_of(b, v, &s, e)) || (rc = kb_begin(c->session.kb, e)) ||
	    (rc = rule_book_judge(&c->session, b, e)))
		goto done;
	if (!rules_is_decided(v, kind) &&
	    (rc = rule_decide(&c->session, b, &s, kind, context_user(), why, e)))
		goto done;
	rc = kb_commit(c->session.kb, e);
done:
	kb_rollback(c->session.kb);
	rule_subject_release(&s);
	return rc;
}

/* "refuse by tester, WHEN": what an undo takes back. */
static void put_taken_back(const struct rule_book *b, const char *id, struct strbuf *said)
{
	const struct kb_decision *d = rule_standing_decision(b, id);

	if (d)
		strbuf_printf(said, ": the %s by %s of %s", kb_decision_name(d->kind), d->who,
			      d->decided_at);
}

static enum err_code decide_one(struct context *c, struct rule_book *b, const char *typed,
				enum kb_decision_kind kind, const char *why, struct strbuf *said,
				struct err *e)
{
	struct rule_subject s = {0};
	enum err_code rc = rule_subject_find(b, typed, kind, &s, e);

	if (rc)
		goto done;
	if (s.view && rules_is_decided(s.view, kind)) {
		strbuf_printf(said, "%s was %s already, by %s\n", s.id,
			      kb_rule_state_name(s.view->verdict.state),
			      s.view->verdict.decision->who);
		goto done;
	}
	strbuf_printf(said, "%s %s", s.id, rules_decision_means(kind));
	if (kind == DECISION_UNDO)
		put_taken_back(b, s.id, said);
	if ((rc = rule_decide(&c->session, b, &s, kind, context_user(), why, e)))
		goto done;
	if (kind == DECISION_UNDO && s.view)
		strbuf_printf(said, "; it is %s now", kb_rule_state_name(s.view->verdict.state));
	strbuf_puts(said, s.view ? "\n" : "; mining finds this rule no longer\n");
	text_put_wrapped(strbuf_text(&s.text), 4, said);
	if (kind == DECISION_REFUSE && s.view)
		rc = rule_put_twins(&c->session, b, s.view, said, e);
done:
	rule_subject_release(&s);
	return rc;
}

static void print_said(const struct context *c, const struct strbuf *said)
{
	struct strbuf safe = STRBUF_INIT;

	text_put_safe(&safe, strbuf_text(said), true);
	fputs(strbuf_text(&safe), c->out);
	strbuf_release(&safe);
}

/* All of the rules or none. */
static enum err_code decide(struct context *c, enum kb_decision_kind kind, size_t n,
			    const char *why, struct err *e)
{
	struct rule_book b = {0};
	struct strbuf said = STRBUF_INIT;
	enum err_code rc;

	if (n > 1 && !options_has(&c->opt, &opt_yes))
		return err_set(e, ERR_USAGE,
			       "that would %s %zu rules at once; repeat it with --yes",
			       kb_decision_name(kind), n);
	/* Begin, then read: what somebody else decides meanwhile is in the book. */
	if ((rc = kb_begin(c->session.kb, e)) || (rc = rule_book_open(c, &b, e)))
		goto done;
	for (size_t i = 0; i < n && !rc; i++)
		rc = decide_one(c, &b, c->operand[i], kind, why, &said, e);
	if (!rc && !(rc = kb_commit(c->session.kb, e)))
		print_said(c, &said);
done:
	kb_rollback(c->session.kb);
	rule_book_release(&b);
	strbuf_release(&said);
	return rc;
}

enum err_code rules_accept_run(struct context *c, struct err *e)
{
	return decide(c, DECISION_ACCEPT, c->n_operands, options_get(&c->opt, &opt_rules_why), e);
}

enum err_code rules_refuse_run(struct context *c, struct err *e)
{
	return decide(c, DECISION_REFUSE, c->n_operands, options_get(&c->opt, &opt_rules_why), e);
}

enum err_code rules_undo_run(struct context *c, struct err *e)
{
	return decide(c, DECISION_UNDO, c->n_operands, options_get(&c->opt, &opt_rules_why), e);
}

enum err_code rules_note_run(struct context *c, struct err *e)
{
	if (!c->operand[1][0])
		return err_set(e, ERR_USAGE, "say what: lemnos rules note %s \"...\"",
			       c->operand[0]);
	return decide(c, DECISION_NOTE, 1, c->operand[1], e);
}

/* Single keys from the terminal on standard input. Between rule_keys_open() and _close() it is in
 * raw mode: nothing is echoed, a key need not be followed by Return, and ^C is a key like others,
 * so that no signal can end the program before the terminal is as it was. */
struct rule_keys {
	struct termios before;
	bool raw;
};

enum { KEY_END = -1 }; /* end of input, the terminal went away */

/* ---- keys ---- */

enum { CTRL_C = 3, CTRL_D = 4, ESCAPE = 27 };

static enum err_code set_raw(struct rule_keys *k, struct err *e)
{
	struct termios raw = k->before;

	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw))
		return err_set(e, ERR_IO, "the terminal cannot be set to single keys: %s",
			       strerror(errno));
	k->raw = true;
	return ERR_OK;
}

/* Errors: USAGE (standard input or output is no terminal), IO. */
static enum err_code rule_keys_open(struct rule_keys *k, struct err *e)
{
	*k = (struct rule_keys){0};
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &k->before))
		return err_set(
			e, ERR_USAGE,
			"a review needs a terminal; without one: `lemnos rules --state new`, "
			"then `lemnos rules accept ID` or `refuse ID`");
	return set_raw(k, e);
}

/* May be called at any time, also twice. */
static void rule_keys_close(struct rule_keys *k)
{
	if (k->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &k->before);
	k->raw = false;
}

static enum err_code interrupted(struct err *e)
{
	return err_set(e, ERR_INTERRUPTED, "interrupted; what was decided until here is kept");
}

/* Is there a byte to read within so long? A signal that came just before poll() began is noticed
 * when the slice of time is over. */
static bool wait_for_byte(int ms)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&in, 1, ms) == 1;
}

static enum err_code next_byte(int *byte, struct err *e)
{
	unsigned char c;
	ssize_t n;

	do {
		while (!interrupts_seen() && !wait_for_byte(200))
			;
		if (interrupts_seen())
			return interrupted(e);
		n = read(STDIN_FILENO, &c, 1);
	} while (n < 0 && errno == EINTR);
	*byte = n == 1 ? c : KEY_END;
	return ERR_OK;
}

/* What follows an escape at once belongs to it: ESC [ A is an arrow, not an A for "accept". */
static void pass_over_sequence(void)
{
	char rest[16];

	while (wait_for_byte(20) && read(STDIN_FILENO, rest, sizeof rest) > 0)
		;
}

/* The next key; the sequences that arrow and function keys send are passed over. Errors:
 * INTERRUPTED (^C, or a signal). */
static enum err_code rule_keys_next(struct rule_keys *k, int *key, struct err *e)
{
	enum err_code rc;

	if (!k->raw && (rc = set_raw(k, e)))
		return rc;
	if ((rc = next_byte(key, e)))
		return rc;
	if (*key == CTRL_C)
		return interrupted(e);
	if (*key == CTRL_D)
		*key = KEY_END;
	if (*key == ESCAPE)
		pass_over_sequence();
	return ERR_OK;
}

/* A line of text, edited as the terminal does it; empty: none was wanted. Errors: INTERRUPTED. */
static enum err_code rule_keys_line(struct rule_keys *k, struct strbuf *line, struct err *e)
{
	int byte = 0;
	enum err_code rc = ERR_OK;

	rule_keys_close(k);
	strbuf_clear(line);
	while (!(rc = next_byte(&byte, e)) && byte != '\n' && byte != '\r' && byte != KEY_END)
		strbuf_putc(line, (char)byte);
	if (rc)
		return rc;
	return line->failed ? err_set(e, ERR_NOMEM, "a line of text") : set_raw(k, e);
}

/* ---- review ---- */

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

			if (v->verdict.state == RULE_STATE_NEW &&
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

static enum err_code record(struct review *w, enum kb_decision_kind kind, const char *why,
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
		rc = record(w, DECISION_NOTE, strbuf_text(&line), e);
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
			if (!(rc = record(w, DECISION_ACCEPT, NULL, e)))
				move(w, 1);
			break;
		case 'r':
			if (!(rc = record(w, DECISION_REFUSE, NULL, e)))
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
		n += w->item[i]->verdict.state == RULE_STATE_NEW;
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
