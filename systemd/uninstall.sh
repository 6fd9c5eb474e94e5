#!/bin/sh
# Take the companion off this Pi. The games stay in /var/lib/ghost-companion, unless PURGE=1.
set -eu
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$HERE/steps.sh"
STEPS=4
as_root uninstall

say "stopping the service"
for unit in $HOTSPOT_UNIT $UNIT_NAMES $SECOND_NAMES; do
    [ ! -e $UNITS/$unit ] || systemctl --quiet disable $unit
    if systemd_runs; then systemctl --quiet stop $unit 2>/dev/null || true; fi
done

say "removing the program and its settings"
for unit in $UNIT_NAMES $SECOND_NAMES $HOTSPOT_UNIT; do rm -f $UNITS/$unit; done
rm -rf $UNITS/companion.service.d $OPT
rm -f /usr/local/bin/companion /usr/local/bin/companion-second /etc/avahi/services/$NAME.service /etc/udev/rules.d/90-$NAME.rules
rm -f $NETWORKS/system-connections/$NAME.nmconnection $NETWORKS/dnsmasq-shared.d/$NAME.conf /etc/sysusers.d/$NAME.conf
rmdir /etc/sysusers.d 2>/dev/null || true # only if it was made for us
if systemd_runs; then systemctl daemon-reload; fi

say "undoing what was done to the system"
if getent passwd $NAME >/dev/null; then userdel $NAME; fi
for state in $STATE $STATE-second; do [ ! -d $state ] || chown -R root:root $state; done
sh "$HERE/lamp-clock.sh" unset
if [ -e $INSTALLED ]; then
    while read -r kind what; do
        case $kind in
            package) apt-mark auto "$what" >/dev/null && unused="${unused:-}  $what" ;;
            group) groupdel "$what" 2>/dev/null || true ;;
            hostname) raspi-config nonint do_hostname "$what" ;;
        esac
    done <$INSTALLED
fi
rm -rf $ETC
[ -z "${unused:-}" ] || note "packages that came with it, if nothing else needs them: sudo apt autoremove"

say "games"
if [ -n "${PURGE:-}" ]; then
    rm -rf $STATE $STATE-second
    note "removed"
else
    note "kept in $STATE (sudo make uninstall PURGE=1 removes them)"
fi
