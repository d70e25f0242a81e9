// Package geminirun runs the real Gemini CLI for the integration tests: in a throw-away home and repository, against a mock
// model, headless or on a pseudo-terminal. It also runs boathook in that home and reads its log back as JSON.
// Only tests import it.
package geminirun

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockgemini"
)

// MCPServer is the name that the lab's settings give to the echo server of the Model Context Protocol.
const MCPServer = "lab"

// Lab is a user of the Gemini CLI.
type Lab struct {
	*agentlab.Lab

	script string
	model  *mockgemini.Server
}

// New makes a lab below a new temporary folder. With a name, everything lives in a folder so called.
func New(tb testing.TB, name string) *Lab {
	tb.Helper()
	l := &Lab{Lab: agentlab.New(tb, name), script: agents.Gemini(tb)}
	l.WriteSettings(tb, nil)
	return l
}

// Refurnish moves home and repository aside and makes new ones in the same place, so that what two runs left behind
// can be compared without a word about paths. It returns where the old home is.
func (l *Lab) Refurnish(tb testing.TB, aside string) string {
	tb.Helper()
	old := l.Lab.Refurnish(tb, aside)
	l.WriteSettings(tb, nil)
	return old
}

// Model starts the mock model that the next runs talk to.
func (l *Lab) Model(tb testing.TB, s mockgemini.Scenario) *mockgemini.Server {
	tb.Helper()
	l.model = mockgemini.Start(tb, s)
	return l.model
}

// WriteSettings writes the user's settings of the Gemini CLI: no updates, no statistics, a key instead of a login, the echo
// server; extra keys are added at the top level.
func (l *Lab) WriteSettings(tb testing.TB, extra map[string]any) {
	tb.Helper()
	settings := map[string]any{
		"general":   map[string]any{"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
		"privacy":   map[string]any{"usageStatisticsEnabled": false},
		"telemetry": map[string]any{"enabled": false},
		"security":  map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
		"mcpServers": map[string]any{
			MCPServer: map[string]any{"command": build.Fixture(tb, "mcpecho")},
		},
	}
	for k, v := range extra {
		settings[k] = v
	}
	b, err := json.MarshalIndent(settings, "", "  ")
	agentlab.Must(tb, err)
	l.Write(tb, filepath.Join(l.Home, ".gemini", "settings.json"), string(b))
}

// environ is what the CLI needs of the environment beside what every process of the lab has.
func (l *Lab) environ(extra ...string) []string {
	env := []string{"GEMINI_API_KEY=fake-key", "GEMINI_TELEMETRY_ENABLED=false", "GEMINI_CLI_TRUST_WORKSPACE=true"}
	if l.model != nil {
		env = append(env, "GOOGLE_GEMINI_BASE_URL="+l.model.URL())
	}
	return append(env, extra...)
}
