#!/bin/bash
# What every command does for somebody who may not: a base, or its directory, that may only be read, or not
# even that; input that may not be read; places that may not be written; no HOME; a strict umask. Whoever only asks
# gets the answer of the owner; whoever would change something is told which file is in the way, with the
# right exit status; and nothing is left behind. Root may do all of it, so another user runs the program.
# shellcheck disable=SC2016,SC2086 # patterns have backquotes; a command is several words
set -uo pipefail
# shellcheck source=tests/faults/lib.sh
. "$(dirname "$0")/lib.sh"

# ---- who may not
if [ "$(id -u)" -ne 0 ]; then
	as_other=(env)
elif setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
elif unshare --user true 2>/dev/null; then
	as_other=(unshare --user) # nobody there, who owns what root owns
else
	left_out "permissions" "root can become nobody else here (setpriv, unshare --user)"
	verdict
fi
chmod 755 .. .
mkdir -p share/bin
cp "$lemnos" share/bin/
cp -r "$data" share/data
lemnos=$PWD/share/bin/lemnos
if ! "${as_other[@]}" "$lemnos" --version >/dev/null 2>&1; then
	left_out "permissions" "nobody else may run the program here"
	verdict
fi
as_other_in() { # FOLDER COMMAND...
	local folder=$1
	shift
	(cd "$folder" && exec "${as_other[@]}" "$@")
}

# ---- a base with something of everything
in=$PWD/in
mkdir -m 755 "$in"
head -40 "$data/runs/simulated_sp2like.csv" >"$in/runs.csv"
head -4 "$in/runs.csv" | cut -d , -f 4-12 >"$in/questions.csv"
cp "$data/runs/pingpong_sp2like.csv" "$in/pingpong.csv"
cp "$data/machines/sp2.conf" "$data/applications/sweep3d.conf" "$data/tasks/sweep-database.ted" "$in"
sed 's/sp2/sp3/' "$data/machines/sp2.conf" >"$in/sp3.conf"
cat >"$in/camp.plan" <<END
campaign = { name = "camp"; application = "sweep3d"; machine = "sp2like"; problem = "20x20x50"; constants = "grid=1x2,mmi=3";
  factors = ( { column = "mk"; levels = [ 5, 10 ]; } ); command = [ "true" ]; };
END
sed 's/"camp"/"new"/' "$in/camp.plan" >"$in/new.plan"
sed '1d; s/,1\.[0-9]*,/,2.5,/' "$in/runs.csv" | cat <(head -1 "$in/runs.csv") - >"$in/more.csv"
make_base() {
	"$lemnos" init &&
		"$lemnos" ingest "$in/runs.csv" --app sweep3d &&
		"$lemnos" machines add "$in/sp2.conf" &&
		"$lemnos" calibrate --machine sp2like --pingpong "$in/pingpong.csv" &&
		"$lemnos" mine &&
		"$lemnos" acquire run "$in/camp.plan" &&
		"$lemnos" recommend --problem 20x20x50 --deadline 1h --max-nodes 4 --machine sp2like
}
LEMNOS_KB=$PWD/start.kb make_base >made 2>&1 || fail "a base to begin with" made
LEMNOS_KB=$PWD/other.kb make_base >made 2>&1 || fail "another base" made
rule=$(sqlite3 start.kb 'SELECT rule_id FROM rule LIMIT 1')
advice=$(sqlite3 start.kb 'SELECT advice_id FROM advice LIMIT 1')
chmod 644 start.kb other.kb
cp other.kb "$in/other.kb"

# ---- what can be asked, and what changes the base: every command and action, see below
sweep='--machine sp2like'
question="--problem 20x20x50 $sweep"
point="$question --grid 2x2 --mk 10 --mmi 3"
cat >asks <<END
imports list
imports show 1
apps list
apps show sweep3d
machines list
machines show sp2
runs list --limit 3
runs show 1
runs export --limit 3
runs export --format extrap --limit 3
runs export --format t4 --limit 3
rules list $sweep
rules show $rule $sweep
rules export $sweep
rules profile $sweep
rules effects $sweep
rules hypotheses $sweep
rules rankings $sweep
rules scaling $sweep
predict $point
predict --from $in/questions.csv $sweep
explain $advice
advice list
advice show $advice
advice calibration
evaluate $sweep --predictors power-law
acquire status
acquire status camp
acquire plan $in/new.plan
model list
model run loggp $point --wg 0.2us
model project loggp --machine sp2 --problem 100x100x100 --mk 10 --mmi 3 --wg 0.2us --procs 4,16
model compare $sweep
model message
model transfer $in/pingpong.csv
model graph --problem 20x20x50 --grid 2x2 --mk 10 --mmi 3 --machine sp2 --wg 0.2us
model components
status show
status check
recommend $question --deadline 1h --max-nodes 4
END
cat >changes <<END
ingest $in/more.csv --app sweep3d
imports undo 1
apps add $in/sweep3d.conf
apps remove sweep3d
apps default sweep3d
machines add $in/sp3.conf
machines remove sp2
machines default sp2like
runs exclude 1 --why so
runs include 1
mine
rules accept $rule $sweep
rules refuse $rule $sweep
rules note $rule text $sweep
rules undo $rule $sweep
rules review $sweep
calibrate $sweep --pingpong $in/pingpong.csv
calibrate --machine mine --run
model run loggp $point --wg 0.2us --store
acquire run $in/new.plan
acquire stop camp
acquire resume camp
status merge $in/other.kb
advice sync
END
listing() { # FOLDER: names, and what is in them
	(cd "$1" && find . -type f -exec cksum {} + && find . ! -type f) | sort
}

nothing_left() { # NAME FOLDER BEFORE
	if listing "$2" | diff - <(echo "$3") >left; then
		pass "$1: nothing is left behind"
	else
		fail "$1: nothing is left behind" left
	fi
}

pass_if() { # 0|1 NAME: the report says why not
	if [ "$1" -eq 0 ]; then
		pass "$2"
	else
		fail "$2" report
	fi
}

# NAME FOLDER WHY: a base that may only be read, FOLDER/a.kb
only_read() {
	local name=$1 folder=$2 why=$3 before status bad=0 n=0 command
	before=$(listing "$folder")
	export LEMNOS_KB=$PWD/$folder/a.kb
	while read -r command; do
		as_other_in "$in" "$lemnos" $command >said 2>warned </dev/null
		status=$?
		n=$((n + 1))
		LEMNOS_KB=$PWD/asked.kb "$lemnos" $command --quiet >"want" 2>/dev/null </dev/null
		if [ $status -ne $? ] || ! diff <(sed "s|$LEMNOS_KB|KB|g" said) <(sed "s|$PWD/asked.kb|KB|g" want) >differs; then
			echo "        $command: exit status $status"
			cat warned differs
			bad=1
		fi
	done <asks >report
	pass_if $bad "$name: $n questions have the owner's answer"
	bad=0 n=0
	while read -r command; do
		as_other_in "$in" "$lemnos" $command >said 2>&1 </dev/null
		status=$?
		n=$((n + 1))
		if [ $status -ne 4 ] || ! grep -Eq "$why" said; then
			echo "$command: exit status $status"
			cat said
			bad=1
		fi
	done <changes >report
	pass_if $bad "$name: $n changes are refused, and told why"
	unset LEMNOS_KB
	nothing_left "$name" "$folder" "$before"
}

for folder in shared file folder; do
	mkdir $folder
	cp start.kb $folder/a.kb
done
cp start.kb asked.kb
chmod 444 shared/a.kb file/a.kb
chmod 666 folder/a.kb
chmod 555 shared folder
chmod 777 file
copy='`lemnos status backup FILE` makes a copy'
only_read "a base of somebody else" shared "shared/a\.kb may not be written: no permission \($copy"
only_read "a read-only file" file "file/a\.kb may not be written: no permission \($copy"
only_read "a read-only directory" folder "the directory of .*folder/a\.kb may not be written, .* \($copy"

# ---- a base that may not even be read
place=() # variables for the other one
needs_no_base='^model list\|^model message\|^model transfer\|^model components'
all_refused() { # NAME STATUS PATTERN: every line of `commands`
	local name=$1 want=$2 pattern=$3 status bad=0 n=0 command
	while read -r command; do
		as_other_in "$out" env "${place[@]}" "$lemnos" $command >said 2>&1 </dev/null
		status=$?
		n=$((n + 1))
		if [ $status -ne "$want" ] || ! grep -Eq "$pattern" said; then
			echo "$command: exit status $status, not $want, or nothing like: $pattern"
			cat said
			bad=1
		fi
	done <commands >report
	[ $n -gt 0 ] || bad=1
	pass_if $bad "$name: $n commands say so"
}
out=$PWD/out # where the other one may write, and is
mkdir -m 777 "$out"
mkdir secret
cp start.kb secret/a.kb
chmod 000 secret/a.kb
mkdir shut
cp start.kb shut/a.kb
chmod 000 shut
{ cat asks changes && echo init && echo status backup copy.kb; } | grep -v "$needs_no_base" >commands
for folder in secret shut; do
	export LEMNOS_KB=$PWD/$folder/a.kb
	all_refused "a base that may not be read ($folder)" 4 "$folder/a\.kb may not be read: no permission"
done
unset LEMNOS_KB

# ---- a job that the base cannot keep is not submitted
mkdir -m 755 slurm
printf '#!/bin/sh\n: >called\necho 1\n' >slurm/sbatch
chmod 755 slurm/sbatch
place=(PATH="$PWD/slurm:$PATH")
echo "recommend $question --deadline 1h --max-nodes 4 --submit --accept simulated,outside" >commands
export LEMNOS_KB=$PWD/shared/a.kb
all_refused "a recommendation to be submitted" 4 "not submitted, as this answer could not be remembered: .*may not be written"
place=()
unset LEMNOS_KB
nothing_left "nor is sbatch called" "$out" .

# ---- input that may not be read, and places that may not be written
cp start.kb "$out/a.kb"
chmod 666 "$out/a.kb"
export LEMNOS_KB=$out/a.kb
echo secret >"$in/secret"
chmod 000 "$in/secret"
mkdir -m 555 locked
locked=$PWD/locked
cat >commands <<END
ingest $in/secret --app sweep3d
ingest $in/more.csv --patterns $in/secret --app sweep3d
apps add $in/secret
apps check $in/secret
machines add $in/secret
machines check $in/secret
predict --from $in/secret $sweep
calibrate $sweep --pingpong $in/secret
model run loggp --from $in/secret $sweep --wg 1us
acquire plan $in/secret
acquire run $in/secret
model task $in/secret
model message $in/secret
model transfer $in/secret
model ranking $in/secret
model collective $in/secret
model graph $in/secret
model compose --app sweep3d --machine sp2 --network loggp --wg 1us --components $in/secret
END
all_refused "input that may not be read" 3 "in/secret: .*Permission denied"
echo "status merge $in/secret" >commands
all_refused "a base to merge that may not be read" 4 "in/secret may not be read: no permission"
cat >commands <<END
status backup $locked/x
ingest $in/more.csv --app sweep3d --rejects $locked/x
recommend $question --frontier --plot $locked/x.gp
model compare $sweep --plot $locked/x.gp
calibrate --machine mine --run --out $locked/x
model project loggp --machine sp2 --problem 100x100x100 --mk 10 --mmi 3 --wg 0.2us --procs 4,16 --plot $locked/x.gp
model graph --problem 20x20x50 --grid 2x2 --mk 10 --mmi 3 --machine sp2 --wg 0.2us --write $locked/x
model graph --problem 20x20x50 --grid 2x2 --mk 10 --mmi 3 --machine sp2 --wg 0.2us --dot $locked/x
evaluate $sweep --predictors power-law --plot $locked/x
END
all_refused "output that may not be written" 5 "locked/x[^ ]*: .*Permission denied"
nothing_left "no output" locked .
everything_but_advice() { # BASE
	contents "$1" | grep -v '^INSERT INTO advice'
}
if sound "$LEMNOS_KB" && diff <(everything_but_advice start.kb) <(everything_but_advice "$LEMNOS_KB") >differs; then
	pass "the base is as before, but for what was recommended"
else
	fail "the base is as before, but for what was recommended" differs
fi
rm "$out/a.kb"
nothing_left "beside the base" "$out" .
unset LEMNOS_KB

# ---- no place for the base
{ cat asks changes && echo init; } >all
grep -v "$needs_no_base" all >commands
unset HOME XDG_DATA_HOME
all_refused "no HOME" 2 "no HOME to look for the knowledge base in; give --kb FILE"
place=(HOME="$locked/none")
makes_one='^init\|^ingest\|^apps add\|^machines add'
grep -v "$makes_one\|^model" all >commands # models have the shipped machines
all_refused "a HOME that is not there" 2 'there is no knowledge base \S*/none/.*`lemnos init` makes one'
grep "$makes_one" all >commands
all_refused "a HOME that cannot be made" 5 'cannot make directory \S*/none: .*--kb FILE'
place=(HOME="$locked")
all_refused "a HOME that may not be written" 5 "cannot make directory $locked/\\.local: .*--kb FILE"
nothing_left "no place for the base" locked .

# ---- what is made under umask 077 is its owner's alone
place=()
umask 077
mkdir -m 777 "$out/mine"
cat >commands <<END
init --kb mine/new/a.kb
ingest $in/runs.csv --app sweep3d --kb mine/new/a.kb --rejects mine/rejects.csv
machines add $in/sp2.conf --kb mine/new/a.kb
status backup mine/copy.kb --kb mine/new/a.kb
model graph --problem 20x20x50 --grid 2x2 --mk 10 --mmi 3 --machine sp2 --wg 0.2us --write mine/graph --kb mine/new/a.kb
status check --kb mine/new/a.kb
END
all_refused "umask 077: all goes" 0 .
find "$out/mine" -mindepth 1 -perm /077 >open
if [ ! -s open ] && [ -f "$out/mine/copy.kb" ] && [ -f "$out/mine/graph" ]; then
	pass "umask 077: nobody else may read what was made"
else
	fail "umask 077: nobody else may read what was made" open
fi
umask 022

# ---- has every command, and every action of each, been asked for?
# (model latency wants a simulator, apps suggest runs of an application without a model.)
cat >>all <<END
apps check
apps suggest
machines check
completions bash
model task
model latency
model ranking
model collective
model compose
status backup
END
"$lemnos" help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | while read -r command; do
	"$lemnos" help "$command" | sed -n '/^usage:/,/^$/s/^\(usage:\|      \) lemnos \([a-z]* [a-z]*\).*/\2/p' |
		grep . || echo "$command"
done | sed 's/ *$//' >table
while read -r command; do
	grep -q "^$command\b" all || echo "$command"
done <table >missing
if [ "$(wc -l <table)" -gt 40 ] && [ ! -s missing ]; then
	pass "$(wc -l <table) commands and actions are tried here"
else
	fail "every command is tried here" missing
fi
verdict
