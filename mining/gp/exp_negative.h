#ifndef MINING_EXP_NEGATIVE_H
#define MINING_EXP_NEGATIVE_H
#include <stdint.h>
#include <string.h>

/* exp(-x) for x >= 0, for loops that a compiler is to vectorise, which calls of the C library's
 * exp() prevent; alike on every processor, which that is not. At most 1.1 units in the last place
 * off; 0 from 708 on, where the last normal numbers are; NaN for NaN.
 * -x = n log 2 + r, |r| <= log(2) / 2 (Cody and Waite, "Software Manual for the Elementary
 * Functions", 1980, chapter 6), and a polynomial of degree 11 for exp(r): 1 + r + r^2 q(r), q the
 * Chebyshev interpolation of (exp(r) - 1 - r) / r^2, which is off by less than 0.08 units. */
static inline double exp_negative(double x)
{
	/* Beyond 2^52 the unit in the last place is 1: adding this rounds, and leaves the integer
	 * in the lowest bits. */
	const double rounder = 0x1.8p52;
	/* log 2, the first part with so few bits that n times it is exact */
	const double log2_high = 0x1.62e42fefa2p-1, log2_low = 0x1.9ef35793c7673p-41;
	const double t = rounder - x * 0x1.71547652b82fep+0; /* 1 / log 2 */
	const double n = t - rounder;
	const double r = (-x - n * log2_high) - n * log2_low;
	const double r2 = r * r;
	double power, q;
	uint64_t bits;

	/* pairs first: half as long to wait for as one after the other */
	q = 0x1.af389ed28db09p-26 * r + 0x1.28917c8be7ad6p-22;
	q = q * r2 + (0x1.71de0db2f585ep-19 * r + 0x1.a019b914985a9p-16);
	q = q * r2 + (0x1.a01a01a7c2f03p-13 * r + 0x1.6c16c17889ef9p-10);
	q = q * r2 + (0x1.11111111109b5p-7 * r + 0x1.5555555553d68p-5);
	q = q * r2 + (0x1.5555555555556p-3 * r + 0x1.0000000000001p-1);
	/* 2^n: the exponent of a double, with its bias */
	memcpy(&bits, &t, sizeof bits);
	bits = (bits + 1023) << 52;
	memcpy(&power, &bits, sizeof power);
	power *= r2 * q + r + 1;
	return x > 708 ? 0 : power;
}

#endif
