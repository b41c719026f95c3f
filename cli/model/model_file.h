#ifndef CLI_MODEL_FILE_H
#define CLI_MODEL_FILE_H
#include "cli/model/model_options.h"
#include "cli/model/model_store.h"

/* `lemnos model run NAME --from FILE`: every row of a file of configurations comes back in order,
 * its text unchanged, with the model's time, its parts and Wg behind it (CSV unless --format says
 * otherwise). The costs are those of q's machine; a row that names another, or cannot be modelled,
 * has empty cells there and its reason on stderr.
 * store NULL: nothing is kept; else the modelled rows are added to it. Errors: PARSE (some row
 * could not be modelled: after the last row), those of config_reader_open(). */
enum err_code model_file_run(struct context *c, struct model_question *q, const char *path,
			     struct model_store *store, struct err *e);

#endif
