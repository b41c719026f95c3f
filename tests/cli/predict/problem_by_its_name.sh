# shellcheck shell=bash
# The name of a case stands for its sizes: what was left out is what all runs of it had.
"$lemnos" init --quiet >/dev/null
{
	echo 'the case,nx,dx,nodes,wall_s'
	for nodes in 1 2 4 8; do
		echo "it's a small one,100,12.5,$nodes,$((800 / nodes))"
		echo "large,400,2.5,$nodes,$((12800 / nodes))"
	done
} >cases.csv
"$lemnos" ingest cases.csv --app wrf --machine helga --target wall_s --problem 'the case,nx,dx' --resource nodes=nodes --quiet >/dev/null
"$lemnos" mine --quiet >/dev/null
echo "--- a name is enough"
"$lemnos" predict --problem "the case=it's a small one" --nodes 4 2>&1 | head -2
echo "--- of a size that was never run, what the name says is taken"
"$lemnos" predict --problem 'the case=large,nx=500' --nodes 4 2>&1 | head -1
echo "--- sizes are no name: which of the cases is not guessed, and the example is one that was run"
"$lemnos" predict --problem nx=400 --nodes 4 2>&1
echo "exit $?"
"$lemnos" predict --problem nx=500 --nodes 4 2>&1
echo "exit $?"
