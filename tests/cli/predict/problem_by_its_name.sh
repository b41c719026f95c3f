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
"$lemnos" predict --problem "the case=it's a small one" --nodes 4 2>&1 | sed -n 1,2p
echo "--- a size that the case never had is another problem, of which the name says nothing more"
"$lemnos" predict --problem 'the case=large,nx=500' --nodes 4 2>&1
echo "--- sizes are no name: which of the cases is not guessed, and the example is one that was run"
"$lemnos" predict --problem nx=400 --nodes 4 2>&1
echo "exit $?"
"$lemnos" predict --problem nx=500 --nodes 4 2>&1
echo "exit $?"
echo "--- a word that all runs had, and a number that goes with another"
{
	echo 'suite,cells,mem_gb,nodes,wall_s'
	for nodes in 1 2 4; do
		echo "motorbike,5,7.5,$nodes,$((600 / nodes))"
		echo "motorbike,20,24,$nodes,$((2400 / nodes))"
		echo "motorbike,40,46,$nodes,$((4800 / nodes))"
	done
} >foam.csv
"$lemnos" ingest foam.csv --app foam --machine helga --target wall_s --problem suite,cells,mem_gb --resource nodes=nodes --quiet >/dev/null
"$lemnos" mine --quiet >/dev/null
"$lemnos" predict --app foam --problem cells=20 --nodes 2 2>&1 | sed -n 1,2p
echo "--- of what was never run nothing is known to go with it"
"$lemnos" predict --app foam --problem cells=30 --nodes 2 2>&1
