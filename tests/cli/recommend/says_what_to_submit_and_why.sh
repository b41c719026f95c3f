# Times and choices are the predictor's business (unit tests, docs/evaluation.md), rules the miner's:
# here is the form.
cp "$mined" a.kb
ask() {
	"$lemnos" recommend --kb a.kb --problem 280x280x255 "$@" |
		sed -E 's/[0-9]+(d|h|m) [0-9]+(h|m|s)/TIME/g; s/[0-9.]+ (s|ms|us)/TIME/g
			s/[0-9.]+ %  /  %/g; s/ +[0-9.]+ %/ %/g; s/[0-9.]+ node-hours/H node-hours/
			s/probability ((above|below) )?[0-9.]+/probability P/; s/ [0-9]+\.[0-9]+/ N/g; s/  +/  /g
			s/explain [0-9a-f]+/explain ID/; /^predictor/s/\(.*//; /^rules/,/^$/d; /^ *[0-9]* *[0-9]+x/d
			/^against it/d'
}
ask --deadline 3h --mk 15 --mmi 3 --grid 1x2
echo "--- all that there is to tell"
ask --deadline 3h --mk 15 --mmi 3 --grid 1x2 --verbose
echo "--- with a choice, and when there is none"
ask --deadline 1h --grid 2x8 | sed '/^  [a-z]/s/  .*/  .../; /^most/d'
ask --deadline 1s --grid 2x8 | sed '/^  [a-z]/s/  .*/  .../; /^most/d'
