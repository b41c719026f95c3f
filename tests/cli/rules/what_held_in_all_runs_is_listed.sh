# Five applications, each with one relation that held in all of its runs; and two in which chance is enough.
mined_from() {
	rm -f kb
	"$lemnos" ingest "$1.csv" --kb kb --app "$1" --machine there --target time --quiet "$2" "$3" \
		"$4" "$5" "$6" "$7" >out
	"$lemnos" mine --kb kb --quiet >out
	echo "--- $1: $(grep -c , "$1.csv") lines"
	"$lemnos" rules --kb kb --kind invariant 2>&1
}
# tile divides size
awk 'BEGIN { print "size,tile,nodes,time"
	for (s = 48; s <= 240; s += 16) for (t = 8; t <= 20; t += 4) for (n = 1; n <= 3; n++)
		if (s % t == 0) print s "," t "," n "," s * s / 100 / n + t }' >divides.csv
mined_from divides --problem size --tunable tile --resource nodes=nodes
# one run that broke it, and ended
{ cat divides.csv; echo 48,20,1,44; } >broken.csv
mined_from broken --problem size --tunable tile --resource nodes=nodes
# five runs in which it held
sed -n '1p; 2p; 8p; 9p; 14p; 20p' divides.csv >few.csv
mined_from few --problem size --tunable tile --resource nodes=nodes
# y = x, and so what holds for x holds for y
awk 'BEGIN { print "size,x,y,nodes,time"
	for (s = 10; s <= 90; s += 20) for (x = 3; x <= 11; x += 2) for (n = 1; n <= 3; n++)
		print s "," x "," x "," n "," s * s / 10 / n + x }' >equal.csv
mined_from equal --problem size --tunable x,y --resource nodes=nodes
# depth <= tile
awk 'BEGIN { print "size,depth,tile,nodes,time"
	for (t = 3; t <= 15; t += 2) for (d = 2; d <= t; d += 3) for (n = 1; n <= 3; n++)
		print 1000 + t * d % 7 * 10 "," d "," t "," n "," 100 / n + t + d }' >at_most.csv
mined_from at_most --problem size --tunable depth,tile --resource nodes=nodes
# p * q = procs
awk 'BEGIN { print "size,p,q,procs,time"
	for (s = 100; s <= 700; s += 300) for (p = 1; p <= 5; p++) for (q = 1; q <= 4; q++)
		print s "," p "," q "," p * q "," s / p / q + p }' >product.csv
mined_from product --problem size --tunable p,q --resource procs=procs
# tile is a power of two
awk 'BEGIN { print "size,tile,nodes,time"
	for (s = 1000; s <= 3000; s += 500) for (t = 8; t <= 512; t *= 2) for (n = 1; n <= 3; n++)
		print s "," t "," n "," s / n + t }' >power.csv
mined_from power --problem size --tunable tile --resource nodes=nodes
"$lemnos" rules show 1 --kb kb --limit 2 | sed -n '/invariant/,/by luck/p'
