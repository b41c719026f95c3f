# Instructions a cycle by executing a loop. The recorded trace has 39.38 instructions a cell and angle, and
# misses that take a share of their own; the rest is instructions / (instructions a cycle * 2.6 GHz).
task() { # NAME PROCESSOR
	cat >"$1.ted" <<END
task = {
  name = "$1"; method = "trace";
  trace = { file = "$tree/data/tasks/sweep-trace.zst"; cell_angles = 24000;
    recorded = { it = 10; jt = 10; kt = 10; mk = 5; mmi = 3; mm = 3; }; };
  processor = { clock_ghz = 2.6; $2 };
  memory = {
    I1 = { size = "32 KiB"; associativity = 8; line = 64; miss_cycles = 14; };
    D1 = { size = "4 KiB"; associativity = 4; line = 64; miss_cycles = 14; };
    LL = { size = "32 MiB"; associativity = 16; line = 64; miss_cycles = 250; };
  };
};
END
}
units='units = ( { name = "load"; per_cycle = 2; }, { name = "fp"; per_cycle = 2; }, { name = "any"; per_cycle = 4; } );'
kinds='kinds = ( { name = "ld"; unit = "load"; latency = 5; }, { name = "fma"; unit = "fp"; latency = 4; },
  { name = "div"; unit = "fp"; latency = 13; occupies = 4; }, { name = "add"; unit = "any"; latency = 1; } );'
wg() {
	"$lemnos" model task "$1" --it 10 --jt 10 --kt 10 --mk 5 --mmi 3 --mm 3 --format json |
		jq -c '.tasks[0] | .wg_s * (1 - .miss_share) * 2.6e9 / .instructions | . * 1000 | round / 1000'
}
# Cycles an instruction: four adds of four units, 1/4; as many that wait for each other across iterations, 1.
task adds "pipeline = { issue_width = 4; window = 64; $units $kinds loop = [\"add a =\", \"add b =\", \"add c =\", \"add d =\"]; };"
wg ./adds.ted
task chain "pipeline = { issue_width = 4; window = 64; $units $kinds loop = [\"add a = d\", \"add b = a\", \"add c = b\", \"add d = c\"]; };"
wg ./chain.ted
# A sum over a division, 4 instructions: its unit is taken for 4 cycles, and there are two: 2 cycles for
# div, and 1/2 for fma, of fp; but the sum waits for itself, 4 cycles: 1 an instruction. In order
# ld, div and fma wait for each other, add starts with fma, and the next ld a cycle later: (5 + 13 + 1) / 4.
loop='loop = ["ld x = p", "div y = x", "fma s = y s", "add p = p"];'
task sum "pipeline = { issue_width = 4; window = 224; $units $kinds $loop };"
wg ./sum.ted
task in_order "pipeline = { issue_width = 4; window = 224; in_order = true; $units $kinds $loop };"
wg ./in_order.ted
# A window of 8 lets no more than the load of the iteration after the next begin: three of them in 23 cycles.
task narrow "pipeline = { issue_width = 4; window = 8; $units $kinds $loop };"
wg ./narrow.ted
echo "--- people"
"$lemnos" model task ./sum.ted --it 10 --jt 10 --kt 10 --mk 5 --mmi 3 --mm 3 | grep -v ^cost
echo "--- mistakes"
task unknown "pipeline = { issue_width = 4; window = 8; $units $kinds loop = [\"mul x = x\"]; };"
"$lemnos" model task ./unknown.ted --it 10 --jt 10 --kt 10 --mk 5 --mmi 3 --mm 3
task both "instructions_per_cycle = 2; pipeline = { issue_width = 4; window = 8; $units $kinds $loop };"
"$lemnos" model task ./both.ted --it 10 --jt 10 --kt 10 --mk 5 --mmi 3 --mm 3
