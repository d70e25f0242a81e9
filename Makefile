# boathook: make try, make test. Everything else is a part of these or for those who work on it.
GO       ?= go
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS  := -s -w -X github.com/boathook/boathook/internal/version.Version=$(VERSION)
GOBUILD  := CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)'
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME ?= 60s

.PHONY: try build test unit itest test-agents lint cross bench soak fuzz clean

try: build ## play recorded sessions through installed hooks in a throw-away home
	@bin/boathook try

build: ## build bin/boathook, and beside it bin/boathook-memory, which memory on PostgreSQL and 'boathook mcp' need
	@mkdir -p bin
	$(GOBUILD) -o bin/ . ./cmd/boathook-memory

test: ## everything: what a change must pass
	@scripts/test-deps.sh
	$(MAKE) lint
	$(MAKE) unit
	$(MAKE) cross
	$(MAKE) itest

# Of the shells' texts the race detector sees some, and a run without it all that a change is to pass.
# The scripts run whole processes: with the race detector each would sleep a second at its end, by design of that.
unit: ## the packages' own tests, with the race detector, and the scripts
	$(GO) test -race -timeout 25m ./cmd/... ./hook/... ./internal/... ./policy/... ./sdk/... ./examples/...
	$(GO) test -timeout 25m -run TestDifferential ./internal/shellcmd
	$(GO) test -timeout 25m .
	@scripts/test-as-user.sh

# The tests build the program themselves, so that go does not know when their results are old: -count 1.
itest: ## the built program under real agents, before a real collector, and under torture
	cd itest && $(GO) vet ./... && $(GO) test -count 1 -timeout 25m -p 1 ./...

# It is a part of itest, and so of test.
test-agents: ## the real agents, offline against mock models: what boathook promises of each
	cd itest && $(GO) test -count 1 -timeout 20m -p 1 ./conform ./gemini ./antigravity

lint: ## gofmt, go vet and golangci-lint
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	$(GO) vet ./...
	$(GO) run $(GOLANGCI) run ./...
	cd itest && $(GO) run $(GOLANGCI) run --config ../.golangci.yml ./...

cross: ## compile for every supported system
	@for os in linux darwin windows; do for arch in amd64 arm64; do \
		echo "build $$os/$$arch"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -o /dev/null . ./cmd/boathook-memory || exit 1; \
		[ $$arch = arm64 ] || GOOS=$$os GOARCH=$$arch $(GO) vet ./... || exit 1; \
	done; done

bench: ## hook process times as ratios from one run, the worker's backlog into a collector, memory at a prompt, redaction CPU per MiB, what judging a call costs
	cd itest && $(GO) run ./bench
	$(GO) test -run '^$$' -bench . -benchtime 2s ./internal/redact ./internal/lenient ./internal/spool ./internal/store ./internal/judge

soak: ## what takes longer than a change should wait: fuzzing, long properties
	$(MAKE) fuzz
	$(GO) test -timeout 60m -count 1 ./internal/confedit ./internal/redact -rapid.checks=20000
	$(GO) test -timeout 60m -count 1 ./internal/install ./internal/spool -rapid.checks=1000
	$(GO) test -timeout 60m -count 1 -run TestDifferential -v ./internal/shellcmd -shellcmd.cases=100000
	$(GO) test -timeout 60m -count 1 -run 'TestGate|TestOtherSeeds' ./internal/memory/eval -eval.seeds=100
	cd itest && $(GO) test -timeout 60m -count 3 ./torture
	cd itest && $(GO) test -timeout 60m -count 3 ./delivery -soak
	cd itest && $(GO) test -timeout 60m -count 1 ./memoryfaults -soak
	cd itest && $(GO) run ./bench -rounds 0 -backlog 0 -growth
	cd itest && $(GO) test -timeout 60m -count 3 ./telemetry

fuzz: ## every fuzz target for FUZZTIME
	@scripts/fuzz.sh $(FUZZTIME)

clean:
	rm -rf bin
