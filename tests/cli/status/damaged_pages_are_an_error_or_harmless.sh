# Bits flipped in pages of all kinds: every command ends with a status of ours, and a failure is explained.
# The unit test reads such bases whole; here is what people see.
"$lemnos" init --kb sound.kb >log
head -n 60 "$data/runs/measured_local.csv" >runs.csv
"$lemnos" ingest runs.csv --kb sound.kb >>log 2>&1
"$lemnos" mine --kb sound.kb >>log 2>&1
sqlite3 sound.kb 'PRAGMA journal_mode = DELETE' >>log
pages=$(($(wc -c <sound.kb) / 4096))
flip() { # OFFSET BIT
	byte=$(od -An -tu1 -j "$1" -N 1 sound.kb)
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\$(printf %o $((byte ^ 1 << $2)))" |
		dd of=a.kb bs=1 seek="$1" conv=notrunc 2>/dev/null
}
try() { # COMMAND...
	timeout 600 "$lemnos" "$@" --kb a.kb >out 2>err
	status=$?
	case $status in
	0 | 1) ;;
	2 | 3 | 4) [ -s err ] || [ -s out ] || echo "page $page: $*: nothing said" ;;
	*) echo "page $page: $*: status $status" ;;
	esac
}
for page in $(seq 0 10 $((pages - 1))); do
	cp sound.kb a.kb
	flip $((page * 4096 + page * 37 % 64)) $((page % 8))
	flip $((page * 4096 + page * 1009 % 4096)) $((page % 7))
	try status
	try status check
	try recommend --problem 50x50x50 --deadline 1h
	try runs export
done
[ "$pages" -gt 20 ] && echo "nothing else was said"
