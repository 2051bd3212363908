# shellcheck shell=bash
# Sourced by the other scripts: goes to the project's root and installs the system packages that are missing.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

# Installs those of the Debian packages named that are not there yet; silent when nothing is missing.
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        return 0 # Not a Debian: whoever builds here sees to the libraries, and the build says what it misses.
    fi
    local installed missing=() name
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null) || true
    for name in "$@"; do
        grep -qxF "installed $name" <<<"$installed" || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "These Debian packages are missing; as root, run: apt-get install ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "Installing: ${missing[*]}" >&2
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >/dev/null; then
        echo "These Debian packages could not be installed: ${missing[*]}" >&2
        exit 1
    fi
}

if ! command -v swift >/dev/null; then
    echo "The Swift toolchain (6.2 or newer) is not on PATH: https://www.swift.org/install" >&2
    exit 1
fi
# What Veduta is made of with the fonts of the built-in maps, and what the toolchain needs to link and to fetch packages; if it does not even start, also
# the libraries that it is linked to.
packages=(libvips-dev libjpeg-dev libdeflate-dev libssl-dev libcurl4-openssl-dev libsqlite3-dev libhiredis-dev
    libfribidi-dev libharfbuzz-dev fonts-noto-core fonts-wqy-microhei
    pkg-config binutils ca-certificates gcc git libc6-dev)
swift package --version >/dev/null 2>&1 || packages+=(libcurl4 libncurses6 libsqlite3-0 libxml2)
install_packages "${packages[@]}"
