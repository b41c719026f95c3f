short() { sed 's/[0-9.]* %/P %/g; s/x[0-9.]*\.\.[0-9.]*/xF..F/g; s/rules: [0-9]*/rules: N/'; }
full() { sed '/^$/d; s/: Structural model.*/: .../; s/rules: [0-9]*/rules: N/'; }
cp "$loaded" a.kb
"$lemnos" mine --kb a.kb --quiet | short
sha256sum a.kb >before
"$lemnos" mine --kb a.kb | short
echo "--- all that there is to tell"
"$lemnos" mine --kb a.kb --verbose | full
sha256sum --check --quiet before
echo "--- what they are made of, in words: no line wider than asked for"
COLUMNS=80 "$lemnos" status --verbose --kb a.kb >out
awk 'length > 80' out
grep -c '^time to compute one cell for one angle  *[0-9]' out
grep -c 'wg_\|log_a' out
echo "--- one machine, for programs"
"$lemnos" mine --kb a.kb --machine sp2like --format json |
	sed 's/"snapshot": "[0-9a-f]*"/"snapshot": "HEX"/; s/: "Structural model.*"/: "..."/; s/"rules": [0-9]*/"rules": N/'
"$lemnos" mine --kb a.kb --machine iblike --format csv | cut -d , -f 1-6
