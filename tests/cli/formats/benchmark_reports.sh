echo "-- Google Benchmark: arguments in the name"
mkdir google_benchmark_arguments_in_the_name && cd google_benchmark_arguments_in_the_name || exit
cp "$tree"/tests/fixtures/formats/google_benchmark/sort.json .
"$lemnos" ingest sort.json --kb a.kb --app sort --machine box --target real_time_s --problem name,n --tunable arg1 \
	--resource threads=threads
"$lemnos" runs export --kb a.kb | cut -d , -f 3-12
cd ..

echo "-- hyperfine: each time is a run"
mkdir hyperfine_each_time_is_a_run && cd hyperfine_each_time_is_a_run || exit
cp "$tree"/tests/fixtures/formats/hyperfine/threads.json .
"$lemnos" ingest threads.json --kb a.kb --app solve --machine box --target time_s --resource threads=threads
"$lemnos" runs export --kb a.kb | cut -d , -f 3-8
# commands without parameters
printf '{"results": [{"command": "sort -n a", "mean": 1, "times": [1.0]}, {"command": "sort a", "mean": 2, "times": [2.0]}]}' |
	"$lemnos" ingest - --kb b.kb --app sort --machine box --target time_s --problem command
"$lemnos" runs export --kb b.kb | cut -d , -f 3-8
cd ..

echo "-- Ramble: figures of merit"
mkdir ramble_figures_of_merit && cd ramble_figures_of_merit || exit
cp "$tree"/tests/fixtures/formats/ramble/results.latest.json .
"$lemnos" ingest results.latest.json --kb a.kb --app saxpy --machine box --target Kernel_Time_s --problem n \
	--resource n_nodes=nodes,n_ranks=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-10
"$lemnos" runs show 1 --kb a.kb | grep -c home || :
cd ..

echo "-- ReFrame: report and log"
mkdir reframe_report_and_log && cd reframe_report_and_log || exit
cp "$tree"/tests/fixtures/formats/reframe/*.json "$tree"/tests/fixtures/formats/reframe_perflog/*.log .
for file in run-report.json sweep_test.log run-report-v3.json sweep_test_v3.log; do
	"$lemnos" ingest $file --kb $file.kb --app sweep --machine box --target solve_time_s --problem name \
		--resource num_tasks=procs
	"$lemnos" runs export --kb $file.kb | cut -d , -f 3-9
done
cd ..
