package host

import "testing"

func TestRuns(t *testing.T) {
	tests := []struct {
		command string
		want    bool
	}{
		{"[ -x '/opt/b' ] && '/opt/b' hook --agent claude --event Stop --config '/c'", true},
		{`/bin/sh -c '[ -x '\''/opt/b'\'' ] && '\''/opt/b'\'' hook --agent claude --event Stop --config '\''/c'\''; exit 0'`, true},
		{"boathook hook --agent claude --event Stop", true},
		{"'/a b/boathook' hook --agent claude --event Stop --config /c", true},
		{`/bin/sh -c 'exec '\''/a b/boathook'\'' hook --agent claude --event Stop'`, true},
		{"cd /tmp;boathook hook --agent claude --event Stop", true},
		{"boathook hook --agent codex --event Stop", false},
		{"/opt/other hook --agent claude --event Stop", false},
		{"/opt/other hook --agent claude --event Stop --config /c", false},
		{"/opt/boathook/other hook --agent claude --event Stop", false},
		{"notboathook hook --agent claude --event Stop", false},
		{"[ -x /opt/other ] && /opt/other hook --agent claude --event Stop", false},
		{"grep -q ' hook --agent claude --event ' ~/log", false},
		{"", false},
	}
	for _, tt := range tests {
		if got := Runs("claude", tt.command); got != tt.want {
			t.Errorf("%q: %t", tt.command, got)
		}
	}
}
