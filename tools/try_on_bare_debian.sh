#!/bin/bash
# Tries a command of the project on a bare Debian 12 that has git and nothing else:
#
#   tools/try_on_bare_debian.sh FOLDER [COMMAND...]
#
# Without a command the way of a new user: ./dev demo, then routh version, symbolic, simulate and optimise, and pip install
# in a fresh virtual environment, whose command routh is asked for its version.
#
# Root and debootstrap are needed. FOLDER/base keeps the bare system for the next time, FOLDER/root is a fresh copy
# of it, in which the last commit of this repository is cloned and the command run. Where Debian's packages come from
# is what this machine's apt says; npm and pip in there get this machine's registries, proxies and certificate authorities.
set -eu -o pipefail

project=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
[ $# -ge 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "this needs root" >&2; exit 1; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
base=$folder/base root=$folder/root

if [ ! -e "$base/complete" ]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 2>/dev/null | awk '$2 == "bookworm" {print $1; exit}')
    echo "== debootstrap into $base"
    rm -rf "$base"
    debootstrap --variant=minbase bookworm "$base" ${mirror:+"$mirror"} >"$folder/debootstrap.log"
    chroot "$base" apt-get update -q >/dev/null
    DEBIAN_FRONTEND=noninteractive chroot "$base" \
        apt-get install -q -y --no-install-recommends git >>"$folder/debootstrap.log" 2>&1
    rm -rf "$base"/var/lib/apt/lists/* # as images are delivered
    touch "$base/complete"
fi

release() { mountpoint -q "$root/proc" && umount "$root/proc"; return 0; }
trap release EXIT
release
rm -rf "$root"
cp -a "$base" "$root"
git clone -q --no-hardlinks "$project" "$root/srv/routh"
mount -t proc proc "$root/proc" # any machine has it; the leak sanitizer and the browser need it

settings=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb)
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name:-}" ] || settings+=("$name=${!name}")
done
authorities=${NODE_EXTRA_CA_CERTS:-${SSL_CERT_FILE:-$(npm config get cafile 2>/dev/null || true)}}
if [ -f "$authorities" ]; then
    cp "$authorities" "$root/etc/authorities.pem"
    settings+=(NODE_EXTRA_CA_CERTS=/etc/authorities.pem PIP_CERT=/etc/authorities.pem)
fi
if command -v npm >/dev/null; then
    settings+=("npm_config_registry=$(npm config get registry 2>/dev/null)")
fi
if index=$(pip config get global.index-url 2>/dev/null); then
    settings+=("PIP_INDEX_URL=$index")
fi

inside() # command...
{
    local start before status=0
    echo "== $*"
    start=$(date +%s.%N) before=$(du -smx "$root" | cut -f1)
    env -i "${settings[@]}" chroot "$root" bash -c 'cd /srv/routh && exec "$@"' run "$@" </dev/null || status=$?
    printf '== status %d after %.0f s; %d MB more on disk\n' $status "$(echo "$(date +%s.%N) $start" | awk '{print $1 - $2}')" \
        $(($(du -smx "$root" | cut -f1) - before))
    return $status
}

new_user()
{
    inside ./dev demo &&
        inside build/routh version &&
        inside build/routh symbolic examples/slider-pendulum.yaml &&
        inside build/routh simulate examples/slider-pendulum.yaml --end 1 --integrator bdf --output run.h5 &&
        inside build/routh optimise examples/quarter-car-active.yaml --study examples/studies/quarter-car.yaml &&
        inside apt-get install -q -y --no-install-recommends python3-dev python3-venv >"$folder/apt.log" 2>&1 &&
        inside python3 -m venv /opt/fresh &&
        inside /opt/fresh/bin/pip install -q --disable-pip-version-check . &&
        inside /opt/fresh/bin/routh --version &&
        inside /opt/fresh/bin/routh modes examples/slider-pendulum.yaml &&
        inside /opt/fresh/bin/python -c 'import routh; print(routh.build_info())'
}

echo "== bare Debian 12, commit $(git -C "$project" rev-parse --short HEAD)"
if [ $# -gt 0 ]; then inside "$@"; else new_user; fi
