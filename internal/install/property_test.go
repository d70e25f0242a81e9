//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boathook/boathook/internal/confedit"
)

// hookFiles generates strict JSON as people and programs format it.
func hookFiles(t *rapid.T) string {
	space := rapid.SampledFrom([]string{"", " ", "\n", "\r\n", "\n\t", "\n  ", "\t ", "\n\n"})
	value := rapid.SampledFrom([]string{"{}", "{\n}", `{"Stop":[{"command":"x, y // {"}]}`, `{"enabled": false}`, "{\r\n \"é\": [ ]}"})
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "lint", "", `q\"`, "한"}), 0, 4, rapid.ID[string]).Draw(t, "names")
	var members []string
	for _, n := range names {
		members = append(members, space.Draw(t, "before")+`"`+n+`"`+space.Draw(t, "colon")+":"+space.Draw(t, "value")+value.Draw(t, "v")+space.Draw(t, "after"))
	}
	return space.Draw(t, "head") + "{" + strings.Join(members, ",") + space.Draw(t, "close") + "}" + space.Draw(t, "tail")
}

// Install and uninstall together are the identity, and what the user added in between stays where he would have put it.
func TestUninstallUndoesInstall(t *testing.T) {
	home := world(t)
	rapid.Check(t, func(r *rapid.T) {
		src := hookFiles(r)
		path := hooksFile(home)
		put(t, path, src, 0o644)
		req := Request{Agents: []string{"antigravity"}}
		install(t, home, req)
		want := src
		if rapid.Bool().Draw(r, "edited") {
			want = addLater(r, src)
			put(t, path, addLater(r, text(t, path)), 0o644)
		}
		uninstall(t, home, Request{Purge: rapid.Bool().Draw(r, "purge")})
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			r.Fatalf("%q became %q, want %q (%v)", src, got, want, err)
		}
		if exists(filepath.Join(home.Home, ".gemini", "config", stubName)) {
			r.Fatalf("the script is left")
		}
	})
}

func addLater(r *rapid.T, src string) string {
	out, err := confedit.SetMember([]byte(src), "later", []byte(`{"Stop":[]}`))
	if err != nil {
		r.Fatalf("%v", err)
	}
	return string(out)
}
