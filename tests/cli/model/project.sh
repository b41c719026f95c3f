# With --wg nothing hangs on what was mined. 280 x 280 x 255 is the smaller problem of the papers.
on_sp2() { "$lemnos" model project "$@" --machine sp2 --mk 10 --mmi 3 --wg 0.35us; }
on_sp2 loggp --problem 280x280x255
on_sp2 loggp --problem 280x280x255 --format json --plot some.gp | tail -n 7
grep -c -e '^plot' some.gp
on_sp2 loggp --problem 20x20x1000 --max-procs 100000 2>&1 | tail -n 5
# large blocks leave the pipeline to fill: the time rises
"$lemnos" model project loggp --machine sp2 --problem 100x100x10 --mk 10 --mmi 6 --wg 0.01us --max-procs 1024 | tail -n 4
# on a machine with runs: Wg is theirs, and support says where they were
cp "$mined" a.kb
"$lemnos" model project pipeline --kb a.kb --machine iblike --problem 50x50x200 --mk 10 --mmi 3 --max-procs 1024 \
	--format csv | cut -d , -f 1-3,13
"$lemnos" model project loggp --kb a.kb --machine iblike --problem 50x50x200 --mk 10 --mmi 3 --max-procs 1024 |
	tail -n 1
"$lemnos" model project loggp --kb a.kb --machine iblike --problem 50x50x200 --mk 10 --mmi 3 --max-procs 1024 \
	--wg 1us --format csv | cut -d , -f 1,12,13
for wrong in '--plot x.doc' '--max-procs 0' '--grid 2x2'; do
	# shellcheck disable=SC2086
	on_sp2 loggp --problem 280x280x255 $wrong 2>&1
done
