cp "$mined" a.kb
cat >dream.conf <<'CONF'
machine = {
  name = "dream"; title = "a machine to be bought"; origin = "the offer"; simulated = false;
  nodes = 64; cores_per_node = 4; memory_per_node = "64 GiB";
  loggp = { L_us = 5.0; o_small_us = 2.0; o_large_us = 3.0; G_small_us_per_byte = 0.001;
            G_large_us_per_byte = 0.001; small_max_bytes = 1024; handshake_bytes = 16384; };
};
CONF
"$lemnos" machines add dream.conf --kb a.kb
ask() { "$lemnos" "$@" --kb a.kb --problem 280x280x255; }
ask recommend --machine dream --deadline 10m
ask recommend --machine dream --deadline 10m --like sp2like --wg-factor 0.5 --verbose | grep -E '^(WHAT|dream|memory|predictor)'
ask recommend --machine dream --deadline 10m --like sp2like --wg-factor 0.5 | grep -E '^(WHAT|dream)'
ask recommend --machine dream --deadline 10m --like sp2like --wg-factor 0.5 --format csv | sed -n 2p | grep -o outside
ask recommend --machine dream --deadline 10m --like sp2like --wg-factor 0.5 --format json | grep -E '"(like|wg_factor)"'
ask predict --machine dream --like sp2like --grid 4x8 --mk 15 --mmi 3 | grep -E '^(WHAT|support)'
ask recommend --machine dream --deadline 10m --wg-factor 2
ask recommend --machine dream --deadline 10m --like sp2like --wg-factor 0
ask recommend --machine dream --deadline 10m --like nowhere
ask recommend --machine iblike --deadline 10m --like sp2like
ask recommend --machine sp2 --deadline 10m --like iblike --max-nodes 8 --format csv | sed -n 2p | grep -o outside
