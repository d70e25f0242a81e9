package config

import (
	"path/filepath"

	"github.com/boathook/boathook/internal/paths"
)

// home is the directory that ~ and the default places are in. Where the environment may not decide anything, that is the
// one that the config is in, else that of the account: an agent can be made to set HOME.
func (l *loader) home(source string) string {
	wired := l.r.Path != ""
	if l.s.TrustEnv && (source == "" || source != l.r.Managed) {
		return l.r.Home
	}
	if wired {
		if dir := homeOf(l.r.Path); dir != "" {
			return dir
		}
	}
	return l.accountHome()
}

// Home is the directory of a user's own files by these settings: that which ~ in the config means.
func Home(r Request, s Settings) string {
	l := loader{r: r, s: s}
	return l.home("")
}

// accountHome is the account's, whatever the environment says; empty where it is not known.
func (l *loader) accountHome() string {
	if !l.asked {
		l.asked = true
		find := l.r.AccountHome
		if find == nil {
			find = paths.AccountHome
		}
		if l.account = find(); !filepath.IsAbs(l.account) {
			l.account = ""
		}
	}
	return l.account
}

// homeOf is the home that a config in the default place belongs to: HOME/.config/boathook/config.toml.
func homeOf(config string) string {
	dir := filepath.Dir(config)
	up := filepath.Dir(dir)
	if !filepath.IsAbs(config) || filepath.Base(dir) != "boathook" || filepath.Base(up) != ".config" {
		return ""
	}
	return filepath.Dir(up)
}

// dataDir is the directory as written, or the default one.
func (l *loader) dataDir(wired bool) string {
	k := known().keys["data_dir"]
	written, source := l.find(k)
	if text, _ := written.(string); text != "" {
		if dir, ok := l.absolute(text, source); ok {
			return filepath.Clean(dir)
		}
		l.problem(l.where(k, source) + ": data_dir is not an absolute path; the default is used")
	}
	env := l.r.Env
	if wired && !l.s.TrustEnv {
		env = nil
	}
	home := l.home("")
	if home == "" && !l.s.TrustEnv {
		l.problem("the home directory of this account is not known: the data is kept where HOME says")
		home = l.r.Home
	}
	return paths.DataDir(home, env)
}
