# shellcheck shell=bash
# Sourced by scripts/serve: what the caller has set, as `veduta serve` will read it.

# Prints what the caller's options say for $1, such as `--listen`; the last one counts.
option() {
    local name=$1 previous='' value='' argument
    shift
    for argument in "$@"; do
        if [ "$previous" = "$name" ]; then value=$argument; fi
        if [[ $argument == "$name"=* ]]; then value=${argument#*=}; fi
        previous=$argument
    done
    printf '%s' "$value"
}

# Whether the caller says something for $1, such as `--library`: an option, its variable or a line of the configuration
# file. What is empty counts as not given, as in `veduta serve`.
is_named() {
    local name=$1 variable file
    shift
    [ -z "$(option "$name" "$@")" ] || return 0
    variable=VEDUTA_$(tr a-z- A-Z_ <<<"${name#--}")
    [ -z "${!variable:-}" ] || return 0
    file=$(option --config "$@")
    file=${file:-${VEDUTA_CONFIG:-}}
    [ -n "$file" ] && [ -r "$file" ] &&
        grep -qE "^[[:space:]]*$variable[[:space:]]*=[[:space:]]*(\"[^\"]|'[^']|[^[:space:]\"'])" "$file"
}
