cp "$mined" a.kb
rounded() { sed -E 's/[0-9]+(h|m) [0-9]+(m|s)/TIME/g; s/[0-9.]+ (s|ms|us)/TIME/g; s/ [0-9.]+ %$/ %/
	/^predictor/s/\(.*//; /^rules/d; /^  (for|against|used) /d; s/  +/  /g'; }
"$lemnos" predict --kb a.kb --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 | rounded
"$lemnos" predict --kb a.kb --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --format csv |
	sed -E 's/[0-9]+\.[0-9]+/N/g'
"$lemnos" predict --kb a.kb --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 --format json |
	sed -E 's/[0-9]+\.[0-9]+(e-?[0-9]+)?/N/; s/"(snapshot|explanation|rules_identity)": ".*"/"\1": "..."/
		/"rules": \[$/,/^    \]/c\    "rules": [...],'
echo "--- more processes than cores is said"
cp "$mined" a.kb
"$lemnos" predict --kb a.kb --problem 100x100x100 --mk 10 --mmi 3 --grid 16x16 --nodes 1 | grep note
"$lemnos" predict --kb a.kb --problem 100x100x100 --mk 10 --mmi 3 --grid 16x17 | grep note
