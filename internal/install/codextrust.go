package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/codextrust"
	"github.com/boathook/boathook/internal/tomledit"
)

// Codex runs a hook once its user has looked at it: the hook's hash is in config.toml then. With --trust install writes the
// hashes of its own hooks there, after it asked the Codex on PATH for them; nobody else's hook is ever trusted. The keys count
// the groups before (0.171.0), so that they are written anew where others put hooks before ours.

// codexSettings is Codex's file of settings.
const codexSettings = "config.toml"

// codexPatience is how long Codex may take to list its hooks; a cold one takes a second.
const codexPatience = 20 * time.Second

// trusting adds that to the agent.
func trusting(a agent) agent {
	add, undo := a.add, a.undo
	a.add = func(p *planner, at place) error {
		if err := add(p, at); err != nil {
			return err
		}
		return p.trust(at.Dir)
	}
	a.undo = func(p *planner, at place) error {
		if err := p.untrust(at.Dir); err != nil {
			return err
		}
		return undo(p, at)
	}
	return a
}

// trust plans the entries in config.toml, or says why no hook is going to run.
func (p *planner) trust(dir string) error {
	hooks, config, err := p.codexHooks(dir)
	if err != nil {
		return err
	}
	var missing []string
	tree, err := tomledit.Tree(config.data)
	if err != nil {
		p.note("%s: Codex can't read it (%s), and runs no hook", codexConfig(p.env), err)
	}
	for _, h := range hooks {
		if codextrust.StateOf(tree, h) != codextrust.Trusted {
			missing = append(missing, h.Event)
		}
	}
	switch {
	case !p.req.Trust && len(missing) > 0:
		p.note("Codex runs no new or changed hook before you have reviewed it, and 'codex exec' says nothing of that: start codex and choose 'Review hooks' "+
			"(/hooks shows them at any time), or pass --trust, which writes to %s that you trust boathook's own", codexConfig(p.env))
	case p.req.Trust && (len(missing) > 0 || p.strays(hooks)):
		return p.trustHooks(hooks, config)
	case p.req.Trust:
		p.keepTrust()
	}
	return nil
}

// codexHooks are boathook's hooks as they are going to be, and config.toml as it is.
func (p *planner) codexHooks(dir string) ([]codextrust.Hook, found, error) {
	l := codexList()
	now, err := p.read(l.path(dir))
	if err != nil {
		return nil, found{}, err
	}
	data := now.data
	for _, c := range p.plan.Changes {
		if c.Path == now.path && (c.Op == Create || c.Op == Edit) {
			data = c.after
		}
	}
	all, err := codextrust.Hooks(codexSource(p.env, dir), data)
	if err != nil {
		return nil, found{}, refuse("trust the hooks: %w", err)
	}
	ours := slices.DeleteFunc(all, func(h codextrust.Hook) bool { return !l.ours(h.Command) })
	if p.req.Trust {
		p.verifyTrust(ours, data)
	}
	config, err := p.read(codexConfig(p.env))
	return ours, config, err
}

// codexSource is the path of the hooks as Codex has it in its keys.
func codexSource(env Env, dir string) string {
	return codextrust.Source(dir, filepath.IsAbs(lookup(env, "CODEX_HOME")))
}

// verifyTrust asks the Codex that is there for the hashes. Where it has others, its own count.
func (p *planner) verifyTrust(hooks []codextrust.Hook, data []byte) {
	program := onPath(p.env, "codex")
	if program == "" {
		p.note("there is no codex on PATH to ask for the hashes of the hooks: they are boathook's own, which are those of Codex 0.171.0")
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), codexPatience)
	defer cancel()
	answer, err := codextrust.Ask(ctx, program, lookup(p.env, "PATH"), codexSource(p.env, codexDir(p.env)), data)
	if err != nil {
		p.note("%s: %s; the hashes of the hooks are boathook's own, which are those of Codex 0.171.0", program, err)
		return
	}
	same := true
	for i, h := range hooks {
		if theirs := answer.Hashes[h.Key]; theirs != h.Hash {
			same, hooks[i].Hash = false, theirs
		}
	}
	if same {
		p.note("Codex %s (%s) has the same hashes of the hooks as boathook", answer.Version, program)
	} else {
		p.note("Codex %s (%s) has other hashes of the hooks than 0.171.0: its own are written", answer.Version, program)
	}
}

// trustHooks plans the edit.
func (p *planner) trustHooks(hooks []codextrust.Hook, now found) error {
	path := codexConfig(p.env)
	known, ok := p.old.file(path)
	want, err := known.distrusted(now.data)
	if err != nil {
		return badTOML(path, err)
	}
	if !ok || !slices.Contains(known.After, sum(now.data)) {
		known = p.untrusted(now, known, ok, want)
	}
	known.Made, known.Replaced = nil, map[string]string{}
	tree, err := tomledit.Tree(want)
	if err != nil {
		return badTOML(path, err)
	}
	for _, h := range hooks {
		if h.Hash == "" {
			p.note("Codex does not list the hook of %s: it is not trusted", h.Event)
			continue
		}
		if old, there := tomledit.Get(tree, codextrust.Path(h.Key)...); there {
			if old == h.Hash {
				continue // somebody trusted it before, and it stays so
			}
			known.Replaced[h.Key], _ = old.(string)
		}
		if codextrust.StateOf(tree, h) == codextrust.Disabled {
			p.note("%s has enabled = false for the hook of %s: Codex does not run it until that is gone", path, h.Event)
		}
		if want, err = tomledit.Set(want, codextrust.Path(h.Key), h.Hash); err != nil {
			return badTOML(path, err)
		}
		known.Made = append(known.Made, h.Key)
	}
	if codextrust.HooksOff(tree) {
		p.note("%s has features.hooks = false: Codex runs no hook until that is gone", path)
	}
	p.next.put(known, sum(want))
	p.write(now, want, 0o600, "that you trust boathook's hooks")
	return nil
}

// untrusted keeps what config.toml is to be after an uninstall.
func (p *planner) untrusted(now found, known file, ok bool, base []byte) file {
	next := file{Path: known.Path}
	if now.exists && (!ok || known.Before != "" || len(bytes.TrimSpace(base)) > 0) {
		next.Before = sum(base)
		p.backup(next.Path, base)
	}
	return next
}

// strays tells that there are entries of ours for places in which none of our hooks is any more.
func (p *planner) strays(hooks []codextrust.Hook) bool {
	known, _ := p.old.file(codexConfig(p.env))
	return slices.ContainsFunc(known.Made, func(key string) bool {
		return !slices.ContainsFunc(hooks, func(h codextrust.Hook) bool { return h.Key == key })
	})
}

// keepTrust goes on with the entries that are there.
func (p *planner) keepTrust() {
	if known, ok := p.old.file(codexConfig(p.env)); ok && len(known.After) > 0 {
		p.next.put(known, known.After[len(known.After)-1])
	}
}

// distrusted is a config.toml without the entries of ours, and with those back that they replaced.
func (f file) distrusted(data []byte) ([]byte, error) {
	out := data
	for _, key := range slices.Backward(f.Made) {
		var err error
		if old, replaced := f.Replaced[key]; replaced {
			out, err = tomledit.Set(out, codextrust.Path(key), old)
		} else {
			out, err = tomledit.Remove(out, codextrust.Path(key))
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// untrust plans to take the entries out of config.toml: the original bytes come back where nobody edited it since.
func (p *planner) untrust(dir string) error {
	path := filepath.Join(dir, codexSettings)
	now, err := p.read(path)
	if err != nil {
		return err
	}
	known, ok := p.old.file(path)
	if !ok {
		known.Made = p.orphaned(dir, now.data)
	}
	if len(known.Made) == 0 {
		return nil // what the user's review wrote is the user's
	}
	p.sweep(path)
	p.next.drop(path)
	if !now.exists || p.unedited(now, known) {
		return nil
	}
	left, err := known.distrusted(now.data)
	switch {
	case err != nil:
		return badTOML(path, err)
	case ok && known.Before == "" && len(bytes.TrimSpace(left)) == 0:
		p.remove(now)
		return nil
	}
	p.rewrite(now, left)
	return nil
}

// orphaned are the entries for our hooks where there is no manifest to say who wrote them.
func (p *planner) orphaned(dir string, config []byte) []string {
	if p.text != nil {
		return nil
	}
	data, _ := readFile(codexList().path(dir)) // without one there are none
	tree, _ := tomledit.Tree(config)
	hooks, _ := codextrust.Hooks(codexSource(p.env, dir), data)
	var out []string
	for _, h := range hooks {
		if codexList().ours(h.Command) && codextrust.StateOf(tree, h) == codextrust.Trusted {
			out = append(out, h.Key)
		}
	}
	return out
}

func badTOML(path string, err error) error {
	var at *tomledit.SyntaxError
	switch {
	case errors.As(err, &at):
		return refuse("edit %s:%w; mend it first, nothing in it was changed", path, at)
	case errors.Is(err, tomledit.ErrShape):
		return refuse("edit %s: hooks.state: %w", path, err)
	}
	return fmt.Errorf("edit %s: %w", path, err)
}
