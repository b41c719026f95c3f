# Times of tasks by the methods whose answer does not depend on this machine. What it cost does, so
# cost_s is left out.
without_cost() { jq 'del(.tasks[].cost_s)'; }
block='--it 10 --jt 10 --kt 10 --mk 5 --mmi 3 --mm 3'
"$lemnos" model task sweep-database sweep-trace $block --format json | without_cost
echo '--- a program that always takes the same time'
cat >'a task.ted' <<'END'
task = {
  name = "fixed \"one\"";
  method = "measure";
  run = { program = "./fixed"; arguments = [ "{it}", "{jt * mk}" ]; output = "wg_s"; runs = 3; };
};
END
printf '#!%s\necho it,area,wg_s; echo "$1,$2,${1}e-9"\n' /bin/sh >fixed
chmod +x fixed
"$lemnos" model task 'a task.ted' --set it=20,jt=5,mk=2 --format csv --allow-run | cut -d, -f1-5,13-
echo "--- people"
"$lemnos" model task 'a task.ted' --problem 60x40x10 --grid 3x2 --mk 5 --mmi 3 --allow-run | grep -v ^cost
echo "--- into a model: Wg 20 ns, whatever the machine is"
"$lemnos" model run loggp --machine sp2 --problem 60x40x10 --grid 3x2 --mk 5 --mmi 3 \
	--wg 'ted:./a task.ted' --allow-run --format json >by-task
"$lemnos" model run loggp --machine sp2 --problem 60x40x10 --grid 3x2 --mk 5 --mmi 3 \
	--wg 20ns --format json | cmp - by-task && echo same
echo "--- each sub-grid of a projection has its own"
"$lemnos" model project loggp --machine sp2 --problem 60x40x10 --mk 5 --mmi 3 \
	--wg 'ted:a task.ted' --allow-run --max-procs 4 2>&1 >/dev/null
echo "--- as the processor of a composition"
"$lemnos" model compose --app sweep3d --machine sp2 --network loggp --cpu given \
	--wg 'ted:a task.ted' --allow-run --problem 60x40x10 --grid 3x2 --mk 5 --mmi 3 --format json |
	jq -c '.levels[0] | {wg_s, wg_fixup_s}'
echo "--- a program that comes with a description is run only if somebody says so"
"$lemnos" model task 'a task.ted' --set it=20,jt=5,mk=2 2>&1
echo "exit status $?"
"$lemnos" model run loggp --machine sp2 --problem 60x40x10 --grid 3x2 --mk 5 --mmi 3 --wg 'ted:a task.ted' 2>&1
echo "exit status $?"
