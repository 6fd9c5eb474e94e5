# What install.sh and uninstall.sh share: the places, and how a step is told.
NAME=ghost-companion
OPT=/opt/$NAME
ETC=/etc/$NAME
STATE=/var/lib/$NAME
INSTALLED=$ETC/installed   # what was not there before: "package X", "group X", "hostname X"
UNITS=/etc/systemd/system
UNIT_NAMES="companion.socket companion-https.socket companion.service"
SECOND_NAMES="companion-second.socket companion-second-https.socket companion-second.service"
HOTSPOT_UNIT=companion-hotspot.service
NETWORKS=/etc/NetworkManager

step=0
say() { step=$((step + 1)); printf '[%d/%d] %s\n' "$step" "$STEPS" "$1"; }
note() { printf '      %s\n' "$1"; }
fail() { printf 'companion: %s\n' "$1" >&2; exit 1; }
systemd_runs() { [ -d /run/systemd/system ]; }
as_root() { [ "$(id -u)" = 0 ] || fail "this needs root: sudo make $1"; }

# A unit for the second board of a Pi: the same, with ports, a state, a run folder and settings of its own.
second_of() {
    sed -e 's/companion\(-https\)\?\.\(socket\|service\)/companion-second\1.\2/g' -e 's#/\(lib\|run\)/ghost-companion#&-second#g' \
        -e 's/^\(State\|Runtime\)Directory=ghost-companion$/&-second/' -e 's/^\(Description=.*\)/\1 (second board)/' \
        -e 's|/etc/ghost-companion/environment|/etc/ghost-companion/second|' -e 's/\(Port \|^ListenStream=\)80\b/\18080/' \
        -e 's/\(Port \|^ListenStream=\)443\b/\18443/' "$1"
}
