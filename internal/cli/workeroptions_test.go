package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
	memories "github.com/boathook/boathook/internal/sink/memory"
	"github.com/boathook/boathook/internal/worker"
)

// TestDoubtedSettings: what is wrong in a config lets nothing go that it may be about, and all else as it says.
func TestDoubtedSettings(t *testing.T) {
	absent := []string{tracesSink, metricsSink, memories.Name, memories.VectorsName}
	kept := worker.Retention{Body: 24 * 3600e9, Metadata: 48 * 3600e9}
	const retention = "[retention]\nbody_days = 1\nmetadata_days = 2\n"
	for name, tt := range map[string]struct {
		text      string
		absent    []string
		retention worker.Retention
		storeMax  int64
	}{
		"all is well":                  {retention + "[store]\nmax_mb = 7\n", absent, kept, 7 << 20},
		"a key that is none":           {"nonsense = 5\n" + retention, absent, kept, 4096 << 20},
		"another's value":              {"[worker]\nidle_s = \"soon\"\n" + retention, absent, kept, 4096 << 20},
		"the endpoint's name":          {retention + "[telemetry]\nendpont = \"http://x\"\n", nil, kept, 4096 << 20},
		"the table's name":             {retention + "[telemtry]\nendpoint = \"http://x\"\n", nil, kept, 4096 << 20},
		"the endpoint at the top":      {"endpoint = \"http://x\"\n" + retention, nil, kept, 4096 << 20},
		"no URL":                       {retention + "[telemetry]\nendpoint = \"x\"\n", nil, kept, 4096 << 20},
		"no line":                      {retention + "[telemetry]\n= \"http://x\"\n", nil, kept, 4096 << 20},
		"where variables count":        {"environment = \"yes\"\n" + retention, nil, kept, 4096 << 20},
		"a retention that can't be so": {"[retention]\nbody_days = \"one\"\n", absent, worker.Retention{}, 4096 << 20},
		"a cap that can't be so":       {retention + "[store]\nmax_mb = \"all\"\n", absent, kept, 0},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, "config.toml")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := config.Load(config.Request{
				Path: path, Home: home, AccountHome: func() string { return home }, Env: func(string) (string, bool) { return "", false },
			})
			o := (&place{config: path}).options(testEnv(home), s.DataDir, s, slog.New(slog.DiscardHandler))
			if diff := cmp.Diff(tt.absent, o.Absent); diff != "" {
				t.Error(s.Problems, diff)
			}
			if o.Retention != tt.retention || o.StoreMax != tt.storeMax {
				t.Errorf("%v: %+v, %d", s.Problems, o.Retention, o.StoreMax)
			}
		})
	}
}
