cp "$loaded" a.kb
ask() { "$lemnos" evaluate --kb a.kb "$@" 2>&1; echo "exit status $?"; }
ask --predictors crystal-ball
ask --predictors power-law,power-law
ask --predictors ,
ask --protocols tea-leaves
ask --protocols rows,rows
ask --seed -1
ask --disturb 1.5
ask --machine sp2
ask --train 'procs <='
ask --train 'cores <= 16'
ask --test 'procs = 16'
ask --machine iblike --predictors power-law --train 'procs >= 1'
ask --machine iblike --predictors power-law --train 'procs < 1'
ask --rules --predictors power-law
ask --rules --decisions
ask --decisions --train 'procs <= 16'
ask --rules --plot a
ask --plot ''
ask --rules --machine sp2
ask --decisions --machine sp2
