# The example of docs/models.md, but for the simulation.
compose() {
	"$lemnos" model compose --app sweep3d --machine sp2 --wg 0.35us --problem 50x50x50 --grid 8x8 --mk 10 --mmi 3 \
		--iterations 1 "$@"
}
compose --network loggp,pipeline,task-graph
# What another network adds is in the order of the flag, and the caveat of each is told.
compose --network lopc,task-graph-bus --format csv | sed -E 's/(\.[0-9]{3})[0-9]*/\1/g'
# Nothing shared: the recurrence, to the last digit.
cat >own.conf <<'END'
components = (
  { name = "unshared"; domain = "runtime"; paradigm = "analytic"; code = "task-graph";
    profile = { service = "messages"; program = "sweep3d"; shares = "none"; };
    requests = ( { name = "machine"; selector = "part = 'transport' and costs = 'loggp'"; },
                 { name = "cpu"; selector = "gives = 'Wg'"; } ); },
  { name = "shares what"; domain = "runtime"; paradigm = "analytic"; code = "task-graph";
    profile = { service = "messages"; program = "sweep3d"; shares = "tea"; };
    requests = ( { name = "machine"; selector = "part = 'transport' and costs = 'loggp'"; },
                 { name = "cpu"; selector = "gives = 'Wg'"; } ); }
);
END
compose --components own.conf --network pipeline,unshared --format json | jq '.levels | map(.time_s) | .[0] == .[1]'
# One that fails leaves the others; the exit status tells.
compose --components own.conf --network 'pipeline,shares what' --format csv | cut -d , -f 2
compose --components own.conf --network 'shares what'
