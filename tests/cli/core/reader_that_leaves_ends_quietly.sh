cp "$loaded" lemnos.kb
{ "$lemnos" runs export --kb lemnos.kb; echo $? >status; } | head -1 | cut -c 1-20
cat status
