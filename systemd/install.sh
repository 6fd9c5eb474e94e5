#!/bin/sh
# Make a table of a Raspberry Pi (Raspberry Pi OS bookworm or trixie, 64-bit). May be run again at any time: it
# then brings the installation up to date and leaves the games and the settings alone.
#   KIT=joystick      the kit of this table (may be chosen later on the first page)
#   NEOPIXEL=1        the driver "neopixel" as well: on a Pi 5 any pin, on an older one GPIO10, neither as root
#   PWM=1             the same on a Pi 4 or older for its PWM pins: the service runs as root
#   SECOND=castle-beside  the kit of a second board on this Pi: a companion of its own, on port 8080
#   HTTPS=1           HTTPS beside HTTP, with a certificate of the table's own (may be switched on from a phone later)
#   HOTSPOT=1         a Wi-Fi of its own where there is none
#   CLOCK=yes         hold the core clock for the lamps without asking (no: leave it)
set -eu
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
SOURCE=$(dirname -- "$HERE")
. "$HERE/steps.sh"
STEPS=8
[ -z "${SECOND:-}" ] && [ ! -e $ETC/second ] || STEPS=9
as_root install

packages() {
    say "packages of the system"
    wanted="python3-venv avahi-daemon openssl"
    [ "$(neopixel_extra)" != pi-pwm ] || wanted="$wanted gcc python3-dev"
    ! grep -qsF '[sound]' "${KIT:-}" || wanted="$wanted alsa-utils"
    [ -z "${HOTSPOT:-}" ] || wanted="$wanted network-manager dnsmasq-base"
    fresh_packages $wanted
}

# What the driver "neopixel" needs on this model, if it is wanted.
neopixel_extra() {
    [ -n "${NEOPIXEL:-}${PWM:-}" ] || return 0
    if [ -z "${PWM:-}" ] && grep -q 'Raspberry Pi 5' /proc/device-tree/model 2>/dev/null; then echo pi5; else echo pi-pwm; fi
}

fresh_packages() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    note "installing:$missing"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null || return 1
    for package in $missing; do remember "package $package"; done
}

remember() { mkdir -p "$ETC"; grep -qxF "$1" "$INSTALLED" 2>/dev/null || echo "$1" >>"$INSTALLED"; }

user_and_groups() {
    say "service user and device groups"
    for group in gpio spi i2c; do
        getent group $group >/dev/null || remember "group $group"
    done
    install -D -m 644 "$HERE/sysusers.conf" /etc/sysusers.d/$NAME.conf
    systemd-sysusers /etc/sysusers.d/$NAME.conf
    install -D -m 644 "$HERE/udev.rules" /etc/udev/rules.d/90-$NAME.rules
    install -d -m 700 $STATE
    # The number of the user may be another one than when these games were played.
    [ -n "${PWM:-}" ] || chown -R $NAME:$NAME $STATE
}

buses() {
    say "SPI for the lamps, I²C for expanders"
    if command -v raspi-config >/dev/null; then
        raspi-config nonint do_spi 0
        raspi-config nonint do_i2c 0
    else
        note "no raspi-config here: switch on SPI and I²C by hand if this machine has lamps"
    fi
}

lamp_clock() {
    say "the clock of the lamps"
    sh "$HERE/lamp-clock.sh" ask
}

settings() {
    say "settings in $ETC"
    install -d -m 755 $ETC
    [ -e $ETC/environment ] || install -m 644 "$HERE/environment" $ETC/environment
    if [ -n "${KIT:-}" ]; then
        [ ! -f "$KIT" ] || chmod 644 "$KIT" # a kit of one's own, which the service must be able to read
        sed -i "s|^COMPANION_OPTIONS=.*|COMPANION_OPTIONS=--kit $KIT|" $ETC/environment
    fi
}

units() {
    say "service"
    for unit in $UNIT_NAMES; do install -m 644 "$HERE/$unit" $UNITS/; done
    if [ -n "${PWM:-}" ]; then
        install -D -m 644 "$HERE/pwm.conf" $UNITS/companion.service.d/pwm.conf
    else
        rm -rf $UNITS/companion.service.d
    fi
    install -D -m 644 "$HERE/avahi/companion.service" /etc/avahi/services/$NAME.service
    install -D -m 755 "$HERE/companion" /usr/local/bin/companion
    systemctl --quiet enable $UNIT_NAMES
    if systemd_runs; then
        systemctl daemon-reload
        # A socket cannot be opened for a service that runs already; phones wait at the one that is open.
        systemctl is-active --quiet companion-https.socket || systemctl stop companion.service
        systemctl start companion.socket
        systemctl start companion-https.socket || note "something else has port 443: no HTTPS here"
    fi
}

network() {
    say "name on the network"
    # A Pi that nobody has named yet becomes companion.local; any other keeps its name.
    if [ "$(cat /etc/hostname 2>/dev/null)" = raspberrypi ]; then
        remember "hostname raspberrypi"
        raspi-config nonint do_hostname companion
    fi
    [ -z "${HOTSPOT:-}" ] || sh "$HERE/hotspot/setup.sh"
}

program() {
    say "the companion itself; this takes some minutes on a small Pi"
    extras=pi,mqtt
    extra=$(neopixel_extra)
    [ -z "$extra" ] || extras=$extras,$extra
    PYTHONPATH=$SOURCE python3 -B -m companion.releases "$SOURCE" "$extras" $STATE
    [ -z "${HTTPS:-}" ] || companion https on
}

# A second board: its own state, settings and units, made from those of the first; the program is the same.
second_board() {
    [ $STEPS = 9 ] || return 0
    say "the second board"
    if [ -n "${SECOND:-}" ]; then
        first=$(sed -n 's/^COMPANION_OPTIONS=.*--kit \([^ ]*\).*/\1/p' $ETC/environment)
        [ -n "$first" ] || fail "which kit has the first board? sudo make install KIT=… SECOND=$SECOND"
        companion doctor "$SECOND" --beside "$first"
        [ ! -f "$SECOND" ] || chmod 644 "$SECOND"
        # A phone shows its cookies to both ports, so that they need two names.
        { cat "$HERE/environment"; echo COMPANION_COOKIE=companion-second; } |
            sed "s|^COMPANION_OPTIONS=.*|COMPANION_OPTIONS=--kit $SECOND|" >$ETC/second
    fi
    install -d -m 700 $STATE-second
    chown -R $NAME:$NAME $STATE-second
    for unit in $UNIT_NAMES; do second_of "$HERE/$unit" >"$UNITS/companion-second${unit#companion}"; done
    install -D -m 755 "$HERE/companion" /usr/local/bin/companion-second
    systemctl --quiet enable $SECOND_NAMES
    if systemd_runs; then
        systemctl daemon-reload
        systemctl is-active --quiet companion-second-https.socket || systemctl stop companion-second.service
        systemctl start companion-second.socket
        systemctl start companion-second-https.socket || note "something else has port 8443: no HTTPS there"
        systemctl restart companion-second.service
        note "its address is that of the first with :8080; sudo companion-second status shows code and PIN"
    fi
}

packages
user_and_groups
buses
lamp_clock
settings
units
network
program
second_board
echo "Done: http://$(cat /etc/hostname).local, or scan this code; the first phone with the PIN is led through the rest."
if systemd_runs; then companion status || true; else note "\`sudo companion status\` shows code and PIN once it runs"; fi
