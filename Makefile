# What one does with this project; `make help` lists it.

SWIFT ?= swift
SOURCES := Package.swift Sources Tests Fuzz

.PHONY: help demo test bench proto certs format lint simulate fuzz soak sanitize clean setup appcode
.DEFAULT_GOAL := help

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

demo:  ## build, start a server, load it, print one table
	@Scripts/demo.sh

test: setup certs  ## build and run all tests
	$(SWIFT) build --build-tests
	Scripts/test.sh $(TESTS)

bench:  ## measure against gRPC C++ and the bare limit; see Benchmarks/README.md
	@Scripts/setup.sh bench
	$(SWIFT) build -c release --product onside-server
	$(SWIFT) build -c release --product onside-load
	$(SWIFT) build -c release --product onside-catalogue
	$(SWIFT) build -c release --product rpc-bench
	$(MAKE) -C Benchmarks/peers all certs
	Benchmarks/compare.py all --write Benchmarks/README.md --json Benchmarks/build/results.json \
	    $(BENCH)

soak: setup certs  ## constant load, aging connections, new certificates: SECONDS=600
	$(SWIFT) build --build-tests
	SOAK_SECONDS=$(or $(SECONDS),600) $(SWIFT) test --skip-build --disable-xctest \
	    --filter '^EndToEndTests\.SoakTests'

proto: setup  ## generate the Swift sources of Proto/ anew
	Scripts/proto.sh

certs:  ## a development CA and certificates in Certs/dev, unless there are valid ones
	@Scripts/certs.sh

format:  ## format all Swift sources in place
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

lint:  ## check formatting and style
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	@# The formatter leaves comments and long strings alone.
	@! LC_ALL=C.UTF-8 grep -rnE '.{101}' --include='*.swift' --exclude-dir='Generated*' \
	    --exclude-dir=.build $(SOURCES)

simulate: setup  ## both ends of the protocol over a faulty pipe: SEEDS=10000, or SEED=… to see one
	@Scripts/simulate.sh $(if $(SEED),--seed $(SEED) --trace,--seeds $(or $(SEEDS),10000)) $(SIMULATE)

fuzz: setup  ## a fuzzer on TARGET (frames, messages, json, descriptors, inflate, metadata, simulation) for SECONDS=60
	@Scripts/fuzz.sh $(TARGET) $(or $(SECONDS),60)

sanitize: setup certs  ## the integration tests with ThreadSanitizer and AddressSanitizer
	Scripts/sanitize.sh $(SANITIZE)

appcode:  ## build app code as a package of its own against OnsideKit and OnsideKitLite
	@Scripts/app-code.sh

setup:  ## install the Debian packages that are missing
	@Scripts/setup.sh

clean:  ## remove what was built
	rm -rf .build Benchmarks/build
