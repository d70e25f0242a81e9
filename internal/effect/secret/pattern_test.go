package secret

import "testing"

// TestPattern holds which patterns may mean a secret, as a shell takes them: a name that begins with a dot has to be asked for by one.
func TestPattern(t *testing.T) {
	for pattern, want := range map[string]string{
		"/home/dev/.s*/id*":        "ssh-key",
		"/home/dev/.???/id_rsa":    "ssh-key",
		"/home/dev/.aws/c*":        "cloud-credentials",
		"/home/dev/shop/.e*":       "env-file",
		"/home/dev/shop/.en[v]":    "env-file",
		"/etc/shado?":              "system",
		"/home/dev/*/id_rsa":       "",
		"/home/dev/shop/*":         "",
		"/home/dev/shop/*.md":      "",
		"/home/dev/shop/src/**":    "",
		"/home/dev/shop/.git*":     "",
		"/home/dev/.config/nvim/*": "",
		"/home/dev/.ssh/id_rsa":    "",
		"":                         "",
	} {
		if got, ok := Pattern(pattern, "/home/dev"); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, not %q", pattern, got, ok, want)
		}
	}
}
