package install

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
)

// configFile plans the config, and says where the data go.
func (p *planner) configFile() error {
	path := p.configPath()
	now, err := p.read(path)
	if err != nil {
		return err
	}
	p.plan.Config = path
	plan := p.newConfig
	if now.exists {
		plan = p.knownConfig
	}
	change, err := plan(now)
	if err != nil {
		return err
	}
	if err := checkText(path, p.plan.DataDir, p.env.Exe, p.env.Home); err != nil {
		return err
	}
	if err := p.mine(path, p.plan.DataDir); err != nil {
		return err
	}
	for _, dir := range []string{p.plan.DataDir, filepath.Dir(path)} {
		if err := p.dir(dir, 0o700); err != nil {
			return err
		}
	}
	if change.Op != "" {
		p.change(change)
	}
	for _, text := range config.Unused(p.env.Lookup) {
		p.note("%s", text)
	}
	p.sweep(path)
	u := use{Config: path, DataDir: p.plan.DataDir, Made: !now.exists}
	for _, dir := range madeWith(u) { // the manifest outlives the data
		p.next.made(dir)
	}
	p.use(u)
	return nil
}

func (p *planner) use(u use) {
	for _, have := range p.next.Uses {
		if have.Config == u.Config && have.DataDir == u.DataDir {
			return
		}
	}
	p.next.Uses = append(p.next.Uses, u)
}

// newConfig takes over what the environment and the env files say at this moment.
func (p *planner) newConfig(now found) (Change, error) {
	s := config.Load(config.Request{Home: p.env.Home, Env: p.env.Lookup})
	p.plan.DataDir = s.DataDir
	p.problems(s)
	// An administrator's data_dir wins over the one that is going to be written, as it does for the hooks.
	managed := config.Load(config.Request{Path: p.plan.Config, Home: p.env.Home, Managed: p.env.Managed})
	if from := source(managed, "data_dir"); from != "default" && from == p.env.Managed {
		p.plan.DataDir = managed.DataDir
	}
	if dir := lookup(p.env, "GEMINI_PLUGIN_DATA"); strings.HasPrefix(source(s, "data_dir"), "environment") && !filepath.IsAbs(dir) && !strings.HasPrefix(dir, "~/") {
		return Change{}, refuse("use data directory %q: it is not an absolute path (%s)", dir, source(s, "data_dir"))
	}
	values := map[string]any{}
	for _, v := range s.Values {
		if v.Source == "default" || v.Source == s.Path || v.Key == "data_dir" || keyNamed(v.Key).Foreign {
			continue
		}
		key := v.Key
		if key == "telemetry.api_key" { // the key is among the headers
			key = "telemetry.headers"
		}
		value := native(s, key)
		if value == "" { // it can't be used, and problems says why
			continue
		}
		values[key] = value
		if err := p.takeOver(v, value); err != nil {
			return Change{}, err
		}
	}
	values["data_dir"] = p.plan.DataDir
	values["env_files"] = config.DefaultEnvFiles(p.plan.Config, p.env.Home)
	return Change{Op: Create, Path: now.path, perm: 0o600, after: []byte(render(values))}, nil
}

// knownConfig leaves a config as it is, but for what this environment says otherwise: somebody who sets a variable for an
// install means it. What only an env file says fills what is not set.
func (p *planner) knownConfig(now found) (Change, error) {
	path := p.plan.Config
	s := config.Load(config.Request{Path: path, Home: p.env.Home, Env: p.env.Lookup, Managed: p.env.Managed})
	said := config.Load(config.Request{Home: p.env.Home, Env: p.env.Lookup})
	p.plan.DataDir = s.DataDir
	p.problems(s)
	p.problems(typed(said))
	p.secret(s.Secrets()...)
	switch {
	case source(s, "data_dir") == "default":
		p.note("%s has no data_dir and stays as it is; the hooks use %s as long as the home directory is the same", path, s.DataDir)
	case said.DataDir != s.DataDir && strings.HasPrefix(source(said, "data_dir"), "environment"):
		p.note("%s says data_dir = %s, and that counts: what the environment says (%s) moves no records", path, s.DataDir, said.DataDir)
	}
	if now.mode&0o077 != 0 {
		p.note("%s may hold a token and is open to other users (mode %04o): chmod 600 it", path, now.mode)
	}
	if s.Guard.Endpoint != "" && checkURL("", s.Guard.Endpoint) != nil {
		p.note("%s: guard.endpoint must be an http or https URL, and is not: no guard is asked", path)
	}
	text := now.data
	for _, v := range said.Values {
		value, ok := p.differs(v, said, s)
		if !ok {
			continue
		}
		if source(s, v.Key) == p.env.Managed {
			p.note("%s is set by the administrator in %s; what %s says does not count", v.Key, p.env.Managed, v.Source)
			continue
		}
		if err := p.takeOver(v, value); err != nil {
			return Change{}, err
		}
		var err error
		if text, err = setTOML(text, keyNamed(v.Key), value); err != nil {
			return Change{}, p.uneditable(path, v, err)
		}
	}
	if string(text) == string(now.data) {
		return Change{}, nil
	}
	p.keep(path, now.data, text)
	return Change{Op: Edit, Path: now.path, perm: now.mode, before: now.data, after: text}, nil
}

// wrote tells whether a config is boathook's own.
func (p *planner) wrote(path string, data []byte) bool {
	return strings.HasPrefix(string(data), configHead) ||
		slices.ContainsFunc(p.old.Uses, func(u use) bool { return u.Made && u.Config == path })
}

// keep saves a config that is going to be edited, and remembers of a user's own how it was.
func (p *planner) keep(path string, data, after []byte) {
	if p.wrote(path, data) {
		p.backup(path, data)
		return
	}
	known, _ := p.old.file(path)
	if !slices.Contains(known.After, sum(data)) { // the user's own hand came last
		known = file{Path: path, Before: sum(data)}
		p.backup(path, data)
	}
	p.next.put(known, sum(after))
}

// disownConfig gives a config of the user's own its bytes back, where nobody edited it since.
func (p *planner) disownConfig(u use) error {
	known, ok := p.old.file(u.Config)
	if !ok {
		return nil
	}
	p.next.drop(u.Config)
	now, err := p.read(u.Config)
	if err != nil || !now.exists {
		return err
	}
	kept := p.backupPath(backupName(u.Config, known.Before))
	data, err := readFile(kept)
	if err != nil || !slices.Contains(known.After, sum(now.data)) {
		p.note("%s keeps what install set there, since it was edited afterwards", u.Config)
		return nil
	}
	p.rewrite(now, data)
	return nil
}

func source(s config.Settings, key string) string {
	return value(s, key).Source
}

func value(s config.Settings, key string) config.Value {
	for _, v := range s.Values {
		if v.Key == key {
			return v
		}
	}
	return config.Value{}
}

// native is a setting as it goes into the file; a secret's Value doesn't say it.
func native(s config.Settings, key string) any {
	switch key {
	case "guard.token":
		return s.Guard.Token
	case "telemetry.headers":
		return s.Telemetry.Headers
	case "telemetry.resource":
		return s.Telemetry.Resource
	case "telemetry.certificate":
		return s.Telemetry.CA
	case "telemetry.client_certificate":
		return s.Telemetry.ClientCert
	case "telemetry.client_key":
		return s.Telemetry.ClientKey
	}
	return value(s, key).Value
}

func keyNamed(name string) config.Key {
	for _, k := range config.Keys() {
		if k.Name == name {
			return k
		}
	}
	return config.Key{Name: name}
}
