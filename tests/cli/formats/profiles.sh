echo "-- Thicket: one region of each profile"
mkdir thicket_one_region_of_each_profile && cd thicket_one_region_of_each_profile || exit
cp "$tree"/tests/fixtures/formats/thicket/dataframe.csv .
"$lemnos" ingest dataframe.csv --kb a.kb --app lulesh --machine box --region 'solve, "CG"' --target 'Max time/rank' \
	--unit 'Max time/rank=s' --problem problem_size --resource ranks=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-9
"$lemnos" ingest dataframe.csv --kb b.kb --app lulesh --machine box --target 'Max time/rank' --problem problem_size
echo "exit status $?"
cd ..

echo "-- Caliper: profile and query"
mkdir caliper_profile_and_query && cd caliper_profile_and_query || exit
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
cd ..
