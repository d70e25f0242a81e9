package userhook

import "strings"

// Environ is the environment for a program, without the variables that make a loader or an interpreter run other code: an
// agent may have loaded a repository's .env into it, which must not have a say in who judges.
func Environ(all []string) []string {
	out := make([]string, 0, len(all))
	for _, pair := range all {
		name, _, _ := strings.Cut(pair, "=")
		if !loadsCode(name) {
			out = append(out, pair)
		}
	}
	return out
}

func loadsCode(name string) bool {
	switch name {
	case "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "IFS", "NODE_OPTIONS", "NODE_PATH", "PERL5OPT", "PERL5LIB", "PERL5DB", "PERLLIB",
		"RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "GCONV_PATH", "LOCPATH",
		"DENO_DIR", "BUN_OPTIONS", "GODEBUG", "GOTRACEBACK", "ZDOTDIR", "FPATH", "GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE", "PHPRC", "PHP_INI_SCAN_DIR",
		"DOTNET_STARTUP_HOOKS", "TCLLIBPATH", "OPENSSL_CONF", "OPENSSL_ENGINES", "OPENSSL_MODULES", "LUA_INIT", "LUA_PATH", "LUA_CPATH",
		"R_PROFILE", "R_PROFILE_USER", "R_ENVIRON", "R_ENVIRON_USER", "ERL_FLAGS", "ERL_AFLAGS", "ERL_ZFLAGS":
		return true
	}
	for _, prefix := range []string{"LD_", "DYLD_", "PYTHON", "BASH_FUNC_", "LUA_INIT_", "LUA_PATH_", "LUA_CPATH_", "JULIA_", "GUILE_", "CORECLR_", "COR_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
