cat >mine.conf <<'CONF'
application = {
  name = "mine";
  problem = ( { name = "n"; min = 1; } );
  resources = ( { name = "nodes"; min = 1; } );
  target = { name = "time"; unit = "s"; };
  let = ( { name = "own"; expr = "n / nodes"; } );
  compute = [ "own * own" ];
  communication = [ "log2(nodes)", "sqrt(own) * (nodes - 1)" ];
};
CONF
"$lemnos" apps check mine.conf
cp "$loaded" a.kb
"$lemnos" apps add mine.conf --kb a.kb
"$lemnos" apps show mine --kb a.kb --format json
sed 's/log2(nodes)/2 - nodes/' mine.conf >negative.conf
"$lemnos" apps check negative.conf
sed 's/log2(nodes)/n \/ (nodes - 1)/' mine.conf >infinite.conf
"$lemnos" apps check infinite.conf
sed 's/log2(nodes)/procs/' mine.conf >unknown.conf
"$lemnos" apps check unknown.conf
sed '/compute/d; /communication/d' mine.conf >none.conf
"$lemnos" apps check none.conf
sed 's/name = "own"/name = "nodes"/' mine.conf >name.conf
"$lemnos" apps check name.conf
"$lemnos" runs --app sweep3d --where 'log2(nodes) > 1' --kb a.kb
