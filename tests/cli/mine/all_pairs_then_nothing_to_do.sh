cp "$loaded" a.kb
"$lemnos" mine --kb a.kb --quiet | sed '/^$/d; s/: Structural model.*/: .../; s/rules: [0-9]*/rules: N/'
sha256sum a.kb >before
"$lemnos" mine --kb a.kb | sed '/^$/d; s/: Structural model.*/: .../; s/rules: [0-9]*/rules: N/'
sha256sum --check --quiet before
