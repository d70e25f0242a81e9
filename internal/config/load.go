package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/paths"
)

// Request says what to load from.
type Request struct {
	// Path is the value of --config. Empty means a user's own wiring: the environment comes first then.
	Path string
	// Home is where the environment says that the home is; it counts where the environment does.
	Home string
	// AccountHome finds the home of this account without the environment; nil is the system's way.
	AccountHome func() string
	// Env looks up the process environment.
	Env paths.Lookup
	// Managed is the administrator's file; it counts only if root alone can write it.
	Managed string
}

// Load reads the settings. What is wrong with a file is in Problems; the values are usable in any case.
func Load(r Request) Settings {
	l := loader{r: r, values: map[string]any{}}
	return l.load()
}

type loader struct {
	r      Request
	s      Settings
	layers []layer
	values map[string]any

	account string // the home of the account, once asked
	asked   bool
}

// layer is one place that settings come from; the first layer that has a key wins. at, where it is set, is the place of a
// key in more detail than its source.
type layer struct {
	name string
	get  func(Key) (any, string, bool)
	at   func(Key) string
	file *file // where it is a settings file
}

func (l *loader) load() Settings {
	managed := l.managedLayer()
	wired := l.r.Path != ""
	l.s.Path = l.r.Path
	if dir := paths.ConfigDir(l.r.Home, l.r.Env); !wired && dir != "" {
		l.s.Path = filepath.Join(dir, "config.toml")
	}
	l.s.Managed = len(managed) > 0
	file := l.fileLayer(wired)
	l.layers = append(managed, file)
	l.s.TrustEnv = !wired || l.pick("environment") == "trusted"
	variables := l.envFiles()
	process := layer{name: "environment", get: envGet(map[string]string{}, l.r.Env, nil)}
	switch {
	case !wired: // SPEC §12: the environment, and the files for unset names
		l.layers = append(managed, layer{name: "environment", get: envGet(variables.vars, l.r.Env, variables.from)}, file)
	case l.s.TrustEnv:
		l.layers = append(managed, process, file, variables.layer())
	default:
		l.layers = append(managed, file, variables.layer())
	}
	l.resolve()
	l.hooks(managed, file)
	l.fill(wired)
	return l.s
}

// managedLayer reads the administrator's file. One that others can write is refused, not obeyed.
func (l *loader) managedLayer() []layer {
	if l.r.Managed == "" {
		return nil
	}
	if ok, why := rootOnly(l.r.Managed); !ok {
		l.s.Files = append(l.s.Files, look(l.r.Managed)) // it may come to count
		if why != "" {
			l.problem(l.r.Managed + ": " + why + "; the managed settings are ignored")
		}
		return nil
	}
	text, cut, err := l.read(l.r.Managed)
	if err != nil {
		l.problem("read " + l.r.Managed + ": " + err.Error())
		return nil
	}
	return []layer{l.tomlLayer(l.r.Managed, text, cut)}
}

func (l *loader) fileLayer(wired bool) layer {
	text, cut, err := l.read(l.s.Path)
	if err != nil {
		absent := errors.Is(err, fs.ErrNotExist)
		l.s.Missing = wired && absent
		if l.s.Path != "" && !absent {
			l.problem("read " + l.s.Path + ": " + err.Error())
		}
		return layer{name: "config", get: func(Key) (any, string, bool) { return nil, "", false }}
	}
	return l.tomlLayer(l.s.Path, text, cut)
}

func (l *loader) tomlLayer(path, text string, cut bool) layer {
	f := parseFile(path, text, cut)
	l.s.Problems = append(l.s.Problems, f.problems...)
	return f.layer()
}

// hooks takes the tables of the user's file and then the administrator's, so that the last rewrite is the latter's. A file
// that the environment alone chose runs nothing: an agent may have loaded a repository's .env into it.
func (l *loader) hooks(managed []layer, file layer) {
	if f := file.file; f != nil && len(f.entries) > 0 {
		if l.shared(file.name) {
			l.problem(file.name + ": every user may write it, so that its [[hooks]] are not run, and deny where they fail closed: chmod 600")
			l.refuseHooks(f, file.name)
		} else if why := l.distrust(file.name); why != "" {
			l.problem(file.name + ": " + why)
		} else {
			l.addHooks(f, file.name)
		}
	}
	for _, m := range managed {
		l.addHooks(m.file, m.name)
	}
}

func (l *loader) addHooks(f *file, source string) {
	before := len(f.problems)
	l.s.Hooks = append(l.s.Hooks, f.hooks(func(path string) (string, bool) { return l.absolute(path, source) })...)
	l.s.Problems = append(l.s.Problems, f.problems[before:]...)
}

// refuseHooks runs none of a file's hooks; those that fail closed deny.
func (l *loader) refuseHooks(f *file, source string) {
	for _, h := range f.hooks(func(path string) (string, bool) { return l.absolute(path, source) }) {
		if h.FailClosed {
			h.Broken, h.Refused = "stands in a file that every user may write", true
			l.s.Hooks = append(l.s.Hooks, h)
		}
	}
}

// shared tells whether every user may write a file: who writes it has this user run programs.
func (l *loader) shared(path string) bool {
	return slices.ContainsFunc(l.s.Files, func(f File) bool {
		return f.Path == path && shareable(f)
	})
}

func shareable(f File) bool { return runtime.GOOS != "windows" && f.Mode.Perm()&0o002 != 0 }

// distrust says why a file's hooks are not run: without --config it has to be that of the account itself.
func (l *loader) distrust(path string) string {
	if l.r.Path != "" {
		return ""
	}
	home := l.accountHome()
	if home != "" && path == filepath.Join(paths.ConfigDir(home, nil), "config.toml") {
		return ""
	}
	return "the environment chose this file, so that its [[hooks]] are not run; name it with --config"
}

// resolve walks the layers for every key.
func (l *loader) resolve() {
	l.s.Values = make([]Value, 0, len(known().list))
	for _, k := range known().list {
		v, source := l.find(k)
		l.values[k.Name] = v
		l.s.Values = append(l.s.Values, Value{Key: k.Name, Value: show(k, v), Source: source})
	}
}

func (l *loader) find(k Key) (any, string) {
	for _, at := range l.layers {
		raw, source, ok := at.get(k)
		if !ok {
			continue
		}
		if _, is := raw.(unread); is {
			return k.Strict, source
		}
		v, err := convert(k, raw)
		if err == nil {
			return v, source
		}
		where := source
		if at.at != nil {
			where = at.at(k)
		}
		if k.Strict != "" {
			l.problem(where + ": " + k.Name + " " + err.Error() + "; the strict " + k.Strict + " is used")
			return k.Strict, source
		}
		l.problem(where + ": " + k.Name + " " + ignored(err))
	}
	if k.Type == List || k.Type == Map {
		return nil, "default"
	}
	v, err := convert(k, k.fallback())
	if err != nil {
		return "", "default"
	}
	return v, "default"
}

func (l *loader) pick(key string) any {
	v, _ := l.find(known().keys[key])
	return v
}

// where is the place of a key that came from a source: the file with the line, if it is a settings file.
func (l *loader) where(k Key, source string) string {
	for _, at := range l.layers {
		if at.at != nil && at.name == source {
			return at.at(k)
		}
	}
	return source
}

func (l *loader) problem(text string) {
	for _, p := range l.s.Problems {
		if p == text {
			return
		}
	}
	l.s.Problems = append(l.s.Problems, text)
}

// fill moves the values into the struct that the rest of the program reads.
func (l *loader) fill(wired bool) {
	s := &l.s
	s.DataDir = l.dataDir(wired)
	s.Minimal = l.values["privacy"] == "minimal"
	s.Guard = Guard{
		Endpoint: l.text("guard.endpoint"), Token: l.text("guard.token"), Disabled: l.values["guard.disabled"] == true,
		Timeout: l.millis("guard.timeout_ms"), FailClosed: l.values["guard.fail"] == "closed",
		ReviewAsks: l.values["guard.review"] == "ask", DenyOnFail: l.values["guard.on_error"] == "deny", Proxy: l.text("guard.proxy"),
	}
	s.Policy = l.policy()
	s.Telemetry = l.telemetry()
	if s.Guard.Token == "" {
		s.Guard.Token = header(s.Telemetry.Headers, relayHeader)
	}
	s.Redact.Allow, _ = l.values["redact.allow"].([]string)
	s.Redact.Patterns, _ = l.values["redact.patterns"].(map[string]string)
	s.Deadline = l.millis("hook.deadline_ms")
	s.SpoolMax = l.number("spool.max_mb") << 20
	s.StoreMax = l.number("store.max_mb") << 20
	s.Fsync = l.values["spool.durability"] == "fsync"
	s.WorkerIdle = l.seconds("worker.idle_s")
	s.Flush = l.millis("hook.flush_ms")
	s.Retention = Retention{Body: l.days("retention.body_days"), Metadata: l.days("retention.metadata_days")}
	s.Off = Off{Allowed: l.values["off.switch"] == "allowed", Projects: l.projects()}
	s.Memory, s.LLM = l.memory(), l.llm()
	s.Audit = Audit{Enabled: l.values["audit.enabled"] == true, MaxBytes: l.number("audit.max_mb") << 20}
}

const relayHeader = "x-pinta-relay-token"

func (l *loader) text(key string) string {
	s, _ := l.values[key].(string)
	return strings.TrimSpace(s)
}

func (l *loader) number(key string) int64 {
	n, _ := l.values[key].(int64)
	return n
}

func (l *loader) seconds(key string) time.Duration { return time.Duration(l.number(key)) * time.Second }

func (l *loader) days(key string) time.Duration { return time.Duration(l.number(key)) * 24 * time.Hour }

func (l *loader) millis(key string) time.Duration {
	return time.Duration(l.number(key)) * time.Millisecond
}

func header(headers map[string]string, name string) string {
	for k, v := range headers {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

func withKey(headers map[string]string, apiKey string) map[string]string {
	if apiKey == "" || header(headers, relayHeader) != "" {
		return headers
	}
	out := map[string]string{relayHeader: apiKey}
	for k, v := range headers {
		out[k] = v
	}
	return out
}
