# shellcheck shell=bash
# Sourced by scripts that use packages of PyPI. Needs python3-venv.

# Makes a Python environment outside the repository, once, and sets `environment` to its folder, which is named after $1 and what
# is in it: a changed requirement makes a new one. The other arguments are those of `pip install`.
python_environment() {
    local name=$1 argument
    shift
    environment=${XDG_CACHE_HOME:-$HOME/.cache}/veduta/$name-$({
        python3 --version
        for argument in "$@"; do if [ -f "$argument" ]; then cat "$argument"; else echo "$argument"; fi; done
    } | sha256sum | cut -c 1-16)
    [[ ! -e $environment/complete ]] || return 0
    rm -rf "$environment"
    python3 -m venv "$environment" >&2 || {
        echo "no Python environment (apt-get install python3-venv)" >&2
        exit 2
    }
    "$environment/bin/pip" install --quiet --disable-pip-version-check "$@" >&2 || exit 2
    touch "$environment/complete"
}
