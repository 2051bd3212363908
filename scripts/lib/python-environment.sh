# shellcheck shell=bash
# Sourced by scripts that make archives. Needs `cache`, a folder outside the repository, and `fail`.

# Makes a Python environment with the packages that the file $2 pins, once, and sets `environment` to its folder, which is
# named after $1 and what is in it: a changed requirement makes a new one.
python_environment() {
    environment=$cache/$1-$({ python3 --version && cat "$2"; } | sha256sum | cut -c 1-16)
    readonly environment
    [[ ! -e $environment/complete ]] || return 0
    rm -rf "$environment"
    python3 -m venv "$environment" || fail 'no Python environment (apt-get install python3-venv)'
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: --requirement "$2"
    touch "$environment/complete"
}
