package install

import (
	"encoding/json"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
)

func (l listed) look(in *Installation, p *planner) {
	path, h := l.path(in.Dir), l.host()
	in.File = path
	data, ok := in.here(path, "no hook runs")
	if !ok {
		return
	}
	if why := l.dropped(data); why != "" {
		in.fault(ByHand, path, "%s: %s drops the whole file for that, without a word", why, h.Title)
		return
	}
	in.Disabled = l.switchedOff(data) != ""
	have, lines := l.entries(data)
	if len(lines) == 0 {
		in.fault(in.again(), path, "has no hook of boathook's")
		return
	}
	list, unknown := registered(h, have)
	for _, e := range list {
		in.Events = append(in.Events, e.Name)
	}
	written := p.recorded(path, data)
	in.Edited = !written
	if in.strange && !written {
		in.fault(in.again(), path, "is not what boathook wrote there, and nothing but the environment leads there: what it names is not followed here; %s runs it all the same", h.Title)
		return
	}
	in.wired(lines)
	for _, name := range unknown {
		in.fault(Reinstall, path, "has boathook's entry at %q, and %s has no such event", name, h.Title)
	}
	if len(lines) > len(have) {
		in.fault(Reinstall, path, "has more than one entry of boathook's at one event: it is recorded twice")
	}
	like := in.as(p)
	like.req.OnFailure = l.onFailure(data)
	want := object{}
	for _, e := range list {
		want = append(want, pair{e.Name, l.entry(like, e)})
	}
	in.compare(path, have, compact(want), written)
	in.vouch(p, written, len(in.Intact) > 0)
	in.gates(h, path)
}

// entries are the elements that run boathook, by event, and their commands. Of an element that others have a handler in, too,
// everything counts: it is not as install wrote it.
func (l listed) entries(data []byte) (have map[string]any, lines []string) {
	have = map[string]any{}
	for _, name := range l.lists(data) {
		list, err := confedit.Elements(data, []string{hooksKey, name})
		if err != nil {
			continue // it is no list, and has none of ours
		}
		for _, element := range list {
			if ours, _ := l.count(element); ours == 0 {
				continue
			}
			if _, more := have[name]; !more {
				var entry any
				_ = json.Unmarshal(element, &entry) // it was parsed before
				have[name] = entry
			}
			commands(element, func(_, command string) {
				if l.ours(command) {
					lines = append(lines, command)
				}
			})
		}
	}
	return have, lines
}

// onFailure is what our handlers in a file say of that; the strictest counts.
func (l listed) onFailure(data []byte) string {
	found := ""
	for _, name := range l.lists(data) {
		list, _ := confedit.Elements(data, []string{hooksKey, name}) // what is no list has none
		for _, element := range list {
			var group struct {
				Hooks []struct{ Command, OnFailure string }
			}
			_ = json.Unmarshal(element, &group) // what is no group has none
			if slices.ContainsFunc(group.Hooks, func(h struct{ Command, OnFailure string }) bool { return l.ours(h.Command) && h.OnFailure == Block }) {
				found = Block
			}
		}
	}
	return found
}

func (l listed) doubles(env Env, project string) []string {
	if l.others == nil {
		return nil
	}
	var out []string
	for _, path := range l.others(env, project) {
		if resolved(path) != resolved(l.path(l.dir(env))) && runs(path, l.ours) {
			out = append(out, path)
		}
	}
	return out
}
