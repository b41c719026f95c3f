# shellcheck shell=bash
# What the document tests share. Sourced by run.sh, which sets: root (the tree), work (a temporary
# folder), build (absolute path of the build folder).

n_passed=0
n_failed=0
pass() { n_passed=$((n_passed + 1)); }
fail() { # WHAT [DETAIL]
	n_failed=$((n_failed + 1))
	printf '  FAIL  %s\n' "$1"
	[ -z "${2-}" ] || printf '%s\n' "$2" | sed 's/^/        /'
}

# A place that looks like the tree to somebody who types an example, with the knowledge base that
# `make quickstart` leaves behind, but where nothing real can be changed. Every page gets a new one.
new_sandbox() {
	if [ ! -d "$work/prepared" ]; then
		prepare_base "$work/prepared" || return 1
	fi
	rm -rf "$work/sandbox"
	mkdir -p "$work/sandbox/tree"
	cp -R "$work/prepared" "$work/sandbox/data"
	ln -s "$build" "$work/sandbox/tree/build"
	cp -R "$root/data" "$work/sandbox/tree/data"
	cp "$root"/tests/fixtures/formats/*/* "$root"/tests/docs/fixtures/* "$work/sandbox/tree"
	export XDG_DATA_HOME=$work/sandbox/data
}

prepare_base() { # FOLDER
	if ! { XDG_DATA_HOME=$1 "$build/lemnos" init --with-data &&
		XDG_DATA_HOME=$1 "$build/lemnos" mine; } >"$work/prepare.log" 2>&1; then
		fail "lemnos init --with-data && lemnos mine" "$(cat "$work/prepare.log")"
		return 1
	fi
}

# Run the lines of a file as somebody would type them; prints what a terminal would show.
run_example() { # SCRIPT
	(cd "$work/sandbox/tree" && PATH="$build:$PATH" timeout 600 bash -e -o pipefail "$1" 2>&1 </dev/null)
}
