package install

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/plugin"
)

// Some agents have no command hooks but run plugins: one file in a directory that is the user's own. It is boathook's as a
// whole, and known by the mark in its first line.

// plugins is what the agents that take plugins have in common: base is the agent's directory in the user's configuration, and
// with a dot before it in a project, dir the one for plugins in that.
func plugins(h *host.Host, program, base, dir string) agent {
	at := func(env Env) string { return filepath.Join(configHome(env), base, dir) }
	file := func(dir string) string { return filepath.Join(dir, plugin.Name(h.ID)) }
	return agent{
		id: h.ID, title: h.Title,
		detect: func(env Env) bool {
			return exists(filepath.Join(configHome(env), base)) || onPath(env, program) != ""
		},
		places: func(env Env) []string {
			return []string{at(env), filepath.Join(env.Home, ".config", base, dir)}
		},
		add: func(p *planner, at place) error { return p.addPlugin(h, file(at.Dir)) },
		undo: func(p *planner, at place) error {
			p.sweep(file(at.Dir))
			return p.disown(file(at.Dir), isPlugin)
		},
		files: func(dir string) []string { return []string{file(dir)} },
		look:  func(in *Installation, p *planner) { in.lookPlugin(h, file(in.Dir), p) },
		doubles: func(env Env, project string) []string {
			dirs := []string{at(env), filepath.Join(env.Home, "."+base, dir)}
			if project != "" {
				dirs = append(dirs, filepath.Join(project, "."+base, dir))
			}
			return pluginDoubles(file(at(env)), dirs)
		},
		mark: func(dir string) (mark, bool) {
			data, _ := readFile(file(dir)) // none is no mark
			head, _ := plugin.Read(data)
			return readMark(head.Mark)
		},
		holds: func(p *planner, dir string) bool {
			_, known := p.old.file(file(dir))
			data, err := readFile(file(dir))
			return isPlugin(data) || known && err == nil
		},
		restart: "restart " + h.Title + ": it loads its plugins when it starts",
		stop:    "restart " + h.Title + ": a running one keeps the plugin that it loaded, which then does nothing",
	}
}

// configHome is where programs that follow the XDG rules keep their settings, as these agents do.
func configHome(env Env) string {
	if dir := lookup(env, "XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(env.Home, ".config")
}

// isPlugin tells whether install wrote a file, or what a person made of one.
func isPlugin(data []byte) bool {
	head, _ := plugin.Read(data)
	_, ours := readMark(head.Mark)
	return ours
}

func (p *planner) addPlugin(h *host.Host, path string) error {
	now, err := p.read(path)
	if err != nil {
		return err
	}
	if _, known := p.old.file(path); now.exists && !known && !isPlugin(now.data) {
		return refuse("write %s: a file of that name is there that boathook did not write; move it away first", path)
	}
	there := map[string]bool{}
	head, _ := plugin.Read(now.data)
	for _, name := range head.Events {
		there[name] = true
	}
	list, err := p.choose(h, there)
	if err != nil {
		return err
	}
	return p.own(path, pluginText(p, h, list), 0o644)
}

func pluginText(p *planner, h *host.Host, list []event) []byte {
	head := plugin.Head{Mark: p.mark(), Program: p.env.Exe, Config: p.plan.Config}
	for _, e := range list {
		head.Events = append(head.Events, e.Name)
	}
	return plugin.Text(h.ID, head)
}

func (in *Installation) lookPlugin(h *host.Host, path string, p *planner) {
	in.File = path
	data, ok := in.here(path, "no hook runs")
	if !ok {
		return
	}
	head, whole := plugin.Read(data)
	registered, _ := pick(h, set(head.Events))
	for _, e := range registered {
		in.Events = append(in.Events, e.Name)
	}
	written := p.recorded(path, data)
	if in.strange && !written {
		in.fault(in.again(), path, "is not what boathook wrote there, and nothing but the environment leads there: what it names is not followed here; %s runs it all the same", h.Title)
		return
	}
	if !whole || len(registered) == 0 || head.Program == "" {
		in.fault(Reinstall, path, "is not as boathook wrote it, and names no program, config and events")
		return
	}
	in.Program, in.Config = head.Program, head.Config
	same := bytes.Equal(data, pluginText(in.as(p), h, registered))
	if same || written {
		in.Intact = slices.Clone(in.Events)
	}
	if !same {
		in.fault(in.again(), path, "is not as boathook would write it now")
	}
	in.vouch(p, written, same)
	in.gates(h, path)
}

func set(names []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out
}

// pluginDoubles finds plugins of boathook's beside the installed one: under other names there, or in another directory that
// the agent reads.
func pluginDoubles(own string, dirs []string) (out []string) {
	for _, dir := range dirs {
		for _, also := range []string{dir, pluralOf(dir)} {
			entries, err := os.ReadDir(also)
			if err != nil {
				continue // none are there
			}
			for _, e := range entries {
				path := filepath.Join(also, e.Name())
				data, err := readFile(path)
				if err == nil && resolved(path) != resolved(own) && isPlugin(data) && !slices.Contains(out, path) {
					out = append(out, path)
				}
			}
		}
	}
	return out
}

// pluralOf is the other name of a directory of plugins: opencode takes plugin and plugins.
func pluralOf(dir string) string {
	if filepath.Base(dir) == "plugin" {
		return dir + "s"
	}
	return dir
}
