cp "$loaded" a.kb
"$lemnos" mine --kb a.kb --quiet | sed '/^$/d; s/: Wavefront model.*/: .../'
sha256sum a.kb >before
"$lemnos" mine --kb a.kb | sed '/^$/d; s/: Wavefront model.*/: .../'
sha256sum --check --quiet before
