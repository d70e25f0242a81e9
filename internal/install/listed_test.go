//go:build unix

package install

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boathook/boathook/internal/confedit"
)

// kept is an agent whose hooks stand in lists in a user's file.
type kept struct {
	listed
	// free are names of texts that may stand beside the hooks, flat that an event's list has no groups.
	free []string
	flat bool
}

func lists() map[string]kept {
	return map[string]kept{
		"claude":   {listed: claudeList(), free: []string{"model", "z"}},
		"codex":    {listed: codexList(), free: []string{"description"}},
		"copilot":  {listed: copilotList(), flat: true, free: []string{"a", "z"}},
		"cursor":   {listed: cursorList(), flat: true, free: []string{"a", "z"}},
		"windsurf": {listed: windsurfList(), flat: true, free: []string{"a", "z"}},
		"qwen":     {listed: qwenList(), free: []string{"a", "z"}},
	}
}

// theirs are entries of other tools, as an agent takes them.
func (l kept) theirs() []string {
	if l.flat {
		return []string{`{"command":"true"}`, `{ "command" : "lint --fix, {" }`}
	}
	return []string{
		`{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}`, `{"hooks":[]}`,
		`{ "hooks" : [ {"type":"command","command":"lint, { [","timeout":5} , {"type":"command","command":"x"} ] }`,
	}
}

// listFiles generates files as people and programs write them, with others' entries at events that are ours, too.
func (l kept) files(t *rapid.T) string {
	space := rapid.SampledFrom([]string{"", " ", "\n", "\r\n", "\n\t", "\n  ", "\n    ", "\t "})
	names := func(from []string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 0, len(from), rapid.ID[string]).Draw(t, "names")
	}
	object := func(names []string, value func(string) string) string {
		var members []string
		for _, n := range names {
			members = append(members, space.Draw(t, "before")+`"`+n+`"`+space.Draw(t, "colon")+":"+space.Draw(t, "value")+value(n)+space.Draw(t, "after"))
		}
		return "{" + strings.Join(members, ",") + space.Draw(t, "close") + "}"
	}
	var own []string
	for _, e := range l.host().Events {
		if e.Default && len(own) < 3 {
			own = append(own, e.Name)
		}
	}
	hooks := func() string {
		return object(names(own), func(string) string {
			var out []string
			for _, e := range rapid.SliceOfN(rapid.SampledFrom(l.theirs()), 0, 2).Draw(t, "entries") {
				out = append(out, space.Draw(t, "in")+e+space.Draw(t, "out"))
			}
			return "[" + strings.Join(out, ",") + space.Draw(t, "end") + "]"
		})
	}
	top := append([]string{"hooks"}, l.free...)
	picked := names(top)
	if l.versioned {
		picked = append([]string{"version"}, picked...)
	}
	return space.Draw(t, "head") + object(picked, func(n string) string {
		switch n {
		case "hooks":
			return hooks()
		case "version":
			return "1"
		}
		return rapid.SampledFrom([]string{`"é"`, `"a, }"`}).Draw(t, "v")
	}) + space.Draw(t, "tail")
}

// What install makes of a file it takes back to the byte, whoever edits in between, whether or not anybody remembers what
// was made, and however often other events are asked for.
func TestWithoutUndoesEdited(t *testing.T) {
	for id, l := range lists() {
		t.Run(id, func(t *testing.T) {
			p := &planner{env: world(t), plan: &Plan{Config: "/home/user/.config/boathook/config.toml"}}
			usual, _ := pick(l.host(), map[string]bool{"default": true})
			every := append(append([]event{}, usual[:2]...), usual[3])
			usual = usual[:2]
			rapid.Check(t, func(r *rapid.T) {
				src := l.files(r)
				events := rapid.SampledFrom([][]event{usual, every, usual[:1], nil}).Draw(r, "events")
				out, made := l.check(r, p, src, events, nil)
				if rapid.Bool().Draw(r, "more") {
					out, made = l.check(r, p, out, every, made)
					out, made = l.check(r, p, out, events, made)
				}
				if rapid.Bool().Draw(r, "edited") {
					names, _ := confedit.Names([]byte(src))
					src, out = l.edit(r, src, len(names) == 0), l.edit(r, out, len(names) == 0)
				}
				back, err := l.without([]byte(out), made)
				if err != nil || string(back) != src {
					r.Fatalf("%q became %q, and without %q, not %q (%v)", src, out, back, src, err)
				}
				if back, err = l.without([]byte(out), l.made([]byte(out), file{}, false)); err != nil || l.dropped(back) != "" {
					r.Fatalf("%q without a memory became %q (%v)", out, back, err)
				}
				if have, _ := l.entries(back); len(have) > 0 {
					r.Fatalf("%q still has %v", back, have)
				}
			})
		})
	}
}

// check edits a file, and looks whether what it becomes is as it should be.
func (l kept) check(r *rapid.T, p *planner, src string, events []event, made []string) (string, []string) {
	out, made, err := l.edited(p, []byte(src), events, made)
	if err != nil {
		r.Fatalf("%q: %v", src, err)
	}
	if why := l.dropped(out); why != "" {
		r.Fatalf("%q became %q, which is dropped: %s", src, out, why)
	}
	again, _, err := l.edited(p, out, events, made)
	if err != nil || string(again) != string(out) {
		r.Fatalf("%q became %q, and then %q (%v)", src, out, again, err)
	}
	if have, lines := l.entries(out); len(have) != len(events) || len(lines) != len(events) {
		r.Fatalf("%q became %q with %d entries, not %d", src, out, len(lines), len(events))
	}
	for _, name := range l.lists([]byte(src)) { // what others have stands where it stood
		before, _ := confedit.Elements([]byte(src), []string{hooksKey, name})
		after, _ := confedit.Elements(out, []string{hooksKey, name})
		for i, element := range before {
			if ours, _ := l.count(element); ours == 0 && !bytes.Equal(element, after[i]) {
				r.Fatalf("%q became %q: entry %d of %s is another", src, out, i, name)
			}
		}
	}
	return string(out), made
}

// edit is what a user does to a file: another setting where the agent knows any, else white space. bare says that the file
// had nothing in it before the install.
func (l kept) edit(r *rapid.T, src string, bare bool) string {
	at := strings.IndexByte(src, '{') + 1
	switch {
	case len(l.free) < 2:
		return src + "\n"
	case !bare:
		return src[:at] + ` "edited": true,` + src[at:]
	}
	out, err := confedit.SetMember([]byte(src), "edited", []byte("true"))
	if err != nil {
		r.Fatalf("%v", err)
	}
	return string(out)
}

// A program of others may take the same words: its hooks stay where they are, and say nothing of which events are installed.
func TestOthersWithTheSameWordsStay(t *testing.T) {
	for id, l := range lists() {
		t.Run(id, func(t *testing.T) {
			env := world(t)
			path := l.path(l.dir(env))
			event := l.host().Events[0].Name
			theirs := `{"command":"/opt/other hook --agent ` + id + ` --event ` + event + ` --config c"}`
			if !l.flat {
				theirs = `{"hooks":[` + strings.Replace(theirs, "{", `{"type":"command",`, 1) + `]}`
			} else if id == "copilot" {
				theirs = strings.Replace(theirs, "{", `{"type":"command",`, 1)
			}
			src := `{"version":1,"hooks":{"` + event + `":[` + theirs + `]}}`
			if !l.versioned {
				src = strings.Replace(src, `"version":1,`, "", 1)
			}
			put(t, path, src, 0o644)
			install(t, env, Request{Agents: []string{id}})
			got := text(t, path)
			usual, _ := pick(l.host(), map[string]bool{"default": true})
			if have, _ := l.entries([]byte(got)); len(have) != len(usual) || !strings.Contains(got, theirs) {
				t.Errorf("%d events, not %d: %s", len(have), len(usual), got)
			}
			put(t, path, strings.Replace(got, "{", "{\n", 1), 0o644)
			uninstall(t, env, Request{Agents: []string{id}})
			if got := text(t, path); got != strings.Replace(src, "{", "{\n", 1) {
				t.Errorf("it became %s", got)
			}
		})
	}
}
