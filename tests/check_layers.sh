#!/bin/sh
# Fail when a room includes one to its right, or a library that another room wraps.
# usage: check_layers.sh LAYER... (in order, leftmost first); cli stands right of them all.
set -u
bad=0
owner() { # HEADER-REGEX FOLDER|FOLDER...: only these may include it
	header=$1
	allowed=$2
	shift 2
	if grep -rnE "#include <$header" --include='*.[ch]' "$@" cli 2>/dev/null | grep -vE "^($allowed)/"; then
		echo "layer: only $allowed may include <$header>" >&2
		bad=1
	fi
}
owner 'sqlite3\.h' kb "$@"
owner 'csv\.h' ingest "$@"
owner 'libconfig\.h' domain "$@"
owner 'gsl/' 'models|mining' "$@"
owner 'jansson\.h' cli "$@"
owner 'libsmartcols' cli "$@"
later="$* cli"
for layer in "$@"; do
	later=${later#"$layer" }
	for l in $later; do
		if grep -rn "#include \"$l/" --include='*.[ch]' "$layer" 2>/dev/null; then
			echo "layer: $layer/ must not include $l/" >&2
			bad=1
		fi
	done
done
exit $bad
