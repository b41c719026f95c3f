# Wg from task execution descriptions; what is recorded is the same everywhere.
sp2() { "$lemnos" model compose --app sweep3d --machine sp2 --network loggp --grid 2x2 --mmi 3 --iterations 1 "$@"; }
compose() { sp2 --problem 20x20x10 --angles 3 --mk 5 "$@"; }
recorded() { sp2 --problem 20x20x20 --mk 5 --quiet --format csv "$@" | cut -d , -f 3-6; }
compose --cpu ted:trace
recorded --cpu ted:database
# Any description: by its name or file, and by --wg as elsewhere.
cp "$data/tasks/sweep-database.ted" "my own task.ted"
cp "$data/tasks/task_times.csv" .
recorded --cpu 'ted:my own task.ted'
compose --wg ted:sweep-trace --quiet --format json | jq -c '.levels[0].parts[] | select(.request == "cpu") |
	[.component, .argument, .decided_by]'

# Other caches: a memory component says what differs from the description.
cat >caches.conf <<'END'
components = (
  { name = "4 KiB of D1"; domain = "hardware"; part = "memory"; paradigm = "analytic"; code = "caches";
    profile = { D1_bytes = 4096; D1_associativity = 4; }; },
  { name = "48 lines"; domain = "hardware"; part = "memory"; paradigm = "analytic"; code = "caches";
    profile = { D1_bytes = 3072; D1_associativity = 1; }; },
  { name = "half a line"; domain = "hardware"; part = "memory"; paradigm = "analytic"; code = "caches";
    profile = { D1_bytes = 0.5; }; }
);
END
wg() { compose --cpu ted:trace --quiet --format csv "$@" | tail -n 1 | cut -d , -f 6; }
wg >described
wg --components caches.conf --choose memory='4 KiB of D1' >small
paste described small | awk '{ print ($2 > $1) ? "smaller caches take longer" : "no longer" }'
ask() { compose "$@" 2>&1; echo "exit status $?"; }
ask --cpu ted:trace --components caches.conf
ask --cpu ted:trace --components caches.conf --choose memory='48 lines'
ask --cpu ted:trace --components caches.conf --choose memory='half a line'
ask --cpu ted
ask --cpu ted:nothing
ask --cpu ted:trace --wg 1us
sp2 --cpu ted:trace --problem 20x20x20 --mk 5
