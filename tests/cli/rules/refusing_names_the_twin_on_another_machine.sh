# A decision is about the rule of one machine; what another machine's runs say as well still stands there.
"$lemnos" init --kb a.kb --with-data --quiet >/dev/null
"$lemnos" mine --kb a.kb --quiet >/dev/null
id=$("$lemnos" rules list --kb a.kb --machine sp2like --format json | jq -r '[.rules[] | select(.kind == "setting")][0].id')
"$lemnos" rules refuse "$id" --kb a.kb --machine sp2like >said
cat said
twin=$(sed -n 's/.*it stands: lemnos //p' said)
# shellcheck disable=SC2086 # several words
"$lemnos" $twin --kb a.kb
"$lemnos" rules undo "$id" --kb a.kb --machine sp2like >/dev/null
echo "and with the twin refused:"
"$lemnos" rules refuse "$id" --kb a.kb --machine sp2like
