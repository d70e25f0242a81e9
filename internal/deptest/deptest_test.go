// Package deptest holds the import budgets: Go initialises every package that is linked, used or not, and a hook pays for
// all of them.
package deptest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// deps lists all packages that a package needs, itself included.
func deps(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", pkg).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", pkg, err)
	}
	return strings.Fields(string(out))
}

func TestBudgets(t *testing.T) {
	const module = "github.com/boathook/boathook"
	for _, tc := range []struct {
		pkg string
		// not are path prefixes that the package must not reach.
		not []string
		// only, where set, are the path prefixes of the modules that it may reach beside the standard library.
		only []string
	}{
		{pkg: module, not: []string{
			"google.golang.org/grpc", "google.golang.org/protobuf", "go.opentelemetry.io/otel", "go.opentelemetry.io/collector", "google.golang.org/genai",
			"github.com/openai", "github.com/anthropics", "cel.dev", "github.com/google/cel-go", "github.com/open-policy-agent",
			"github.com/zricethezav/gitleaks", "modernc.org/sqlite", "github.com/mattn/go-sqlite3", "testing", "expvar", "net/http/pprof",
			"github.com/charmbracelet", "charm.land/bubbletea", "github.com/modelcontextprotocol", "github.com/google/jsonschema-go", "github.com/jackc",
			module + "/internal/mcpserver", module + "/internal/memory/postgres", // they are boathook-memory's
		}},
		{pkg: module + "/hook/canon", only: []string{module + "/hook/canon"}},
		{pkg: module + "/hook", not: []string{"crypto", "net", "os/exec"}, only: []string{module + "/hook", module + "/internal/host", module + "/internal/lenient", module + "/internal/shellquote"}},
		{pkg: module + "/internal/record", only: []string{module + "/hook", module + "/internal/record"}},
		{pkg: module + "/policy", not: []string{"net", "os/exec"}, only: []string{module + "/policy", module + "/internal/spelling", "github.com/pelletier/go-toml"}},
		{pkg: module + "/internal/shellcmd", not: []string{"net", "os/exec"}, only: []string{module + "/internal/shellcmd", "mvdan.cc/sh/v3"}},
		{pkg: module + "/internal/effect", not: []string{"net", "os/exec", "database/sql"}, only: []string{
			module + "/internal/effect", module + "/internal/shellcmd", module + "/internal/host", module + "/internal/lenient", module + "/internal/spelling", module + "/hook", module + "/policy",
			"mvdan.cc/sh/v3", "github.com/pelletier/go-toml",
		}},
		{pkg: module + "/internal/judge", not: []string{"net/http", "os/exec", "database/sql"}, only: []string{
			module + "/hook/canon", module + "/policy", module + "/internal/judge", module + "/internal/shellcmd", module + "/internal/effect",
			module + "/internal/bounded", module + "/internal/config", module + "/internal/foreign", module + "/internal/host", module + "/internal/ignore",
			module + "/internal/lenient", module + "/internal/netfs", module + "/internal/ownfile", module + "/internal/paths", module + "/internal/shellquote",
			module + "/internal/spelling", module + "/internal/version", "mvdan.cc/sh/v3", "github.com/pelletier/go-toml", "golang.org/x/sys",
		}},
		{pkg: module + "/internal/bounded", only: []string{module + "/internal/bounded"}},
		{pkg: module + "/internal/ignore", not: []string{"net", "os/exec"}, only: []string{module + "/internal/ignore"}},
		{pkg: module + "/internal/pending", not: []string{"net", "os/exec", "database/sql"}, only: []string{
			module + "/hook", module + "/internal/lenient", module + "/internal/ownfile", module + "/internal/pending", "golang.org/x/sys",
		}},
		{pkg: module + "/internal/machinekey", only: []string{module + "/internal/machinekey", module + "/internal/ownfile", "golang.org/x/sys"}},
		{pkg: module + "/internal/memory/inert", only: []string{module + "/internal/memory/inert"}},
		{pkg: module + "/internal/memory/project", not: []string{"net/http", "os/exec", "database/sql"}, only: []string{
			module + "/internal/memory/project", module + "/internal/bounded", module + "/internal/foreign", module + "/internal/paths",
		}},
		{pkg: module + "/internal/memory/recall", not: []string{"net/http", "os/exec", "database/sql", module + "/internal/llm", module + "/internal/memory/sqlite", module + "/internal/memory/open"}, only: []string{
			module + "/hook/canon", module + "/internal/config", module + "/internal/lock", module + "/internal/memory/inert", module + "/internal/memory/rank",
			module + "/internal/memory/recall", module + "/internal/memory/terms", module + "/internal/memory", module + "/internal/netfs", module + "/internal/ownfile",
			module + "/internal/paths", module + "/internal/private", module + "/internal/record", module + "/internal/spelling", "github.com/pelletier/go-toml", "golang.org/x/sys",
		}},
		{pkg: module + "/internal/private", only: []string{module + "/internal/private"}},
		{pkg: module + "/internal/memory/terms", only: []string{module + "/internal/memory/terms"}},
		{pkg: module + "/internal/memory/merge", not: []string{"database/sql", "net/http", module + "/internal/memory/sqlite", module + "/internal/memory/postgres", module + "/internal/memory/remote"}},
		{pkg: module + "/internal/memory/chunk", not: []string{"database/sql", "net/http", module + "/internal/memory/sqlite", module + "/internal/memory/postgres", module + "/internal/memory/remote"}},
		{pkg: module + "/internal/memory/intake", not: []string{"net/http", module + "/internal/memory/sqlite", module + "/internal/memory/postgres", module + "/internal/memory/remote"}},
		{pkg: module + "/internal/memory/rank", not: []string{"database/sql", "net/http", module + "/internal/memory/sqlite", module + "/internal/memory/postgres", module + "/internal/memory/remote"}},
		{pkg: module + "/internal/memory/forgotten", not: []string{"database/sql", module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/sqlite", not: []string{"net/http", module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/postgres", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/open", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/eval", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/audit", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/backfill", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/ingest", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/forget", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/memory/forhooks", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/ulid", only: []string{module + "/internal/ulid"}},
		{pkg: module + "/internal/lenient", only: []string{module + "/internal/lenient"}},
		{pkg: module + "/internal/redact", only: []string{module + "/internal/redact"}},
		{pkg: module + "/internal/hookrun", not: []string{
			"database/sql", "github.com/ncruces", "github.com/spf13", "github.com/tailscale", "text/template", "html/template",
			module + "/internal/store", module + "/internal/worker", module + "/internal/cli", module + "/internal/install",
			module + "/internal/otlp", module + "/internal/sink", // a hook that cannot send waits for no destination
			module + "/internal/memory/open", module + "/internal/memory/sqlite", module + "/internal/memory/remote", module + "/internal/llm", // main gives them
		}},
		{pkg: module + "/internal/config", not: []string{"net/http", "database/sql"}},
		{pkg: module + "/internal/host/registry", not: []string{"net", "os/exec", "database/sql"}},
		{pkg: module + "/internal/userhook", not: []string{"net", "database/sql"}, only: []string{module + "/hook", module + "/internal/lenient", module + "/internal/userhook"}},
		{pkg: module + "/internal/execrun", not: []string{"net", "database/sql", module + "/internal/hookrun", module + "/internal/config"}},
		{pkg: module + "/internal/spool", not: []string{"net", "database/sql"}},
		{pkg: module + "/internal/wake", not: []string{"net", "database/sql"}},
		{pkg: module + "/internal/off", not: []string{"net", "database/sql"}},
		{pkg: module + "/internal/audit", not: []string{"net", "database/sql"}},
		{pkg: module + "/internal/netfs", only: []string{module + "/internal/netfs", module + "/internal/ownfile", "golang.org/x/sys"}},
		{pkg: module + "/internal/store", not: []string{"net/http"}},
		{pkg: module + "/internal/worker", not: []string{"net/http"}},
		{pkg: module + "/internal/memory/remote", not: []string{"net/http", "database/sql", module + "/internal/config"}},
		{pkg: module + "/internal/correlate", not: []string{"net", "database/sql"}, only: []string{
			module + "/hook", module + "/internal/correlate", module + "/internal/record", module + "/internal/ulid",
		}},
		{pkg: module + "/internal/sink/otlp", not: []string{module + "/internal/hookrun", module + "/internal/cli", "google.golang.org"}},
		{pkg: module + "/internal/otlp", only: []string{module + "/internal/otlp", module + "/internal/foreign", module + "/internal/version"}},
		{pkg: module + "/internal/sink/metrics", not: []string{module + "/internal/hookrun", module + "/internal/cli"}},
		{pkg: module + "/internal/tomledit", only: []string{module + "/internal/tomledit", "github.com/pelletier/go-toml"}},
		{pkg: module + "/internal/managed", only: []string{module + "/internal/managed", module + "/internal/foreign"}},
		{pkg: module + "/internal/switched", not: []string{"net", "os/exec"}, only: []string{
			module + "/internal/switched", module + "/internal/foreign", module + "/internal/lenient", module + "/internal/tomledit", "github.com/pelletier/go-toml",
		}},
		{pkg: module + "/internal/selfwatch", not: []string{"net", "os/exec"}, only: []string{
			module + "/internal/selfwatch", module + "/internal/foreign", module + "/internal/lenient", module + "/internal/ownfile", module + "/internal/tomledit",
			"github.com/pelletier/go-toml", "golang.org/x/sys",
		}},
		{pkg: module + "/internal/codextrust", only: []string{module + "/internal/codextrust", module + "/internal/tomledit", "github.com/pelletier/go-toml"}},
		{pkg: module + "/internal/confedit", not: []string{module + "/internal/install", "net"}},
	} {
		t.Run(strings.TrimPrefix(tc.pkg, module), func(t *testing.T) {
			for _, dep := range deps(t, tc.pkg) {
				for _, bad := range tc.not {
					if dep == bad || strings.HasPrefix(dep, bad+"/") && dep != sqlInterfaces {
						t.Errorf("reaches %s", dep)
					}
				}
				if first, _, _ := strings.Cut(dep, "/"); tc.only != nil && strings.Contains(first, ".") && !within(dep, tc.only) {
					t.Errorf("reaches %s", dep)
				}
			}
		})
	}
}

// sqlInterfaces is a package of interfaces alone, which the ULID type implements.
const sqlInterfaces = "database/sql/driver"

func within(dep string, prefixes []string) bool {
	for _, p := range prefixes {
		if dep == p || strings.HasPrefix(dep, p+"/") {
			return true
		}
	}
	return false
}

// TestNoMethodByName: where linked code looks methods up by name, the linker keeps every method of every type, which made the
// binary a seventh larger. Cobra's templates do that, once anything sets one.
func TestNoMethodByName(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "boathook")
	if out, err := exec.Command("go", "build", "-o", binary, "github.com/boathook/boathook").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	out, err := exec.Command("go", "tool", "nm", binary).Output()
	if err != nil {
		t.Fatalf("go tool nm: %v", err)
	}
	for _, name := range []string{"text/template.(*Template).Execute", "reflect.Value.MethodByName"} {
		if strings.Contains(string(out), " "+name+"\n") {
			t.Errorf("the binary has %s", name)
		}
	}
	if !strings.Contains(string(out), " main.main\n") {
		t.Error("the binary has no symbols")
	}
}
