f=$tree/tests/fixtures/formats/hpl/HPL.out
"$lemnos" ingest "$f" --kb a.kb --machine box --cores-per-node 8 --app hpl --target Time --problem N \
	--tunable NB,depth,bcast,rfact,ndiv,pfact,nbmin,mapping --grid P,Q
"$lemnos" runs --kb a.kb --app hpl --format csv
# cut off in a line of results, and before any
head -n 17 "$f" | cut -c 1-60 >cut.out
head -n 16 "$f" >none.out
for f in cut none; do
	"$lemnos" ingest $f.out --kb a.kb --machine box --app hpl
	echo "exit status $?"
done
