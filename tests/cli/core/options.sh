echo "-- in any order and form"
mkdir in_any_order_and_form && cd in_any_order_and_form || exit
cp "$loaded" a.kb
"$lemnos" runs --kb a.kb --limit=2 list --where "run_id in (3, 5)" --format csv >1
"$lemnos" runs list --kb=a.kb --format=csv --limit 1 --limit 2 --where="run_id in (3, 5)" >2
"$lemnos" runs --format csv --kb a.kb --where "run_id in (3, 5)" -- list >3
cmp 1 2 && cmp 1 3 && wc -l <1
cd ..

echo "-- the near one of a mistyped one"
mkdir the_near_one_of_a_mistyped_one && cd the_near_one_of_a_mistyped_one || exit
cp "$loaded" a.kb
"$lemnos" ingets
"$lemnos" status --formt json
"$lemnos" status --format yaml
"$lemnos" status --format
"$lemnos" status shwo
"$lemnos" --kb x.kb status
"$lemnos" runs --limit=-1 --kb a.kb
"$lemnos" runs show
"$lemnos" runs show 1 2
echo "exit status $?"
cd ..

echo "-- format of what prints no table"
mkdir format_of_what_prints_no_table && cd format_of_what_prints_no_table || exit
# A script that asks for JSON would wait for what never comes: it is told, and nothing is done.
cp "$mined" a.kb
for command in 'apps remove sweep3d' 'machines default sp2like' 'imports undo 1' 'runs exclude 1 --why so' \
	'rules refuse 1 --machine sp2like' 'status backup copy.kb' 'status check'; do
	# shellcheck disable=SC2086 # several words
	"$lemnos" $command --kb a.kb --format json
	echo "exit status $?"
done
cmp "$mined" a.kb && ls
"$lemnos" status check --kb a.kb
cd ..

echo "-- of another action"
mkdir of_another_action && cd of_another_action || exit
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
cd ..
