package metrics

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const alerts = "../../../deploy/prometheus"

// inPrometheus is what a metric is called once it is there: dots become underscores, a unit that isn't in braces is added where the name does
// not have it, and a sum is a total.
func inPrometheus(name, unit string, sum bool) string {
	name = strings.ReplaceAll(name, ".", "_")
	long := map[string]string{"s": "seconds", "By": "bytes", "1": "ratio", "ms": "milliseconds"}[unit]
	if long != "" && !slices.Contains(strings.Split(name, "_"), long) {
		name += "_" + long
	}
	if sum {
		name += "_total"
	}
	return name
}

// TestAlerts: the rules are about metrics that there are, and Prometheus's own tool finds them right where it is installed.
func TestAlerts(t *testing.T) {
	known := map[string]bool{}
	for _, m := range folded() {
		name := inPrometheus(m.name, m.unit, m.bounds == nil)
		for _, suffix := range []string{"", "_bucket", "_count", "_sum"} {
			if suffix == "" || m.bounds != nil {
				known[name+suffix] = true
			}
		}
	}
	for _, c := range append(counters(), memoryCounters()...) {
		known[inPrometheus(c.metric, c.unit, true)] = true
	}
	v := seen{spool: true, memory: memory{on: true}}
	counts := &state{Sums: map[string]map[string]int64{recalls: {"gemini|injected": 1}}}
	for _, m := range append(v.gauges(1, begin), v.ltm(counts, 1, begin)...) {
		known[inPrometheus(m.Name, m.Unit, false)] = true
	}
	for _, name := range []string{"ltm_ingest_success_rate", "ltm_ingest_lag_seconds", "ltm_retrieval_latency_ms_bucket", "ltm_context_hit_rate", "ltm_spool_queue_depth"} {
		if !known[name] {
			t.Errorf("no %s arrives at Prometheus", name)
		}
	}
	files, err := filepath.Glob(filepath.Join(alerts, "*.yml"))
	must(t, err)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		for _, name := range regexp.MustCompile(`\b(?:ltm|boathook)_[a-z_]+`).FindAllString(string(text), -1) {
			if strings.HasPrefix(name, "boathook_memory_test") {
				continue
			}
			if found++; !known[name] {
				t.Errorf("%s: no metric is called %s", file, name)
			}
		}
		if strings.Contains(string(text), "\t") {
			t.Errorf("%s has a tab", file)
		}
	}
	if len(files) < 2 || found < 10 {
		t.Errorf("%d names in %d files", found, len(files))
	}
	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Log("promtool is not installed: the rules' own tests are not run")
		return
	}
	for _, args := range [][]string{{"check", "rules", "boathook-memory.yml"}, {"test", "rules", "boathook-memory_test.yml"}} {
		cmd := exec.CommandContext(t.Context(), tool, args...)
		cmd.Dir = alerts
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestUnits: a histogram's bounds of the design's metric have its alert's threshold among them.
func TestUnits(t *testing.T) {
	if !slices.Contains(boundsOf(recallTook), 500) || !slices.IsSorted(boundsOf(recallTook)) {
		t.Errorf("%v", boundsOf(recallTook))
	}
}
