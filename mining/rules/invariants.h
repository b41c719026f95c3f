#ifndef MINING_INVARIANTS_H
#define MINING_INVARIANTS_H
#include <stdbool.h>
#include <stddef.h>

/* Would chance have broken a relation between columns that holds in all of n rows? The hypothesis
 * of chance is that one column is independent of the others: any of the n! ways to deal its values
 * out to the rows is as likely. The chance that the relation holds in all rows is then
 * perm(M) / n!, where M[i][j] = 1 if row i and value j keep to it. */

/* Does a divide b? Both are whole numbers from 1 to 2^53. */
bool whole_divides(double a, double b);
bool is_power_of_two(double a);

/* log of perm(M) / n! for c = f(others), where exactly the rows of one value may take it: the
 * product of the multiplicities' factorials over n!. value[n] is sorted in place. */
double log_chance_equal(double *value, size_t n);
/* log of the chance of a <= b, exactly (M is a staircase: place the largest a first). Both are
 * sorted in place. */
double log_chance_at_most(double *a, double *b, size_t n);
/* Not below the same for "a divides b", the smaller of two bounds. perm(M) <= product
 * (r_i!)^(1/r_i) over the row sums r_i (conjectured by Minc, 1963; proved by Bregman, "Some
 * properties of nonnegative matrices and their permanents", Soviet Math. Dokl. 14, 1973). And of m
 * rows of one a, which r values suit, each takes another one: r! / (r - m)! ways, whatever the rows
 * of other a do; rows that suit anything take what is left. Both are sorted in place, and a does
 * divide b in all rows. */
double log_chance_divides(double *a, double *b, size_t n);
/* That the distinct whole numbers among value[n] (at least 1, at most 2^53) are powers of two: as
 * many drawn without replacement from all between the least and the largest. Sorted in place. */
double log_chance_powers(double *value, size_t n);
/* That each b[i], drawn from the whole numbers between the least and the largest of b, is a
 * multiple of all a that stand beside it. Rows are in order of b. */
double log_chance_multiples(const double *a, const double *b, size_t n);

#endif
