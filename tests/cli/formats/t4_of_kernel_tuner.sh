cp "$tree"/tests/fixtures/formats/t4/convolution.json .
"$lemnos" ingest convolution.json --kb a.kb --app convolution --machine gpu --target runtime_ms \
	--tunable block_size_x,block_size_y,tile
"$lemnos" runs export --kb a.kb | cut -d , -f 3-10
# a file without measurements does not say what its runtimes are in
sed '/"measurements"/d; /"objectives"/d; s/\("correctness": [01]\),/\1/' convolution.json >bare.json
"$lemnos" ingest bare.json --kb b.kb --app convolution --machine gpu --target runtime --tunable block_size_x
"$lemnos" ingest bare.json --kb b.kb --app convolution --machine gpu --target runtime --unit runtime=ms --tunable block_size_x
