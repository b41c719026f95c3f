#!/bin/sh
# The kept inputs of the fuzzers, one archive for each target: tests/fuzz/corpus/TARGET.inputs has a
# line for each input, its name and its bytes in base64, in the order of the names. The same inputs give
# the same bytes, a difference names the inputs that came or went, and branches merge line by line.
# usage: corpus.sh unpack TARGET FOLDER        each input a file in FOLDER, which holds nothing else then
#        corpus.sh pack TARGET FOLDER          the archive holds the files of FOLDER and nothing else
#        corpus.sh add TARGET FILE [NAME]      one input more, such as a crash whose cause was mended
#        corpus.sh merge TARGET FUZZER FOLDER  those inputs of FOLDER more that reach new code in FUZZER
#        corpus.sh check                       every archive is as pack writes it
set -eu
LC_ALL=C
export LC_ALL
corpus=$(cd "$(dirname "$0")" && pwd)/corpus
command=${1-}
target=${2-}
archive=$corpus/$target.inputs

usage() {
	sed -n 's/^# usage: /usage: /p; s/^#        corpus/       corpus/p' "$0" >&2
	exit 2
}

unpack() { # ARCHIVE FOLDER
	rm -rf "$2"
	mkdir -p "$2"
	[ ! -e "$1" ] || while read -r name bytes; do
		printf '%s' "$bytes" | base64 -d >"$2/$name" || {
			echo "$1: what is kept as '$name' is no base64" >&2
			return 1
		}
	done <"$1"
}

# Names are single words: the fuzzer's digests, or what the input is.
pack() { # FOLDER ARCHIVE
	for input in "$1"/*; do
		[ -e "$input" ] || continue
		name=${input##*/}
		case $name in
		*[!A-Za-z0-9_.-]*)
			echo "no name for a kept input: $name" >&2
			return 1
			;;
		esac
		printf '%s %s\n' "$name" "$(base64 -w 0 <"$input")"
	done >"$work/packed"
	sort "$work/packed" >"$2"
}

# As pack writes one: bits behind the last byte are 0.
sextet='[A-Za-z0-9+/]'
line="^[A-Za-z0-9_.-]+ (${sextet}{4})*(${sextet}[AQgw]==|${sextet}{2}[AEIMQUYcgkosw048]=)?\$"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

case $command,$# in
unpack,3) unpack "$archive" "$3" ;;
pack,3) pack "$3" "$archive" ;;
add,3 | add,4)
	unpack "$archive" "$work/kept"
	cp "$3" "$work/kept/${4-$(sha1sum <"$3" | cut -d ' ' -f 1)}"
	pack "$work/kept" "$archive"
	;;
merge,4)
	unpack "$archive" "$work/kept"
	TMPDIR=$work "$3" -merge=1 "$work/kept" "$4"
	pack "$work/kept" "$archive"
	;;
check,1) # without a process for each input, of which there are thousands
	for archive in "$corpus"/*.inputs; do
		sort -c "$archive"
		cut -d ' ' -f 1 "$archive" | uniq -d >"$work/other"
		grep -vE "$line" "$archive" >>"$work/other" || [ $? -eq 1 ]
		[ -z "$(tail -c 1 "$archive")" ] || echo "the last line has no end" >>"$work/other"
		if [ -s "$work/other" ]; then
			echo "$archive: pack would not write" >&2
			cut -c 1-100 "$work/other" >&2
			exit 1
		fi
	done
	;;
*) usage ;;
esac
