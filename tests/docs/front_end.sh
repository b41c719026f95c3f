# shellcheck shell=bash
# docs/front_end.c, the example of docs/adding_a_command.md, does what it says. Sourced by run.sh.

check_front_end() {
	local said
	new_sandbox || return
	said=$(LEMNOS_DATADIR=$root/data "$build/docs/front_end" "$work/front_end.kb" \
		"$root/data/runs/simulated_sp2like.csv" 100x100x100 3600 2>&1)
	case $said in
	*" runs taken"*"sp2like: learnt"*"submit, support "*"  npe_i = "*) pass ;;
	*) fail "docs/front_end.c" "$said" ;;
	esac
	said=$("$build/docs/front_end" "$work/front_end.kb" /nonexistent 1x1x1 1 2>&1)
	case $said in
	*/nonexistent*) pass ;;
	*) fail "docs/front_end.c, about a file that is not there" "$said" ;;
	esac
}
