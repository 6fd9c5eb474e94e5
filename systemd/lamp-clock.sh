#!/bin/sh
# Hold the core clock, which the lamps' SPI clock follows: without it a Pi 4 that idles sends every 0 as a 1, and all
# lamps go full white. Sources: rpi_ws281x (README, issues 381 and 447), raspberrypi/linux issue 3381.
#   lamp-clock.sh set|unset|ask [config.txt]     ask: the installer's question; CLOCK=yes or no answers it
set -eu
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$HERE/steps.sh"
BEGIN='# ghost-companion: the clock of the lamps. `sudo make uninstall` takes these lines out again.'
END='# ghost-companion: end'
FILE=${2:-}
for file in /boot/firmware/config.txt /boot/config.txt; do
    [ -n "$FILE" ] || [ ! -f $file ] || FILE=$file
done
[ -n "$FILE" ] || { note "no config.txt here: nothing to hold"; exit 0; }

without() { awk -v begin="$BEGIN" -v end="$END" '$0 == begin { skip = 1 } !skip { print } $0 == end { skip = 0 }' "$FILE"; }

# Written beside it and renamed, so that a pulled plug leaves one or the other.
put() { cat >"$FILE.new" && sync "$FILE.new" && mv "$FILE.new" "$FILE"; }

# A second board's lamps hang on the second SPI, if nobody has switched it on yet.
second_spi() {
    if without | grep -q '^dtoverlay=spi1-'; then return; fi
    if [ -n "${SECOND:-}" ] || grep -qx dtoverlay=spi1-1cs "$FILE"; then echo dtoverlay=spi1-1cs; fi
}

hold() {
    [ -e "$FILE.before-ghost-companion" ] || cp "$FILE" "$FILE.before-ghost-companion"
    { without; printf '%s\n' "$BEGIN" \
        '[pi4]' core_freq=500 core_freq_min=500 \
        '[pi3]' core_freq=250 core_freq_min=250 \
        '[pi02]' core_freq=250 core_freq_min=250 \
        '[all]' $(second_spi) "$END"; } | put
    note "the core clock is held from the next start of the Pi on: sudo reboot"
}

ask() {
    if grep -qxF "$BEGIN" "$FILE"; then
        if [ -n "${SECOND:-}" ] && ! grep -q '^dtoverlay=spi1-' "$FILE"; then hold; else note "held already"; fi
        return
    fi
    answer=${CLOCK:-}
    if [ -z "$answer" ] && [ -t 0 ]; then
        note "Lamps on SPI need a core clock that stands still (a Pi 4, 3 or Zero 2 W; a Pi 5 is not concerned):"
        note "otherwise they may go full white. This adds core_freq to config.txt; sudo make uninstall takes it out."
        [ -z "${SECOND:-}" ] || note "It switches the second SPI on, too, for the second board."
        printf '      Add it? [Y/n] '
        read -r answer || answer=no
        : "${answer:=yes}"
    fi
    case $answer in
        [Yy]*|[Oo]*|[Jj]*|1) hold ;;
        *) note "left as it is: sudo sh systemd/lamp-clock.sh set does it later, and companion doctor says if it is missing" ;;
    esac
}

case ${1:-} in
    set) hold ;;
    ask) ask ;;
    unset)
        grep -qxF "$BEGIN" "$FILE" || exit 0
        without | put
        rm -f "$FILE.before-ghost-companion" ;;
    *) echo "lamp-clock.sh set|unset|ask [config.txt]" >&2; exit 2 ;;
esac
