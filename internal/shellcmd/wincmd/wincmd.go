// Package wincmd splits the text of PowerShell and of cmd.exe into commands, for their common forms.
//
// Names are as their documentation has them: Remove-Item whatever the case or the alias (rm, ri, del, rd), and with full names of the
// parameters that are known (-Recurse for -rec); those of cmd.exe and of programs are as they stand, cmd.exe's own in lower case.
// Variables that name places stand for them: ~ is the home (also for %USERPROFILE%), %TEMP% the temporary directory. A command's
// Stdin.From are places in the list that Split gives.
package wincmd

import "github.com/boathook/boathook/internal/shellcmd/word"

// Bounds; what lies beyond them is unsure.
const (
	maxText     = 1 << 20
	maxCommands = 1 << 11
	maxDepth    = 60
	maxItems    = 1 << 8
	maxValue    = 1 << 14
)

// Split gives the commands of a text; shell is powershell or cmd. Aliases of PowerShell are resolved (ri → Remove-Item), names are in
// the form that the documentation has. unsure says that the text has more than it reads.
func Split(shell, text string) (cmds []word.Command, unsure bool) {
	if len(text) > maxText {
		return nil, true
	}
	if shell == "cmd" {
		b := &batch{vars: map[string]string{}}
		b.text(text)
		return b.cmds, b.unsure
	}
	p := &posh{s: text, vars: map[string]items{}, budget: new(int)}
	*p.budget = 4 * maxText
	p.statements(0)
	return p.cmds, p.unsure
}

// place is the path that a variable of the environment stands for, in lower case its name.
func place(name string) (string, bool) {
	switch name {
	case "userprofile", "home", "homepath":
		return "~", true
	case "homedrive":
		return "", true
	case "temp", "tmp":
		return "%TEMP%", true
	case "systemroot", "windir":
		return `C:\Windows`, true
	case "systemdrive":
		return "C:", true
	case "programfiles", "programw6432":
		return `C:\Program Files`, true
	case "programfiles(x86)":
		return `C:\Program Files (x86)`, true
	case "programdata", "allusersprofile":
		return `C:\ProgramData`, true
	case "public":
		return `C:\Users\Public`, true
	case "appdata":
		return `~\AppData\Roaming`, true
	case "localappdata":
		return `~\AppData\Local`, true
	case "cd", "pwd":
		return ".", true
	case "comspec":
		return `C:\Windows\System32\cmd.exe`, true
	}
	return "", false
}
