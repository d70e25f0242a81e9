package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestPolicyKeys(t *testing.T) {
	p := newPlace(t, map[string]string{configFile: "[policy]\nmode = \"shadow\"\nfile = \"rel.toml\"\ninteractive = [\"gemini\"]\nallow_once_min = 3\n"}, nil)
	s := p.load(true)
	want := filepath.Join(p.home, ".config", "boathook", PolicyName)
	if s.Policy.Mode != "shadow" || s.Policy.File != want || s.Policy.AllowOnce != 3*time.Minute || len(s.Policy.Interactive) != 1 || s.Policy.Fixed {
		t.Errorf("%+v", s.Policy)
	}
	if !strings.Contains(strings.Join(s.Problems, "\n"), "policy.file is not an absolute path") {
		t.Error(s.Problems)
	}
}

// What a repository's .env could set must not switch the policy off.
func TestNoVariableSetsThePolicy(t *testing.T) {
	for _, k := range Keys() {
		if strings.HasPrefix(k.Name, "policy.") && len(k.Env) > 0 {
			t.Errorf("%s is set by %v", k.Name, k.Env)
		}
	}
}

func TestReadPolicy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, PolicyName)
	if _, there, err := ReadPolicy(path); there || err != nil {
		t.Errorf("none: %t %v", there, err)
	}
	if err := os.WriteFile(path, []byte("version = 1\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, there, err := ReadPolicy(path); string(text) != "version = 1\n" || !there || err != nil {
		t.Errorf("%q %t %v", text, there, err)
	}
	if _, there, err := ReadPolicy(dir); !there || err == nil {
		t.Errorf("a directory: %t %v", there, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadPolicy(path); err == nil {
		t.Error("every user may write it, and it counts")
	}
	if _, there, err := ReadManaged(path); there || err == nil {
		t.Errorf("not an administrator's: %t %v", there, err)
	}
}
