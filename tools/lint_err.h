/* Only for clang-tidy, which reads one file at a time and so cannot know that err_set() returns the
 * code it is given: without this it follows paths on which an error was ERR_OK. */
#ifndef TOOLS_LINT_ERR_H
#define TOOLS_LINT_ERR_H
#include "base/err.h"
#ifndef LINT_DEFINES_ERR_SET /* base/err.c */
#define err_set(e, code, ...) ((void)err_set((e), (code), __VA_ARGS__), (code))
#endif
#endif
