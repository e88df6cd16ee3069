# `make demo` shows the main job on sample data, `make test` runs the tests; both install what the machine lacks.

PREFIX ?= /usr/local
SWIFT ?= swift
# One binary without the toolchain beside it: it can be copied to another machine.
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --product etl

.PHONY: help demo test check lint clean-build thread-sanitizer docs pipelines faults counters bench install deps build clean

help:
	@echo 'make demo      the main job on sample data, offline: builds, imports, shows what came out'
	@echo 'make test      all tests'
	@echo 'make check     all that a change must pass: format, clean build and tests, thread sanitizer, docs, pipelines'
	@echo 'make docs      the documentation of Pipeline, as a DocC archive in .build/docs'
	@echo 'make faults    ten thousand records through services that fail in every way'
	@echo 'make counters  what each record costs the optimized tool, in allocations, statements and bytes'
	@echo 'make bench     the benchmarks'
	@echo 'make install   etl into PREFIX/bin (PREFIX=$(PREFIX))'
	@echo 'make clean     remove what was built'

demo: build
	@.ci/demo .build/release/etl .build/demo

build: deps
	$(RELEASE)

deps:
	@.ci/deps

test: deps
	$(SWIFT) test

check: lint clean-build thread-sanitizer docs pipelines faults counters

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

# An incremental build can pass where a clean one fails: module maps that clash are found only here.
clean-build: deps
	rm -rf .build/check
	$(SWIFT) test --scratch-path .build/check

# The sanitizer cannot see a Mutex: `Guarded` is a pthread lock there. XCTest is of no use to it.
thread-sanitizer: deps
	$(SWIFT) test --sanitize=thread --disable-xctest --scratch-path .build/thread -Xswiftc -DTHREAD_SANITIZER

docs: deps
	.ci/docs .build/docs

# Every definition is planned against the registry of stages; nothing is run.
pipelines: deps
	$(SWIFT) build --product etl
	for file in Pipelines/*.yaml; do .build/debug/etl check "$$file" > /dev/null || exit 1; done

faults: deps
	ETL_FAULT_RECORDS=10000 $(SWIFT) test --filter NetworkImportTests

# The tests count the tool built for debugging; here the optimized one, by the same test.
counters: deps
	$(SWIFT) build -c release --scratch-path .build/bench --product etl
	ETL_COUNTED_TOOL='$(CURDIR)/.build/bench/release/etl' $(SWIFT) test --filter CountersTests

bench: deps
	Tests/Benchmarks/run
	Tests/Benchmarks/parts
	Tests/Benchmarks/catalogs

install: build
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 .build/release/etl '$(DESTDIR)$(PREFIX)/bin/etl'

clean:
	rm -rf .build
