package config

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestHomeOfTheEnvironmentDecidesNothing: an agent that is made to set HOME must not choose the env file that disables the
// guard, or where data goes.
func TestHomeOfTheEnvironmentDecidesNothing(t *testing.T) {
	account := newPlace(t, map[string]string{pintaEnv: "PINTA_RELAY_TOKEN=mine\n", "etc/boathook.toml": "[guard]\nendpoint = 'http://g'\n"}, nil)
	evil := newPlace(t, map[string]string{pintaEnv: "PINTA_GUARD_DISABLED=1\nGEMINI_PLUGIN_DATA=/evil\n"}, nil)
	asked := 0
	r := Request{Path: filepath.Join(account.home, "etc/boathook.toml"), Home: evil.home, Env: evil.env, AccountHome: func() string {
		asked++
		return account.home
	}}
	s := Load(r)
	if s.Guard.Disabled || s.Guard.Token != "mine" || s.DataDir != filepath.Join(account.home, ".local/share/boathook") || asked != 1 {
		t.Errorf("got %+v, asked %d times", s, asked)
	}
	if len(s.Problems) > 0 {
		t.Errorf("problems %q", s.Problems)
	}
	r.AccountHome = func() string { return "" }
	s = Load(r)
	if s.Guard.Disabled || s.DataDir != filepath.Join(evil.home, ".local/share/boathook") || len(s.Problems) != 2 {
		t.Errorf("without an account: %+v", s)
	}
}

func TestHomeIsAskedForOnlyWhereItCounts(t *testing.T) {
	never := func() string { t.Error("asked"); return "" }
	full := newPlace(t, map[string]string{"c.toml": "data_dir = '/d'\nenv_files = []\n"}, nil)
	Load(Request{Path: filepath.Join(full.home, "c.toml"), Home: "/evil", AccountHome: never})
	s := Load(Request{Path: filepath.Join(full.home, configFile), Home: "/evil", AccountHome: never})
	if s.DataDir != filepath.Join(full.home, ".local/share/boathook") {
		t.Errorf("a config in the default place is in its home: %s", s.DataDir)
	}
	if s = Load(Request{Home: full.home, Env: full.env, AccountHome: never}); s.DataDir != filepath.Join(full.home, ".local/share/boathook") {
		t.Errorf("own wiring: %s", s.DataDir)
	}
	trusted := newPlace(t, map[string]string{"c.toml": "environment = 'trusted'\n"}, nil)
	Load(Request{Path: filepath.Join(trusted.home, "c.toml"), Home: "/h", Env: trusted.env, AccountHome: never})
}

func TestManagedHomeIsTheAccounts(t *testing.T) {
	if os.Getuid() != 0 || runtime.GOOS == "windows" {
		t.Skip("SKIPPED LOUDLY: only root can own a managed file")
	}
	p := newPlace(t, map[string]string{"managed.toml": "data_dir = '~/d'\n"}, nil)
	s := Load(Request{Home: "/evil", Env: p.env, Managed: filepath.Join(p.home, "managed.toml"), AccountHome: func() string { return "/account" }})
	if s.DataDir != "/account/d" {
		t.Errorf("got %s", s.DataDir)
	}
}

func TestDataDirIsTheSameEverywhere(t *testing.T) {
	for written, want := range map[string]string{"~/bh": "bh", "bh": ".local/share/boathook", "./bh": ".local/share/boathook", "~": ".local/share/boathook"} {
		p := newPlace(t, map[string]string{configFile: "data_dir = '" + written + "'\n"}, nil)
		s := p.load(true)
		if s.DataDir != filepath.Join(p.home, want) || (want != "bh") != (len(s.Problems) == 1) {
			t.Errorf("%s: %s, problems %q", written, s.DataDir, s.Problems)
		}
		p = newPlace(t, nil, map[string]string{"GEMINI_PLUGIN_DATA": written})
		if s := p.load(false); s.DataDir != filepath.Join(p.home, want) {
			t.Errorf("GEMINI_PLUGIN_DATA=%s: %s", written, s.DataDir)
		}
	}
}

func TestInstalledHookWithoutDataDirUsesTheHome(t *testing.T) {
	p := newPlace(t, map[string]string{configFile: ""}, map[string]string{"XDG_DATA_HOME": "/xdg"})
	if s := p.load(true); s.DataDir != filepath.Join(p.home, ".local/share/boathook") {
		t.Errorf("data directory %s", s.DataDir)
	}
}

func TestManagedSettingsWin(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED LOUDLY: only root can own a managed file")
	}
	p := newPlace(t, map[string]string{
		configFile:     "environment = \"trusted\"\n[guard]\nendpoint = \"http://user\"\nfail = \"open\"\n",
		"managed.toml": "environment = \"ignored\"\n[guard]\nendpoint = \"http://managed\"\nfail = \"closed\"\n",
	}, map[string]string{"PINTA_GUARD_ENDPOINT": "http://env"})
	managed := filepath.Join(p.home, "managed.toml")
	load := func() Settings {
		return Load(Request{Path: filepath.Join(p.home, configFile), Home: p.home, Env: p.env, Managed: managed})
	}
	if s := load(); s.Guard.Endpoint != "http://managed" || !s.Guard.FailClosed || s.TrustEnv || !s.Managed {
		t.Errorf("got %+v", s)
	}
	if err := os.Chmod(managed, 0o666); err != nil {
		t.Fatal(err)
	}
	if s := load(); s.Guard.Endpoint != "http://env" || len(s.Problems) != 1 {
		t.Errorf("a file that anybody may write was obeyed: %+v", s)
	}
}
