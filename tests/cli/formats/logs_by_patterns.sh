cp "$tree"/tests/fixtures/formats/log/training.* .
"$lemnos" ingest training.log --patterns training.patterns --kb a.kb --app train --machine box --target run_time_s \
	--problem batch --resource workers=procs
"$lemnos" runs export --kb a.kb | cut -d , -f 3-9
# without begin the second run contradicts the first
grep -v ^begin training.patterns >one.patterns
"$lemnos" ingest training.log --patterns one.patterns --kb b.kb --app train --machine box --target run_time_s --problem batch
printf 'batch ^x\n' >bad.patterns
"$lemnos" ingest training.log --patterns bad.patterns --kb b.kb --app train
printf '# first\nbatch = (x\n' >bad.patterns
"$lemnos" ingest training.log --patterns bad.patterns --kb b.kb --app train
"$lemnos" ingest training.log --input-format log --kb b.kb --app train
# that it is a log is seen without them, too
"$lemnos" ingest training.log --kb b.kb --app train
printf 'Total time (s) : 7\nsize: 3\ntime: 7\n' >one.log
"$lemnos" ingest one.log --kb b.kb --app train
printf 'n = ^size: *(.*)\ntime_s = ^time: *(.*)\n' >one.patterns
"$lemnos" ingest one.log --patterns one.patterns --kb b.kb --app one --machine box --target time_s --problem n
