#!/usr/bin/env bash
# Runs a command beside a MariaDB Galera cluster of three nodes on loopback, and stops the nodes when it ends:
#   .ci/galera.sh npx -y pnpm@12 vitest run --project clusters
# Needs Debian's packages mariadb-server and galera-4. The nodes are empty and live in a temporary folder on free ports.
# POSTERN_TEST_GALERA_URLS has the URLs of the nodes, and POSTERN_TEST_GALERA_PIDS their process ids, in the same order.
set -euo pipefail
. "$(dirname "$0")/lib.sh" galera

provider=$(compgen -G '/usr/lib/galera/libgalera_smm.so' || fail "galera-4 is not installed")
mariadbd=$(find_program mariadbd mariadb-server /usr/sbin/mariadbd)

# Each node needs a port for clients, one for replication, and one each for incremental and full state transfer.
read -r -a ports <<<"$(free_ports 12)"
addresses="127.0.0.1:${ports[1]},127.0.0.1:${ports[5]},127.0.0.1:${ports[9]}"
urls=()
for node in 0 1 2; do
  sql=${ports[$((node * 4))]} group=${ports[$((node * 4 + 1))]} ist=${ports[$((node * 4 + 2))]} sst=${ports[$((node * 4 + 3))]}
  home mysql "$dir/$node"
  (as mysql mariadb-install-db --no-defaults --datadir="$dir/$node/data" --auth-root-authentication-method=normal --skip-test-db) \
    >"$dir/install-$node.log" 2>&1 || fail "mariadb-install-db failed"
  members="gcomm://$addresses"
  if [ "$node" = 0 ]; then members="gcomm://"; fi
  (as mysql "$mariadbd" --no-defaults --datadir="$dir/$node/data" --socket="$dir/$node/socket" \
    --pid-file="$dir/$node/pid" --port="$sql" --bind-address=127.0.0.1 --max-connections=200 --binlog-format=row --default-storage-engine=innodb \
    --innodb-autoinc-lock-mode=2 --innodb-flush-log-at-trx-commit=1 --wsrep-on=on --wsrep-provider="$provider" --wsrep-cluster-name="postern-$$" \
    --wsrep-cluster-address="$members" --wsrep-node-name="node$node" --wsrep-node-address="127.0.0.1:$group" --wsrep-sst-method=rsync \
    --wsrep-sst-receive-address="127.0.0.1:$sst" --wsrep-slave-threads=2 \
    --wsrep-provider-options="gmcast.listen_addr=tcp://127.0.0.1:$group;ist.recv_addr=127.0.0.1:$ist;gcache.size=64M") \
    >"$dir/node-$node.log" 2>&1 &
  pids+=($!)
  until_ready "node $node" mariadb --no-defaults --host=127.0.0.1 --port="$sql" --user=root --skip-column-names \
    --execute="create database if not exists postern; select 1 / (variable_value = 'ON') from information_schema.global_status where variable_name = 'wsrep_ready'"
  urls+=("mysql://root@127.0.0.1:$sql/postern")
done
export POSTERN_TEST_GALERA_URLS="${urls[*]}" POSTERN_TEST_GALERA_PIDS="${pids[*]}"
say "ready in ${SECONDS} s: $("$mariadbd" --version | tr -s ' ')"
"$@"
