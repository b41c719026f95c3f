# Once something was mined a plan says what it will cost, and a run's limit follows from its prediction.
export LEMNOS_KB="$PWD/kb"
cp "$mined" kb
cat >sweep.plan <<'END'
campaign = {
  name = "sweep"; application = "sweep3d"; machine = "sp2like";
  problem = "20x20x50";
  factors = ( { column = "grid"; levels = [ "1x2", "2x2", "3x2" ]; }, { column = "mk"; levels = [ 5, 10 ]; } );
  constants = "mmi=3";
  constraints = [ "procs < 6 or mk = 10" ];
  command = [ "sweep3d.mpi" ];
  launcher = { kind = "mpirun"; };
  timeout = { quantile = 0.9; factor = 10; };
};
END
"$lemnos" acquire plan sweep.plan
"$lemnos" acquire plan sweep.plan --format json | sed -n '/"cost"/,/}/p'
# the sum of the predictions, and a prediction as `predict` has it
"$lemnos" acquire plan sweep.plan --format csv | awk -F, 'NR > 1 { s += $6 } END { printf "%.6f\n", s }'
"$lemnos" acquire plan sweep.plan --format csv | awk -F, '$3 == 2 && $4 == 2 && $5 == 10 { print $6 }'
"$lemnos" predict --problem 20x20x50 --grid 2x2 --mk 10 --mmi 3 --nodes 1 --machine sp2like --format json |
	grep '"predicted_s"'
sed 's/timeout = .*/timeout = { fixed = "2m"; }; budget = { runs = 3; };/; s/grid"; levels = .*2" \]/grid"; levels = [ "1x2" ]/' sweep.plan >small.plan
"$lemnos" acquire plan small.plan
