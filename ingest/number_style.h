#ifndef INGEST_NUMBER_STYLE_H
#define INGEST_NUMBER_STYLE_H
#include <stdbool.h>

/* How the numbers of one table are written. */
struct number_style {
	char decimal; /* '.' or ',' */
	bool grouped; /* the other of the two separates thousands; else it is refused */
};

/* As programs write numbers; a comma in one is refused. */
static const struct number_style number_style_plain = {'.', false};

static inline bool number_style_is_plain(struct number_style s)
{
	return s.decimal == '.' && !s.grouped;
}

#endif
