#ifndef BASE_SHORTEST_DOUBLE_H
#define BASE_SHORTEST_DOUBLE_H
#include <stdbool.h>

/* The text of a number in the fewest of 15 to 17 significant digits that are read back as the same
 * number, as printf() would write them with "%.15g" and so on, a tenth of the time. Only where that
 * has no exponent and exact arithmetic of 128 bits does: 1e-4 <= |value| < 1e14; elsewhere false,
 * and printf() has to. */
enum { SHORT_REAL_SIZE = 32 };
bool shortest_double(double value, char out[SHORT_REAL_SIZE]);

#endif
