# Functions for the scripts of .ci that run a command beside servers. A script sources this file:
#   . "$(dirname "$0")/lib.sh" NAME
# The servers live in the temporary folder $dir on free ports. When the script ends, the processes in `pids` and the folder are removed.
script=$1
dir=$(mktemp -d)
chmod 755 "$dir"
pids=()
stop() {
  for pid in "${pids[@]}"; do kill -CONT "$pid" 2>/dev/null || true; kill -TERM "$pid" 2>/dev/null || true; done
  # PostgreSQL waits until its clients have disconnected, and some of them may be left.
  { sleep 10; kill -KILL "${pids[@]}"; } >/dev/null 2>&1 &
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  kill $! 2>/dev/null || true
  rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf '%s: %s\n' "$script" "$*" >&2; }
fail() { say "$*"; tail -n 40 "$dir"/*.log >&2 2>/dev/null || true; exit 1; }
# PostgreSQL and PgBouncer refuse to run as root, and MariaDB requires a user. setpriv is replaced by the server, so its pid is the server's.
as() { # user, command
  local user=$1; shift
  if [ "$(id -u)" = 0 ]; then exec setpriv --reuid="$user" --regid="$user" --init-groups "$@"; else exec "$@"; fi
}
home() { # user, folder
  mkdir "$2"
  [ "$(id -u)" != 0 ] || chown "$1" "$2"
}
free_ports() { # count
  node -e 'const net = require("node:net"); const s = Array.from({ length: Number(process.argv[1]) }, () => net.createServer().listen(0, "127.0.0.1"));
    setTimeout(() => { console.log(s.map((x) => x.address().port).join(" ")); s.forEach((x) => x.close()); }, 100);' "$1"
}
until_ready() { # name, command
  local name=$1; shift
  for _ in $(seq 300); do "$@" >/dev/null 2>&1 && return; sleep 0.2; done
  fail "$name did not start"
}
find_program() { # name, Debian package, pattern of its path
  command -v "$1" || compgen -G "$3" | sort -V | tail -n 1 | grep . || { say "$1 was not found: install the package $2"; return 1; }
}
init_postgres() { # folder: creates a database cluster with the superuser postern
  bin=$(dirname "$(readlink -f "$(find_program initdb postgresql '/usr/lib/postgresql/*/bin/initdb')")")
  (as postgres "$bin/initdb" -D "$1" -U postern -A trust -E UTF8) >"$dir/initdb.log" 2>&1 || fail "initdb failed"
}
start_postgres() { # name, folder, port, options of the server
  local name=$1 data=$2 port=$3; shift 3
  (as postgres "$bin/postgres" -D "$data" -p "$port" -k "$(dirname "$data")" -c listen_addresses=127.0.0.1 -c shared_buffers=16MB -c fsync=off \
    -c full_page_writes=off "$@") >"$dir/$name.log" 2>&1 &
  pids+=($!)
}
