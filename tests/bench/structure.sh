#!/bin/sh
# Print the section of docs/evaluation.md on models of the list as the structure of a predictor: runs that a
# model made, a few of them mined with and without these candidates, the others predicted.
# usage: [STRUCTURE_SIZES="12 30"] [STRUCTURE_DRAWS=3] structure.sh BUILD_FOLDER WORK_FOLDER
set -eu
lemnos=$(cd "$1" && pwd)/lemnos work=$2/structure data="$PWD/data"
sizes=${STRUCTURE_SIZES:-12 30 60 150} draws=${STRUCTURE_DRAWS:-3}
export LEMNOS_DATADIR="$data" LC_ALL=C
mkdir -p "$work"

# network NAME LATENCY-US OVERHEAD-US NS-PER-BYTE BLOCKING-BYTES: a machine of which that is known
network() {
	cat >"$work/$1.conf" <<-EOF
		machine = {
		  name = "$1"; title = "invented"; origin = "invented"; simulated = true;
		  cores_per_node = 1; blocking_bytes = $5;
		  loggp = {
		    L_us = $2; o_small_us = $3; o_large_us = $3; G_small_us_per_byte = $4; G_large_us_per_byte = $4;
		    small_max_bytes = 1000; handshake_bytes = $5;
		  };
		};
	EOF
}
network fast 23.0 23.0 0.03 4096.0
network slow 400.0 100.0 0.02 1000.0

# made_by MODEL MACHINE: times of all shipped configurations, Wg 0.4 us, as "row,time" without a header
made_by() {
	awk -F , -v OFS=, -v m="$2" 'NR > 1 { $1 = "sweep3d"; $2 = m }
		{ print $1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12 }' "$data/runs/simulated_sp2like.csv" |
		"$lemnos" model run "$1" --from - --app sweep3d --machine "$2" --wg 0.4us --kb "$work/$2.kb" --format csv |
		cut -d , -f 1-12 | awk -F , 'NR > 1 && $12 > 0'
}

# draw N SEED: the N that are mined, with 3 % of noise, to runs.csv; the others to rest.csv. The generator is
# that of Park and Miller (CACM 31(10), 1988).
draw() {
	awk -F , -v n="$1" -v seed="$2" -v runs="$work/runs.csv" -v rest="$work/rest.csv" '
	function uniform() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
	BEGIN {
		head = "app,machine,it_g,jt_g,kt,npe_i,npe_j,nodes,mk,mmi,iterations"
		print head ",runtime_s,source" >runs; print head ",truth_s" >rest; uniform(); uniform()
	}
	{ row[NR] = $0 }
	END {
		for (i = 1; i <= NR; i++) {
			j = i + int((NR - i + 1) * uniform()); swap = row[i]; row[i] = row[j]; row[j] = swap
			if (i > n) { print row[i] >rest; continue }
			split(row[i], field, ","); sub(/,[^,]*$/, "", row[i])
			noise = 0.03 * sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform())
			printf "%s,%.6f,SOURCE\n", row[i], field[12] * exp(noise) >runs
		}
	}' "$work/made.csv"
}

# learn MACHINE SOURCE: median and 90th percentile of the error in the rest, both in %, the share of it in the
# 90 % interval in %, mean time lost by the choice of a blocking and grid in %, and the structure
learn() {
	rm -f "$work/one.kb"*
	cp "$work/$1.kb" "$work/one.kb"
	sed "s/SOURCE/$2/" "$work/runs.csv" | "$lemnos" ingest --quiet --kb "$work/one.kb" - >"$work/log"
	"$lemnos" mine --quiet --kb "$work/one.kb" >"$work/log"
	chosen=$("$lemnos" predict --kb "$work/one.kb" --app sweep3d --machine "$1" --problem 100x100x100 --grid 4x4 \
		--mk 10 --mmi 3 --format json | sed -n 's/.*"chosen": "\([^"]*\)".*/\1/p')
	"$lemnos" predict --kb "$work/one.kb" --from "$work/rest.csv" --format csv 2>"$work/log" |
		awk -F , 'NR > 1 && $13 > 0 {
			e = $13 / $12 - 1; print (e < 0 ? -e : e) >"'"$work"'/errors"
			n++; in_it += $14 <= $12 && $12 <= $15
			p = $3 "," $4 "," $5 "," $11; of[p]++
			if (!(p in least) || $12 < least[p]) least[p] = $12
			if (!(p in best) || $13 < best[p]) { best[p] = $13; got[p] = $12 }
		}
		END {
			for (p in of) if (of[p] >= 5) { lost += got[p] / least[p] - 1; m++ }
			printf "%.1f %.2f ", 100 * in_it / n, 100 * lost / m
		}' >"$work/shares"
	sort -g "$work/errors" | awk '{ v[NR] = $1 }
		END { printf "%.2f %.2f ", 100 * v[int(NR / 2) + 1], 100 * v[int(0.9 * NR) + 1] }'
	echo "$(cat "$work/shares")" "$chosen"
}
for machine in fast slow; do
	rm -f "$work/$machine.kb"*
	"$lemnos" init --quiet --kb "$work/$machine.kb" >"$work/log"
	"$lemnos" machines add --quiet --kb "$work/$machine.kb" "$work/$machine.conf" >"$work/log"
done
cat <<EOF
## Models of the list as the structure

Does it help that \`mine\` may stand on a model of the list ([models.md](models.md#which-model-it-stands-on))? By
\`tests/bench/structure.sh\`: a model tells the times of the configurations that ship; some of them, drawn at random,
get 3 % of noise and are mined; all others are predicted. *Without* are the same runs under source modelled, with
which nothing but the formula is tried. *Lost* is the time of the configuration that is predicted to be the
fastest of its problem, over that of the fastest; the mean over problems. Of $draws draws each row has
the means; *chosen* counts in how many a model of the list was taken. *fast* is the SP/2 of the LogGP paper, rounded;
*slow* has a latency of 400 us, and messages of 1000 bytes block. \`pipeline\` is no candidate: nothing can be won there.

| runs by | network | runs | chosen | median error | without | 90th percentile | without | in the 90 % interval | without | lost | without |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
EOF
for model in ${STRUCTURE_MODELS:-lopc loggp loggp-printed plug-sweep3d pipeline}; do
	for machine in fast slow; do
		made_by "$model" "$machine" >"$work/made.csv"
		for n in $sizes; do
			for seed in $(seq "$draws"); do
				draw "$n" "$((1000 * n + seed))"
				echo "$(learn "$machine" simulated)" "$(learn "$machine" modelled)"
			done | awk -v row="| $model | $machine | $n |" '
			{ for (i = 1; i <= 9; i++) sum[i] += $i; chosen += $5 != "wavefront" }
			END {
				printf "%s %d |", row, chosen
				for (i = 1; i <= 4; i++)
					printf " %.1f %% | %.1f %% |", sum[i] / NR, sum[i + 5] / NR
				print ""
			}'
		done
	done
done
