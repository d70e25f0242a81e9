package inline

import "strings"

// unasked keeps that a function of which nobody knows what it does is given a path by which secrets are known: it may read it.
func (r *reader) unasked(c call, emitted int) {
	if len(r.out) != emitted || looksOnly(c.name[strings.LastIndexByte(c.name, '.')+1:]) {
		return
	}
	for _, a := range c.args {
		if a.kind == 't' && len(a.text) < 512 && secretive(a.text) {
			r.op("read", false, a)
		}
	}
}

// secretive tells whether a text is a path below a directory of keys, or one of the machine's own secrets.
func secretive(t string) bool {
	if !strings.HasPrefix(t, "/") && !strings.HasPrefix(t, "~") && !strings.HasPrefix(t, ".") || strings.ContainsAny(t, " \n") {
		return false
	}
	for _, part := range [...]string{"/.ssh/", "/.aws/", "/.gnupg/", "/.kube/config", "/.docker/config", "/.netrc", "/.git-credentials", "/etc/shadow", "/environ",
		"/.config/gcloud/", "/.azure/", "/keyrings/", "/logins.json", "/Login Data", "/Cookies", "/.npmrc", "/.pypirc", "/.credentials.json", "/auth.json"} {
		if strings.Contains(t, part) {
			return true
		}
	}
	return false
}

// looksOnly tells functions that make paths or texts of their arguments, or ask only what a path is.
func looksOnly(name string) bool {
	switch name {
	case "exists", "isfile", "isdir", "is_file", "is_dir", "exist?", "file?", "directory?", "file_exists", "existsSync", "access", "accessSync", "stat", "lstat",
		"statSync", "lstatSync", "getsize", "getmtime", "Path", "PurePath", "PosixPath", "Pathname", "new", "join", "resolve", "expanduser", "expand_path", "basename",
		"dirname", "abspath", "realpath", "normpath", "relative", "print", "println", "printf", "puts", "p", "echo", "log", "error", "warn", "info", "debug",
		"format", "sprintf", "str", "String", "repr", "len", "split", "strip", "replace", "match", "test", "search", "startswith", "endswith", "startsWith",
		"endsWith", "includes", "append", "push", "add", "set", "chmod", "chown", "mkdir", "makedirs", "encode", "decode", "URL", "pathToFileURL":
		return true
	}
	return false
}

// changesDir keeps the directory that code goes to; false where the function does not.
func (r *reader) changesDir(c call) bool {
	switch c.name {
	case "os.chdir", "process.chdir", "Dir.chdir", "chdir", "FileUtils.cd", "FileUtils.chdir", "contextlib.chdir", "Deno.chdir":
	default:
		return false
	}
	if v := c.arg(0); v.kind == 't' || v.kind == 'P' {
		a := v.arg()
		*r.dir = &a
		return true
	}
	return false
}

// sendsEnvironment tells whether a call that talks to the network has all of the environment among what it is given, and where that
// stands in its words: the name without an element.
func (r *reader) sendsEnvironment(from, to int) bool {
	for i := from; i < to && i < len(r.toks); i++ {
		t := r.toks[i]
		if t.kind != 'i' || t.text != "environ" && t.text != "env" && t.text != "ENV" && t.text != "%ENV" && t.text != "$_ENV" && t.text != "$_SERVER" {
			continue
		}
		if t.text == "env" && (i < 2 || r.toks[i-2].text != "process") {
			continue
		}
		if i+1 < len(r.toks) {
			next := r.toks[i+1]
			if next.text == "[" || next.text == "{" || next.text == "=" || next.text == ":" {
				continue
			}
			if next.text == "." && i+2 < len(r.toks) && !oneName(r.toks[i+2].text) {
				continue
			}
		}
		return true
	}
	return false
}

// oneName tells methods that give all of an environment.
func oneName(name string) bool {
	switch name {
	case "copy", "items", "values", "to_h", "to_a", "inspect", "map", "toJSON", "to_json":
		return true
	}
	return false
}

// leaks keeps that a request which a call has just made has the environment in it, as a read of that.
func (r *reader) leaks(from, kept int) {
	for i := kept; i < len(r.out); i++ {
		switch r.out[i].Op {
		case "send", "fetch", "connect":
			if r.sendsEnvironment(from, r.i) {
				r.op("read", false, textValue("/proc/self/environ"))
			}
			return
		}
	}
}
