# What a rule leaves of the candidates is known only in the search: it ends there, and names them.
cat >big.conf <<EOF
application = { name = "big"; title = "many tunables";
  problem = ( { name = "n"; min = 1; } );
  tunables = ( { name = "a"; min = 1; max = 1000; candidates = "range"; },
               { name = "b"; min = 1; max = 1000; candidates = "range"; },
               { name = "c"; min = 1; max = 1000; candidates = "range"; } );
  resources = ( { name = "nodes"; min = 1; } );
  legality = ( { rule = "a * b <= 4000"; why = "a tile has to fit"; } );
  target = { name = "time_s"; };
};
EOF
awk 'BEGIN { print "n,a,b,c,nodes,time_s"
	for (i = 1; i <= 40; i++) { a = 1 + i * 7 % 40; b = 1 + i * 11 % 50; c = 1 + i * 13 % 60; n = 2 ^ (i % 3)
		printf "%d,%d,%d,%d,%d,%.4f\n", 100, a, b, c, n, 100 / n * (1 + 1 / a + 1 / b) * (1 + c / 100) } }' >runs.csv
"$lemnos" apps add big.conf --kb a.kb
"$lemnos" ingest runs.csv --kb a.kb --app big --machine m --quiet
"$lemnos" mine --kb a.kb --quiet >/dev/null
"$lemnos" recommend --kb a.kb --problem 100 --objective time
echo "exit status $?"
"$lemnos" recommend --kb a.kb --problem 100 --objective time --set c=1 --max-nodes 1 >/dev/null
echo "exit status $?"
# A million are listed, but not predicted: ladders of equal ratios are.
"$lemnos" recommend --kb a.kb --problem 100 --objective time --set a=1
"$lemnos" explain --kb a.kb --format json | grep -A 3 '"tunings"'
"$lemnos" recommend --kb "$mined" --machine sp2like --problem 1000000x1000000x10 --objective time --max-nodes 1000000000
echo "exit status $?"
# Both name the limit that a search has.
"$lemnos" apps check big.conf
# What no bound excludes is not predicted without an end.
"$lemnos" recommend --kb "$mined" --machine sp2like --problem 5040x5040x720 --deadline 1ms --max-nodes 100000
