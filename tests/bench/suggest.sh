#!/bin/sh
# What `lemnos apps suggest` makes of runs whose terms are known, and of measured ones: a part of docs/evaluation.md,
# for accuracy.sh.
# usage: suggest.sh BUILD_FOLDER WORK_FOLDER
set -eu
build=$1
work=$2
evaluation=../shared/data/evaluation
here=$(cd "$(dirname "$0")" && pwd)

load() { # NAME FILE OPTION...
	name=$1 file=$2
	shift 2
	"$build/lemnos" init --kb "$work/suggest-$name.kb" >/dev/null
	"$build/lemnos" ingest --kb "$work/suggest-$name.kb" --app "$name" --machine m "$@" "$file" >/dev/null 2>&1
}
planted() { # NAME OPTION...
	name=$1
	shift
	awk -v kind="$name" -f "$here/../fixtures/terms/planted.awk" >"$work/suggest-$name.csv"
	load "$name" "$work/suggest-$name.csv" --target time "$@"
}
# A row for each way to hold out, and the terms below.
suggested() { # NAME
	echo "suggesting terms for $1" >&2
	"$build/lemnos" apps suggest "$1" --kb "$work/suggest-$1.kb" --format json >"$work/suggest-$1.json" 2>"$work/log" || [ $? = 1 ]
	jq -r --arg app "$1" '
		def percent: if . == null then "" else . * 1000 | round / 10 | tostring + " %" end;
		.better as $better | .evidence[] | "| \($app) | \(.held_out) | \(.n_test) | " +
		([.median_error_without, .median_error_anew, .median_error_with,
		  .p90_error_without, .p90_error_anew, .p90_error_with] | map(percent) | join(" | ")) +
		" | \(if $better then "yes" else "no" end) |"' "$work/suggest-$1.json"
}

planted stencil --problem n,iterations --grid px,py,pz
planted particles --problem particles,steps --resource nodes=nodes,ppn=ppn
planted hpl --problem n --tunable nb --grid p,q
planted power --problem n --tunable b --resource nodes=nodes
sets="stencil particles hpl power"
if [ -r "$evaluation/snap_stampede2.csv" ]; then
	load snap "$evaluation/snap_stampede2.csv" --target solve_s --problem nx,ny,nz,nmom,nang,ng --tunable ichunk \
		--resource nodes=nodes,ppn=ppn,threads=threads
	load kripke "$evaluation/kripke_stampede2.csv" --target sweep_s \
		--problem groups,directions,zones_x,zones_y,zones_z,legendre \
		--tunable nesting,dirsets,groupsets,zset_x,zset_y,zset_z --categorical nesting \
		--resource nodes=nodes,ppn=ppn,threads=threads
	sets="$sets snap kripke"
fi

cat <<'MD'

### Terms that are suggested

What `lemnos apps suggest` makes of applications from flags (`tests/bench/suggest.sh`): runs whose terms are known, with 2 % of noise
(`tests/fixtures/terms/planted.awk`: a stencil on a grid of processes, a particle code, HPL; *power* is a power law with exponents that no
term has), and SNAP and Kripke. Errors of the predictor without terms, with terms that were *found anew* in what was not held out,
and with *these* terms, which were found in all runs; what is held out is at most 250 configurations. *better*: they are proposed
(the rule is in [lemnos-apps(1)](man/lemnos-apps.1)).

| runs | held out | tested | median error: without | found anew | these | 90th percentile: without | anew | these | better |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
MD
for set in $sets; do suggested "$set"; done
echo
echo "The terms:"
for set in $sets; do
	printf '\n- %s: ' "$set"
	jq -r '[.terms[] | "`\(.text)` (\(.share * 100 | round) %)"] | join(", ")' "$work/suggest-$set.json"
done
