package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
)

// workspace looks at a project before hooks go into it. What leads out of the project is refused; what makes it somebody
// else's, or is likely a mistake, needs an explicit yes. Nothing of the project is run, git neither.
func (p *planner) workspace(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return misuse("install into %s: there is no such directory", dir)
	}
	agents := filepath.Join(dir, ".agents")
	if err := noLinks(dir, agents, filepath.Join(agents, "hooks.json"), filepath.Join(agents, stubName)); err != nil {
		return err
	}
	for _, path := range []string{dir, agents, filepath.Join(agents, "hooks.json")} {
		p.distrust(path)
	}
	if !exists(filepath.Join(dir, ".git")) {
		p.consent("%s is not the root of a git repository: Antigravity reads .agents only in the directory that it has open", dir)
	}
	if tracked(dir) {
		p.consent("%s/.agents/hooks.json is tracked by git: the change would reach everybody who pulls, with paths of this machine", dir)
	}
	if others := p.otherHooks(filepath.Join(agents, "hooks.json")); len(others) > 0 {
		p.consent("%s/.agents/hooks.json has other hooks already (%s): look at them, they run on this machine beside boathook", dir, strings.Join(others, ", "))
	}
	return nil
}

// noLinks refuses links out of a project.
func noLinks(dir string, paths ...string) error {
	for _, path := range paths {
		if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
			return refuse("change %s: %s is a symbolic link, and a project must not choose where boathook writes", dir, path)
		}
	}
	return nil
}

func (p *planner) consent(format string, args ...any) {
	p.plan.Consent = append(p.plan.Consent, p.plan.mask(fmt.Sprintf(format, args...)))
}

// distrust asks for consent where others can change what the agent will run.
func (p *planner) distrust(path string) {
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	if uid, ok := owner(info); ok && p.env.UID >= 0 && uid != p.env.UID {
		p.consent("%s belongs to another user (uid %d), who can change what Antigravity runs as you", path, uid)
	}
	if info.Mode().Perm()&0o002 != 0 {
		p.consent("%s can be written by everybody on this machine, who can change what Antigravity runs as you", path)
	}
}

func (p *planner) otherHooks(path string) []string {
	data, err := readFile(path)
	if err != nil {
		return nil
	}
	names, err := confedit.Names(data)
	if err != nil {
		return nil // said where the file is edited
	}
	var out []string
	for _, n := range names {
		if n != ownerName && n != pintaName {
			out = append(out, n)
		}
	}
	return out
}

// tracked looks for the file in git's index. To ask git itself could run what the repository's configuration says
// (core.fsmonitor). Version 4 of the index shortens paths, so there only the end of the name is looked for.
func tracked(dir string) bool {
	git := filepath.Join(dir, ".git")
	if text, err := readFile(git); err == nil { // a worktree: "gitdir: PATH"
		git = strings.TrimSpace(strings.TrimPrefix(string(text), "gitdir:"))
		if !filepath.IsAbs(git) {
			git = filepath.Join(dir, git)
		}
	}
	index, err := readFile(filepath.Join(git, "index"))
	if err != nil || len(index) < 8 {
		return errors.Is(err, errTooLarge) // nothing says that it is not
	}
	if index[7] == 4 {
		return bytes.Contains(index, []byte("hooks.json\x00"))
	}
	return bytes.Contains(index, []byte(".agents/hooks.json\x00"))
}
