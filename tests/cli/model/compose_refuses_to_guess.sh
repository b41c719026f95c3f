ask() { "$lemnos" model compose --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 "$@" 2>&1; echo "exit status $?"; }
ask
ask --app sweep3d
ask --app sweep3d --network loggp
ask --app sweep3d --network loggp --machine sp2
ask --app sweep3d --network loggp --machine sp2 --cpu given
ask --app sweep3d --network loggp --machine sp2 --cpu given --paradigm cpu=measured
ask --app sweep3d --network loggp --machine sp2 --cpu calibrated
ask --app sweep3d --network loggp --machine sp2 --cpu calibrated --wg 1us
cat >picky.conf <<'END'
components = (
  { name = "picky"; domain = "runtime"; paradigm = "analytic"; code = "loggp";
    profile = { service = "messages"; program = "sweep3d"; detail = "run"; };
    requests = ( { name = "machine"; selector = "part = 'transport' and costs != 'none' and cores_per_node > 100"; } ); }
);
END
ask --app sweep3d --components picky.conf --network picky --wg 1us
# one machine has costs inside a node, and is taken without being named
ask --app sweep3d --network loggp-smp --wg 1us
ask --app sweep3d --network plug-lu --wg 1us
ask --app sweep3d --network nothing --wg 1us
ask --app nothing
ask --app sweep3d --network loggp --machine iblike --wg 1us
ask --app sweep3d --paradigm network=measured
ask --app sweep3d --paradigm network=guessed
ask --app sweep3d --paradigm network
ask --app sweep3d --network loggp --machine sp2 --wg 1us --choose disk=ssd
ask --app sweep3d --network loggp --choose network=logp
ask --app sweep3d --network loggp --machine sp2 --wg 1us --from runs.csv
ask --app sweep3d --network smpi --machine sp2 --wg 1us --program sweep3d.mpi
