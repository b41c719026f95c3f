cp "$mined" a.kb
"$lemnos" mine --kb a.kb --machine sp2like --format json |
	sed 's/"snapshot": "[0-9a-f]*"/"snapshot": "HEX"/; s/: "Wavefront model.*"/: "..."/'
"$lemnos" mine --kb a.kb --machine iblike --format csv | cut -d , -f 1-6
