#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H
#include <stddef.h>

enum { DIGEST_HEX_SIZE = 65 }; /* 64 hex digits and the NUL */

/* SHA-256, incrementally. */
struct digest;
struct digest *digest_new(void); /* NULL: out of memory */
void digest_update(struct digest *d, const void *data, size_t len);
/* Writes the hex form and resets d for the next message. */
void digest_final(struct digest *d, char hex[DIGEST_HEX_SIZE]);
void digest_free(struct digest *d);

/* All in one call. */
void digest_text(const char *text, size_t len, char hex[DIGEST_HEX_SIZE]);

#endif
