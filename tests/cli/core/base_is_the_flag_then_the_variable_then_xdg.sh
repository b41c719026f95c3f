say() { "$lemnos" status "$@" 2>&1 | sed 's/\.kb: .*/.kb:/'; }
say
unset XDG_DATA_HOME
say
XDG_DATA_HOME=relative say
LEMNOS_KB=variable.kb say
LEMNOS_KB=variable.kb say --kb flag.kb
