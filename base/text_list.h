#ifndef BASE_TEXT_LIST_H
#define BASE_TEXT_LIST_H
#include <stdbool.h>
#include <stddef.h>

/* Lists of texts that end with NULL; the list itself may be NULL and is empty then. */
size_t text_list_length(const char *const *list);
/* Upper and lower case are the same. */
bool text_list_has(const char *const *list, const char *text);

#endif
