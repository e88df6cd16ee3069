# `make demo` shows the main job on sample data, `make test` runs the tests; both install what the machine lacks.

PREFIX ?= /usr/local
SWIFT ?= swift
# One binary that needs no toolchain, with the commit it was built from. Without debug information, which `make install`
# strips anyway.
RELEASE = $(SWIFT) build -c release --static-swift-stdlib -debug-info-format none --product etl $(addprefix -Xlinker ,$(shell .ci/commit))

.PHONY: help demo test check lint clean-build thread-sanitizer address-sanitizer docs client pipelines faults counters torture \
	reference fuzz conformance soak bench suite-costs man deb container install deps build clean

help:
	@echo 'make demo      the main job on sample data, offline: builds, imports, shows what came out'
	@echo 'make test      all tests'
	@echo 'make check     all that a change must pass: format, clean build and tests, thread and address sanitizer, docs,'
	@echo '               the Swift client, pipelines, faults, fuzzers, counters, Debian package, container file'
	@echo 'make docs      the developer documentation as DocC archives in .build/docs'
	@echo 'make client    the Swift client as apps build it; code for Apple against declarations of its Foundation'
	@echo 'make faults    ten thousand records through services that fail in every way'
	@echo 'make counters  what each record costs the optimized tool, in allocations, statements and bytes'
	@echo 'make torture   kills, power cuts, failing disks and damaged files for every command that writes; DOSE=100'
	@echo 'make soak      a server with light traffic for two hours: alive, right, and nothing grows; HOURS=2'
	@echo 'make reference etl against independent implementations; DOSE=100'
	@echo 'make fuzz      every parser fuzzed for a minute; FUZZ_SECONDS=600'
	@echo 'make conformance  public suites for HTTP, OpenAPI and WebSockets against the server; they must be installed'
	@echo 'make bench     the benchmarks'
	@echo 'make suite-costs  CPU time of each test suite alone, with its child processes; SUITES=KillTests'
	@echo 'make man       manual pages and shell completions in .build/share'
	@echo 'make deb       a Debian package in .build, installed in a scratch directory and tried'
	@echo 'make container  check the container file; build the image if podman, buildah or docker works here'
	@echo 'make install   etl, manual pages and completions into PREFIX (PREFIX=$(PREFIX))'
	@echo 'make clean     remove what was built'

demo: build
	@.ci/demo .build/release/etl .build/demo

build: deps
	$(RELEASE)

deps:
	@.ci/deps

# Optimized, with assertions: the suite takes a third of the time. In a folder of its own, so that `swift test` keeps its build,
# in which a changed line is built and tested in seconds.
OPTIMIZED_TEST = $(SWIFT) test --scratch-path .build/optimized
test: export ETL_OPTIMIZED = 1
test: deps
	.ci/test $(OPTIMIZED_TEST)

check: lint clean-build thread-sanitizer address-sanitizer docs client pipelines faults fuzz counters deb container

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

# An incremental build can pass where a clean one fails: module maps that clash are found only here. Tests that try at
# random try more than in `make test`.
clean-build: export ETL_OPTIMIZED = 1
clean-build: deps
	rm -rf .build/optimized
	ETL_FULL_DOSE=1 .ci/test $(OPTIMIZED_TEST)

# The sanitizer cannot see a Mutex: `Guarded` is a pthread lock there. XCTest is of no use to it. Only what runs threads: parsers,
# formats and rules have none, and of the tool's tests, which run it thousands of times, those that stop it or use it side by side.
# Without the optimizer: an optimized await of a continuation that was resumed already makes no call that the sanitizer sees.
THREADED = ConcurrentRefresh|HangUp|Operations|Politeness|ServeCommand|StopRequests|StoppedRuns|WaitingRuns
thread-sanitizer: deps
	.ci/test $(SWIFT) test --sanitize=thread --disable-xctest --scratch-path .build/thread -Xswiftc -DTHREAD_SANITIZER \
		--skip '^((Bytes|Syntax|Books|Formats|Rows|Repository)Tests\.|EtlTests\.(?!($(THREADED))Tests/))'

# The fast tests: parsers, the database's C boundary, the runtime, the clients of services. Leaks are not looked for:
# tests leave clients open, which wait for their run to stop.
address-sanitizer: export ETL_OPTIMIZED = 1
address-sanitizer: deps
	ETL_FAST_TESTS=1 ASAN_OPTIONS=detect_leaks=0 .ci/test $(SWIFT) test --sanitize=address --disable-xctest \
		--scratch-path .build/address

docs: deps
	.ci/docs .build/docs

client:
	.ci/client

# Every definition is planned against the registry of stages; nothing is run.
pipelines: export ETL_OPTIMIZED = 1
pipelines: deps
	$(SWIFT) build --scratch-path .build/optimized --product etl
	for file in Pipelines/*.yaml Pipelines/migrations/*.yaml; do .build/optimized/debug/etl check "$$file" > /dev/null || exit 1; done

faults: export ETL_OPTIMIZED = 1
faults: deps
	ETL_FAULT_RECORDS=10000 $(OPTIMIZED_TEST) --filter NetworkImportTests

# The tests count the tool built for debugging; here the release, by the same test. The benchmarks are built with it, so
# that they stay buildable.
counters: export ETL_OPTIMIZED = 1
counters: deps
	ETL_BENCH=1 $(subst --product etl,,$(RELEASE))
	ETL_COUNTED_TOOL='$(CURDIR)/.build/release/etl' $(OPTIMIZED_TEST) --filter CountersTests

DOSE ?= 100
torture: export ETL_OPTIMIZED = 1
torture: build
	Tests/Torture/torture --etl .build/release/etl --dose $(DOSE)
	Tests/Torture/kill_server --etl .build/release/etl --kills $(DOSE)
	Tests/Torture/searches --etl .build/release/etl
	ETL_TORTURE=1 ETL_FULL_DOSE=1 ETL_EDIT_COUNT=$(DOSE) ETL_UNDO_COUNT=$(DOSE) $(OPTIMIZED_TEST) \
		--filter 'KillTests|DamagedNumbersTests|RandomEditsTests|RandomUndosTests'

# Of the build for debugging, which stops at more errors.
HOURS ?= 2
soak: deps
	$(SWIFT) build --product etl
	Tests/Torture/soak --etl .build/debug/etl --hours $(HOURS)

reference: deps
	$(SWIFT) build --product etl
	Tests/Reference/compare --dose $(DOSE)

FUZZ_SECONDS ?= 60
fuzz: deps
	Tests/Fuzz/run $(FUZZ_SECONDS)

conformance: deps
	$(SWIFT) build --build-tests
	Tests/Conformance/run

bench: deps
	Tests/Benchmarks/run
	Tests/Benchmarks/repeats
	Tests/Benchmarks/parts
	Tests/Benchmarks/catalogs

# The log of a whole run shows how long tests waited for each other, not what they cost.
suite-costs: export ETL_OPTIMIZED = 1
suite-costs: deps
	$(SWIFT) build --build-tests --scratch-path .build/optimized
	Tests/suite-costs $(SUITES)

man: build
	.ci/share .build/release/etl .build/share

deb: man
	.ci/deb .build/release/etl .build/share .build
	.ci/deb-test .build/etl_*.deb

container:
	.ci/container build

install: man
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share'
	install -m 755 -s .build/release/etl '$(DESTDIR)$(PREFIX)/bin/etl'
	cp -R .build/share/. '$(DESTDIR)$(PREFIX)/share/'

clean:
	rm -rf .build
