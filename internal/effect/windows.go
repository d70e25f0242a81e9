package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// cmdlet is a command of PowerShell or cmd.exe with its parameters read.
type cmdlet struct {
	operands []word.Arg
	named    []named
}

type named struct {
	name  string
	value word.Arg
}

// cmdletOf reads -Name value and -Switch; switches, separated by blanks, those that have no value.
func cmdletOf(args []word.Arg, switches string) cmdlet {
	var c cmdlet
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if len(t) < 2 || t[0] != '-' || t[1] >= '0' && t[1] <= '9' {
			c.operands = append(c.operands, args[i])
			continue
		}
		name, value, has := strings.Cut(strings.ToLower(t[1:]), ":")
		n := named{name: name, value: word.Lit(value)}
		if !has && i+1 < len(args) && !isSwitch(name, switches) {
			i++
			n.value = args[i]
		}
		c.named = append(c.named, n)
	}
	return c
}

// isSwitch tells whether a parameter, which may be cut, is one of the switches.
func isSwitch(name, switches string) bool {
	for s := range strings.FieldsSeq(switches) {
		if strings.HasPrefix(s, name) {
			return true
		}
	}
	return severalOptions(name)
}

// severalOptions tells whether a parameter is several of rm's own options at once: on Linux and macOS PowerShell's rm is that of the system,
// and on Windows such a call fails.
func severalOptions(name string) bool {
	return len(name) > 1 && len(name) < 6 && strings.Trim(name, "rfivd") == "" && strings.ContainsAny(name, "rf")
}

// has tells whether a switch is on.
func (c cmdlet) has(full string) bool {
	for _, n := range c.named {
		if (strings.HasPrefix(full, n.name) || severalOptions(n.name) && strings.Contains(n.name, full[:1])) && !strings.EqualFold(n.value.Text, "$false") {
			return true
		}
	}
	return false
}

// paths are the values of -Path and -LiteralPath, else the operands.
func (c cmdlet) paths(more ...string) []word.Arg {
	var out []word.Arg
	for _, n := range c.named {
		if n.name == "path" || n.name == "literalpath" || n.name == "lp" || n.name == "pspath" || n.name == "filepath" {
			out = append(out, n.value)
		}
		for _, m := range more {
			if n.name == m {
				out = append(out, n.value)
			}
		}
	}
	if len(out) == 0 {
		out = c.operands
	}
	out = listed(out)
	for i := range out { // PowerShell takes either separator on every system
		out[i].Text = strings.ReplaceAll(out[i].Text, `\`, "/")
	}
	return out
}

// listed splits a,b, which PowerShell takes for two; * is a pattern there, quoted or not.
func listed(args []word.Arg) []word.Arg {
	var out []word.Arg
	for _, a := range args {
		for part := range strings.SplitSeq(a.Text, ",") {
			b := a
			b.Text = strings.Trim(strings.TrimSpace(part), `"'`)
			b.Glob = a.Glob || strings.ContainsAny(b.Text, "*?")
			if b.Text != "" {
				out = append(out, b)
			}
		}
	}
	return out
}

const switches = "recurse force confirm whatif passthru verbose debug nonewline noclobber append asjob"

// cmdlets notes what the commands of PowerShell do, and tells whether this is one of them.
func (s *sheet) cmdlets(name string, args []word.Arg) bool {
	name = strings.ToLower(name)
	verb, noun, ok := strings.Cut(name, "-")
	if !ok || noun == "" {
		return s.cmd(name, args)
	}
	c := cmdletOf(args, switches)
	if c.has("whatif") {
		return true
	}
	return s.items(name, verb, c) || s.hosts(name, c, args)
}

// items notes what is done to files.
func (s *sheet) items(name, verb string, c cmdlet) bool {
	switch name {
	case "remove-item":
		s.removeItem(c)
	case "move-item", "copy-item", "rename-item":
		s.transferItem(verb, c)
	case "set-content", "out-file", "clear-content", "export-csv", "export-clixml", "tee-object":
		s.paths(first(c.paths()), change{kind: policy.Overwrite})
	case "add-content":
		s.paths(first(c.paths()), change{kind: policy.Write, verb: "append"})
	case "new-item":
		s.paths(first(c.paths("name")), change{kind: policy.Write})
	case "set-acl":
		s.paths(first(c.paths()), change{kind: policy.Chmod})
	default:
		return false
	}
	return true
}

// hosts notes what is done to the machine.
func (s *sheet) hosts(name string, c cmdlet, args []word.Arg) bool {
	switch name {
	case "set-itemproperty", "new-itemproperty", "remove-itemproperty":
		s.runKeys(args)
	case "clear-disk", "format-volume", "initialize-disk", "remove-partition", "clear-volume", "reset-physicaldisk", "remove-volume", "new-partition",
		"set-disk", "resize-partition", "remove-virtualdisk", "remove-storagepool":
		s.add(policy.Device, "format", joined(args))
	case "stop-computer", "restart-computer":
		s.add(policy.Kill, "shutdown", name)
	case "stop-process":
		for _, n := range c.named {
			if n.name == "name" || n.name == "n" {
				s.killedName(n.value)
			}
		}
		for _, a := range c.operands {
			s.add(policy.Kill, "process", a.Text)
		}
	case "add-localgroupmember", "new-localuser", "set-localuser", "remove-localuser", "add-adgroupmember":
		s.add(policy.Privilege, "accounts", joined(args))
	case "clear-recyclebin":
		s.add(policy.Delete, "recycle-bin", "")
	default:
		return false
	}
	return true
}

func first(args []word.Arg) []word.Arg { return args[:min(1, len(args))] }

func (s *sheet) removeItem(c cmdlet) {
	ch := change{kind: policy.Delete, how: place.Entry, recursive: c.has("recurse"), forced: c.has("force")}
	paths := c.paths()
	for _, p := range paths {
		if key := strings.ToUpper(p.Text); strings.HasPrefix(key, "HK") && strings.Contains(key, ":") {
			s.add(policy.Security, "registry-delete", p.Text)
			continue
		}
		s.path(p, ch)
	}
	if len(paths) == 0 && ch.recursive {
		s.vague(ch)
	}
}

func (s *sheet) transferItem(verb string, c cmdlet) {
	from, to := c.paths(), word.Arg{}
	for _, n := range c.named {
		if n.name == "destination" || n.name == "dest" || n.name == "newname" || n.name == "d" {
			to = n.value
		}
	}
	if to.Text == "" && len(from) > 1 {
		from, to = from[:len(from)-1], from[len(from)-1]
	}
	if verb != "copy" {
		s.paths(from, change{kind: policy.Move, how: place.Entry, recursive: true, forced: c.has("force")})
	}
	if to.Text != "" && verb != "rename" {
		s.into(from, to, change{kind: policy.Overwrite, recursive: c.has("recurse"), forced: c.has("force")})
	}
}
