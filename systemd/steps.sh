# What install.sh and uninstall.sh share: the places, and how a step is told.
NAME=ghost-companion
OPT=/opt/$NAME
ETC=/etc/$NAME
STATE=/var/lib/$NAME
INSTALLED=$ETC/installed   # what was not there before: "package X", "group X", "hostname X"
UNITS=/etc/systemd/system
UNIT_NAMES="companion.socket companion.service"
HOTSPOT_UNIT=companion-hotspot.service
NETWORKS=/etc/NetworkManager

step=0
say() { step=$((step + 1)); printf '[%d/%d] %s\n' "$step" "$STEPS" "$1"; }
note() { printf '      %s\n' "$1"; }
fail() { printf 'companion: %s\n' "$1" >&2; exit 1; }
systemd_runs() { [ -d /run/systemd/system ]; }
as_root() { [ "$(id -u)" = 0 ] || fail "this needs root: sudo make $1"; }
