# What an option of the command would do, it does for some of its actions: the others say so, and do
# nothing, as `runs exclude 5 --where ...` looks as if it excluded what is selected.
cp "$mined" a.kb
try() {
	"$lemnos" "$@" --kb a.kb
	echo "exit status $?"
}
try runs exclude 5 --why noise --where 'procs > 4'
try runs include 5 --why 'quiet again'
try runs show 5 --limit 3
try runs --why noise
try rules accept 1 --kind choice
try rules show 1 --state new
try rules profile --column mk
try rules --yes
try rules note 1 'as seen' --why 'I saw it'
try apps list --definition
try machines default --definition
"$lemnos" runs --kb a.kb --where excluded
# These take them.
"$lemnos" rules export --kind setting --limit 1 --kb a.kb | cut -c 13-
"$lemnos" runs export --where 'procs = 256' --limit 1 --kb a.kb | wc -l
