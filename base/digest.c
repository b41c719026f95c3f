#include "base/digest.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#include <nettle/sha2.h>

/* Nettle's, because it uses the instructions that most processors have for this today: six times as
 * fast as a loop in C, and imports are hashed before they are read. */
struct digest {
	struct sha256_ctx ctx;
};

struct digest *digest_new(void)
{
	struct digest *d = malloc(sizeof *d);

	if (d)
		sha256_init(&d->ctx);
	return d;
}

void digest_update(struct digest *d, const void *data, size_t len)
{
	if (len > 0)
		sha256_update(&d->ctx, len, data);
}

void digest_final(struct digest *d, char hex[DIGEST_HEX_SIZE])
{
	static const char digit[] = "0123456789abcdef";
	uint8_t sum[SHA256_DIGEST_SIZE];

	sha256_digest(&d->ctx, sizeof sum, sum); /* which begins anew as well */
	for (size_t i = 0; i < sizeof sum; i++) {
		hex[2 * i] = digit[sum[i] >> 4];
		hex[2 * i + 1] = digit[sum[i] & 15];
	}
	hex[DIGEST_HEX_SIZE - 1] = '\0';
}

void digest_free(struct digest *d)
{
	free(d);
}

void digest_text(const char *text, size_t len, char hex[DIGEST_HEX_SIZE])
{
	struct digest d;

	sha256_init(&d.ctx);
	digest_update(&d, text, len);
	digest_final(&d, hex);
}
