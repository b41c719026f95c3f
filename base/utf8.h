#ifndef BASE_UTF8_H
#define BASE_UTF8_H
#include <stddef.h>

/* Offset of the first byte of text[0..n-1] that is not valid UTF-8 (overlong forms, surrogates and
 * code points above U+10FFFF included); n when all of it is. */
size_t utf8_first_invalid(const char *text, size_t n);

#endif
