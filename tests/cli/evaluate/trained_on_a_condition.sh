cp "$loaded" a.kb
ask() { "$lemnos" evaluate --kb a.kb --machine iblike --predictors power-law --format csv "$@" 2>&1; echo "exit status $?"; }
shown() { cut -d , -f 3-7; }
ask --train 'procs <= 16' | shown
ask --train 'NOT procs > 16' | shown
# beside named protocols, in the order of typing
ask --train 'procs <= 16' --protocols configurations-70/30 | shown
# a second condition leaves some runs on neither side; quotes and spaces are no harm
ask --train 'procs <= 8' --test 'procs in (16, 32) and mk > 5' | shown
# disturbing what is trained on changes predictions, not what is tested
ask --train 'procs <= 16' --disturb 0.33 | shown
