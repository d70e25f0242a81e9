//go:build unix

package doctor

import (
	"os"

	"strings"
	"testing"

	"github.com/boathook/boathook/internal/llm/llmtest"
	"github.com/boathook/boathook/internal/memory/sqlite"
)

// about are the findings of checks whose ids begin so.
func about(r *Report, prefix string) (out []Finding) {
	for _, f := range r.Findings {
		if strings.HasPrefix(f.ID, prefix) {
			out = append(out, f)
		}
	}
	return out
}

func found(t *testing.T, r *Report, id string, status Status, text, cure string) {
	t.Helper()
	for _, f := range about(r, id) {
		if f.Status == status && strings.Contains(f.Text, text) && strings.Contains(f.Cure, cure) {
			return
		}
	}
	t.Errorf("no %s %q %q → %q in %+v", id, status, text, cure, about(r, id))
}

func TestMemoryThatIsOffIsSaidAndNoMore(t *testing.T) {
	h := healthy(t)
	r := h.run()
	if got := about(r, "memory."); len(got) != 1 || got[0].Status != Info || !strings.Contains(got[0].Text, "boathook memory enable") {
		t.Errorf("%+v", got)
	}
}

func TestMemoryChecks(t *testing.T) {
	h := healthy(t)
	h.env.Only = "memory."
	set := func(text string) { h.put(configName, "data_dir = '"+h.path(dataName)+"'\n"+text, 0o600) }
	set("[memory]\nenabled = true\ninject = \"on\"\n")
	r := h.run()
	found(t, r, "memory.state", OK, "SQLite; what fits a prompt goes into it", "")
	found(t, r, "memory.store", Info, "nothing is kept yet", "")
	if len(about(r, "")) != len(about(r, "memory.")) {
		t.Errorf("%+v", r.Findings)
	}
	path := h.path(dataName + "/" + sqlite.FileName)
	s, err := sqlite.Open(t.Context(), path)
	check(t, err)
	check(t, s.Close())
	found(t, h.run(), "memory.store", OK, "sqlite, tables of version", "")
	check(t, os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600))
	found(t, h.run(), "memory.store", Fail, "", "ls -l ")

	api := llmtest.Start(t, 8, nil)
	set("[memory]\nenabled = true\n[memory.embedding]\nprovider = \"openai-compatible\"\nmodel = \"m\"\n[llm]\nbaseUrl = \"" + api.URL + "\"\napiKey = \"canary-token-4711\"\n")
	r = h.run()
	found(t, r, "memory.embedder", OK, "m by openai-compatible, 8 numbers", "")
	api.Set(func(s *llmtest.Server) { s.Status = 401 })
	found(t, h.run(), "memory.embedder", Warn, "status 401", "memory.embedding.*")
	set("[memory]\nenabled = true\n[memory.embedding]\nprovider = \"openai\"\n")
	found(t, h.run(), "memory.embedder", Warn, "OPENAI_API_KEY", "boathook.env")

	set("privacy = \"minimal\"\n[memory]\nenabled = true\n")
	found(t, h.run(), "memory.state", Warn, "nothing new is remembered", "memory disable")
	set("[memory]\nenabled = true\nprovider = \"postgres\"\n")
	r = h.run()
	found(t, r, "memory.store", Fail, "BOATHOOK_MEMORY_DSN", "boathook.env: BOATHOOK_MEMORY_DSN=postgres://")
	found(t, r, "memory.project", Info, "this machine's own", "boathook memory enable --project-id")
}
