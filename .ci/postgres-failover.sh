#!/usr/bin/env bash
# Runs a command beside pairs of PostgreSQL servers, a primary and a standby with streaming replication, each pair behind HAProxy:
#   .ci/postgres-failover.sh npx -y pnpm@12 vitest run --project clusters test/clusters/postgres-failover.test.ts
# Needs Debian's packages postgresql and haproxy. The servers are empty and live in a temporary folder on free ports.
# HAProxy sends connections to the server that accepts writes, and asks both every 200 ms. It does not close connections when that changes.
# POSTERN_TEST_FAILOVER_SYNC, _ASYNC and _DEMOTE describe one pair each, because a pair can fail over once. The value is:
#   the URL through HAProxy, the URL of the primary, the URL of the standby, the process id of the primary
set -euo pipefail
. "$(dirname "$0")/lib.sh" postgres-failover

haproxy=$(find_program haproxy haproxy /usr/sbin/haproxy)
home postgres "$dir/postgres"
init_postgres "$dir/postgres/empty"
kinds=(sync async demote)
read -r -a ports <<<"$(free_ports 9)"

# The health check is the query `show transaction_read_only` in PostgreSQL's protocol. The answer `off` comes from a primary.
startup=$(printf '\0\0\0\0\0\3\0\0user\0postern\0database\0postgres\0\0' | od -An -v -tx1 | tr -d ' \n')
startup=$(printf '%08x' $((${#startup} / 2)))${startup:8}
query=$(printf 'show transaction_read_only\0' | od -An -v -tx1 | tr -d ' \n')
query=51$(printf '%08x' $((${#query} / 2 + 4)))$query
cat >"$dir/haproxy.cfg" <<CFG
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
  retries 1
  option redispatch 1
  option tcp-check
  tcp-check connect
  tcp-check send-binary $startup
  tcp-check expect rbinary 5A00000005
  tcp-check send-binary $query
  tcp-check expect rbinary 440000000D0001000000036F6666
  default-server inter 200ms fastinter 200ms downinter 200ms fall 1 rise 1
CFG

names=()
for i in 0 1 2; do
  kind=${kinds[$i]} front=${ports[$((i * 3))]} primary=${ports[$((i * 3 + 1))]} standby=${ports[$((i * 3 + 2))]}
  for server in primary standby; do cp -a "$dir/postgres/empty" "$dir/postgres/$kind-$server"; done
  # A copy of a server that is shut down is a base backup.
  touch "$dir/postgres/$kind-standby/standby.signal"
  options=(-c wal_keep_size=256MB -c max_connections=100)
  if [ "$kind" = sync ]; then options+=(-c "synchronous_standby_names=standby"); fi
  start_postgres "$kind-primary" "$dir/postgres/$kind-primary" "$primary" "${options[@]}"
  primary_pid=${pids[-1]}
  # In the file and not on the command line, so that a test can change it.
  echo "primary_conninfo = 'host=127.0.0.1 port=$primary user=postern application_name=standby'" >>"$dir/postgres/$kind-standby/postgresql.conf"
  start_postgres "$kind-standby" "$dir/postgres/$kind-standby" "$standby" -c wal_keep_size=256MB -c max_connections=100 \
    -c wal_retrieve_retry_interval=200
  cat >>"$dir/haproxy.cfg" <<CFG
listen $kind
  bind 127.0.0.1:$front
  server primary 127.0.0.1:$primary check
  server standby 127.0.0.1:$standby check
CFG
  names+=("POSTERN_TEST_FAILOVER_${kind^^}")
  at=postgres://postern@127.0.0.1
  export "${names[-1]}=$at:$front/postern $at:$primary/postern $at:$standby/postern $primary_pid"
done
"$haproxy" -f "$dir/haproxy.cfg" -db >"$dir/haproxy.log" 2>&1 &
pids+=($!)
for i in 0 1 2; do
  until_ready "the ${kinds[$i]} primary" "$bin/pg_isready" -h 127.0.0.1 -p "${ports[$((i * 3 + 1))]}" -U postern -d postgres
  until_ready "replication of the ${kinds[$i]} pair" grep -q 'started streaming' "$dir/${kinds[$i]}-standby.log"
  "$bin/createdb" -h 127.0.0.1 -p "${ports[$((i * 3 + 1))]}" -U postern postern
  until_ready "HAProxy" "$bin/psql" -h 127.0.0.1 -p "${ports[$((i * 3))]}" -U postern -d postern -c 'select 1'
done
say "ready in ${SECONDS} s: $("$haproxy" -v | head -n 1 | cut -d ' ' -f 1-3), $("$bin/postgres" --version)"
"$@"
