#include "cli/frame/fold.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text_form.h"

enum { MIN_WIDTH = 20, MAX_WIDTH = 10000 }; /* others are mistaken, or no width at all */

size_t fold_width(FILE *f)
{
	const char *given = getenv("COLUMNS");
	struct winsize size = {0};
	char *end = NULL;
	long columns = given ? strtol(given, &end, 10) : 0;

	if (given && end > given && !*end && columns >= MIN_WIDTH && columns <= MAX_WIDTH)
		return (size_t)columns;
	if (!isatty(fileno(f)) || ioctl(fileno(f), TIOCGWINSZ, &size) || size.ws_col < MIN_WIDTH)
		return 0;
	return size.ws_col;
}

/* Bytes of a colour's sequence that text begins with; 0: of none. */
static size_t sequence_length(const char *text)
{
	size_t n = 2;

	if (text[0] != '\033' || text[1] != '[')
		return 0;
	while (isdigit((unsigned char)text[n]) || text[n] == ';')
		n++;
	return text[n] == 'm' ? n + 1 : 0;
}

size_t fold_columns(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len;) {
		size_t skip = sequence_length(text + i);

		if (skip) {
			i += skip;
			continue;
		}
		n += ((unsigned char)text[i] & 0xC0) != 0x80;
		i++;
	}
	return n;
}

static size_t word_length(const char *text)
{
	return strcspn(text, " \n");
}

static bool is_number(const char *word)
{
	while (*word && strchr("(+-x", *word))
		word++;
	return isdigit((unsigned char)*word);
}

/* A number stays with what is counted or measured in it, and with the name before it, unless a
 * clause ends between them. */
static bool holds_next(const char *word, size_t len)
{
	if (len == 0 || word[len] != ' ' || strchr(" \n", word[len + 1]))
		return false;
	return !strchr(",;:)", word[len - 1]) && (is_number(word) || is_number(word + len + 1));
}

/* Bytes up to the next place where a line may be broken. glued: numbers hold what follows. */
static size_t part_length(const char *text, bool glued)
{
	size_t len = 0;

	for (;;) {
		size_t word = word_length(text + len);
		bool holds = glued && holds_next(text + len, word);

		len += word;
		if (!holds)
			return len;
		len++;
	}
}

size_t fold_widest_word(const char *text)
{
	size_t widest = 0;

	while (*text) {
		size_t len = part_length(text, true);
		size_t columns = fold_columns(text, len);

		if (columns > widest)
			widest = columns;
		text += len + strspn(text + len, " \n");
	}
	return widest;
}

size_t fold_line(const char *text, size_t width, const char **next)
{
	size_t len = strspn(text, " ");
	size_t first = part_length(text + len, true);
	/* Numbers in a row, wider than a line, are broken all the same. */
	bool glued = fold_columns(text, len + first) <= width;

	len += glued ? first : part_length(text + len, false);
	for (;;) {
		size_t blanks = strspn(text + len, " ");
		size_t part = part_length(text + len + blanks, glued);

		if (part == 0 || fold_columns(text, len + blanks + part) > width) {
			*next = text + len + blanks;
			return len;
		}
		len += blanks + part;
	}
}

/* At most `behind` blanks, and no more than leave room for the next word. */
static size_t beside_word(const char *line, size_t width, size_t behind)
{
	const size_t word = fold_columns(line, part_length(line, true));

	if (behind + word <= width)
		return behind;
	return word < width ? width - word : 0;
}

static void put_line(struct strbuf *out, const char *line, size_t width, size_t indent)
{
	size_t behind = strspn(line, " ") + indent;
	size_t beside = 0; /* blanks before this part */

	if (behind + MIN_WIDTH / 2 > width)
		behind = indent < width / 2 ? indent : 2;
	do {
		const char *next;
		size_t len = fold_line(line, width > beside ? width - beside : 1, &next);

		strbuf_printf(out, "%*s", (int)beside, "");
		strbuf_add(out, line, len);
		strbuf_putc(out, '\n');
		line = next;
		beside = beside_word(line, width, behind);
	} while (*line && *line != '\n');
}

void fold_put(struct strbuf *out, const char *text, size_t width, size_t indent)
{
	if (width == 0) {
		strbuf_puts(out, text);
		return;
	}
	while (*text) {
		size_t len = strcspn(text, "\n");

		if (fold_columns(text, len) <= width) {
			strbuf_add(out, text, len);
			strbuf_putc(out, '\n');
		} else {
			put_line(out, text, width, indent);
		}
		text += len;
		if (*text)
			text++;
		else if (out->len > 0 && !out->failed) /* the last line was not ended */
			out->buf[--out->len] = '\0';
	}
}

void fold_print(const char *text, FILE *f)
{
	struct strbuf folded = STRBUF_INIT;

	fold_put(&folded, text, fold_width(f), 2);
	fputs(folded.failed ? text : strbuf_text(&folded), f);
	strbuf_release(&folded);
}

enum { LINE_WIDTH = 80 };

static size_t line_width(void)
{
	size_t given = fold_width(stdout);

	return given > 0 && given < LINE_WIDTH ? given : LINE_WIDTH;
}

void text_put_wrapped(const char *text, size_t indent, struct strbuf *out)
{
	struct strbuf safe = STRBUF_INIT, line = STRBUF_INIT;

	text_put_safe(&safe, text, false);
	strbuf_printf(&line, "%*s%s\n", safe.len ? (int)indent : 0, "", strbuf_text(&safe));
	fold_put(out, strbuf_text(&line), line_width(), 0);
	out->failed = out->failed || safe.failed || line.failed;
	strbuf_release(&line);
	strbuf_release(&safe);
}
