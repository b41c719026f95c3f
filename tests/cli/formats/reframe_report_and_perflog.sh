cp "$tree"/tests/fixtures/formats/reframe/*.json "$tree"/tests/fixtures/formats/reframe_perflog/*.log .
for file in run-report.json sweep_test.log run-report-v3.json sweep_test_v3.log; do
	"$lemnos" ingest $file --kb $file.kb --app sweep --machine box --target solve_time_s --problem name \
		--resource num_tasks=procs
	"$lemnos" runs export --kb $file.kb | cut -d , -f 3-9
done
