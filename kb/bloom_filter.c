#include "kb/bloom_filter.h"

#include <stdlib.h>

/* (1 - exp(-PROBES / BITS_EACH))^PROBES of others pass: 0.24 %. */
enum { BITS_EACH = 16, PROBES = 4 };

struct bloom_filter {
	uint64_t *word;
	uint64_t n_bits; /* below 2^32 */
};

struct bloom_filter *bloom_filter_new(size_t n)
{
	const uint64_t n_max = UINT32_MAX / BITS_EACH;
	struct bloom_filter *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->n_bits = 64 + BITS_EACH * (n < n_max ? n : n_max - 4);
	f->word = calloc(f->n_bits / 64 + 1, sizeof *f->word);
	if (!f->word) {
		free(f);
		return NULL;
	}
	return f;
}

/* The i-th bit of a hash, from its two halves. */
static uint64_t bit_of(const struct bloom_filter *f, uint64_t hash, unsigned i)
{
	uint32_t mixed = (uint32_t)hash + i * ((uint32_t)(hash >> 32) | 1);

	return (mixed * f->n_bits) >> 32;
}

void bloom_filter_add(struct bloom_filter *f, uint64_t hash)
{
	for (unsigned i = 0; i < PROBES; i++) {
		uint64_t bit = bit_of(f, hash, i);

		f->word[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

bool bloom_filter_may_have(const struct bloom_filter *f, uint64_t hash)
{
	for (unsigned i = 0; i < PROBES; i++) {
		uint64_t bit = bit_of(f, hash, i);

		if (!(f->word[bit / 64] >> bit % 64 & 1))
			return false;
	}
	return true;
}

void bloom_filter_free(struct bloom_filter *f)
{
	if (!f)
		return;
	free(f->word);
	free(f);
}
