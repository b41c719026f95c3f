#!/bin/sh
# make bench: measure accuracy on held-out runs, speed, and cost against size; write docs/evaluation.md,
# docs/speed.md and docs/cost_against_size.md from what was measured, append it to
# docs/speed_history.csv, and say what became worse. Not part of the tests: timings decide nothing.
# The last three sections of docs/evaluation.md are of parts of their own, adaptive, tune and campaigns.
# Only where it is asked for: traps, which writes docs/traps.md (TRAP_SEEDS=N tables of each kind) and needs Python.
# usage: [BENCH_PARTS="accuracy adaptive campaigns choice speed size tune traps"] run.sh BUILD_FOLDER
set -eu
build=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
# shellcheck source=tests/bench/lib.sh
. "$here/lib.sh"
export LC_ALL=C LEMNOS_KB="$work/bench.kb"
history=docs/speed_history.csv
shared=$(date -u +%Y-%m-%dT%H:%M:%SZ),$(git describe --always --dirty 2>/dev/null || echo unknown),$(machine),$(load)

parts=${BENCH_PARTS:-accuracy adaptive campaigns choice speed size tune}

write() { # PART DOCUMENT SCRIPT
	case " $parts " in *" $1 "*) ;; *) return 0 ;; esac
	sh "$here/$3" "$build" "$work" >"$work/$2"
	mv "$work/$2" docs/
	for picture in "$work"/pictures/*.svg; do
		[ ! -r "$picture" ] || mv "$picture" docs/
	done
	echo "wrote docs/$2"
}

case " $parts " in
*" traps "*)
	python3 "$here/traps.py" "$build" --document --seeds "${TRAP_SEEDS:-2}" >"$work/traps.md"
	mv "$work/traps.md" docs/
	echo "wrote docs/traps.md"
	;;
esac
case $parts in
traps) exit 0 ;;
size | tune | adaptive | campaigns) ;; # which make bases of their own, or none
*)
	"$build/lemnos" init --with-data >/dev/null
	"$build/lemnos" mine >/dev/null
	;;
esac
: >"$work/measured"
# Sections of docs/evaluation.md that are kept unless their part is measured.
adaptive='## Which runs to make next' tune='## Communication chosen at run time'
campaigns='## Campaigns of the programs in kernels'
section() { # HEADING: with its text, up to the next section
	awk -v heading="$1" '/^## /{ on = $0 == heading } on' docs/evaluation.md
}
section "$adaptive" >"$work/adaptive.md"
section "$tune" >"$work/tune.md"
section "$campaigns" >"$work/campaigns.md"
write accuracy evaluation.md accuracy.sh
case " $parts " in *" adaptive "*) sh "$here/adaptive.sh" "$build" "$work" >"$work/adaptive.md" ;; esac
case " $parts " in *" tune "*) sh "$here/tune.sh" "$build" "$work" >"$work/tune.md" ;; esac
case " $parts " in *" campaigns "*) sh "$here/campaigns.sh" "$build" "$work" >"$work/campaigns.md" ;; esac
awk -v a="$adaptive" -v t="$tune" -v c="$campaigns" '/^## /{ off = $0 == a || $0 == t || $0 == c } !off' docs/evaluation.md >"$work/evaluation"
for part in adaptive tune campaigns; do
	[ -s "$work/$part.md" ] || continue
	[ -z "$(tail -n 1 "$work/evaluation")" ] || echo >>"$work/evaluation"
	cat "$work/$part.md" >>"$work/evaluation"
done
cp "$work/evaluation" docs/evaluation.md
write choice choice.md choice.sh
write speed speed.md speed.sh
write size cost_against_size.md cost_against_size.sh
[ -s "$work/measured" ] || exit 0
[ -r "$history" ] || echo "date,commit,machine,load,what,value,unit,noise" >"$history"
sed "s/^/$shared,/" "$work/measured" >>"$history"
# The comparison ends speed.md, in the place of an older one.
sed '/^## Against earlier/,$d' docs/speed.md >"$work/speed"
{
	[ -z "$(tail -n 1 "$work/speed")" ] || echo
	printf '## Against earlier measurements on this machine\n\n'
	awk -f "$here/compare_history.awk" "$history"
} | tee "$work/comparison"
cat "$work/speed" "$work/comparison" >docs/speed.md
