// Package wincmd splits the text of PowerShell and of cmd.exe into commands, for their common forms.
package wincmd

import "github.com/boathook/boathook/internal/shellcmd/word"

// Split gives the commands of a text; shell is powershell or cmd. Aliases of PowerShell are resolved (ri → Remove-Item), names are in
// the form that the documentation has. unsure says that the text has more than it reads.
func Split(shell, text string) (cmds []word.Command, unsure bool) {
	return nil, true
}
