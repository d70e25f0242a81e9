package hookrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/netfs"
	"github.com/boathook/boathook/internal/netfs/netfstest"
)

// TestDataOnANetworkFilesystem: the record is kept on this machine, also where the server does not answer, and the worker
// is sent there.
func TestDataOnANetworkFilesystem(t *testing.T) {
	l := newLab(t, "")
	remote := l.data
	must(t, os.Mkdir(remote, 0o700))
	netfstest.Hang(t, remote, "fuse.sshfs")
	local, moved := netfs.Local("", remote)
	if !moved {
		t.Skip("SKIPPED LOUDLY: this machine has no local place")
	}
	t.Cleanup(func() { _ = os.RemoveAll(local) })
	if out, err := l.process("SessionStart", true).CombinedOutput(); err != nil || string(out) != "{}\n" {
		t.Fatalf("%q, %v", out, err)
	}
	l.data = local
	l.only(t)
	if seen := l.seen(t, "worker"); !strings.Contains(seen[0], "--data "+local) {
		t.Errorf("the worker is called as %q", seen[0])
	}
	if info, err := os.Stat(local); err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(local) != "/var/tmp" {
		t.Errorf("%s: %v, %v", local, info, err)
	}
}

// TestAServerThatStopsAnswering: it has taken the mount on, so that who asks it anything can't even be killed. Neither the
// data nor the session's directory are asked for, and the process ends.
func TestAServerThatStopsAnswering(t *testing.T) {
	hung := t.TempDir()
	netfstest.HangServed(t, hung, "fuse.sshfs")
	for name, tc := range map[string]struct{ data, settings, payload, note string }{
		"the data":              {filepath.Join(hung, "data"), "", `{}`, ""},
		"the session":           {"", "", `{"cwd":"` + hung + `/w/x"}`, "it is on fuse.sshfs"},
		"a project that is off": {"", "[off]\nprojects = ['" + hung + "/other']\n", `{"cwd":"` + hung + `/w"}`, "it is on fuse.sshfs"},
	} {
		l := newLab(t, tc.settings)
		if tc.data != "" {
			must(t, os.WriteFile(l.config, []byte("data_dir = '"+tc.data+"'\n"), 0o600))
			if netfs.Remote("/var/tmp") {
				t.Log("SKIPPED LOUDLY: this machine has no local place")
				continue
			}
			local, moved := netfs.Local(l.config, tc.data)
			if !moved {
				t.Errorf("%s: it stays on the network", name)
				continue
			}
			l.data = local
			t.Cleanup(func() { _ = os.RemoveAll(local) })
		}
		if got := ends(t, l, "SessionStart", tc.payload); got != "{}\n" {
			t.Errorf("%s: %q", name, got)
		}
		if all := l.records(t); len(all) != 1 || tc.note != "" && !strings.Contains(strings.Join(all[0].Notes, "\n"), tc.note) {
			t.Errorf("%s: %+v", name, all)
		}
		l.seen(t, "worker")
	}
}
