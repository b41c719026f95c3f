# shellcheck shell=bash
# A Slurm of one node for tests, in a folder of its own: munged, a database and slurmdbd (or, as the lighter
# variant, no accounting), slurmctld, slurmd. To be sourced by bash; needs root.
#
#   cluster_missing dbd|none       what is not installed, one a line; nothing: all is here
#   cluster_start FOLDER dbd|none  exports SLURM_CONF; fails with a reason on stderr
#   cluster_stop                   ends all of it, and jobs that still run; may be called at any time
#
# No systemd and no cgroups are needed. Ports are free ones of the loopback device, so that several can run at once.

cluster_programs="munged slurmctld slurmd sbatch squeue sacct scancel sinfo"
cluster_database_programs="slurmdbd sacctmgr mariadbd mariadb-install-db mariadb"
# Ten minutes at most are granted to a start under load.
cluster_patience_s=600

cluster_missing() {
	local p
	# shellcheck disable=SC2046,SC2086 # words
	for p in $cluster_programs $([ "$1" = none ] || echo $cluster_database_programs); do
		PATH=$PATH:/usr/sbin command -v "$p" >/dev/null || echo "$p"
	done
}

# Polls until the command succeeds. cluster_wait WHAT COMMAND...
cluster_wait() {
	local what=$1 end=$((SECONDS + cluster_patience_s))
	shift
	until "$@" >/dev/null 2>&1; do
		if [ $SECONDS -ge $end ]; then
			echo "slurm: waited $cluster_patience_s s in vain for $what" >&2
			return 1
		fi
		sleep 0.1
	done
}

cluster_listens() {
	(exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# A port of the loopback device that nobody listens at.
cluster_port() {
	local port
	while port=$((20000 + RANDOM % 12000)); do
		case " $cluster_ports " in *" $port "*) continue ;; esac
		cluster_listens $port || break
	done
	cluster_ports="$cluster_ports $port"
	cluster_new_port=$port
}

# Starts a program that stays in the foreground. cluster_run NAME COMMAND...
cluster_run() {
	local name=$1
	shift
	"$@" >"$cluster/$name.log" 2>&1 </dev/null &
	echo $! >"$cluster/$name.process"
}

cluster_is_up() {
	kill -0 "$(cat "$cluster/$1.process")" 2>/dev/null
}

# What it says when it does not come up. cluster_await NAME COMMAND...: up when the command succeeds.
cluster_await() {
	local name=$1 end=$((SECONDS + cluster_patience_s))
	shift
	until "$@" >/dev/null 2>&1; do
		if ! cluster_is_up "$name" || [ $SECONDS -ge $end ]; then
			echo "slurm: $name did not come up:" >&2
			tail -n 15 "$cluster/$name.log" >&2
			return 1
		fi
		sleep 0.1
	done
}

cluster_munge() {
	mkdir -m 711 "$cluster/munge"
	head -c 1024 /dev/urandom >"$cluster/munge/key"
	chown -R munge:munge "$cluster/munge"
	chmod 400 "$cluster/munge/key"
	cluster_run munged setpriv --reuid=munge --regid=munge --clear-groups munged --foreground \
		--key-file="$cluster/munge/key" --socket="$cluster/munge/socket" --pid-file="$cluster/munge/pid" \
		--seed-file="$cluster/munge/seed" --log-file="$cluster/munge/log"
	cluster_await munged test -S "$cluster/munge/socket"
}

cluster_database() {
	local sql=$cluster/sql
	mkdir -m 700 "$sql"
	chown mysql "$sql"
	# A caller's TMPDIR may be closed to the user mysql.
	env TMPDIR="$sql" mariadb-install-db --no-defaults --user=mysql --datadir="$sql/data" --auth-root-authentication-method=normal \
		--skip-test-db >"$cluster/install-db.log" 2>&1 || { tail -n 15 "$cluster/install-db.log" >&2; return 1; }
	cluster_port
	cluster_run mariadbd env TMPDIR="$sql" mariadbd --no-defaults --user=mysql --datadir="$sql/data" --socket="$sql/socket" \
		--pid-file="$sql/pid" --bind-address=127.0.0.1 --port=$cluster_new_port \
		--innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=32M --innodb-log-file-size=8M
	cluster_await mariadbd mariadb --no-defaults --socket="$sql/socket" -u root -e 'SELECT 1' || return
	mariadb --no-defaults --socket="$sql/socket" -u root -e "CREATE DATABASE slurm_acct_db;
		CREATE USER slurm@localhost IDENTIFIED BY 'lemnos'; CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'lemnos';
		GRANT ALL ON slurm_acct_db.* TO slurm@localhost; GRANT ALL ON slurm_acct_db.* TO slurm@'127.0.0.1';"
	local sql_port=$cluster_new_port
	cluster_port
	cluster_dbd_port=$cluster_new_port
	(umask 077; cat >"$cluster/slurmdbd.conf") <<END
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
DbdHost=$(hostname -s)
DbdAddr=127.0.0.1
DbdPort=$cluster_dbd_port
SlurmUser=root
LogFile=$cluster/slurmdbd.own.log
PidFile=$cluster/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$sql_port
StorageUser=slurm
StoragePass=lemnos
StorageLoc=slurm_acct_db
END
	SLURM_CONF=$cluster/slurm.conf cluster_run slurmdbd slurmdbd -D
	cluster_await slurmdbd cluster_listens $cluster_dbd_port
}

cluster_write_conf() {
	local ctld slurmd
	cluster_port
	ctld=$cluster_new_port
	cluster_port
	slurmd=$cluster_new_port
	{
		cat <<END
ClusterName=lemnos
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmctldPort=$ctld
SlurmdPort=$slurmd
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=2
KillWait=2
OverTimeLimit=0
MpiDefault=none
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=60 State=UP
END
		if [ "$1" = dbd ]; then
			cat <<END
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=@DBD@
AccountingStoragePass=$cluster/munge/socket
END
		else
			echo "AccountingStorageType=accounting_storage/none"
		fi
	} >"$cluster/slurm.conf"
}

cluster_start() {
	local PATH=$PATH:/usr/sbin
	cluster=$1
	cluster_ports=
	mkdir -p "$cluster/state" "$cluster/spool"
	chmod 711 "$cluster"
	export SLURM_CONF=$cluster/slurm.conf
	cluster_munge || return
	cluster_write_conf "$2"
	if [ "$2" = dbd ]; then
		cluster_database || return
		sed -i "s/@DBD@/$cluster_dbd_port/" "$cluster/slurm.conf"
		cluster_wait "slurmdbd to answer" sacctmgr -n list cluster || return
		{ sacctmgr -i add cluster lemnos && sacctmgr -i add account lemnos Description=tests Organization=tests &&
			sacctmgr -i add user "$(id -un)" Account=lemnos; } >"$cluster/sacctmgr.log" 2>&1 ||
			{ cat "$cluster/sacctmgr.log" >&2; return 1; }
	fi
	cluster_run slurmctld slurmctld -D -c
	cluster_await slurmctld sinfo || return
	cluster_run slurmd slurmd -D -N "$(hostname -s)"
	# shellcheck disable=SC2016 # of the inner shell
	cluster_await slurmd sh -c 'test "$(sinfo --noheader --format=%T)" = idle'
}

# Ends those of this cluster, last started first, and their children; each by its own number.
cluster_stop() {
	local name pid end
	[ -n "${cluster:-}" ] && [ -d "$cluster" ] || return 0
	if [ -s "$cluster/slurmctld.process" ] && cluster_is_up slurmctld; then
		scancel --quiet --full --signal=KILL --state=RUNNING --user="$(id -un)" 2>/dev/null
		scancel --quiet --user="$(id -un)" 2>/dev/null
		end=$((SECONDS + 20))
		while [ -n "$(squeue --noheader 2>/dev/null)" ] && [ $SECONDS -lt $end ]; do sleep 0.1; done
	fi
	for name in slurmd slurmctld slurmdbd mariadbd munged; do
		[ -s "$cluster/$name.process" ] || continue
		pid=$(cat "$cluster/$name.process")
		kill "$pid" 2>/dev/null
		end=$((SECONDS + 20))
		while kill -0 "$pid" 2>/dev/null; do
			[ $SECONDS -lt $end ] || kill -9 "$pid" 2>/dev/null
			sleep 0.1
		done
		wait "$pid" 2>/dev/null
		rm -f "$cluster/$name.process"
	done
	return 0
}
