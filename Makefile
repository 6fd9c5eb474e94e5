# Everything installs into .venv; nothing is needed beforehand but Python 3.11 or newer and make.
# The system's own is taken where it will do: it is the Python of a Pi, and built to be fast.
PYTHON ?= $(shell for each in /usr/bin/python3 python3; do \
	$$each -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; done; echo $$each)
VENV = .venv
BIN = $(VENV)/bin

.PHONY: test-swapped soak test-guesser test-timing test-fuzz-api run test rules requirements chromium lint format bench clean install uninstall test-install test-pi test-pi-systemd test-arm64 test-slow test-kills test-power test-fuzz test-faults test-fit pictures card test-card
.DEFAULT_GOAL := test

# What is installed are the versions that were tested, with their hashes: requirements/*.txt.
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet
packages = $$(grep -c '==' $(1)) packages

# What playing needs, and no more.
$(VENV)/running: pyproject.toml requirements/run.txt
	@echo "Making $(VENV) and installing $(call packages,requirements/run.txt); this is done once …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --require-hashes --requirement requirements/run.txt
	@rm -rf *.egg-info # one that an earlier install left would hide commands that are new
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# What testing needs besides.
$(VENV)/installed: $(VENV)/running requirements/test.txt
	@echo "Installing what the tests need: $(call packages,requirements/test.txt) …"
	@$(PIP) install --require-hashes --requirement requirements/test.txt
	@touch $@

# A table on this machine: an address, a QR code, a simulated board. Ctrl-C ends it.
run: $(VENV)/running
	@$(BIN)/companion play

lint: $(VENV)/installed
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

# A file of tests for each processor at a time, in their order: those in a browser, the longest, begin early. What fails
# beside others is run once more by itself: real clocks, sockets and browsers on a busy machine may miss a beat. Both
# runs are printed, and what fails again is red.
test: $(VENV)/installed chromium
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder || \
		$(BIN)/python -m pytest --last-failed --last-failed-no-failures none

# The browser of tests/browser, and what looks at calls to the system, installed where that is possible; otherwise those
# tests say how to get it.
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || [ "$$(id -u)" != 0 ] || \
		{ apt-get -q update && apt-get -qy install chromium; } || true
	@command -v strace >/dev/null || [ "$$(id -u)" != 0 ] || { apt-get -q update && apt-get -qy install strace; } || true

# The long runs: 200 kills in mid-game, every flipped bit of a journal, whole evenings in the manor, every side of the table.
test-slow: $(VENV)/installed chromium
	$(BIN)/python -m pytest -m slow --timeout 3600

# N kills at random moments over all three games; nothing acknowledged may be lost. SEED=4 for other moments.
N = 10000
test-kills: $(VENV)/installed
	KILLS=$(N) $(BIN)/python -m pytest tests/crash -m slow -k any_number_of_kills

# The power cut after every write of a whole evening, and within it, on five kinds of disk; MOVES of each game with bots.
MOVES = 12
test-power: $(VENV)/installed
	MOVES=$(MOVES) $(BIN)/python -m pytest tests/crash/test_daemon_durability.py --timeout 7200 -rP

# Mutated lines, journals, records and backups; ROUNDS=1000000 for a night.
ROUNDS = 20000
test-fuzz: $(VENV)/installed
	ROUNDS=$(ROUNDS) $(BIN)/python -m pytest tests/fuzz

# The API by schemathesis from its own OpenAPI document, as stranger, player and host. In an environment of its own:
# its packages must not decide which versions the tests have.
EXAMPLES = 300
build/fuzz/bin/st: requirements/fuzz.txt
	@$(PYTHON) -m venv build/fuzz
	@build/fuzz/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement $<
	@touch $@
test-fuzz-api: $(VENV)/installed build/fuzz/bin/st
	$(BIN)/python -m tests.fuzz.api build/fuzz/bin/st $(EXAMPLES)

# N comparisons of the truth with another world, over all games and every way out; SEED=4 for other games.
JOBS = $(shell nproc)
test-swapped: N = 1000000
test-swapped: $(VENV)/installed
	$(BIN)/python -m tests.swapped $(N) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

# An evening without rest, its daemon killed every few seconds between two enemies: SECONDS=120 for two minutes.
SECONDS = 3600
soak: $(VENV)/installed
	$(BIN)/python -m tests.soak $(SECONDS)

# A guesser with RATE tries a second from many addresses, for a minute: codes, cookies, keys, PINs.
RATE = 1000
test-guesser: $(VENV)/installed
	$(BIN)/python -m tests.guesser $(RATE) 60

# EACH turns of Max of every kind, in random order: whether the time of an answer or a push tells them apart.
EACH = 1000
test-timing: $(VENV)/installed
	$(BIN)/python -m tests.timing $(EACH)

# Faults planted one at a time in a copy of the tree; at least 95 % must be noticed. A few: make test-faults SAMPLE=12
test-faults: $(VENV)/installed
	$(BIN)/python -m tests.faults $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

# Whether every page fits every screen, three languages, long names, large letters; with pictures to look at.
SHOTS = build/shots
test-fit: $(VENV)/installed chromium
	FIT=all SHOTS=$(SHOTS) $(BIN)/python -m pytest tests/browser/test_fit.py --timeout 3600

# The README's pictures, taken of the real pages.
pictures: $(VENV)/installed chromium
	$(BIN)/python -m tests.browser.pictures

# Each prints its numbers side by side and whether its target is met. One alone: make bench BENCH=start_up
BENCH = start_up board_animation board_idle board_latency phantom_worlds phantom_playouts canterville_worlds artefacts_action web_lines web_push web_peer web_games
bench: $(VENV)/installed
	@$(PIP) install --require-hashes --requirement requirements/bench.txt
	@missed=0; for each in $(BENCH); do echo "$$each"; $(BIN)/python -m bench.$$each || missed=1; done; exit $$missed

clean:
	rm -rf $(VENV) build dist *.egg-info

# On a Raspberry Pi, with sudo: KIT=joystick, SECOND=castle-beside, PWM=1, HOTSPOT=1, HTTPS=1; PURGE=1 removes the
# games too.
install:
	sh systemd/install.sh

uninstall:
	sh systemd/uninstall.sh

# A freshly written card installs itself at its first start: INTO=/media/…/bootfs, and KIT, WIFI, PASSWORD, COUNTRY,
# HOTSPOT=1, SSH_KEY="ssh-ed25519 …", IMAGE=raspios.img.xz for a list that Raspberry Pi Imager reads.
card:
	@$(PYTHON) systemd/card.py "$(or $(INTO),build/card)" $(if $(KIT),--kit "$(KIT)") $(if $(WIFI),--wifi "$(WIFI)") \
		$(if $(PASSWORD),--password "$(PASSWORD)") $(if $(COUNTRY),--country "$(COUNTRY)") $(if $(HOTSPOT),--hotspot) \
		$(if $(SSH_KEY),--ssh-key "$(SSH_KEY)") $(if $(IMAGE),--image "$(IMAGE)")

# In a clean Debian of its own; needs root and debootstrap. SUITE=trixie for the newer one.
test-install:
	$(PYTHON) tests/install/clean_root.py --suite $(or $(SUITE),bookworm)

# What `make card` writes, judged by cloud-init itself and carried out in a clean Debian; needs root and debootstrap.
test-card:
	$(PYTHON) -m tests.install.card

# The installed companion under real systemd, with simulated pins and lamps; needs root, debootstrap and QEMU.
test-pi-systemd: $(VENV)/installed
	$(BIN)/python -m tests.systemd.virtual_pi

# The board's own code on a real kernel's GPIO, SPI and I2C; needs root and QEMU, see tests/virtual_pi.
test-pi: $(VENV)/installed
	$(BIN)/python -m tests.virtual_pi

# In an emulated 64-bit ARM userland; needs root, debootstrap and qemu-user-static. SUITE=trixie for Python 3.13.
test-arm64:
	$(PYTHON) -m tests.install.arm64

# The versions that are installed everywhere, found anew: UPGRADE=1 takes the latest ones, else only what is missing.
# Run all tests afterwards: what stands in these files is what was tested.
requirements: $(VENV)/installed
	$(PIP) install uv
	$(call compile,run)
	$(call compile,pi,pi mqtt)
	$(call compile,pi-pwm,pi mqtt pi-pwm)
	$(call compile,pi5,pi mqtt pi5)
	$(call compile,test,test)
	$(call compile,bench,test bench)
	$(call compile,fuzz,fuzz)
compile = echo "setuptools>=77" | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make requirements" $(if $(UPGRADE),--upgrade) \
	$(addprefix --extra ,$(2)) --output-file requirements/$(1).txt pyproject.toml -

# The pages in docs/rules, from the words of the games.
rules: $(VENV)/installed
	for each in phantom canterville artefacts; do $(BIN)/companion rules $$each --language en > docs/rules/$$each.md; done
