#ifndef API_CONFIG_ROWS_H
#define API_CONFIG_ROWS_H
/* Tables of configurations that a front end asks about row by row (`predict --from`): the reader is
 * that of ingest/ as it is. What is asked of a row is predict_answer.h or model_question.h. */
#include "ingest/config_reader.h"

#endif
