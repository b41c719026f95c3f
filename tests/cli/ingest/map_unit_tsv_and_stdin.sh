cp "$loaded" a.kb
printf 'gx\tny\tnz\tpx\tpy\tnnodes\tmk\tmmi\tt\n48\t50\t50\t2\t2\t4\t10\t3\t3310\n' |
	"$lemnos" ingest - --kb a.kb --app sweep3d --machine sp2like --map gx=it_g,t=runtime_s --unit t=ms
"$lemnos" runs --kb a.kb --where "it_g = 48" --format csv | cut -d , -f 3-17
