#ifndef TESTS_FAULTS_BASE_DIGEST_H
#define TESTS_FAULTS_BASE_DIGEST_H
#include <stdbool.h>
#include <stdint.h>

/* What a knowledge base holds, as one number: schema and all rows of all tables, in their order.
 * 0 when there is no file or nothing in it. Opening it completes or takes back what a program that
 * died had begun. False: it cannot be read, or it is not sound (*why says so; static storage). */
bool base_digest(const char *path, uint64_t *digest, const char **why);

/* The first column of the first row as text; "" when there is none. Up to size - 1 bytes. */
bool base_text(const char *path, const char *sql, char *text, int size);

#endif
