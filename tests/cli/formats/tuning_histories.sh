echo "-- GPTune"
mkdir gptune && cd gptune || exit
cp "$tree"/tests/fixtures/formats/gptune/PDGEQRF.json .
"$lemnos" ingest PDGEQRF.json --kb a.kb --app qr --target r --problem m,n --tunable mb,nb,lg2npernode,p
"$lemnos" ingest PDGEQRF.json --kb a.kb --app qr --target r --unit r=s --problem m,n --tunable mb,nb,lg2npernode,p
"$lemnos" runs export --kb a.kb | cut -d , -f 3-13
cd ..

echo "-- T4 of Kernel Tuner"
mkdir t4_of_kernel_tuner && cd t4_of_kernel_tuner || exit
cp "$tree"/tests/fixtures/formats/t4/convolution.json .
"$lemnos" ingest convolution.json --kb a.kb --app convolution --machine gpu --target runtime_ms \
	--tunable block_size_x,block_size_y,tile
"$lemnos" runs export --kb a.kb | cut -d , -f 3-10
# a file without measurements does not say what its runtimes are in
sed '/"measurements"/d; /"objectives"/d; s/\("correctness": [01]\),/\1/' convolution.json >bare.json
"$lemnos" ingest bare.json --kb b.kb --app convolution --machine gpu --target runtime --tunable block_size_x
"$lemnos" ingest bare.json --kb b.kb --app convolution --machine gpu --target runtime --unit runtime=ms --tunable block_size_x
cd ..
