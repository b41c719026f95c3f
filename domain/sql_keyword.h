#ifndef DOMAIN_SQL_KEYWORD_H
#define DOMAIN_SQL_KEYWORD_H
#include <stdbool.h>

/* Must this name be "quoted" in SQLite: a keyword, or no plain identifier? */
bool sql_name_needs_quotes(const char *name);

#endif
