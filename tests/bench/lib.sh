# shellcheck shell=sh
# What the scripts of `make bench` share; sourced by them, who set $work, a folder of their own.
# shellcheck disable=SC2154

# median: of the numbers on stdin, one a line
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# mad: how far the numbers on stdin scatter; 1.4826 makes it the standard deviation of normal data
mad() {
	cat >"$work/scatter"
	centre=$(median <"$work/scatter")
	awk -v c="$centre" '{ print 1.4826 * ($1 > c ? $1 - c : c - $1) }' "$work/scatter" | median
}

# machine: what it is, in one cell of CSV
machine() {
	echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1 | tr ',' ' '); $(nproc) processors;" \
		"$(awk '/MemTotal/ { printf "%.0f GB", $2 / 1e6 }' /proc/meminfo) memory"
}
load() { cut -d ' ' -f 1 /proc/loadavg; }

# keep WHAT SECONDS-OR-MB UNIT NOISE: a line of docs/speed_history.csv, without what all of them share
keep() { printf '%s,%s,%s,%s\n' "$1" "$2" "$3" "$4" >>"$work/measured"; }
