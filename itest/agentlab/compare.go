package agentlab

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// rule makes equal what differs between any two runs of an agent.
type rule struct {
	re *regexp.Regexp
	as string
}

var rules = sync.OnceValue(func() []rule {
	table := []struct{ pattern, as string }{
		{`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, "UUID"},
		{`session-\d{4}-\d\d-\d\dT\d\d-\d\d-[0-9a-f]{8}`, "session-ID"},
		{`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, "TIME"},
		{`_1\d{12}_\d+`, "_CALL"}, // tool ids hold a time in milliseconds and a counter
		{`"(duration_ms|durationMs|duration)":\s*\d+`, `"$1":N`},
		{`Process Group PGID: \d+`, "Process Group PGID: N"},
		// The CLI's own profiler complains on stderr when a clean-up outlasts the start, which it mostly does, but not always.
		{`(?m)^\[STARTUP\] .*\n`, ""},
		{`http://127\.0\.0\.1:\d+`, "http://LOOPBACK"},
	}
	var out []rule
	for _, row := range table {
		out = append(out, rule{regexp.MustCompile(row.pattern), row.as})
	}
	return out
})

// Normalize makes equal what differs between any two runs: session ids, times, durations, tool ids, process groups, ports.
func Normalize(s string) string {
	for _, r := range rules() {
		s = r.re.ReplaceAllString(s, r.as)
	}
	return s
}

// Normal is the result with all its text normalized.
func (r Result) Normal() Result {
	return Result{Stdout: Normalize(r.Stdout), Stderr: Normalize(r.Stderr), Code: r.Code}
}

// Tree is what a folder holds: the normalized path of each entry and its normalized content, a link's target, or "" for
// a folder. Paths for which ignore says so are left out, with all below them.
func Tree(tb testing.TB, dir string, ignore func(path string) bool) map[string]string {
	tb.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator)))
		if ignore != nil && ignore(rel) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		content, err := contentOf(path, d)
		key := fmt.Sprintf("%s (%v)", Normalize(rel), d.Type())
		tree[key] += Normalize(content) // two names that only differ by an id fall together
		return err
	})
	Must(tb, err)
	return tree
}

func contentOf(path string, d fs.DirEntry) (string, error) {
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		return os.Readlink(path)
	case d.Type().IsRegular():
		b, err := os.ReadFile(path)
		return string(b), err
	default:
		return "", nil
	}
}
