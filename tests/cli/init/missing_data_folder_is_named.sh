LEMNOS_DATADIR=$PWD/nowhere "$lemnos" init --kb a.kb
