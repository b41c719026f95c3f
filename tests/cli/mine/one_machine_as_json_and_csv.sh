cp "$mined" a.kb
"$lemnos" mine --kb a.kb --machine sp2like --format json |
	sed 's/"snapshot": "[0-9a-f]*"/"snapshot": "HEX"/; s/: "Structural model.*"/: "..."/; s/"rules": [0-9]*/"rules": N/'
"$lemnos" mine --kb a.kb --machine iblike --format csv | cut -d , -f 1-6
