package install

import (
	"bytes"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
	opencodehost "github.com/boathook/boathook/internal/host/opencode"
	"github.com/boathook/boathook/internal/managed"
	"github.com/boathook/boathook/internal/plugin"
)

// opencode reads settings in an administrator's directory, which can name plugins; plugins that just lie there it does not
// load (1.18.33). A user's settings don't take them out.

const (
	opencodeSettings = "opencode.json"
	pluginKey        = "plugin"
)

// managedOpencode is the agent as the administrator's.
func managedOpencode(env Env) agent {
	h := opencodehost.Host()
	a := plugins(h, "opencode", "opencode", "plugin")
	dir := filepath.Dir(managed.File(env.root(), env.GOOS, h.ID))
	file := filepath.Join(dir, plugin.Name(h.ID))
	settings := filepath.Join(dir, opencodeSettings)
	a.places = func(Env) []string { return []string{dir} }
	a.files = func(string) []string { return []string{file, settings} }
	a.add = func(p *planner, _ place) error { return firstOf(p.addPlugin(h, file), p.namePlugin(settings, file)) }
	a.undo = func(p *planner, _ place) error {
		p.sweep(file)
		return firstOf(p.disown(file, isPlugin), p.unnamePlugin(settings, file))
	}
	a.look = func(in *Installation, p *planner) {
		in.lookPlugin(h, file, p)
		data, _ := readFile(settings) // without it nothing is named
		if list, _ := confedit.Elements(data, []string{pluginKey}); !slices.ContainsFunc(list, isText(fileURL(file))) {
			in.fault(Reinstall, settings, "does not name the plugin %s", file)
		}
	}
	return a
}

// fileURL is how settings name a plugin that is a file.
func fileURL(path string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	return u.String()
}

func isText(text string) func(element []byte) bool {
	return func(element []byte) bool { return sameValue(element, compact(text)) }
}

// namePlugin plans to have the administrator's settings name the plugin.
func (p *planner) namePlugin(settings, file string) error {
	now, err := p.read(settings)
	if err != nil {
		return err
	}
	list, err := confedit.Elements(now.data, []string{pluginKey})
	if err != nil {
		return badFile(settings, err)
	}
	known, ok := p.old.file(settings)
	if slices.ContainsFunc(list, isText(fileURL(file))) {
		if ok {
			p.next.put(known, sum(now.data))
		}
		return nil
	}
	want, made, err := confedit.Append(now.data, []string{pluginKey}, compact(fileURL(file)))
	if err != nil {
		return badFile(settings, err)
	}
	next := known
	next.Path, next.Before = settings, ""
	if now.exists && (!ok || known.Before != "" || !emptied(now.data)) {
		next.Before = sum(now.data)
		p.backup(settings, now.data)
	}
	if next.Made = nil; made > 0 {
		next.Made = []string{pluginKey}
	}
	p.next.put(next, sum(want))
	p.write(now, want, 0o644, "")
	return nil
}

// unnamePlugin plans to take the name out again: the original bytes come back where nobody edited the settings since.
func (p *planner) unnamePlugin(settings, file string) error {
	p.sweep(settings)
	now, err := p.read(settings)
	if err != nil {
		return err
	}
	known, ok := p.old.file(settings)
	p.next.drop(settings)
	if !now.exists || ok && p.unedited(now, known) || !bytes.Contains(now.data, []byte(plugin.Name("opencode"))) {
		return nil
	}
	list, err := confedit.Elements(now.data, []string{pluginKey})
	if err != nil {
		return badFile(settings, err)
	}
	left := now.data
	if i := slices.IndexFunc(list, isText(fileURL(file))); i >= 0 {
		if left, err = confedit.RemoveElement(left, []string{pluginKey}, i); err != nil {
			return badFile(settings, err)
		}
	}
	if slices.Contains(known.Made, pluginKey) && confedit.Hollow(left, []string{pluginKey}) {
		if left, err = confedit.RemoveAt(left, []string{pluginKey}); err != nil {
			return badFile(settings, err)
		}
	}
	if ok && known.Before == "" && (listed{adds: []string{"$schema"}}).emptied(left) { // which opencode adds by itself
		p.remove(now)
		return nil
	}
	p.rewrite(now, left)
	return nil
}
