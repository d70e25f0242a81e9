//go:build unix

package ownfile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the test binary be a process that gives root's rights up: "yield DIR".
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "yield" {
		err := Yield(os.Args[2])
		groups, _ := os.Getgroups()
		fmt.Println(os.Getuid(), os.Geteuid(), os.Getgid(), groups, err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestYield(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED LOUDLY: to act as somebody else takes root")
	}
	root, users := t.TempDir(), t.TempDir()
	must(t, os.Chown(users, 65534, 65533))
	for dir, want := range map[string]string{
		root:                              "0 0 0 ",
		users:                             "65534 65534 65533 [65533] <nil>",
		filepath.Join(users, "not/there"): "65534 65534 65533 [65533] <nil>",
	} {
		out, err := exec.Command(os.Args[0], "yield", dir).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s: %s, %v; want %s", dir, out, err, want)
		}
	}
	if got := Acting(users); got != 65534 {
		t.Errorf("acting as %d", got)
	}
	if got := Acting(root); got != 0 {
		t.Errorf("acting as %d", got)
	}
}
