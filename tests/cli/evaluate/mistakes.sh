cp "$loaded" a.kb
ask() { "$lemnos" evaluate --kb a.kb "$@" 2>&1; echo "exit status $?"; }
ask --predictors crystal-ball
ask --predictors ,
ask --seed -1
ask --machine sp2
ask --rules --predictors power-law
ask --rules --machine sp2
