#include "base/text_list.h"

#include <strings.h>

size_t text_list_length(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

bool text_list_has(const char *const *list, const char *text)
{
	for (; list && *list; list++) {
		if (strcasecmp(*list, text) == 0)
			return true;
	}
	return false;
}
