cp "$tree"/tests/fixtures/formats/caliper/*.json .
# the run as a whole, by Adiak's globals
"$lemnos" ingest profile.json --kb a.kb --app lulesh --target elapsed_time --unit elapsed_time=s --problem problem_size \
	--resource jobsize=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-9
# a region of it, which ends with its last rank
"$lemnos" ingest profile.json --kb b.kb --app lulesh --region main/solve --target 'time_(inc)_s' --problem problem_size \
	--resource jobsize=procs
"$lemnos" runs export --kb b.kb | cut -d , -f 3-9
"$lemnos" ingest profile.json --kb b.kb --app lulesh --region solve
# records of cali-query, without units and with
"$lemnos" ingest query.json --kb c.kb --app lulesh --machine box --region main --target 'sum#time.duration' \
	--problem problem_size --resource mpi.world.size=procs
"$lemnos" ingest query.json --kb c.kb --app lulesh --machine box --region main --target 'sum#time.duration' \
	--unit 'sum#time.duration=s' --problem problem_size --resource mpi.world.size=procs
"$lemnos" runs export --kb c.kb | cut -d , -f 3-9
"$lemnos" ingest records.json --kb d.kb --app lulesh --machine box --region main/solve --target time_s \
	--problem problem_size --resource jobsize=procs
"$lemnos" runs export --kb d.kb | cut -d , -f 3-9
