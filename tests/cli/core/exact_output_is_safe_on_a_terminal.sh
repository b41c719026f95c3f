# CSV and definitions are for programs, byte for byte. A terminal gets them escaped.
# ESC [31m colours, U+009B is one sign for ESC [, U+202E writes backwards, a tab is harmless.
evil=$(printf 'a\033[31mb\302\233c\342\200\256d\377')
good=$(printf 'a\033[31mb\302\233c\342\200\256d')
printf 'machine = { name = "m"; title = "%s"; };\n' "$good" >m.conf
printf 'word\tn\ttime\n%s\t1\t2\nz\t2\t3\n' "$good" >words.tsv
"$lemnos" init --kb a.kb >log
"$lemnos" machines add m.conf --kb a.kb >>log
"$lemnos" ingest words.tsv --app w --target time --problem n --tunable word --categorical word \
	--machine m --kb a.kb >>log
"$lemnos" ingest words.tsv --app x --target "$evil" --problem n --machine m --kb a.kb >>log
show() { # as bytes: what is no printable ASCII, as octal
	LC_ALL=C sed -n 'l 0'
}
on_terminal() {
	script -qfec "$*" /dev/null | tr -d '\r' | show
}
echo "--- for a program"
"$lemnos" machines --kb a.kb --format csv | tail -1 | show
"$lemnos" runs export --app w --kb a.kb --format csv | sed -n 2p | show
"$lemnos" machines show m --definition --kb a.kb | show
echo "--- on a terminal"
on_terminal "$lemnos machines --kb a.kb --format csv" | tail -1
on_terminal "$lemnos runs export --app w --kb a.kb --format csv" | sed -n 2p
on_terminal "$lemnos machines show m --definition --kb a.kb"
echo "--- JSON is JSON, and safe anywhere"
"$lemnos" machines --kb a.kb --format json | grep title | show
"$lemnos" machines --kb a.kb --format json | jq -r '.machines[].title' | show
echo "--- marks in a machine's name"
name=$(printf 'box\342\200\256xob')
cp "$data/runs/pingpong_local.csv" .
"$lemnos" calibrate --machine "$name" --pingpong pingpong_local.csv --kb a.kb 2>>log | sed -n 1p | show
"$lemnos" ingest - --app w --machine "$name" --kb a.kb <words.tsv >>log
"$lemnos" mine --app w --machine "$name" --kb a.kb 2>&1 | grep 'w on' | cut -c1-40 | show
