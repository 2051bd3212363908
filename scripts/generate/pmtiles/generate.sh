# shellcheck shell=bash
# Sourced by the generators of archives, scripts/generate/{city,world}/run, which install what they need and call `generate`.
#
# Prints the help of the generator for `--help`. With `--check`, `generate` builds the archive aside and exits 1 when the committed
# one differs. Sets `here`, the folder of the generator, `cache`, a folder outside the repository, and `work`, which is removed at
# the end.

here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
name=${here##*/}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/veduta
readonly here cache

fail() {
    printf 'generate/%s: %s\n' "$name" "$1" >&2
    exit "${2:-2}"
}

check=false
case "${1-}" in
    '') ;;
    --check) check=true ;;
    -h | --help)
        sed -n '2,${/^#/!q; s/^# \{0,1\}//p}' "$here/run"
        exit 0
        ;;
    *) fail "unknown argument $1 (only --check is known)" ;;
esac
[[ $# -le 1 ]] || fail 'at most one argument is allowed'

work=$(mktemp -d)
readonly work
trap 'rm -rf "$work"' EXIT
mkdir -p "$cache"
. "$here/../../lib/python-environment.sh"
python_environment "$name" --no-deps --only-binary :all: --requirement "$here/requirements.txt"

# Makes the archive by build.py, which gets the arguments and the path of the archive, and installs it or compares it.
generate() {
    local archive=$here/../../../Sources/Platform/CResources/$name.pmtiles
    PYTHONPATH=$here/../pmtiles "$environment/bin/python" -B "$here/build.py" "$@" "$work/$name.pmtiles"
    if [[ $check == true ]]; then
        cmp "$work/$name.pmtiles" "$archive" || fail "$name.pmtiles is not what the scripts make" 1
    else
        install -m 644 "$work/$name.pmtiles" "$archive"
    fi
}
