//go:build unix

package shellquote

import (
	"os/exec"
	"testing"
)

func TestWrapped(t *testing.T) {
	const script = `[ -x '/bin/it'\''s $''HOME' ] || printf '%s' "$((1+1))"; cat; exit 3`
	for name, wrap := range map[string]func(string) string{"shell": Shell, "group": Group, "plain": func(s string) string { return s }} {
		line := wrap(script)
		inner, again := Unwrap(line)
		if inner != script || again(inner) != line {
			t.Errorf("%s: %q gave %q and %q", name, line, inner, again(inner))
		}
		if name == "plain" {
			continue
		}
		out, err := exec.Command("sh", "-c", line+" <<'EOF'\nhere\nEOF").Output()
		var exit *exec.ExitError
		if string(out) != "2here\n" || !asExit(err, &exit) || exit.ExitCode() != 3 {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}

func asExit(err error, target **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError) //nolint:errorlint // what Output returns is not wrapped
	*target = e
	return ok
}
