# The broadcast of the SP2 (Liu et al. 2000): (52 + 0.029 m) log2 n us.
cat >broadcast.csv <<'END'
nodes,bytes,time_us
2,0,52
2,1000,81
2,100000,2952
4,0,104
4,1000,162
8,0,156
8,100000,8856
END
"$lemnos" model collective broadcast.csv
"$lemnos" model collective broadcast.csv --format json | grep -A 6 law | sed -E 's/(\.[0-9]{3})[0-9]*/\1/; s/"misfit": .*/"misfit": N/'
"$lemnos" model collective broadcast.csv --format csv | cut -d , -f 1,2
# one number of nodes: a line, and no law
sed 4q broadcast.csv | "$lemnos" model collective -
for table in 'nodes,bytes\n2,3\n' 'nodes,bytes,time_us\n2,3,0\n' 'nodes,bytes,time_us\n' 'nodes,bytes,time\n2,3,1\n'; do
	# shellcheck disable=SC2059
	printf "$table" >wrong.csv
	"$lemnos" model collective wrong.csv 2>&1
	echo "exit status $?"
done
