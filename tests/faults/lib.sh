# shellcheck shell=bash disable=SC2034
# What the parts of run.sh share; each runs in an empty folder of its own with BUILD_FOLDER and
# sample|all as arguments, and ends with `verdict`.
build=$1
how=$2
lemnos=$build/lemnos
data=$(cd "$(dirname "$0")/../../data" && pwd)
passed=0
failed=0

pass() {
	echo "  ok    $1"
	passed=$((passed + 1))
}

fail() { # NAME [FILE-THAT-TELLS]...
	echo "  FAIL  $1"
	shift
	[ $# -eq 0 ] || tail -n 20 "$@" | sed 's/^/        /'
	failed=$((failed + 1))
}

left_out() { # WHAT WHY
	echo "  LEFT OUT: $1: $2"
}

# NAME STATUS PATTERN COMMAND...: it ends so, and what it prints matches the extended regular expression.
expect() {
	local name=$1 want=$2 pattern=$3 status=0
	shift 3
	"$@" >said 2>&1 || status=$?
	if [ $status -eq "$want" ] && grep -Eq -- "$pattern" said; then
		pass "$name"
	else
		echo "exit status $status, not $want, or nothing like: $pattern" >>said
		fail "$name" said
	fi
}

sound() { # BASE
	[ "$(sqlite3 "$1" 'PRAGMA integrity_check')" = ok ]
}

contents() { # BASE: all that is in it, as text
	sqlite3 "$1" .dump
}

wait_until() { # COMMAND...: it succeeds, within ten minutes
	local i
	for ((i = 0; i < 12000; i++)); do
		"$@" && return
		sleep 0.05
	done
	return 1
}

verdict() {
	echo "$passed passed, $failed failed"
	exit $((failed > 0))
}
