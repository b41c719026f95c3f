# What just fails to be sure enough is not rounded up to what was asked for.
cp "$mined" a.kb
ask() { "$lemnos" recommend --kb a.kb --problem 280x280x255 --machine sp2like --quiet "$@"; }
least=$(ask --budget 0.01nh --format json | sed -n 's/.*"feasible_budget_node_hours": \([0-9.]*\),*/\1/p')
for share in 0.9999 0.999 0.998 0.99; do
	budget=$(awk "BEGIN { printf \"%.9f\", $share * $least }")
	ask --budget "${budget}nh" | sed -n 's/.*(within .* with probability \(.*\))$/\1/p' |
		awk -v share=$share '{ print share, ($1 < 0.9 ? "below" : $1) }'
done
