#include "ingest/header_name.h"

#include <stddef.h>
#include <string.h>

#include "ingest/cell_unit.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* text[0..len-1] without blanks at its ends, into buf. */
static bool copy_trimmed(const char *text, size_t len, char *buf, size_t size)
{
	while (len > 0 && is_blank(text[0])) {
		text++;
		len--;
	}
	while (len > 0 && is_blank(text[len - 1]))
		len--;
	if (len >= size)
		return false;
	memcpy(buf, text, len);
	buf[len] = '\0';
	return true;
}

/* "time [ms]" -> "time", "ms". */
static void cut_bracketed_unit(struct header_name *h)
{
	size_t len = strlen(h->stem);
	const char *open;

	if (len == 0 || !strchr("])", h->stem[len - 1]))
		return;
	open = strrchr(h->stem, h->stem[len - 1] == ']' ? '[' : '(');
	if (!open ||
	    !copy_trimmed(open + 1, len - (size_t)(open - h->stem) - 2, h->unit, sizeof h->unit))
		return;
	h->bracketed = true;
	len = (size_t)(open - h->stem);
	while (len > 0 && (is_blank(h->stem[len - 1]) || h->stem[len - 1] == '_'))
		len--;
	h->stem[len] = '\0';
}

/* "time_ms" -> "time", "ms". */
static void cut_unit_suffix(struct header_name *h)
{
	char *last = strrchr(h->stem, '_');

	if (!last || last == h->stem || strlen(last + 1) >= sizeof h->unit)
		return;
	if (!cell_unit_known(last + 1))
		return;
	strcpy(h->unit, last + 1);
	*last = '\0';
}

/* "mean_time", "time median", "avg time" -> "time". */
static void cut_statistic(struct header_name *h)
{
	static const struct {
		const char *word;
		enum header_statistic statistic;
	} known[] = {
		{"mean", STATISTIC_MEAN},
		{"avg", STATISTIC_MEAN},
		{"average", STATISTIC_MEAN},
		{"median", STATISTIC_MEDIAN},
	};
	size_t len = strlen(h->stem);

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		size_t n = strlen(known[i].word);

		if (len <= n + 1)
			continue;
		if (strncmp(h->stem, known[i].word, n) == 0 && strchr("_ ", h->stem[n])) {
			memmove(h->stem, h->stem + n + 1, len - n);
			h->statistic = known[i].statistic;
			return;
		}
		if (strcmp(h->stem + len - n, known[i].word) == 0 &&
		    strchr("_ ", h->stem[len - n - 1])) {
			h->stem[len - n - 1] = '\0';
			h->statistic = known[i].statistic;
			return;
		}
	}
}

bool header_name_read(const char *header, struct header_name *out)
{
	struct header_name h = {.statistic = STATISTIC_NONE};

	if (!copy_trimmed(header, strlen(header), h.stem, sizeof h.stem))
		return false;
	cut_bracketed_unit(&h);
	if (!h.bracketed)
		cut_unit_suffix(&h);
	for (char *p = h.stem; *p; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	cut_statistic(&h);
	/* "time_s_mean" has its unit before the statistic. */
	if (h.statistic != STATISTIC_NONE && !*h.unit)
		cut_unit_suffix(&h);
	*out = h;
	return true;
}
