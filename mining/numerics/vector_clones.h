#ifndef MINING_VECTOR_CLONES_H
#define MINING_VECTOR_CLONES_H

/* VECTOR_CLONES before a static function with hot loops (clang 14 loses others from file to file,
 * and makes public what chooses the clone: the function's name must be unique in the program): it
 * is compiled for processors with vectors of 2, 4 and 8 doubles, and the program takes what the one
 * that it runs on has (GNU ifunc). Every clone does the same operations in the same order, so
 * answers are equal to the last bit: the build forbids fused multiply-adds (-ffp-contract=off), and
 * sums go into one place per lane, whatever the width. What is to be compiled with it is a
 * VECTOR_PART, or small and inline. Other compilers and processors get the one that they always
 * got. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_THREAD__)
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
/* Before a static function for vectors of 8 doubles alone, where compilers make too little of plain
 * loops; there is another one with the same bits for processors without. */
#define VECTOR_WIDE __attribute__((target("avx512f")))
static inline int has_wide_vectors(void)
{
	return __builtin_cpu_supports("avx512f");
}
#else
#define VECTOR_CLONES
#endif

/* VECTOR_PART before an inline function that one of those consists of: compilers would leave a
 * large one out of line, where it has the vectors of any processor. */
#ifdef __GNUC__
#define VECTOR_PART __attribute__((always_inline))
#else
#define VECTOR_PART
#endif

#endif
