# Figures 5 and 6 of Sundaram-Stukel and Vernon: given processor counts and grids up to 2500 (50 x 50), and a problem
# that grows with the processors.
on_sp2() { "$lemnos" model project "$@" --machine sp2 --mk 10 --mmi 3 --wg 0.35us; }
on_sp2 loggp --problem 150x150x150 --procs 2500,20x40,1,16,40x20
on_sp2 loggp --per-proc 20x20x1000 --procs 1,4,16,64,256,1024,50x50
on_sp2 loggp --per-proc 45x45x1000 --procs 1,16,2500 --least-efficiency 0.8 --plot some.gp --format json |
	sed -n '/scaling/,$p'
grep 'set multiplot' some.gp
# a year has 365 days; 30 groups and 10 000 time steps of the papers, with what surrounds the iterations
on_sp2 loggp --problem 1000x1000x1000 --groups 30 --timesteps 10000 --procs 1,1024 --w-before 1ms --w-after 2s |
	cut -c 1-60
"$lemnos" model run loggp --machine sp2 --problem 50x50x50 --grid 2x2 --mk 10 --mmi 3 --wg 1us --w-before 2s --w-after 500ms
for wrong in '--procs 4x' '--procs 0' '--procs 99999999x99999999' '--per-proc 20x20' '--problem 9x9x9 --per-proc 2x2x2' \
	'--problem 9x9x9 --procs 1000' '--problem 9x9x9 --least-efficiency 2' '--w-before x'; do
	# shellcheck disable=SC2086
	on_sp2 loggp $wrong 2>&1
	echo "exit status $?"
done
# one of the counts does not fit
"$lemnos" model project loggp --machine sp2 --mk 9 --mmi 3 --wg 0.35us --problem 9x9x9 --procs 4,1000 2>&1 | tail -n 6
