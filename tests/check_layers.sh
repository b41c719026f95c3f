#!/bin/sh
# Fail when a room includes one to its right, or a library that another room wraps; or when two rooms that were
# built have a function of one name: the linker takes the first without a word.
# usage: check_layers.sh BUILD_FOLDER LAYER... (in order, leftmost first)
# Names of our files have no blanks:
# shellcheck disable=SC2046
set -u
bad=0
build=$1
shift
named="$*"
owner() { # HEADER-REGEX FOLDER|FOLDER...: only these, and the rooms inside them, may include it
	header=$1
	allowed=$2
	shift 2
	if grep -nE "#include <$header" $(sources "$@") | grep -vE "^($allowed)/"; then
		echo "layer: only $allowed may include <$header>" >&2
		bad=1
	fi
}
sources() { # LAYER...: their files, not those of rooms inside them, which are layers themselves
	for l; do
		for f in "$l"/*.[ch]; do
			[ -e "$f" ] && echo "$f"
		done
	done
}
owner 'sqlite3\.h' kb "$@"
owner 'csv\.h' ingest "$@"
owner 'libconfig\.h' domain "$@"
owner 'gsl/' 'models|mining' "$@"
owner 'jansson\.h' 'api|ingest/formats' "$@"
owner 'libsmartcols' cli "$@"
owner 'hwloc\.h' acquire "$@"
for layer; do
	shift
	for later; do # its own headers, not those of rooms inside it
		if grep -n "#include \"$later/[a-z_0-9]*\.h\"" $(sources "$layer"); then
			echo "layer: $layer/ must not include $later/" >&2
			bad=1
		fi
	done
done
# A front end asks api/ for everything.
if grep -nE '#include "(models|kb|ingest|mining|recommend|acquire)/' $(find cli -name '*.[ch]'); then
	echo "layer: cli/ includes only api/, domain/ and base/" >&2
	bad=1
fi
# A room that nobody named would escape.
for folder in $(find base domain models kb ingest mining recommend acquire api cli -name '*.[ch]' |
	sed 's|/[^/]*$||' | sort -u); do
	case " $named " in
	*" $folder "*) ;;
	*)
		echo "layer: $folder/ is in no list of layers (Makefile)" >&2
		bad=1
		;;
	esac
done
# tune/ stands alone: it includes no room and no room includes it.
for l in $named; do
	if grep -rn "#include \"$l/" --include='*.[ch]' tune; then
		echo "layer: tune/ must not include $l/" >&2
		bad=1
	fi
done
if grep -nE '#include "tune/|#include <(mpi|lemnos_tune)\.h' $(sources $named); then
	echo "layer: only kernels and tests use tune/ and MPI" >&2
	bad=1
fi
if nm -g --defined-only "$build"/obj/lib*.a 2>/dev/null | awk 'NF == 3 { print $3 }' | sort | uniq -d | grep .; then
	echo "layer: two rooms define these" >&2
	bad=1
fi
exit $bad
