#!/bin/sh
# Make the runs of data/runs/campaigns/ again, by the plans of data/campaigns/ and nothing but `lemnos acquire`:
# NAME.plan gives NAME.csv (a - for _ in the file's name). Simulated ones have the same times again, with the same
# SimGrid; measured ones have those of this machine and hour.
# usage: run_campaigns.sh BUILD_FOLDER NAME...
set -eu
build=$(cd "$1" && pwd)
shift
tree=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export LC_ALL=C LEMNOS_DATADIR="$tree/data" PATH="$build/kernels:$PATH"
# What Open MPI refuses unless told: root, more processes than processors.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

key() { # NAME PLAN: the text that the plan has for it
	sed -n "s/^ *$1 = \"\\(.*\\)\";.*/\\1/p" "$2" | head -n 1
}

columns() { # APPLICATION
	case $1 in
	sweep3d) echo it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations ;;
	halo) echo it_g,jt_g,kt_g,npe_i,npe_j,npe_k,nodes,width,method,overlap,function,iterations ;;
	esac
}

# What says how and where a run was made in full is in the base; the files have what is asked of a run.
export_runs() { # APPLICATION
	"$build/lemnos" runs export --app "$1" --format csv --usable | awk -F, -v OFS=, -v app="$1" -v wanted="$(columns "$1")" '
	NR == 1 {
		for (i = 1; i <= NF; i++) at[$i] = i
		n = split("machine,source," wanted ",wall_s,repeat", name, ",")
		print "app,machine,source," wanted ",runtime_s,repeat"
		next
	}
	{
		line = app
		for (k = 1; k <= n; k++) line = line OFS $at[name[k]]
		print line
	}'
}

for name; do
	plan=$tree/data/campaigns/$name.plan
	application=$(key application "$plan") machine=$(key machine "$plan")
	export LEMNOS_KB="$work/$name.kb"
	"$build/lemnos" init --quiet
	[ ! -r "$tree/data/campaigns/$machine.conf" ] || "$build/lemnos" machines add "$tree/data/campaigns/$machine.conf"
	[ ! -r "$tree/data/classes/$application.conf" ] || "$build/lemnos" apps add "$application"
	"$build/lemnos" acquire run "$plan"
	export_runs "$application" >"$work/runs.csv"
	mv "$work/runs.csv" "$tree/data/runs/campaigns/$(echo "$name" | tr - _).csv"
done
