package conform

import (
	"flag"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/build"
)

var update = flag.Bool("update", false, "write what was seen to internal/proof/verified.json")

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

// TestAgents drives every agent through the suite and compares what was seen with internal/proof/verified.json.
func TestAgents(t *testing.T) {
	claims, err := ReadProofs()
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := map[string]Proof{}
	t.Run("all", func(t *testing.T) {
		for _, a := range Agents() {
			t.Run(a.ID, func(t *testing.T) {
				t.Parallel()
				p := Proof{Version: a.Version, Date: time.Now().Format(time.DateOnly), How: "replay", Shown: conform(t, a)}
				if a.Package != "" {
					p.Version, p.How = agents.Version(t, a.ID, a.Package), "live"
				}
				if t.Failed() {
					return
				}
				mu.Lock()
				seen[a.ID] = p
				mu.Unlock()
				if *update {
					return
				}
				p.Date = claims[a.ID].Date
				if diff := cmp.Diff(claims[a.ID], p); diff != "" {
					t.Errorf("internal/proof/verified.json says other than was seen; run this with -update (-file +seen):\n%s", diff)
				}
			})
		}
	})
	if *update && len(seen) > 0 {
		if err := WriteProofs(seen); err != nil {
			t.Error(err)
		}
	}
}
