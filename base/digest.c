#include "base/digest.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#include <sha2.h>

struct digest {
	SHA2_CTX ctx;
};

struct digest *digest_new(void)
{
	struct digest *d = malloc(sizeof *d);

	if (d)
		SHA256Init(&d->ctx);
	return d;
}

void digest_update(struct digest *d, const void *data, size_t len)
{
	if (len > 0)
		SHA256Update(&d->ctx, data, len);
}

void digest_final(struct digest *d, char hex[DIGEST_HEX_SIZE])
{
	static const char digit[] = "0123456789abcdef";
	uint8_t sum[SHA256_DIGEST_LENGTH];

	SHA256Final(sum, &d->ctx);
	for (size_t i = 0; i < sizeof sum; i++) {
		hex[2 * i] = digit[sum[i] >> 4];
		hex[2 * i + 1] = digit[sum[i] & 15];
	}
	hex[DIGEST_HEX_SIZE - 1] = '\0';
	SHA256Init(&d->ctx);
}

void digest_free(struct digest *d)
{
	free(d);
}

void digest_text(const char *text, size_t len, char hex[DIGEST_HEX_SIZE])
{
	struct digest d;

	SHA256Init(&d.ctx);
	digest_update(&d, text, len);
	digest_final(&d, hex);
}
