cp "$tree"/tests/fixtures/formats/ramble/results.latest.json .
"$lemnos" ingest results.latest.json --kb a.kb --app saxpy --machine box --target Kernel_Time_s --problem n \
	--resource n_nodes=nodes,n_ranks=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-10
"$lemnos" runs show 1 --kb a.kb | grep -c home || :
