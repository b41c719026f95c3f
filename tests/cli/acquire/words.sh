# shellcheck shell=bash
# Blanks, quotes, dollars and newlines are what they are: no shell sees a command, and one that does (ssh)
# gets no word that it could take for more.
export LEMNOS_KB="$PWD/kb"
"$lemnos" init --quiet >/dev/null
mkdir "a folder of 'mine'"
cd "a folder of 'mine'" || exit 1
cat >say.conf <<'END'
application = {
  name = "say"; title = "words";
  problem = ( { name = "n"; min = 1; doc = "size"; } );
  tunables = ( { name = "how"; type = "text"; candidates = "seen"; doc = "in words"; } );
  target = { name = "time_s"; unit = "s"; };
};
END
cat >"say it.sh" <<'END'
#!/bin/sh
printf '%s|' "$@" "$WORDS" >>"$LEMNOS_PLAN_FOLDER/said"
echo >>"$LEMNOS_PLAN_FOLDER/said"
echo "time: 1.5 s"
END
chmod +x "say it.sh"
cat >say.plan <<'END'
campaign = {
  name = "say"; application = "say"; machine = "my machine, \"here\"";
  problem = "n=1";
  factors = ( { column = "how"; levels = [ "plain", "two words", "it's; touch pwned", "$(touch pwned)", "\"x\", -y", "`touch pwned`" ]; } );
  command = [ "./say it.sh", "--how={how}", "", "$HOME {n} {{n}}" ];
  set = [ "WORDS=<{how}>" ];
  environment = [ "WORDS" ];
  result = { kind = "regex"; pattern = "time: ([0-9.]+) s"; };
};
END
"$lemnos" apps add say.conf --quiet
"$lemnos" acquire run say.plan
sort said
[ ! -e pwned ] || echo "a shell took a word for a command"
sqlite3 "$LEMNOS_KB" "SELECT how, wall_s, extra ->> 'env_WORDS', extra ->> 'campaign_command' FROM stored_say ORDER BY how"
sed 's/name = "say"; app/name = "far"; app/; s/command = .*/command = [ "say.sh", "{how}" ]; launcher = { kind = "command"; with = [ "ssh", "nowhere" ]; };/' say.plan >far.plan
"$lemnos" acquire plan far.plan
"$lemnos" acquire run far.plan
