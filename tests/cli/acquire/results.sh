# The ways in which a time is found, and what is said where there is none.
cp "$tree/tests/fixtures/campaign/"* .
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
"$lemnos" apps add toy.conf --quiet
try() { # NAME RESULT
	sed "s/name = \"toy\"/name = \"$1\"/; s/levels = .*\]/levels = [ 1 ]/; s/to = 4/to = 2/; s/repeats = 2/repeats = 1/; s/result = .*/result = { $2 };/" toy.plan >"$1.plan"
	echo "-- $2"
	"$lemnos" acquire run "$1.plan" --quiet
}
try csv 'kind = "csv"; column = "ms"; unit = "ms";'
try line 'kind = "line"; starts = "RESULT,"; field = 3; unit = "ms";'
sqlite3 kb "SELECT n, p, wall_s, extra ->> 'told_residual' FROM stored_toy"
try regex 'kind = "regex"; pattern = "elapsed time: ([0-9.]+) s";'
try none 'kind = "regex"; pattern = "Elapsed: ([0-9.]+)";'
try word 'kind = "line"; starts = "elapsed"; field = 1;'
try short 'kind = "line"; starts = "RESULT,"; field = 9;'
try header 'kind = "csv"; column = "seconds";'
echo "-- it ran something else"
sed 's/"{n}", "{p}"/"2", "{p}"/' csv.plan | sed 's/name = "csv"/name = "other"/' >other.plan
"$lemnos" acquire run other.plan --quiet
echo "-- it prints nothing"
sed 's/name = "csv"/name = "silent"/; s/command = .*/command = [ "sh", "-c", "echo 7 >\&2" ];/' csv.plan >silent.plan
"$lemnos" acquire run silent.plan --quiet
echo "-- the time of the command itself"
sed 's/name = "csv"/name = "wall"/; s/result = .*//' csv.plan >wall.plan
"$lemnos" acquire run wall.plan --quiet | sed 's/: [0-9.]* [mu]*s$/: a time/'
echo "-- three that tell no time are enough"
sed 's/name = "none"/name = "many"/; s/levels = \[ 1 \]/levels = [ 1, 2, 5 ]/' none.plan >many.plan
"$lemnos" acquire run many.plan
"$lemnos" acquire status many --format csv | grep -c refused
echo "-- where it ran: machines described for hwloc"
sets() { # SET: all of an object's
	echo "cpuset=\"$1\" complete_cpuset=\"$1\" nodeset=\"0x1\" complete_nodeset=\"0x1\""
}
cat >recorded.xml <<END
<topology version="2.0">
  <object type="Machine" allowed_cpuset="0x3" allowed_nodeset="0x1" $(sets 0xf)>
    <object type="Package" os_index="0" $(sets 0xf)>
      <info name="CPUModel" value="Recorded, 2 GHz"/>
      <object type="NUMANode" os_index="0" $(sets 0xf)/>
      <object type="Core" os_index="0" $(sets 0x3)>
        <object type="PU" os_index="0" $(sets 0x1)/> <object type="PU" os_index="1" $(sets 0x2)/>
      </object>
      <object type="Core" os_index="1" $(sets 0xc)>
        <object type="PU" os_index="2" $(sets 0x4)/> <object type="PU" os_index="3" $(sets 0x8)/>
      </object>
    </object>
  </object>
</topology>
END
for origin in XMLFILE=recorded.xml 'SYNTHETIC=package:1 core:1 pu:1' \
	'SYNTHETIC=package:2 numa:2 l3:2(size=32MiB) l2:16(size=512KiB) l1:1(size=48KiB) core:1 pu:2'; do
	n=$((${n-0} + 1))
	sed "s/name = \"wall\"/name = \"host$n\"/" wall.plan >host.plan
	env "HWLOC_$origin" "$lemnos" acquire run host.plan --quiet >/dev/null
	sqlite3 kb "SELECT DISTINCT extra ->> 'campaign_processor' FROM stored_toy WHERE extra ->> 'campaign' = 'host$n'"
done
