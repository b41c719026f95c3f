"$lemnos" --version | sed 's/[0-9][0-9.]*/N/g; s/^built with .*/built with .../'
