# What a search could not list in memory is refused where it is written down, with the column named.
application() {
	cat >big.conf <<-EOF
	application = { name = "big"; title = "many tunables";
	  problem = ( { name = "n"; min = 1; } );
	  tunables = ( { name = "a"; min = 1; max = $1; candidates = "range"; },
	               { name = "b"; min = 1; max = 1000; candidates = "range"; },
	               { name = "c"; candidates = "list"; list = [ 1, 2, 4, 8, 16 ]; } );
	  resources = ( { name = "nodes"; min = 1; } );
	  $2
	  target = { name = "time_s"; };
	};
	EOF
	"$lemnos" apps check big.conf
	echo "exit status $?"
}
application 1000000000 ''
application 1000 ''
application 100 ''
application 1000 'legality = ( { rule = "a * b <= 4000"; why = "a tile has to fit"; } );'
"$lemnos" apps add big.conf --kb a.kb
application 1000000000 ''
"$lemnos" apps add big.conf --kb a.kb
echo "exit status $?"
printf 'n,a,time_s\n100,3,1.5\n' >runs.csv
"$lemnos" ingest runs.csv --kb a.kb --app wide --machine m --target time_s --problem n --tunable a \
	--candidates a=1..2000000
echo "exit status $?"
