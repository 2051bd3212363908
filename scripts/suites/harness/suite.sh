# shellcheck shell=bash
# Sourced by scripts/suites/*/run: prints the help at the head of the suite when it is asked for, goes to the project's root and
# installs what every suite needs. Sets `here`, the folder of the suite, `shared`, and `work`, a folder that is removed at the
# end.

here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
case ${1-} in
    -h | --help)
        sed -n '2,${/^#/!q; s/^# \{0,1\}//p}' "$here/run"
        exit 0
        ;;
esac
. "$(dirname "${BASH_SOURCE[0]}")/../../lib/prepare.sh"
. scripts/lib/python-environment.sh
install_packages python3 python3-venv

shared=$(realpath -m -- "${VEDUTA_SHARED:-../shared}")
export PYTHONPATH=$PWD/scripts/suites/harness PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
servers=()

stop_servers() {
    local server
    for server in "${servers[@]}"; do
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    done
    servers=()
}

finish() {
    stop_servers
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "conformance: $1" >&2
    exit "${2-1}"
}

# Ends the suite with success because something is missing that cannot be installed.
skip() {
    echo "conformance: skipped, $1" >&2
    exit 0
}

# Skips the suite unless each of the files and folders is there.
needs() {
    local path
    for path in "$@"; do
        [ -e "$path" ] || skip "$path is absent"
    done
}

# Sets VEDUTA_BINARY to a release server, which is built unless it is set.
build_server() {
    if [ -z "${VEDUTA_BINARY-}" ]; then
        swift build -c release --product veduta >&2
        VEDUTA_BINARY=$(swift build -c release --show-bin-path)/veduta
    fi
}

# Sets VEDUTA_DRIVER to the test program $1, which is built unless it is set.
build_driver() {
    if [ -z "${VEDUTA_DRIVER-}" ]; then
        swift build -c release --product "$1" >&2
        VEDUTA_DRIVER=$(swift build -c release --show-bin-path)/$1
    fi
}

free_port() {
    python3 -c 'import server; print(server.free_port())'
}

# Starts a server with the options given and waits until it is ready; sets `address`.
start_server() {
    local server
    build_server
    address=127.0.0.1:$(free_port)
    "$VEDUTA_BINARY" serve --listen "$address" "$@" 2>"$work/log" &
    server=$!
    servers+=("$server")
    for _ in $(seq 100); do
        if "$VEDUTA_BINARY" health --listen "$address"; then return; fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/log" >&2
    fail 'the server did not start'
}

# Runs a checker, $@, which writes results.json into `work`, then names what failed; ends with 1 when one of that is not in
# pending.txt of the suite.
judge() {
    "$@" || [ -e "$work/results.json" ]
    python3 scripts/suites/harness/verdict.py "$work/results.json" "$here/pending.txt" "$@"
}
