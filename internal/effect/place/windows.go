package place

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// slashed is a path of the machine with slashes and, on Windows, a drive.
func slashed(path, goos string) string {
	if goos != "windows" {
		return path
	}
	path = strings.ReplaceAll(path, `\`, "/")
	if len(path) >= 2 && path[0] == '/' && letter(path[1]) && (len(path) == 2 || path[2] == '/') { // as Git's shell has it
		path = strings.ToUpper(path[1:2]) + ":" + path[2:]
	}
	if d := drive(path); d != "" {
		path = strings.ToUpper(d) + path[2:]
	}
	return path
}

// expand replaces what stands for a directory at the start of a word, and gives the word slashes where it is one of Windows.
func (m *Machine) expand(text string) string {
	if rest, ok := strings.CutPrefix(text, "file://"); ok {
		text = rest
	}
	switch {
	case strings.HasPrefix(text, "~"):
		text = m.tilde(text)
	case strings.HasPrefix(text, "%"), len(text) > 4 && strings.EqualFold(text[:5], "$env:"), strings.HasPrefix(text, "${env:"):
		text = m.variable(text)
	}
	if m.OS == "windows" || len(text) > 2 && text[1] == ':' && text[2] == '\\' && letter(text[0]) {
		text = windows(text)
	}
	return text
}

func (m *Machine) tilde(text string) string {
	end := strings.IndexAny(text, `/\`)
	if end < 0 {
		end = len(text)
	}
	who, rest := text[1:end], text[end:]
	switch {
	case who == "" && m.Home != "":
		return m.Home + rest
	case who == "":
		return "/home/" + word.Unknown + rest
	case who == "root":
		return "/root" + rest
	case who == "+" || who == "-" || hasPattern(who) || strings.ContainsAny(who, "$.#"):
		return text
	case m.OS == "darwin":
		return "/Users/" + who + rest
	case m.OS == "windows":
		return text
	}
	return "/home/" + who + rest
}

// variable replaces a variable of Windows at the start of a word.
func (m *Machine) variable(text string) string {
	name, rest := "", ""
	switch {
	case text[0] == '%':
		end := strings.IndexByte(text[1:], '%')
		if end < 0 {
			return text
		}
		name, rest = text[1:1+end], text[end+2:]
	case text[1] == '{':
		end := strings.IndexByte(text, '}')
		if end < 0 {
			return text
		}
		name, rest = text[6:end], text[end+1:]
	default:
		name = text[5:]
		if end := strings.IndexAny(name, `/\`); end >= 0 {
			name, rest = name[:end], name[end:]
		}
	}
	if dir := m.named(strings.ToLower(name)); dir != "" {
		return dir + rest
	}
	return word.Unknown + rest
}

func (m *Machine) named(name string) string {
	home := m.Home
	if home == "" {
		home = `C:\Users\` + word.Unknown
	}
	switch name {
	case "userprofile", "home", "homepath", "homedrive":
		return home
	case "appdata":
		return home + "/AppData/Roaming"
	case "localappdata":
		return home + "/AppData/Local"
	case "temp", "tmp":
		if len(m.Temp) > 0 {
			return m.Temp[0]
		}
		return home + "/AppData/Local/Temp"
	case "tmpdir":
		return "/tmp"
	case "systemroot", "windir":
		return "C:/Windows"
	case "systemdrive":
		return "C:"
	case "programfiles":
		return "C:/Program Files"
	case "programfiles(x86)":
		return "C:/Program Files (x86)"
	case "programdata", "allusersprofile":
		return "C:/ProgramData"
	case "public":
		return "C:/Users/Public"
	}
	return ""
}

// windows gives a path of Windows slashes and takes its prefixes away.
func windows(text string) string {
	text = strings.ReplaceAll(text, `\`, "/")
	for _, p := range [...]string{"//?/UNC/", "//./UNC/"} {
		if rest, ok := strings.CutPrefix(text, p); ok {
			return "//" + rest
		}
	}
	for _, p := range [...]string{"//?/", "//./"} {
		if rest, ok := strings.CutPrefix(text, p); ok && drive(rest) != "" {
			text = rest
		}
	}
	if rest, ok := strings.CutPrefix(text, "/cygdrive"); ok {
		text = rest
	}
	text = slashed(text, "windows")
	if drive(text) == text && text != "" {
		text += "/"
	}
	return text
}
