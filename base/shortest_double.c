#include "base/shortest_double.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

/* The powers of 5 that occur: 10^k value has 17 digits before the point. */
static const uint64_t power_of_5[] = {1,
				      5,
				      25,
				      125,
				      625,
				      3125,
				      15625,
				      78125,
				      390625,
				      1953125,
				      9765625,
				      48828125,
				      244140625,
				      1220703125,
				      6103515625,
				      30517578125,
				      152587890625,
				      762939453125,
				      3814697265625,
				      19073486328125,
				      95367431640625,
				      476837158203125};
#define TEN_TO_17 UINT64_C(100000000000000000)

/* value = m 2^(e - 52), 2^52 <= m < 2^53; 10^k value = scaled / 2^f, exactly. */
struct scaled {
	uint64_t m;
	int k, f;
	wide scaled;
};

static struct scaled scale(double value)
{
	struct scaled s;
	uint64_t bits;
	int e;

	memcpy(&bits, &value, sizeof bits);
	e = (int)(bits >> 52 & 0x7ff) - 1023;
	s.m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	/* from the binary exponent, which may give a digit too many */
	s.k = 16 - (int)floor(e * 0.30102999566398120);
	for (;; s.k--) {
		s.f = 52 - e - s.k;
		s.scaled = (wide)s.m * power_of_5[s.k];
		if (s.scaled >> s.f < TEN_TO_17)
			return s;
	}
}

/* The number of units (1, 10, 100 in the last of 17 digits) that is next to it, to even from the
 * middle; *same: it is read back as the same number. */
static uint64_t round_to(const struct scaled *s, uint64_t unit, bool *same)
{
	const uint64_t whole = (uint64_t)(s->scaled >> s->f);
	const wide one = (wide)unit << s->f;
	const wide rest = s->scaled - ((wide)(whole - whole % unit) << s->f);
	const bool up = 2 * rest > one || (2 * rest == one && whole / unit % 2 == 1);
	const wide off = up ? one - rest : rest;
	/* The next number is 2 5^k of these units away, half as far below a power of 2; what is
	 * off by less than half of that is read back. 5^k is odd: it is never just the half. */
	const wide times = !up && s->m == UINT64_C(1) << 52 ? 4 : 2;

	*same = times * off < power_of_5[s->k];
	return whole / unit + up;
}

/* digits / 10^decimals, without zeros at the end. */
static void put_decimal(uint64_t digits, int decimals, char *out)
{
	char reversed[SHORT_REAL_SIZE];
	int n = 0, place = 0;

	for (; decimals > 0 && digits % 10 == 0; decimals--)
		digits /= 10;
	do {
		if (place == decimals && decimals > 0)
			reversed[n++] = '.';
		reversed[n++] = (char)('0' + digits % 10);
		digits /= 10;
		place++;
	} while (digits > 0 || place <= decimals);
	while (n > 0)
		*out++ = reversed[--n];
	*out = '\0';
}

bool shortest_double(double value, char out[SHORT_REAL_SIZE])
{
	struct scaled s;
	uint64_t digits = 0, unit = 1000;
	bool same = false;
	int decimals;

	if (!(fabs(value) >= 1e-4 && fabs(value) < 1e14))
		return false;
	s = scale(fabs(value));
	/* 17 digits always suffice */
	for (decimals = s.k - 3; !same && unit > 1; decimals++) {
		unit /= 10;
		digits = round_to(&s, unit, &same);
	}
	if (value < 0)
		*out++ = '-';
	put_decimal(digits, decimals, out);
	return true;
}
#else
bool shortest_double(double value, char out[SHORT_REAL_SIZE])
{
	(void)value, (void)out;
	return false;
}
#endif
