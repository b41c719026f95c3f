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
