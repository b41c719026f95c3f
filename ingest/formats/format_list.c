#include "ingest/formats/foreign_format.h"

#include <string.h>

#define ADDRESS(name) &format_##name,
static const struct foreign_format *const formats[] = {FOREIGN_FORMAT_MAP(ADDRESS)};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const struct foreign_format *foreign_format_recognise(const char *head, size_t n, bool whole)
{
	for (size_t i = 0; i < N_FORMATS; i++) {
		if (formats[i]->recognise(head, n, whole))
			return formats[i];
	}
	return NULL;
}

const struct foreign_format *foreign_format_find(const char *name)
{
	for (size_t i = 0; i < N_FORMATS; i++) {
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	}
	return NULL;
}

const struct foreign_format *foreign_format_at(size_t i)
{
	return i < N_FORMATS ? formats[i] : NULL;
}
