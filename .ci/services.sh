#!/usr/bin/env bash
# Runs a command with PostgreSQL, MariaDB, Redis and Chromium, and stops the servers when the command ends:
#   .ci/services.sh npx -y pnpm@12 test:servers
# The servers are empty, and use a temporary folder and free ports. They do not affect servers that are already running.
# Missing programs are installed from Debian's packages. To use your own server instead, set its variable:
#   POSTERN_TEST_POSTGRES_URL  POSTERN_TEST_MYSQL_URL  POSTERN_TEST_REDIS_URL  POSTERN_TEST_CHROMIUM
# The tests may create and drop databases there.
# POSTERN_TEST_VALKEY_URL names a Valkey server. Without it, the tests of the Valkey client use the Redis server.
set -euo pipefail

dir=$(mktemp -d)
chmod 755 "$dir"
pids=()
stop() {
  for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf 'services: %s\n' "$*" >&2; }
fail() { say "$*"; tail -n 40 "$dir"/*.log >&2 2>/dev/null || true; exit 1; }
have() { command -v "$1" >/dev/null 2>&1 || compgen -G "$2" >/dev/null; }
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# PostgreSQL does not run as root, and MariaDB requires a user to switch to. For root, each runs as the user of its package.
# setpriv replaces itself with the server, so that the started process id is that of the server.
as_postgres=() as_mysql=()
if [ "$(id -u)" = 0 ]; then
  as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups)
  as_mysql=(setpriv --reuid=mysql --regid=mysql --init-groups)
fi
home() { mkdir "$2"; [ "$(id -u)" != 0 ] || chown "$1" "$2"; }

free_port() { node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }
until_ready() { # the name of the server, then a command that succeeds when the server is ready
  local name=$1; shift
  for _ in $(seq 150); do "$@" >/dev/null 2>&1 && return; sleep 0.2; done
  fail "$name did not start"
}

missing=()
[ -n "${POSTERN_TEST_POSTGRES_URL:-}" ] || have initdb '/usr/lib/postgresql/*/bin/initdb' || missing+=(postgresql)
[ -n "${POSTERN_TEST_MYSQL_URL:-}" ] || have mariadbd /usr/sbin/mariadbd || missing+=(mariadb-server)
[ -n "${POSTERN_TEST_REDIS_URL:-}" ] || have redis-server /usr/bin/redis-server || missing+=(redis-server)
[ -n "${POSTERN_TEST_CHROMIUM:-}" ] || have chromium /usr/bin/chromium || missing+=(chromium)
if [ ${#missing[@]} -gt 0 ]; then
  say "installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  { root apt-get update && root apt-get install -y --no-install-recommends "${missing[@]}"; } >"$dir/apt.log" 2>&1 || fail "apt-get could not install ${missing[*]}"
fi

if [ -z "${POSTERN_TEST_POSTGRES_URL:-}" ]; then
  bin=$(dirname "$(readlink -f "$(command -v initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' | sort -V | tail -n 1)")")
  port=$(free_port)
  home postgres "$dir/postgres"
  "${as_postgres[@]}" "$bin/initdb" -D "$dir/postgres/data" -U postern -A trust -E UTF8 >"$dir/initdb.log" 2>&1 || fail "initdb failed"
  "${as_postgres[@]}" "$bin/postgres" -D "$dir/postgres/data" -p "$port" -k "$dir/postgres" -c listen_addresses=127.0.0.1 \
    -c max_connections=200 -c fsync=off -c full_page_writes=off >"$dir/postgres.log" 2>&1 &
  pids+=($!)
  until_ready PostgreSQL "$bin/pg_isready" -h 127.0.0.1 -p "$port" -U postern -d postgres
  "$bin/createdb" -h 127.0.0.1 -p "$port" -U postern postern || fail "could not create a database in PostgreSQL"
  export POSTERN_TEST_POSTGRES_URL="postgres://postern@127.0.0.1:$port/postern"
fi

if [ -z "${POSTERN_TEST_MYSQL_URL:-}" ]; then
  port=$(free_port)
  home mysql "$dir/mysql"
  "${as_mysql[@]}" mariadb-install-db --no-defaults --datadir="$dir/mysql/data" --auth-root-authentication-method=normal --skip-test-db \
    >"$dir/mariadb-install.log" 2>&1 || fail "mariadb-install-db failed"
  "${as_mysql[@]}" "$(command -v mariadbd || echo /usr/sbin/mariadbd)" --no-defaults --datadir="$dir/mysql/data" --socket="$dir/mysql/socket" --pid-file="$dir/mysql/pid" \
    --port="$port" --bind-address=127.0.0.1 --max-connections=200 --innodb-flush-log-at-trx-commit=0 >"$dir/mariadb.log" 2>&1 &
  pids+=($!)
  until_ready MariaDB mariadb --no-defaults --host=127.0.0.1 --port="$port" --user=root --execute="create database if not exists postern"
  export POSTERN_TEST_MYSQL_URL="mysql://root@127.0.0.1:$port/postern"
fi

if [ -z "${POSTERN_TEST_REDIS_URL:-}" ]; then
  port=$(free_port)
  redis-server --bind 127.0.0.1 --port "$port" --save "" --appendonly no --dir "$dir" >"$dir/redis.log" 2>&1 &
  pids+=($!)
  until_ready Redis redis-cli -h 127.0.0.1 -p "$port" ping
  export POSTERN_TEST_REDIS_URL="redis://127.0.0.1:$port"
fi

export POSTERN_TEST_CHROMIUM="${POSTERN_TEST_CHROMIUM:-$(command -v chromium)}"
say "ready in ${SECONDS} s"
"$@"
