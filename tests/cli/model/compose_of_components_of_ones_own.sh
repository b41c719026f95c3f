compose() {
	"$lemnos" model compose --app sweep3d --problem 150x150x150 --grid 4x4 --mk 10 --mmi 3 "$@"
}
# The SP/2 with 10 times its latency, and a processor of which somebody measured Wg.
mkdir 'my components'
cat >'my components/what if.conf' <<'END'
components = (
  { name = "sp2, 10 L"; domain = "hardware"; part = "transport"; paradigm = "analytic";
    code = "loggp-profile";
    profile = { costs = "loggp"; L_us = 230.0; o_small_us = 23.0; o_large_us = 47.0;
                G_small_us_per_byte = 0.07; G_large_us_per_byte = 0.03;
                small_max_bytes = 1024; handshake_bytes = 4096; }; },
  { name = "Ann's \"core\""; domain = "hardware"; part = "processor"; paradigm = "measured";
    code = "constant"; profile = { gives = "Wg"; wg_us = 0.35; }; }
);
END
compose --components 'my components/' --machine 'sp2, 10 L' --network loggp --cpu "Ann's \"core\""
compose --components 'my components/what if.conf' --machine sp2 --network loggp --cpu "Ann's \"core\"" --format csv |
	cut -d , -f 1-6
"$lemnos" model components --components 'my components' --format csv | grep -A 1 'sp2, 10 L'

ask() {
	cat >bad.conf
	compose --components bad.conf --machine sp2 --network loggp --wg 1us 2>&1
	echo "exit status $?"
}
ask <<'END'
components = (
  { name = "x"; domain = "hardware"; paradigm = "analytic"; }
);
END
ask <<'END'
components = (
  { name = "x"; domain = "runtime"; paradigm = "analytic"; code = "wishes"; }
);
END
ask <<'END'
components = (
  { name = "loggp"; domain = "runtime"; paradigm = "analytic"; }
);
END
ask <<'END'
components = (
  { name = "x"; domain = "hardware"; part = "processor"; paradigm = "analytic"; code = "given";
    profile = { gives = 8; }; }
);
END
ask <<'END'
components = (
  { name = "another sweep"; domain = "application"; paradigm = "analytic"; code = "wavefront";
    requests = ( { name = "network";
                   selector = "speed > 3"; } ); }
);
END
compose --components bad.conf --app 'another sweep' 2>&1
mkdir empty
compose --components empty 2>&1
compose --components nowhere.conf 2>&1
