# shellcheck shell=bash disable=SC2034
# What the tests with a Slurm of their own share: sourced with BUILD_FOLDER as first argument. Skips, and says so,
# where Slurm is not installed or nobody is root; else $lemnos, $tree, a folder $work that is removed at the end with
# all that runs in it, `verdict` and `finish`, `sql`, and what cluster.sh has. It stands in $work/jobs.
build=$(cd "$1" && pwd) || exit 2
tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
# shellcheck source=tests/slurm/cluster.sh
. "$tree/tests/slurm/cluster.sh"
lemnos=$build/lemnos
n_passed=0 n_failed=0

skip() {
	echo "  SKIPPED: slurm: $1"
	exit 0
}
missing=$(cluster_missing dbd | tr '\n' ' ')
[ -z "$missing" ] || skip "not installed: $missing(Debian: slurm-wlm slurmdbd munge mariadb-server)"
[ "$(id -u)" -eq 0 ] || skip "only root can start one here"

# Sockets have short names: not under a long $TMPDIR.
work=$(mktemp -d /tmp/lemnos-slurm.XXXXXX) || exit 2
# shellcheck disable=SC2317 # by the trap
clean_up() {
	cluster_stop
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
chmod 711 "$work"
mkdir "$work/jobs" "$work/bin"
cd "$work/jobs" || exit 2
unset LEMNOS_KB LEMNOS_DATADIR PROGRAM "${!SBATCH_@}" "${!SLURM_@}" "${!SQUEUE_@}" "${!SACCT_@}"
export XDG_DATA_HOME=$work LC_ALL=C.UTF-8 LEMNOS_KB=$work/a.kb

verdict() { # NAME GOT WANTED
	if [ "$2" = "$3" ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		printf '  FAIL  %s\n        got    %s\n        wanted %s\n' "$1" "$2" "$3"
	fi
}
finish() {
	echo "slurm: $n_passed passed, $n_failed failed"
	[ $n_failed -eq 0 ]
	exit
}
sql() {
	sqlite3 "$LEMNOS_KB" "$1"
}
