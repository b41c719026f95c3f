echo "-- it needs a terminal"
mkdir it_needs_a_terminal && cd it_needs_a_terminal || exit
cp "$mined" kb
$lemnos rules review --kb kb
echo "exit status $?"
cd ..

echo "-- a key each"
mkdir a_key_each && cd a_key_each || exit
# accept, note, refuse, an arrow and an unknown key, back, skip, quit
cp "$mined" kb
sqlite3 kb <"$cases/rules/planted.sql"
sqlite3 kb "UPDATE rule SET weight = 0.5 WHERE kind = 'time'" # predictions follow it: it is listed
review() { # KEYS: the exit status of the review, and whether the terminal is as it was
	rm -f transcript
	{
		for _ in $(seq 6000); do # ten minutes: keys that come before the question mean something else
			grep -q 'r/n/s\|^decisions' transcript 2>/dev/null && break
			sleep 0.1
		done
		# shellcheck disable=SC2059 # the keys are a format: \003
		printf "$1"
	} | script -qfec "$lemnos rules review --kb kb; echo status \$?; stty -a" transcript >/dev/null
	tr -d '\r' <transcript >screen
	grep -E '^(status|interrupted|decisions|lemnos)' screen
	grep -oE ' (-?icanon|-?echo|-?isig)\b' screen | sort -u
}
review 'anseen by night\nr\033[A?bsq'
$lemnos rules --kb kb | grep -E '^ *[0-9]'
$lemnos rules show 2 --kb kb | sed -n '/^decisions/,/^$/p'
echo "--- interrupted: what was decided stays"
review 'a\003'
$lemnos rules --state accepted --kb kb | grep -E '^ *[0-9]'
echo "--- the terminal goes away, then nothing is left to do"
review ''
review 'rr'
review '' # a key would be echoed into what the shell prints by then
cd ..
