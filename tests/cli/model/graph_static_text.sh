# A sweep over three processors with flux fix-ups after the 7th of 12 iterations: loops, a condition, a node that stands
# for a graph, and times from a task description.
cat >sweeps.txt <<'END'
static-task-graph 1
let procs = 3
let blocks = 2
graph sweep iteration
  for p = 0 .. procs-1
    for b = 0 .. blocks-1
      task "{p}.{b}" proc={p} ted=./wg.ted it=10 jt=10 kt=10 mk=5 mmi=3 mm=3
      if iteration > 7
        task "fix-up {p}.{b}" proc={p} time=1us
        edge "{p}.{b}" "fix-up {p}.{b}"
      end
      if p > 0
        edge "{p-1}.{b}" "{p}.{b}" time=500ns bytes=1200
      end
      if b > 0
        edge "{p}.{b-1}" "{p}.{b}"
      end
    end
  end
end
for i = 1 .. 12
  use sweep "iteration {i}" iteration={i}
  if i > 1
    edge "iteration {i-1}/{procs-1}.{blocks-1}" "iteration {i}/0.0"
  end
end
END
cat >wg.csv <<'END'
it,jt,mk,mmi,wg_s
10,10,5,3,4e-9
END
cat >wg.ted <<'END'
task = { name = "wg"; method = "database";
         database = { file = "wg.csv"; time = "wg_s"; nearest = { it = "it"; jt = "jt"; mk = "mk"; mmi = "mmi"; }; }; };
END
"$lemnos" model graph sweeps.txt --write dynamic.txt
sed -n '1,3p;$p' dynamic.txt
"$lemnos" model graph dynamic.txt --format csv | cut -d , -f 1-4
for line in 'for i = 1 .. n' 'use sweep x' 'task a ted=no.ted it=1 jt=1 mk=1 mmi=1' 'task a ted=./wg.ted it=50 jt=1 mk=1 mmi=1' 'end'; do
	printf 'static-task-graph 1\n%s\n' "$line" | "$lemnos" model graph - 2>&1
	echo "exit status $?"
done
