"$lemnos" completions bash >lemnos.bash
bash -n lemnos.bash
bash -c '. ./lemnos.bash
	COMP_WORDS=(lemnos imp) COMP_CWORD=1; _lemnos; echo "${COMPREPLY[@]}"
	COMP_WORDS=(lemnos runs --wh) COMP_CWORD=2; _lemnos; echo "${COMPREPLY[@]}"
	COMP_WORDS=(lemnos runs --format "") COMP_CWORD=3; _lemnos; echo "${COMPREPLY[@]}"
	COMP_WORDS=(lemnos machines def) COMP_CWORD=2; _lemnos; echo "${COMPREPLY[@]}"'
"$lemnos" completions zsh >_lemnos
grep -c "^_lemnos_[a-z]*() {" _lemnos >n
"$lemnos" help | sed -n '/^commands:/,/^$/p' | grep -c '^  ' | diff - n
! command -v zsh >/dev/null || zsh -n _lemnos
"$lemnos" completions fish
