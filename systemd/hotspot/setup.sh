#!/bin/sh
# Give the table a Wi-Fi of its own, used where the Pi finds no network it knows. Called by install.sh.
set -eu
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$HERE/../steps.sh"
profile=$NETWORKS/system-connections/$NAME.nmconnection

if [ ! -e $profile ]; then
    key=$(python3 -c 'import secrets; print("-".join("".join(secrets.choice("abcdefghjkmnpqrstuvwxyz") for _ in range(4)) for _ in range(3)))')
    name="Ghost companion"
    umask 077
    mkdir -p "$(dirname $profile)" $NETWORKS/dnsmasq-shared.d
    sed -e "s/@NAME@/$name/" -e "s/@KEY@/$key/" "$HERE/ghost-companion.nmconnection" >$profile
    # The service draws a code from these that phones scan to join.
    printf 'COMPANION_WIFI_NAME="%s"\nCOMPANION_WIFI_KEY="%s"\n' "$name" "$key" >$ETC/hotspot
fi
install -D -m 644 "$HERE/dnsmasq.conf" $NETWORKS/dnsmasq-shared.d/$NAME.conf
install -m 644 "$HERE/../$HOTSPOT_UNIT" $UNITS/
systemctl --quiet enable $HOTSPOT_UNIT
if systemd_runs; then
    systemctl daemon-reload
    nmcli connection reload
fi
note "the table's own Wi-Fi:"
sed 's/^/        /' $ETC/hotspot
