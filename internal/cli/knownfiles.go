package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/hookwatch"
	"github.com/boathook/boathook/internal/selfwatch"
)

// changing are the commands that write files by which boathook or its hooks go. What they change is known afterwards, so that the
// worker does not tell of it.
func changing() []string {
	return []string{"install", "uninstall", "off", "on", "doctor", "policy init", "policy trust", "policy untrust", "memory enable", "memory disable"}
}

// expectChanges has each command that changes such files note what it changed.
func expectChanges(env *Env, root *cobra.Command) {
	for _, c := range root.Commands() {
		_, name, _ := strings.Cut(c.CommandPath(), " ")
		if run := c.RunE; run != nil && slices.Contains(changing(), name) {
			c.RunE = func(cmd *cobra.Command, args []string) error {
				before, dir := env.decisive()
				had := bookIn(dir)
				err := run(cmd, args)
				if !had || bookIn(dir) { // a command must not bring back what it removed
					env.expect(before) // also what a command did before it failed
				}
				return err
			}
		}
		if c.HasSubCommands() {
			expectChanges(env, c)
		}
	}
}

// decisive looks at the files that decide what boathook does, and says where the data are. No data directory is an empty one.
func (e *Env) decisive() (map[string]selfwatch.Sum, string) {
	configs, err := e.hookConfigs() // which of several it is, is said by who works on it
	if err != nil {
		return nil, ""
	}
	path := ""
	if len(configs) > 0 {
		path = configs[0]
	}
	s := config.Load(config.Request{Path: path, Home: e.Home, Env: e.LookupEnv, Managed: config.ManagedPath()}).Settle()
	if s.DataDir == "" {
		return nil, ""
	}
	return selfwatch.Look(hookwatch.Decisive(installEnv(e), s, s.DataDir)), s.DataDir
}

// bookIn tells whether a data directory has the list of what files are known to be.
func bookIn(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, selfwatch.File))
	return dir != "" && err == nil
}

// expect notes what is not as it was before.
func (e *Env) expect(before map[string]selfwatch.Sum) {
	after, dir := e.decisive()
	if _, err := os.Stat(dir); dir == "" || err != nil {
		return // there are no data
	}
	book, err := selfwatch.Read(dir)
	if err == nil && book.Expect(before, after) {
		_ = book.Write(dir) // else the worker tells of a change that was ours
	}
}
