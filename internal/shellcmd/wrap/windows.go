package wrap

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// windows unwraps cmd and PowerShell.
func windows(name string, c word.Command) ([]word.Inner, bool, bool) {
	switch name {
	case "cmd", "cmd.com":
		return cmdExe(c), true, true
	case "powershell", "pwsh", "powershell_ise", "pwsh-preview":
		return powershell(c), true, true
	case "forfiles":
		for i, a := range c.Argv {
			if strings.EqualFold(a.Text, "/c") && i+1 < len(c.Argv) {
				t := strings.NewReplacer("@path", word.Unknown, "@file", word.Unknown, "@PATH", word.Unknown).Replace(c.Argv[i+1].Text)
				return []word.Inner{{Argv: splitWords(strings.ReplaceAll(t, `\`, "/")), Maybe: true}}, true, true
			}
		}
		return nil, true, true
	case "start", "runas", "gsudo":
		return nil, true, name != "start"
	}
	return nil, false, false
}

// cmdExe runs all that follows /c, /k or /r as one text.
func cmdExe(c word.Command) []word.Inner {
	args := c.Argv[1:]
	for i, a := range args {
		t := strings.ToLower(a.Text)
		// Git's shell needs the slash twice.
		t = strings.TrimPrefix(t, "/")
		if !strings.HasPrefix(a.Text, "/") && !strings.HasPrefix(a.Text, "-") {
			break
		}
		t = strings.TrimLeft(t, "/-")
		if t == "" || strings.IndexByte("ckr", t[0]) < 0 {
			continue
		}
		if len(t) > 1 {
			rest := part(a, strings.TrimLeft(a.Text, "/-")[1:])
			return []word.Inner{text("cmd", joined(append([]word.Arg{rest}, args[i+1:]...)))}
		}
		if i+1 == len(args) {
			return nil
		}
		return []word.Inner{text("cmd", joined(args[i+1:]))}
	}
	return input("cmd", c)
}

// powershell reads -Command, -EncodedCommand and the standard input; parameters may be shortened.
func powershell(c word.Command) []word.Inner {
	args := c.Argv[1:]
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if t == "" || t[0] != '-' && t[0] != '/' || len(t) > 2 && t[0] == '/' && strings.Contains(t[1:], "/") {
			if strings.HasSuffix(strings.ToLower(t), ".ps1") && programName(c) != "powershell" {
				return nil
			}
			if programName(c) == "pwsh" && !strings.ContainsAny(t, " ;|") {
				return nil
			}
			return []word.Inner{text("powershell", joined(args[i:]))}
		}
		p := strings.ToLower(strings.TrimLeft(t, "-/"))
		switch {
		case short(p, "command", 1) || p == "commandwithargs" || p == "cwa":
			if i+1 == len(args) {
				return nil
			}
			if args[i+1].Text == "-" {
				return input("powershell", c)
			}
			return []word.Inner{text("powershell", joined(args[i+1:]))}
		case p == "ec" || short(p, "encodedcommand", 1):
			if i+1 < len(args) {
				return []word.Inner{text("powershell", decoded(args[i+1]))}
			}
			return nil
		case short(p, "file", 1):
			if i+1 < len(args) && args[i+1].Text == "-" {
				return input("powershell", c)
			}
			return nil
		case p == "wd" || p == "ep" || p == "ea" || p == "ex" || short(p, "executionpolicy", 2) || short(p, "windowstyle", 1) || short(p, "version", 1) ||
			short(p, "workingdirectory", 2) || short(p, "psconsolefile", 1) || short(p, "inputformat", 2) || p == "if" ||
			short(p, "outputformat", 1) || p == "of" || short(p, "configurationname", 3) || short(p, "settingsfile", 2) || short(p, "custompipename", 2):
			i++
		}
	}
	return input("powershell", c)
}

// short tells whether p is a shortening of a parameter's name.
func short(p, name string, least int) bool { return len(p) >= least && strings.HasPrefix(name, p) }

// decoded is the text of an encoded command: UTF-16 in base64.
func decoded(a word.Arg) word.Arg {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(a.Text))
	if err != nil || !a.Known() {
		return word.Lit(word.Unknown)
	}
	u := make([]uint16, len(raw)/2)
	for i := range u {
		u[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return word.Lit(string(utf16.Decode(u)))
}
