package install

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/paths"
)

// configFile plans the config and says where the data go. A config that is there is the user's and stays as it is.
func (p *planner) configFile() error {
	path := p.req.Config
	if path == "" {
		path = filepath.Join(paths.ConfigDir(p.env.Home, p.env.Lookup), "config.toml")
	}
	now, err := p.read(path)
	if err != nil {
		return err
	}
	p.plan.Config = path
	if now.exists {
		return p.knownConfig(path)
	}
	s := config.Load(config.Request{Home: p.env.Home, Env: p.env.Lookup})
	p.plan.DataDir = s.DataDir
	for _, problem := range s.Problems {
		p.note("%s", problem)
	}
	p.useManaged(path)
	if !filepath.IsAbs(p.plan.DataDir) {
		return refuse("use data directory %q: it is not an absolute path (%s)", p.plan.DataDir, source(s, "data_dir"))
	}
	return checkText("path", path, p.plan.DataDir, p.env.Exe)
}

// knownConfig takes the data directory from a config, as the hooks will.
func (p *planner) knownConfig(path string) error {
	s := config.Load(config.Request{Path: path, Home: p.env.Home, Env: p.env.Lookup, Managed: p.env.Managed})
	p.plan.DataDir = s.DataDir
	for _, problem := range s.Problems {
		p.note("%s", problem)
	}
	if source(s, "data_dir") == "default" {
		p.note("%s has no data_dir and stays as it is; the hooks use %s as long as the home directory is the same", path, s.DataDir)
	}
	if !filepath.IsAbs(s.DataDir) {
		return refuse("use config %s: data_dir is %q, which is not an absolute path", path, s.DataDir)
	}
	return checkText("path", path, s.DataDir, p.env.Exe)
}

// useManaged lets an administrator's data_dir win over the one that is going to be written, as it does for the hooks.
func (p *planner) useManaged(path string) {
	s := config.Load(config.Request{Path: path, Home: p.env.Home, Managed: p.env.Managed})
	if from := source(s, "data_dir"); from != "default" && from == p.env.Managed {
		p.plan.DataDir = s.DataDir
	}
}

func source(s config.Settings, key string) string {
	for _, v := range s.Values {
		if v.Key == key {
			return v.Source
		}
	}
	return ""
}

// writeConfig plans a new config with what the environment and the env files say at this moment.
func (p *planner) writeConfig() error {
	if err := p.dir(filepath.Dir(p.plan.Config), 0o700); err != nil {
		return err
	}
	if exists(p.plan.Config) {
		return nil
	}
	s := config.Load(config.Request{Home: p.env.Home, Env: p.env.Lookup})
	values := p.imports(s)
	values["data_dir"] = p.plan.DataDir
	values["env_files"] = config.DefaultEnvFiles(p.plan.Config, p.env.Home)
	text := []byte(render(values))
	p.change(Change{Op: Create, Path: p.plan.Config, perm: 0o600, after: text, shown: []byte(render(masked(values)))})
	p.remember(entry{Kind: kindFile, Path: p.plan.Config, After: sum(text), Mode: 0o600})
	return nil
}

// imports picks the settings that don't come from a default or another config file.
func (p *planner) imports(s config.Settings) map[string]any {
	out := map[string]any{}
	for _, v := range s.Values {
		if v.Source == "default" || v.Source == s.Path || v.Key == "data_dir" {
			continue
		}
		p.plan.Imported = append(p.plan.Imported, v)
		switch v.Key {
		case "guard.token":
			out[v.Key] = s.Guard.Token
			p.secret(s.Guard.Token)
		case "telemetry.headers", "telemetry.api_key": // the key is among the headers
			out["telemetry.headers"] = s.Telemetry.Headers
			p.secret(slices.Collect(maps.Values(s.Telemetry.Headers))...)
		default:
			out[v.Key] = v.Value
		}
	}
	return out
}

// masked is values without the secrets.
func masked(values map[string]any) map[string]any {
	out := maps.Clone(values)
	for _, k := range config.Keys() {
		v, ok := out[k.Name]
		if !ok || !k.Secret {
			continue
		}
		if table, ok := v.(map[string]string); ok {
			hide := map[string]string{}
			for name := range table {
				hide[name] = hidden
			}
			out[k.Name] = hide
			continue
		}
		out[k.Name] = hidden
	}
	return out
}

const configHead = `# boathook's settings. The installed hooks, the worker and boathook's own commands read this file.
# 'boathook help config' explains every setting; lines that begin with # show the defaults.
`

// render writes every setting in the table's order: those in values as they are, the others as comments.
func render(values map[string]any) string {
	var b strings.Builder
	b.WriteString(configHead)
	table := ""
	for _, k := range config.Keys() {
		name := k.Name
		if at := strings.LastIndexByte(name, '.'); at >= 0 {
			if name[:at] != table {
				table = name[:at]
				fmt.Fprintf(&b, "\n[%s]\n", table)
			}
			name = name[at+1:]
		} else {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "# %s%s\n", k.Doc, choices(k))
		if v, ok := values[k.Name]; ok {
			fmt.Fprintf(&b, "%s = %s\n", name, tomlValue(k, v))
			continue
		}
		fmt.Fprintf(&b, "# %s = %s\n", name, tomlValue(k, fallback(k)))
	}
	return b.String()
}

func choices(k config.Key) string {
	if len(k.Choices) == 0 {
		return ""
	}
	return " (" + strings.Join(k.Choices, ", ") + ")"
}

func fallback(k config.Key) any {
	switch k.Type {
	case config.List:
		return []string{}
	case config.Map:
		return map[string]string{}
	case config.Choice:
		return k.Choices[0]
	}
	return k.Default
}

func tomlValue(k config.Key, v any) string {
	switch v := v.(type) {
	case []string:
		items := make([]string, len(v))
		for i, s := range v {
			items[i] = tomlString(s)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]string:
		var items []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			items = append(items, tomlString(name)+" = "+tomlString(v[name]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	text := fmt.Sprint(v)
	if k.Type == config.Bool || k.Type == config.Int {
		return text
	}
	return tomlString(text)
}

// tomlString is a basic string. TOML 1.0 knows every escape that JSON writes, and wants DEL escaped too.
func tomlString(s string) string {
	return strings.ReplaceAll(string(compact(s)), "\x7f", `\u007f`)
}
