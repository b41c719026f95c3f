#ifndef INGEST_CONFIG_READER_H
#define INGEST_CONFIG_READER_H
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "domain/application.h"

/* A table of configurations to ask about: every record in order, its text unchanged. */
struct config_reader;
enum err_code config_reader_open(const char *path, const struct application *a,
				 struct config_reader **out, struct err *e);
/* The header line as it stands in the file (without line end). */
const char *config_reader_header(const struct config_reader *r);
/* What stands between its columns. */
char config_reader_delimiter(const struct config_reader *r);
/* Next record: *raw is its text, row the values (not derived), *machine the machine column's value
 * or NULL; *bad is NULL or the reason why the row is invalid ("FILE:line: column: ..."). At the end
 * *raw is NULL. Pointers are good until the next call. */
enum err_code config_reader_next(struct config_reader *r, const char **raw, double *row,
				 const char **machine, const char **bad, struct err *e);
/* Where that record begins, for messages: the file's name ("stdin") and the line. */
const char *config_reader_name(const struct config_reader *r);
uint64_t config_reader_line(const struct config_reader *r);
void config_reader_close(struct config_reader *r);

#endif
