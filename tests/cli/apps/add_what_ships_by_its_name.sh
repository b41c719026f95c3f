cp "$loaded" a.kb
"$lemnos" apps add hpl snap --kb a.kb
"$lemnos" apps show snap --kb a.kb
"$lemnos" apps add nosuch --kb a.kb
