#!/usr/bin/env bash
# Runs a command beside a PostgreSQL behind PgBouncer in transaction mode, with a pool of two connections for each database:
#   .ci/pgbouncer.sh npx -y pnpm@12 vitest run --project clusters test/clusters/pgbouncer.test.ts
# Needs Debian's packages postgresql and pgbouncer. Both are empty and live in a temporary folder on free ports.
# POSTERN_TEST_PGBOUNCER_URL leads through PgBouncer, POSTERN_TEST_PGBOUNCER_DIRECT_URL to PostgreSQL itself.
set -euo pipefail
. "$(dirname "$0")/lib.sh" pgbouncer

pgbouncer=$(find_program pgbouncer pgbouncer /usr/sbin/pgbouncer)
home postgres "$dir/postgres"
init_postgres "$dir/postgres/data"
read -r -a ports <<<"$(free_ports 2)"
# PgBouncer closes the connection of a client that no longer waits. With client_connection_check_interval, PostgreSQL then ends the statement.
start_postgres postgres "$dir/postgres/data" "${ports[0]}" -c max_connections=100 -c client_connection_check_interval=1000
until_ready PostgreSQL "$bin/pg_isready" -h 127.0.0.1 -p "${ports[0]}" -U postern -d postgres
"$bin/createdb" -h 127.0.0.1 -p "${ports[0]}" -U postern postern

echo '"postern" ""' >"$dir/users.txt"
cat >"$dir/pgbouncer.ini" <<INI
[databases]
* = host=127.0.0.1 port=${ports[0]}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ports[1]}
unix_socket_dir =
auth_type = trust
auth_file = $dir/users.txt
admin_users = postern
pool_mode = transaction
default_pool_size = 2
max_client_conn = 500
server_reset_query_always = 0
INI
# PgBouncer 1.21 and later can track prepared statements. The tests are about a PgBouncer that does not.
if "$pgbouncer" --version | grep -qE '^PgBouncer 1\.(2[1-9]|[3-9][0-9])'; then echo 'max_prepared_statements = 0' >>"$dir/pgbouncer.ini"; fi
(as postgres "$pgbouncer" "$dir/pgbouncer.ini") >"$dir/pgbouncer.log" 2>&1 &
pids+=($!)
until_ready PgBouncer "$bin/psql" -h 127.0.0.1 -p "${ports[1]}" -U postern -d postern -c 'select 1'
export POSTERN_TEST_PGBOUNCER_URL="postgres://postern@127.0.0.1:${ports[1]}/postern"
export POSTERN_TEST_PGBOUNCER_DIRECT_URL="postgres://postern@127.0.0.1:${ports[0]}/postern"
# For the suites of a PostgreSQL server.
export POSTERN_TEST_POSTGRES_URL="$POSTERN_TEST_PGBOUNCER_URL?prepare=false"
say "ready in ${SECONDS} s: $("$pgbouncer" --version | head -n 1), $("$bin/postgres" --version)"
"$@"
