#!/bin/bash
# Debian's own kernel for the virtual Pi, with what Debian leaves out: gpio-sim from Debian's kernel source, given
# contacts between its lines (matrix.h), and an SPI controller that remembers. Makes vmlinuz and initrd.gz in the
# folder named, once; another init and what it needs to mount its disk may be named.
#   ./kernel.sh FOLDER [INIT "MODULES"]
set -euo pipefail
HERE=$(cd "$(dirname "$0")" && pwd)
INIT=${2:-$HERE/init}
DISK=${3:-9pnet_virtio 9p}
mkdir -p "$1"; cd "$1"
VERSION=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: linux-image-//p' | head -1)
[ ! -e "$VERSION.ready" ] || [ -n "$(find "$HERE"/kernel.sh "$INIT" "$HERE"/matrix.h -newer "$VERSION.ready")" ] || exit 0

echo "building the virtual Pi's kernel modules for $VERSION (some minutes, once)"
apt-get install -y -qq --no-install-recommends "linux-headers-$VERSION" linux-source-6.1 \
    qemu-system-x86 busybox-static cpio kmod xz-utils gcc make >/dev/null
rm -rf image modules ramdisk
apt-get download -qq "linux-image-$VERSION"
dpkg-deb -x "linux-image-$VERSION"_*.deb image
depmod -b image "$VERSION"

mkdir modules
tar -xJf /usr/src/linux-source-6.1.tar.xz -C modules --strip-components=1 linux-source-6.1/drivers/gpio/gpio-sim.c \
    linux-source-6.1/drivers/gpio/gpiolib.h linux-source-6.1/kernel/irq/irq_sim.c
cp modules/drivers/gpio/* "$HERE/matrix.h" "$HERE/../systemd/virtual_pi/spi-capture.c" modules/
# A line reads low while a closed contact pulls it down, see matrix.h; lines are therefore read one by one.
sed -i -e 's/gc->get_multiple = gpio_sim_get_multiple/(void)gpio_sim_get_multiple/' \
    -e 's/^#include "gpiolib.h"/&\n#include "matrix.h"/' \
    -e '/^static int gpio_sim_get(/,/^}/ s/test_bit(offset, chip->value_map)/(test_bit(offset, chip->value_map) \&\& !board_pulls(offset, chip->direction_map, chip->value_map))/' \
    -e '/^static int __init gpio_sim_init/,/^}/ s/^{/{\n\tboard_files();/' \
    modules/gpio-sim.c
grep -q board_pulls modules/gpio-sim.c && grep -q board_files modules/gpio-sim.c
# A module may not call irq_to_desc; this is the exported way to the same.
sed -e 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' \
    -e 's/#include <linux\/irq.h>/&\n#include <linux\/irqdesc.h>\n#include <linux\/module.h>/' \
    modules/kernel/irq/irq_sim.c >modules/irq_sim_core.c
echo 'MODULE_LICENSE("GPL");' >>modules/irq_sim_core.c
printf 'obj-m += irq-sim.o gpio-sim.o spi-capture.o\nirq-sim-y := irq_sim_core.o\n' >modules/Kbuild
make -s -C "/usr/src/linux-headers-$VERSION" M="$PWD/modules" modules

mkdir -p ramdisk/{bin,modules,root,proc,sys,dev}
cp /bin/busybox ramdisk/bin/
for module in virtio_pci $DISK configfs i2c-dev i2c-stub; do
    modprobe -d image -S "$VERSION" --show-depends $module | sed -n 's/^insmod \(\S*\).*/\1/p'
done | awk '!seen[$0]++' >order
realpath modules/irq-sim.ko modules/gpio-sim.ko modules/spi-capture.ko >>order
while read -r module; do
    name=$(basename "${module%.xz}")
    case $module in *.xz) xz -dc "$module" >"ramdisk/modules/$name" ;; *) cp "$module" ramdisk/modules/ ;; esac
    echo "$name" >>ramdisk/modules/order
done <order
strip -g ramdisk/modules/*.ko
install -m 755 "$INIT" ramdisk/init
(cd ramdisk && find . | cpio -o -H newc --quiet | gzip -1) >initrd.gz
cp "image/boot/vmlinuz-$VERSION" vmlinuz
touch "$VERSION.ready"
