ask() { "$lemnos" evaluate --kb a.kb --app qr "$@" 2>&1 | sed -E 's/^qr,m,(([^,]*,){5}).*/\1/'; }
load() { # FILE: an application of its own in a new base
	rm -f a.kb
	"$lemnos" init --kb a.kb --quiet >/dev/null
	"$lemnos" ingest --kb a.kb --app qr --machine m --target time --problem n --tunable b \
		--resource procs=procs --quiet "$1" >/dev/null
}
echo one run
printf 'n,b,procs,time\n1000,16,4,2.5\n' >one.csv
load one.csv
ask
ask --decisions
echo one problem of one time, on one processor count
for b in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "1000,$b,4,2.5"; done >rows
(echo n,b,procs,time && cat rows) >alike.csv
load alike.csv
ask --predictors power-law,nearest-neighbours --format csv
ask --predictors nearest-neighbours --decisions --format csv
