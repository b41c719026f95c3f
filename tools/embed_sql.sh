#!/bin/sh
# Print a C table of the migrations given: byte arrays (no string-length limit), in name order.
set -eu
number() { basename "$1" | sed 's/^0*\([0-9]*\)_.*/\1/'; }
for f in "$@"; do
	printf 'static const char migration_%s[] = {\n' "$(number "$f")"
	od -v -An -tu1 "$f" | sed 's/ *\([0-9][0-9]*\)/\1,/g'
	printf '0};\n'
done
printf 'static const struct migration migrations[] = {\n'
for f in "$@"; do
	printf '\t{%s, "%s", migration_%s},\n' "$(number "$f")" "$(basename "$f")" "$(number "$f")"
done
printf '};\n'
