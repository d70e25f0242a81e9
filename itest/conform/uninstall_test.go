package conform

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
)

// leavesNothing installs into a home that the agent has used, uninstalls, and compares all of it.
func (c *trial) leavesNothing(t *testing.T) {
	want := agentlab.Tree(t, c.Home, nil)
	c.Lab.Install(t)
	if diff := cmp.Diff(want, agentlab.Tree(t, c.Home, nil)); diff == "" {
		t.Fatal("install changed nothing")
	}
	c.uninstall(t)
	if diff := cmp.Diff(want, agentlab.Tree(t, c.Home, nil)); diff != "" {
		t.Errorf("the home is not as before install (-before +after):\n%s", diff)
	}
	c.RemoveBin(t)
}

func (c *trial) uninstall(t *testing.T) {
	t.Helper()
	c.MustBoathook(t, nil, "uninstall", c.Agent.ID, "--purge", "--yes")
	c.WaitIdle(t)
}

// config are the agent's files that install is about, "" for one that is not there.
func (c *trial) config(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range c.Agent.Config {
		b, err := os.ReadFile(filepath.Join(c.Home, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		out[name] = string(b)
	}
	return out
}

// restores uninstalls after all the sessions.
func (c *trial) restores(t *testing.T, want map[string]string) {
	c.uninstall(t)
	if diff := cmp.Diff(want, c.config(t)); diff != "" {
		t.Errorf("the agent's configuration is not as before install (-before +after):\n%s", diff)
	}
	c.shown.Uninstall = !t.Failed()
}
