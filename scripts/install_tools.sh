#!/usr/bin/env bash
# Installs the Debian packages that some tests talk to: as root with apt-get; elsewhere it only says what is missing.
set -euo pipefail
export PATH="$PATH:/usr/sbin" DEBIAN_FRONTEND=noninteractive

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v nginx >/dev/null || missing+=(nginx-light)
command -v curl >/dev/null || missing+=(curl)
command -v soffice >/dev/null || missing+=(libreoffice-calc)
command -v openssl >/dev/null || missing+=(openssl)
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing+=(postgresql)
[ ${#missing[@]} -gt 0 ] || exit 0

apt() { apt-get -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@"; }

install_missing() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    echo "Installing for the tests: ${missing[*]}"
    # Debian starts a service when its package is installed, unless this file forbids it.
    local policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap 'rm -f /usr/sbin/policy-rc.d' EXIT
        printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" || return 1
    fi
    local log status=0
    log=$(mktemp)
    { apt update && apt install --yes --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 || status=$?
    [ $status = 0 ] || tail -n 20 "$log" >&2
    rm -f "$log"
    return $status
}

install_missing && exit 0
if [ "${CI:-}" = true ]; then
    echo "Not installed: ${missing[*]}. In CI no test may be skipped for that." >&2
    exit 1
fi
echo "Not installed: ${missing[*]}. The tests that need them will be skipped."
