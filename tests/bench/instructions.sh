#!/bin/bash
# Instructions of the hot paths, counted by callgrind, against those kept in instructions.csv: a
# regression check that a busy machine does not disturb. A count beyond the tolerance fails; one that
# fell as far is only told.
# usage: instructions.sh BUILD_FOLDER        UPDATE=1 keeps what is counted now
#
# The tolerance is 5 % where compiler, libc, SQLite, GSL and valgrind are those of the kept counts: what is
# left are paths' lengths, the environment and distributors' patches. Where one of them differs it is
# 25 %: their code is most of what runs. The processor plays no part, as valgrind shows every program
# the same one if the real one has AVX2 (libc then takes the same variants); on others nothing is compared.
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
kept=$here/instructions.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TZ=UTC USER=tester HOME=$work LEMNOS_NOW=2026-01-01T00:00:00Z
unset LEMNOS_KB LEMNOS_DATADIR LEMNOS_USER COLUMNS XDG_DATA_HOME XDG_CONFIG_HOME
unset GLIBC_TUNABLES MALLOC_PERTURB_ MALLOC_CHECK_
# Folders that the dynamic linker searches in vain are a twentieth of what help takes.
! env -u LD_LIBRARY_PATH -u LD_PRELOAD "$build/lemnos" --version >/dev/null 2>&1 || unset LD_LIBRARY_PATH LD_PRELOAD

if ! command -v valgrind >/dev/null; then
	echo "instructions are counted by valgrind, which is not here (Debian: valgrind)" >&2
	exit 1
fi
if ! grep -q -w -m 1 avx2 /proc/cpuinfo 2>/dev/null; then
	echo "not compared: the counts were kept on x86-64 with AVX2, which this processor is not"
	exit 0
fi

kind() { # what decides the counts, besides our code
	echo "$("$build/lemnos" --version | sed -n 's/^built with //p')," \
		"glibc $(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)," \
		"$("$build/lemnos" --version | sed -n 's/^libraries: //p'), $(valgrind --version)"
}

count() { # NAME COMMAND...: appends `NAME,instructions` to $work/now
	local name=$1
	shift
	valgrind --tool=callgrind --callgrind-out-file="$work/profile" "$@" >"$work/log" 2>&1 || {
		echo "$name: $* failed:" >&2
		cat "$work/log" >&2
		exit 1
	}
	echo "$name,$(sed -n 's/^totals: //p' "$work/profile")" >>"$work/now"
}

# ---- the hot paths

cd "$work"
lemnos=$build/lemnos
sh "$here/make_runs.sh" 10000 >runs.csv
head -n 1001 runs.csv | cut -d , -f 4-12 >questions.csv
awk 'NR == 1 || NR % 10 == 0' "$tree/data/runs/simulated_sp2like.csv" >few.csv
{
	"$lemnos" init --kb import.kb
	"$lemnos" init --kb mine.kb
	"$lemnos" machines add "$tree/data/machines/sp2like.conf" --kb mine.kb
	"$lemnos" ingest few.csv --app sweep3d --kb mine.kb
	"$lemnos" ingest "$tree/data/runs/pingpong_sp2like.csv" --kb mine.kb
	"$lemnos" init --with-data --kb full.kb
	"$lemnos" mine --kb full.kb
	cp full.kb asked.kb
	"$lemnos" predict --from questions.csv --machine sp2like --kb full.kb
} >log 2>&1 || { cat log >&2; exit 1; }

count help "$lemnos" --help
count "model run loggp" "$lemnos" model run loggp --machine sp2 --problem 150x150x150 --grid 4x4 \
	--mk 10 --mmi 3 --wg 0.35us
count "ingest 10 000 rows" "$lemnos" ingest --quiet --app sweep3d --kb import.kb runs.csv
count "mine 57 runs" "$lemnos" mine --quiet --kb mine.kb
count "recommend" "$lemnos" recommend --quiet --problem 280x280x255 --deadline 1h --kb asked.kb
count "predict --from 1 000 rows" "$lemnos" predict --quiet --from questions.csv --machine sp2like \
	--kb full.kb

# ---- against what is kept

if [ -n "${UPDATE-}" ]; then
	{
		echo "# counted with: $(kind)"
		echo "what,instructions"
		cat now
	} >"$kept"
	echo "kept in ${kept#"$tree"/}: review the difference"
	exit 0
fi
tolerance=0.05
if [ "$(sed -n 's/^# counted with: //p' "$kept")" != "$(kind)" ]; then
	tolerance=0.25
	echo "here: $(kind)"
	echo "kept: $(sed -n 's/^# counted with: //p' "$kept"); so only changes beyond 25 % count"
fi
awk -F , -v tolerance=$tolerance '
FNR == 1 { file++ }
/^#/ || $1 == "what" { next }
file == 1 { kept[$1] = $2; next }
FNR == 1 { printf "%-28s %14s %14s  %s\n", "what", "kept", "now", "ratio" }
!($1 in kept) { printf "%-28s %14s %14d  not kept yet\n", $1, "", $2; failed++; next }
{
	ratio = $2 / kept[$1]
	verdict = ratio > 1 + tolerance ? "  MORE" : ratio < 1 - tolerance ? "  less: worth keeping" : ""
	failed += ratio > 1 + tolerance
	printf "%-28s %14d %14d  %.3f%s\n", $1, kept[$1], $2, ratio, verdict
}
END { exit failed > 0 }' "$kept" now || {
	echo "More instructions than were kept. If that is wanted: make check-instructions UPDATE=1," \
		"and commit ${kept#"$tree"/} with the reason." >&2
	exit 1
}
